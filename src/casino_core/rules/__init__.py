"""The words of the game: cards, rule sets, and the structs that all compiled code shares."""
