"""What a position shows of its parts: builds and hands."""

from __future__ import annotations

from typing import NamedTuple

from casino_core.rules.cards import CardSet

__all__ = ["Build", "Hand"]


class Build(NamedTuple):
    """A build on the table.

    Attributes:
        value: what a card must count to capture it, 1 to 14.
        owner: letter of the seat bound by it.
        multiple: whether it is of two or more groups, which cannot be raised.
        cards: its cards.

    Example:
        >>> str(Build(9, "a", True, CardSet("4h5c9s")))
        '9a*:4h5c9s'
    """

    value: int
    owner: str
    multiple: bool
    cards: CardSet

    def __str__(self) -> str:
        return f"{self.value}{self.owner}{'*' if self.multiple else ''}:{self.cards}"


class Hand(NamedTuple):
    """Cards held, or captured: those known, and how many are not.

    Attributes:
        cards: the cards known.
        hidden: how many more there are.

    Example:
        >>> str(Hand(CardSet("As"), 2)), Hand(CardSet("As"), 2).size
        ('As??', 3)
    """

    cards: CardSet
    hidden: int

    @property
    def size(self) -> int:
        """Number of cards, known or not."""
        return len(self.cards) + self.hidden

    def __str__(self) -> str:
        return str(self.cards) + "?" * self.hidden or "-"
