"""Files of positions and of answers."""
