"""What chance is drawn for: each use has a stream of its own, named by its purpose."""

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
    WORLDS = "worlds"  # lots of sampled worlds of a hint
    HANDS = "hands"  # hidden hands, drawn by their weight
    TREE = "tree"  # deals and moves of a tree search
    BOOTSTRAP = "bootstrap"  # worlds drawn again for the chance of the best move
    MEANS = "means"  # normal errors of means, for the same
