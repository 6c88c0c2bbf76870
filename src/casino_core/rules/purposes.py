"""The uses of random numbers: each has a stream of its own, named by its purpose."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Purpose"]


class Purpose(StrEnum):
    """The purpose of a `Stream`; another text makes a stream of one's own.

    Example:
        >>> Purpose.DECK == "deck"
        True
    """

    DECK = "deck"  # the deck of a round of the arena
    AGENT = "agent"  # a play of an agent
    NOTICE = "notice"  # what a player of a low level notices
    WORLDS = "worlds"  # batches of sampled worlds of a hint
    HANDS = "hands"  # hidden hands, drawn by their weight
    TREE = "tree"  # deals and moves of a tree search
    BOOTSTRAP = "bootstrap"  # resampled worlds, for the chance that a move is the best
    MEANS = "means"  # normal errors of the means, for the same chance
    LUCK = "luck"  # other deals that could have come
    STEP = "step"  # steps drawn by one of many games
