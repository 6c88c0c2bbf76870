# The best response to careful players, over worlds that the mover cannot tell apart.
