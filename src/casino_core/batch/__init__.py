"""Many positions."""
