"""Estimates of the points that are still open, and the quick players that use them."""
