"""Perft: how many sequences of plays there are, which tells two move generators apart at once."""

from __future__ import annotations

from casino_core._arguments import instance_of, whole
from casino_core.game.position import Position

__all__ = ["perft", "perft_divide"]

#: A round has 48 plays at most, but who asks for more means the end.
_DEPTH = whole(0, 1000)


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` plays.

    A sequence ends earlier, and counts once, where the round ends or a card comes to a hand that
    is not known.

    Args:
        position: where the sequences start.
        depth: plays, 0 or more.

    Raises:
        HiddenCardError: a hand whose cards are not known comes to play.
        CasinoError: `depth` is negative or senseless.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/7c8dAh9h")
        >>> perft(position, 1), perft(position, 2)
        (6, 42)
    """
    position, depth = _checked(position, depth)
    return position._perft(depth) if depth else 1


def perft_divide(position: Position, depth: int) -> dict[str, int]:
    """`perft` split by first move: move text to sequences that begin with it, sorted by text.

    Args:
        position: where the sequences start.
        depth: plays, 1 or more; at 0 there is no first move and the result is empty.

    Raises:
        HiddenCardError, CasinoError: as `perft`.

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
    """Sequences that go on after one play."""
    hidden = sum(hand.hidden for hand in position.hands)
    if depth == 0 or sum(hand.hidden for hand in child.hands) > hidden:
        return 1
    return perft(child, depth)


def _checked(position: object, depth: object) -> tuple[Position, int]:
    return instance_of(Position)("position", position), _DEPTH("depth", depth)
