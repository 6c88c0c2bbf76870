"""Agents that play the game, and the arena and tournaments that measure their strength."""
