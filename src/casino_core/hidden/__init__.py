"""Hidden cards: facts, posterior, sampled worlds, keys of information sets."""
