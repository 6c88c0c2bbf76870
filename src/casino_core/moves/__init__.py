"""Legal moves, and the effect of a play."""
