"""Hidden cards: facts, posterior, sampled worlds, information sets."""
