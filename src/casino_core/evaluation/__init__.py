"""What captured cards and the rest of a round are worth, win chances of a match, quick players."""
