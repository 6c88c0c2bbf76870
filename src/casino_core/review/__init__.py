"""What each play of a record cost."""
