"""Points that each side has captured so far, by category."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino_core.game.counting import points_of_cards
from casino_core.rules.cards import ALL_CARDS, CardSet
from casino_core.rules.pieces import Points

if TYPE_CHECKING:
    from casino_core.game.position import Position

__all__ = ["captured_cards", "points_so_far"]

_BIG_CASINO = CardSet("Td")
_LITTLE_CASINO = CardSet("2s")
_ACES = CardSet("AsAhAdAc")
_SPADES = CardSet(sum(1 << card for card in range(0, ALL_CARDS.bit_length(), 4)))
_OTHER_SPADES = _SPADES - _ACES - _LITTLE_CASINO


def captured_cards(position: Position) -> tuple[CardSet, ...]:
    """The known captured cards of each side; in a finished round the last capturer's with the
    cards left on the table.

    Args:
        position: any position.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=2s hands=As/? piles=AdTd3s????????/?????? out=-")
        >>> captured_cards(position)
        (CardSet('Ad3sTd'), CardSet(''))
    """
    piles = [pile.cards for pile in position.piles]
    if position.is_over and position.last is not None:
        side = position.rules.side_of(position.rules.seats.index(position.last))
        for cards in (position.table, *(build.cards for build in position.builds)):
            piles[side] |= cards
    return tuple(piles)


def points_so_far(position: Position) -> tuple[Points, ...]:
    """Counts and points of what each side has captured so far.

    Args:
        position: any position.

    Example:
        >>> from casino_core import Position
        >>> line = "rules=hoyle table=2s hands=As/? piles=AdTd3s????????????/??????????????? out=-"
        >>> points_so_far(Position.parse(line + " sweeps=1/0"))[0]
        Points(cards=15, spades=1, big_casino=2, little_casino=0, aces=1, other_spades=0, sweeps=1)
    """
    sides = zip(captured_cards(position), position.piles, position.sweeps, strict=True)
    return tuple(
        Points(
            len(cards) + pile.hidden,
            len(cards & _SPADES),
            points_of_cards(position._compiled, cards & _BIG_CASINO),
            points_of_cards(position._compiled, cards & _LITTLE_CASINO),
            points_of_cards(position._compiled, cards & _ACES),
            points_of_cards(position._compiled, cards & _OTHER_SPADES),
            sweeps * position.rules.sweep,
        )
        for cards, pile, sweeps in sides
    )
