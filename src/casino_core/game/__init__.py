"""The public objects of the game: positions, moves, rounds, matches; their text and scores."""
