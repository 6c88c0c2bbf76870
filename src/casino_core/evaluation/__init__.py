"""What captured cards and the rest of a round are worth; win chances; quick players."""
