"""Reviews of games: the cost of each play, and luck."""
