# Values of a position's moves in many worlds: the ways in which the hidden cards may lie. Layer 8.
