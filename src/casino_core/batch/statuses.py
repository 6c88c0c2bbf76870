"""Statuses of the items of a batch: their numbers in arrays, and their messages."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Status"]


class Status(IntEnum):
    """The status of an item of a batch.

    Example:
        >>> Status.DONE.is_error, Status.HIDDEN_HAND.is_error
        (False, True)
        >>> Status.UNFINISHED.message
        'the round is not finished, so it has no score yet'
    """

    DONE = 0
    LIMIT = 1
    UNREADABLE = 2
    INVALID = 3
    HIDDEN_HAND = 4
    HIDDEN_PILE = 5
    HIDDEN_STOCK = 6
    MANY_SIDES = 7
    MANY_MOVES = 8
    UNFINISHED = 9
    LARGE_VALUES = 10
    NO_MEMORY = 11
    LOST = 12

    @property
    def is_error(self) -> bool:
        """Whether the item has no answer; `LIMIT` is no error, as it has bounds."""
        return self > Status.LIMIT

    @property
    def message(self) -> str:
        """The error in words; empty if there is none."""
        return _MESSAGES[self]


_MESSAGES = {
    Status.DONE: "",
    Status.LIMIT: "",
    Status.UNREADABLE: "the position could not be read",
    Status.INVALID: "the item of the array is not a position that can be",
    Status.HIDDEN_HAND: "cards of a hand are not known; hint works with what is seen",
    Status.HIDDEN_PILE: "captured cards are not all known (? in piles)",
    Status.HIDDEN_STOCK: "the order of the stock is not known; hint works with what is seen",
    Status.MANY_SIDES: "exact values are for two sides: two players, or four in partnership",
    Status.MANY_MOVES: "a position has too many legal moves to list",
    Status.UNFINISHED: "the round is not finished, so it has no score yet",
    Status.LARGE_VALUES: "the points for a sweep make values too large for this search",
    Status.NO_MEMORY: "not enough memory",
    Status.LOST: "the worker was lost",
}
