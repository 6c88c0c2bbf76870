"""Answers as JSON, for `--json` on the command line, for the engine and for batches.

Each function returns a dictionary of plain values; `json_line` writes it as one line. Batches omit
the times of single answers, so that their output is the same in every run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from casino_core.game.match import match_result
from casino_core.game.position import Position
from casino_core.game.scoring import score_steps, side_names
from casino_core.rules.pieces import Hand
from casino_core.search.solver import Solution

if TYPE_CHECKING:
    from casino_core.evaluation.equity import MatchEquity
    from casino_core.hints.answer import Hint

__all__ = [
    "can_be_counted",
    "counted_fields",
    "equity_fields",
    "hand_names",
    "hint_fields",
    "json_line",
    "listed_fields",
    "moves_fields",
    "play_fields",
    "position_fields",
    "score_fields",
    "solve_fields",
    "value_fields",
]


_ENCODER = json.JSONEncoder(allow_nan=False)  # made once: it costs as much as a short line


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
    return _ENCODER.encode(answer)


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
        **({"counted": counted_fields(position)} if can_be_counted(position) else {}),
    }


def counted_fields(position: Position) -> dict[str, Any]:
    """The points of a finished round by category, and how the match stands after it.

    Args:
        position: a finished round with every captured card known.

    Example:
        >>> position = Position.start("standard", seed=1, score=(20, 0))
        >>> while not position.is_over:
        ...     position = position.play(next(position.iter_legal_moves()))
        >>> fields = counted_fields(position)
        >>> fields["points"], fields["steps"][0], fields["winner"]
        ({'a': 6, 'b': 5}, {'name': 'cards', 'side': 'b', 'points': 3}, 'a')
    """
    names, match = side_names(position.rules), match_result(position)
    return {
        "points": dict(zip(names, position.score(), strict=True)),
        "steps": [
            {
                "name": step.name,
                "side": None if step.side is None else names[step.side],
                "points": step.points,
            }
            for step in score_steps(position)
        ],
        "totals": dict(zip(names, match.totals, strict=True)),
        "match_over": match.over,
        "winner": None if match.winner is None else names[match.winner],
    }


def can_be_counted(position: Position) -> bool:
    """Whether a round is finished and every captured card known.

    Args:
        position: any position.

    Example:
        >>> can_be_counted(Position.start(seed=1))
        False
    """
    return position.is_over and not any(pile.hidden for pile in position.piles)


def moves_fields(position: Position, texts: Sequence[str] | None = None) -> dict[str, Any]:
    """The legal moves of a position.

    Args:
        position: any position.
        texts: the moves as texts, if they are known already.

    Raises:
        TooManyMovesError: there are more moves than a list holds.

    Example:
        >>> moves_fields(Position.parse("table=2s5h8dKc hands=As7c9hTd/????"))["count"]
        8
    """
    found = list(map(str, position.legal_moves())) if texts is None else list(texts)
    return {"position": str(position), "turn": position.turn, "count": len(found), "moves": found}


def score_fields(points: Iterable[int]) -> dict[str, Any]:
    """The points of a finished round.

    Args:
        points: the points of each side.

    Example:
        >>> score_fields((7, 4))
        {'points': [7, 4]}
    """
    return {"points": list(points)}


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
    return {
        "move": str(move),
        "position": str(after),
        "turn": after.turn,
        "over": after.is_over,
        "points": list(after.score()) if can_be_counted(after) else None,
    }


def value_fields(lower: float, upper: float, best: str | None, nodes: int) -> dict[str, Any]:
    """A value; with its bounds only if a limit was reached.

    Args:
        lower: lower bound of the value.
        upper: upper bound, equal to the lower one if the value is exact.
        best: a best move.
        nodes: positions searched.

    Example:
        >>> value_fields(7, 7, "2s", 12)
        {'value': 7, 'best': '2s', 'nodes': 12}
        >>> value_fields(3, 7, "2s", 12)
        {'value': None, 'best': '2s', 'nodes': 12, 'exact': False, 'lower': 3, 'upper': 7}
    """
    fields = {"value": _value(lower, upper), "best": best, "nodes": nodes}
    return fields if lower == upper else fields | _bounds(lower, upper)


def solve_fields(found: Solution) -> dict[str, Any]:
    """Exact values; with their bounds only if a limit was reached.

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
    moves = [(str(item.move), item.lower, item.upper) for item in found.moves]
    line = [str(move) for move in found.pv]
    return listed_fields(moves, line, found.lower, found.upper, found.nodes, found.seconds)


def listed_fields(
    moves: Sequence[tuple[str, float, float]],
    line: Sequence[str],
    lower: float,
    upper: float,
    nodes: int,
    seconds: float | None = None,
) -> dict[str, Any]:
    """The result of `solve_fields`, from plain values.

    Args:
        moves: text and bounds of each move, the best first.
        line: the line of best play.
        lower: lower bound of the value.
        upper: upper bound of the value.
        nodes: positions searched.
        seconds: time of the search; None to leave it out.

    Example:
        >>> listed_fields([("2s", 7, 7)], ["2s"], 7, 7, 3)["moves"]
        [{'move': '2s', 'value': 7}]
    """
    exact = all(low == high for _, low, high in moves)
    listed: list[dict[str, Any]] = []
    for text, low, high in moves:
        listed.append({"move": text, "value": _value(low, high)})
        if not exact:
            listed[-1] |= {"lower": low, "upper": high}
    fields: dict[str, Any] = {
        "value": _value(lower, upper),
        "best": moves[0][0] if moves else None,
        "moves": listed,
        "pv": list(line),
        "nodes": nodes,
    }
    if seconds is not None:
        fields["seconds"] = seconds
    return fields if exact else fields | _bounds(lower, upper)


def _value(lower: float, upper: float) -> float | None:
    return lower if lower == upper else None


def _bounds(lower: float, upper: float) -> dict[str, Any]:
    return {"exact": False, "lower": lower, "upper": upper}


def equity_fields(found: MatchEquity, score: str, leader: str) -> dict[str, Any]:
    """The chances of a match.

    Args:
        found: what `match_equity` returned.
        score: the score.
        leader: the side that leads next.

    Example:
        >>> from casino_core.evaluation.equity import match_equity
        >>> list(equity_fields(match_equity("18/15"), "18/15", "a"))
        ['score', 'leader', 'win', 'draw', 'stderr']
    """
    return {
        "score": score,
        "leader": leader,
        "win": {"a": found.win, "b": found.loss},
        "draw": found.draw,
        "stderr": found.stderr,
    }


def hint_fields(found: Hint, *, timed: bool = True) -> dict[str, Any]:
    """The best play, and the values of all plays.

    Args:
        found: what `hint` returned.
        timed: whether to include the time of the hint.

    Example:
        >>> from casino_core.hints.hint import hint
        >>> position = Position.parse("table=2s5h8dKc hands=As7c9hTd/????")
        >>> fields = hint_fields(hint(position, samples=5))
        >>> fields["method"], fields["coverage"], fields["samples"]
        ('blend', 'samples', 5)
    """
    fields = {
        "best": str(found.best),
        "moves": [
            {
                "move": str(item.move),
                "value": item.value,
                "stderr": item.stderr,
                "chance": item.chance,
                "gap_stderr": item.gap_stderr,
            }
            for item in found.moves
        ],
        "method": found.method,
        "coverage": found.coverage,
        "exact": found.exact,
        "samples": found.samples,
        "seconds": found.seconds,
        "stopped": found.stopped,
        "holds": {seat: dict(cards) for seat, cards in found.holds.items()},
        "search": found.method,  # the old name, kept for one more version
        "reasons": list(found.reasons),
        "objective": found.objective,
        "unit": found.unit,
    }
    if not timed:
        del fields["seconds"]
    return fields
