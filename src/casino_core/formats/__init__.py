"""Text formats: reading of all input, records of games, saved games, answers as JSON."""
