"""Hints: the best play for a seat that does not see the other hands."""
