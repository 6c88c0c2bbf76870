"""Batches: answers for many positions at once, on all processors, from memory or from files."""
