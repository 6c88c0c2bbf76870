"""Reading and writing of text: records of games, saved games of other programs, answers as JSON."""
