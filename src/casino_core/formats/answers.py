"""Answers as JSON, for `--json` on the command line and for the engine.

Each function returns a dictionary of plain values; `json_line` writes it as one line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from casino_core.game.position import Position
from casino_core.rules.pieces import Hand
from casino_core.search.solver import Solution

if TYPE_CHECKING:
    from casino_core.hints.hint import Hint

__all__ = [
    "hand_names",
    "hint_fields",
    "json_line",
    "moves_fields",
    "play_fields",
    "position_fields",
    "solve_fields",
]


def json_line(answer: Mapping[str, Any]) -> str:
    """Write an answer as one line of JSON in ASCII, without a line end.

    Args:
        answer: the fields of the answer.

    Raises:
        ValueError: a number is infinite or not a number.

    Example:
        >>> json_line({"value": None, "best": "9h"})
        '{"value": null, "best": "9h"}'
    """
    return json.dumps(answer, allow_nan=False)


def hand_names(hand: Hand) -> list[str]:
    """The names of the cards of a hand or pile, `?` for each that is not known.

    Args:
        hand: the hand or pile.

    Example:
        >>> hand_names(Position.parse("table=2s5h8dKc hands=AsTd??/????").hands[0])
        ['As', 'Td', '?', '?']
    """
    return [*hand.cards, *["?"] * hand.hidden]


def position_fields(position: Position) -> dict[str, Any]:
    """A position: its line, and its fields one by one.

    Args:
        position: any position.

    Example:
        >>> position_fields(Position.parse("table=2s5h8dKc hands=As7c9hTd/????"))["hands"][1]
        ['?', '?', '?', '?']
    """
    return {
        "position": str(position),
        "rules": str(position.rules),
        "table": list(position.table),
        "builds": [
            {
                "value": build.value,
                "owner": build.owner,
                "multiple": build.multiple,
                "cards": list(build.cards),
            }
            for build in position.builds
        ],
        "hands": [hand_names(hand) for hand in position.hands],
        "piles": [hand_names(pile) for pile in position.piles],
        "turn": position.turn,
        "last": position.last,
        "sweeps": list(position.sweeps),
        "stock": None if position.stock is None else list(position.stock),
        "stock_count": position.stock_count,
        "out": list(position.out),
        "declared": [list(values) for values in position.declared],
        "score": list(position.match_score),
    }


def moves_fields(position: Position) -> dict[str, Any]:
    """The legal moves of a position.

    Args:
        position: any position.

    Raises:
        TooManyMovesError: more than a list holds.

    Example:
        >>> moves_fields(Position.parse("table=2s5h8dKc hands=As7c9hTd/????"))["count"]
        8
    """
    texts = [str(move) for move in position.legal_moves()]
    return {"position": str(position), "turn": position.turn, "count": len(texts), "moves": texts}


def play_fields(position: Position, text: str) -> dict[str, Any]:
    """A position after a move.

    Args:
        position: the position before it.
        text: the move.

    Raises:
        IllegalMoveError: the move is not legal there.
        NotationError: the text is no move.

    Example:
        >>> after = play_fields(Position.parse("table=2s5h8dKc hands=As7c9hTd/????"), "7cx5h2s")
        >>> after["move"], after["turn"], after["over"]
        ('7cx2s5h', 'b', False)
    """
    move = position.move(text)
    after = position.play(move)
    known = after.is_over and not any(pile.hidden for pile in after.piles)
    return {
        "move": str(move),
        "position": str(after),
        "turn": after.turn,
        "over": after.is_over,
        "points": list(after.score()) if known else None,
    }


def solve_fields(found: Solution) -> dict[str, Any]:
    """Exact values; with their bounds only where a limit was met.

    Args:
        found: what `solve` returned.

    Example:
        >>> from casino_core.search.solver import solve
        >>> position = Position.parse(
        ...     "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
        ...     "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
        ... )
        >>> fields = solve_fields(solve(position))
        >>> fields["value"], fields["moves"][0]
        (-1, {'move': 'Jh', 'value': -1})
    """
    moves: list[dict[str, Any]] = []
    for item in found.moves:
        moves.append({"move": str(item.move), "value": item.value})
        if not found.exact:
            moves[-1] |= {"lower": item.lower, "upper": item.upper}
    fields: dict[str, Any] = {
        "value": found.value,
        "best": None if found.best is None else str(found.best),
        "moves": moves,
        "pv": [str(move) for move in found.pv],
        "nodes": found.nodes,
        "seconds": found.seconds,
    }
    if not found.exact:
        fields |= {"exact": False, "lower": found.lower, "upper": found.upper}
    return fields


def hint_fields(found: Hint) -> dict[str, Any]:
    """The best play, and what every other one is worth.

    Args:
        found: what `hint` returned.

    Example:
        >>> from casino_core.hints.hint import hint
        >>> position = Position.parse("table=2s5h8dKc hands=As7c9hTd/????")
        >>> fields = hint_fields(hint(position, samples=5))
        >>> fields["method"], fields["coverage"], fields["samples"]
        ('blend', 'samples', 5)
    """
    return {
        "best": str(found.best),
        "moves": [
            {
                "move": str(item.move),
                "value": item.value,
                "stderr": item.stderr,
                "chance": item.chance,
            }
            for item in found.moves
        ],
        "method": found.method,
        "coverage": found.coverage,
        "exact": found.exact,
        "samples": found.samples,
        "seconds": found.seconds,
        "holds": {seat: dict(cards) for seat, cards in found.holds.items()},
        "search": found.method,  # the name that it had before: for one version more
        "reasons": list(found.reasons),
    }
