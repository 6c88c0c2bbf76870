# The best answers to careful players, over what the mover can tell apart.
