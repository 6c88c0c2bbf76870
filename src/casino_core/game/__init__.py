"""The public objects, `Position` and `Move`, and their text."""
