"""Drawings of positions and tables of answers, for terminals and notebooks."""
