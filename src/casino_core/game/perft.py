"""Perft: the number of sequences of plays, a standard test of move generators."""

from __future__ import annotations

from casino_core._arguments import instance_of, whole
from casino_core.game.position import Position

__all__ = ["perft", "perft_divide"]

#: A round has at most 48 plays; a larger depth means the whole round.
_DEPTH = whole(0, 1000)


def perft(position: Position, depth: int) -> int:
    """Count the sequences of `depth` plays.

    A sequence that ends early counts once: at the end of the round, or when a hand is dealt an
    unknown card.

    Args:
        position: where the sequences start.
        depth: plays, 0 or more.

    Raises:
        HiddenCardError: it is the turn of a seat with unknown cards.
        CasinoError: `depth` is not a whole number from 0 to 1000.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/7c8dAh9h")
        >>> perft(position, 1), perft(position, 2)
        (6, 42)
    """
    position, depth = _checked(position, depth)
    return position._perft(depth) if depth else 1


def perft_divide(position: Position, depth: int) -> dict[str, int]:
    """Count the sequences of plays by their first move.

    Args:
        position: where the sequences start.
        depth: plays, 0 or more; at 0 there is no first move and the result is empty.

    Returns:
        The number of sequences for the text of each first move, sorted by text.

    Raises:
        HiddenCardError: as in `perft`.
        CasinoError: as in `perft`.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/7c8dAh9h")
        >>> perft_divide(position, 2)["QdxQs"]
        6
    """
    position, depth = _checked(position, depth)
    if depth == 0:
        return {}
    return {
        str(move): _after(position, position.play(move), depth - 1)
        for move in position.legal_moves()
    }


def _after(position: Position, child: Position, depth: int) -> int:
    """Count the sequences after the first play."""
    hidden = sum(hand.hidden for hand in position.hands)
    if depth == 0 or sum(hand.hidden for hand in child.hands) > hidden:
        return 1
    return perft(child, depth)


def _checked(position: object, depth: object) -> tuple[Position, int]:
    return instance_of(Position)("position", position), _DEPTH("depth", depth)
