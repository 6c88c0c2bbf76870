"""Generation of the legal moves, and their effect on the game."""
