"""The public objects of a game, such as `Position`, `Move` and `Round`, and their notation."""
