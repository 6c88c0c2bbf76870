"""Inference about hidden cards: facts from the plays, and the probability of each hand."""
