"""Learning: turns as steps over small numbers, information states, many games in arrays."""
