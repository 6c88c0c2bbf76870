"""The places of cards in a position, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from casino_core.rules.cards import CardSet

if TYPE_CHECKING:
    from casino_core.game.position import Position

__all__ = ["whereabouts"]


def whereabouts(position: Position, cards: CardSet) -> str:
    """The places of cards in a position, in words.

    Args:
        position: any position.
        cards: the cards to look for.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
        >>> whereabouts(position, CardSet("QsQdQc"))
        'Qs on the table, Qd in the hand of a, Qc hidden in a hand or the stock'
    """
    found = []
    for where, there in _places(position):
        if names := " ".join(cards & there):
            found.append(f"{names} {where}")
    return ", ".join(found)


def _places(position: Position) -> Iterator[tuple[str, CardSet]]:
    yield "on the table", position.table
    yield "out of the game", position.out
    for build in position.builds:
        yield f"in the build {build}", build.cards
    for seat, hand in zip(position.rules.seats, position.hands, strict=True):
        yield f"in the hand of {seat}", hand.cards
    for pile in position.piles:
        yield "captured", pile.cards
    yield "in the stock", CardSet(position.stock or ())
    yield "hidden in a hand or the stock", position.unseen
