"""What a seat knows as text, and moves by their place in the sorted list."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from casino_core._arguments import shown, whole
from casino_core.errors import CasinoError
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.learning.steps import Choice, describe

__all__ = ["index_of", "information_text", "move_at", "plays_text"]


def information_text(
    seen: Position | Round, seat: str | None = None, choice: Choice | None = None
) -> str:
    """What a seat knows as one line of text.

    Two texts of a seat are equal exactly where the seat cannot tell the positions apart: by what
    `Position.view` shows, and by the plays of the deal where a `Round` is given.

    Args:
        seen: a `Position` or a `Round`.
        seat: the seat's letter; None for the seat to play.
        choice: the steps of an unfinished turn in this position.

    Raises:
        CasinoError: neither a position nor a round.
        NotationError: there is no such seat.

    Example:
        >>> played = Round(Position.parse("table=2s5h8dKc hands=As7c9hTd/KdQd3s3h"))
        >>> print(information_text(played.play("7cx2s5h"), "b"))
        seat=b rules=standard table=8dKc hands=???/3s3hQdKd piles=2s5h7c/- turn=b last=a | a:7cx2s5h
    """
    position = _position_of(seen)
    own = position.turn if seat is None else seat
    parts = [f"seat={own} {position.view(own)}"]
    if isinstance(seen, Round):
        parts += [plays_text(seen.plays_of_deal())]
    if choice is not None and own == position.turn and choice.steps:
        parts += [", ".join(map(describe, choice.steps))]
    return " | ".join(parts)


def plays_text(plays: Iterable[tuple[Position, Move]]) -> str:
    """Plays with the seats that made them, as `information_text` writes those of the deal.

    Args:
        plays: each with the position that it was made in.
    """
    return " ".join(f"{before.turn}:{_all_cards(move)}" for before, move in plays)


def _position_of(seen: object) -> Position:
    if isinstance(seen, Round):
        return seen.position
    if isinstance(seen, Position):
        return seen
    what = f"a Position or a Round, not {shown(seen)}"
    raise CasinoError(f"an information state is that of {what}")


def _all_cards(move: Move) -> str:
    """A play with every card that it takes, so that no two plays have one text."""
    if move.kind == "trail":
        return move.card
    text = f"{move.card}{'x' if move.kind == 'capture' else '+'}{move.loose or ''}"
    built = f"[{move.built}]" if move.built else ""
    return f"{text}{built}" + (f"={move.value}" if move.value else "")


def index_of(position: Position, move: str | Move) -> int:
    """The place of a legal move in the sorted list of legal moves.

    Args:
        position: the position.
        move: a `Move` or its text.

    Raises:
        IllegalMoveError: the move is not legal.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
        >>> index_of(position, "QdxQs"), str(move_at(position, 4))
        (4, 'QdxQs')
    """
    return bisect_left(position.legal_moves(), str(position.move(move)), key=str)


def move_at(position: Position, index: int) -> Move:
    """The legal move at a place in the sorted list of legal moves.

    Args:
        position: the position.
        index: the place, from 0.

    Raises:
        CasinoError: the list has no such place.
    """
    moves = position.legal_moves()
    if not moves:
        raise CasinoError("the round is over: there are no moves")
    return moves[whole(0, len(moves) - 1)("index", index)]
