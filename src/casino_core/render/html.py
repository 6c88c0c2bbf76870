"""Answers as HTML tables, for notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from casino_core.game.position import Move
from casino_core.hints.answer import Hint
from casino_core.rules.cards import SUITS
from casino_core.search.solver import Solution

__all__ = ["hint_html", "move_html", "solution_html"]

_MOST_ROWS = 30
_SIGNS = dict(zip(SUITS, "♠♥♦♣", strict=True))
_CARD = re.compile(r"\[\d+[abcd]|([A2-9TJQK])([shdc])")  # the owner of a build is not a suit
_RED = '<span style="color:#d4232f">{}</span>'
_CELL = "padding:2px 10px;text-align:{}"


def move_html(move: Move | str) -> str:
    """A move with suit symbols in place of letters, and red suits in red.

    Args:
        move: the move, or its text.

    Example:
        >>> move_html("7cx2s5h")
        '7♣x2♠<span style="color:#d4232f">5♥</span>'
        >>> move_html("9sx[9d]")
        '9♠x[9d]'
    """
    return _CARD.sub(_drawn, escape(str(move)))


def _drawn(found: re.Match[str]) -> str:
    rank, suit = found.groups()
    if rank is None:
        return found[0]
    card = rank.replace("T", "10") + _SIGNS[suit]
    return _RED.format(card) if suit in "hd" else card


def solution_html(solution: Solution) -> str:
    """The moves of a solution with their values, best first, and the line of best play.

    Args:
        solution: the result of `solve`.

    Example:
        >>> from casino_core import Position, solve
        >>> solution = solve(Position.start(seed=1), nodes=100)
        >>> solution_html(solution).count("<tr>") == 1 + len(solution.moves)
        True
    """
    rows = []
    for item in solution.moves:
        known = item.lower == item.upper
        value = f"{item.lower:+g}" if known else f"{item.lower:+g} to {item.upper:+g}"
        rows.append([move_html(item.move), value])
    line = " ".join(map(move_html, solution.pv))
    return _table(["move", "value"], rows) + (f"<p>Best play: {line}</p>" if line else "")


def hint_html(hint: Hint) -> str:
    """The moves of a hint with their values and errors, best first, and the reasons.

    Args:
        hint: the result of `hint`.

    Example:
        >>> from casino_core import Position, hint
        >>> answer = hint(Position.parse("table=QsQh5d8c hands=QdAsThJh/????"), samples=5)
        >>> hint_html(answer).count("<tr>") == 1 + len(answer.moves)
        True
    """
    rows = [
        [
            move_html(item.move),
            value_text(hint, item.value),
            "exact" if hint.exact else f"± {value_text(hint, item.stderr).lstrip('+')}",
            f"{item.chance:.0%}",
        ]
        for item in hint.moves
    ]
    reasons = "".join(f"<li>{escape(reason)}</li>" for reason in hint.reasons)
    heads = [
        "move",
        "value" if hint.objective == "points" else "chance to win the match",
        "standard error",
        "chance to be best",
    ]
    return _table(heads, rows) + (f"<ul>{reasons}</ul>" if reasons else "")


def value_text(hint: Hint, value: float) -> str:
    """A value of a hint: points with their sign, or a percentage.

    Args:
        hint: the result of `hint`.
        value: the value of a move.

    Example:
        >>> from casino_core import Position, hint
        >>> answer = hint(Position.parse("table=QsQh5d8c hands=QdAsThJh/????"), samples=5)
        >>> value_text(answer, 1.0)
        '+1.00'
    """
    return f"{value:+.2f}" if hint.objective == "points" else f"{value:.1%}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with its first row, the best move, in bold; the cells are escaped already."""
    text = [_row("th", heads)]
    for place, cells in enumerate(rows[:_MOST_ROWS]):
        text.append(_row("td", [f"<b>{cell}</b>" for cell in cells] if place == 0 else cells))
    more = len(rows) - _MOST_ROWS
    note = f"<p>and {more} more</p>" if more > 0 else ""
    return f'<table style="border-collapse:collapse">{"".join(text)}</table>{note}'


def _row(kind: str, cells: Iterable[str]) -> str:
    styles = [_CELL.format("left" if place == 0 else "right") for place, _ in enumerate(cells)]
    drawn = [
        f'<{kind} style="{style}">{cell}</{kind}>'
        for style, cell in zip(styles, cells, strict=True)
    ]
    return f"<tr>{''.join(drawn)}</tr>"
