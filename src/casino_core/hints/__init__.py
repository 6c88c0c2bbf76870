"""The best play from what is seen."""
