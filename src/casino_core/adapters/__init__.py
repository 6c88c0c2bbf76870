"""Adapters: the game in the forms of other frameworks, each with an extra of the same name."""
