"""What is undecided is worth, and the quick players."""
