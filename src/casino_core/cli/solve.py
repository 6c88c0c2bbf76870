"""`casino-core solve`: exact values if every card is known."""

from __future__ import annotations

from typing import Literal

import click

import casino_core as cc
from casino_core._arguments import MIB, NODE_LIMIT, SECONDS
from casino_core.cli.common import (
    NumberOf,
    StatusLine,
    all_option,
    json_option,
    load_position,
    position_argument,
    print_json,
)
from casino_core.formats.answers import solve_fields
from casino_core.render.text import Column, move_text, print_line, print_ranking, screen
from casino_core.search.solver import STOCKS

__all__ = ["solve"]


@click.command()
@position_argument
@click.option(
    "--stock",
    type=click.Choice(STOCKS),
    default="known",
    show_default=True,
    help="unknown: the exact expectation over the cards of the last deal, which comes next.",
)
@click.option(
    "--seconds",
    type=NumberOf(SECONDS, float),
    help="Stop after this time, with the bounds proven by then.",
)
@click.option(
    "--nodes",
    type=NumberOf(NODE_LIMIT, int),
    help="Stop after this many positions, with the bounds proven by then.",
)
@click.option(
    "--table",
    "table_mib",
    type=NumberOf(MIB, float),
    help="Size of the transposition table in MiB.  [default: to fit the cards left]",
)
@all_option
@json_option
def solve(
    position: str,
    stock: Literal["known", "unknown"],
    seconds: float | None,
    nodes: int | None,
    table_mib: float | None,
    show_all: bool,
    as_json: bool,
) -> None:
    """Solve POSITION, in which every card must be known.

    A value is the final points of the round, the mover's side minus the other side, with
    best play of both. If a limit is met first, a value may be a range. With more than two
    sides it is the mover's points minus the best other side's, each playing for itself.
    """
    p = load_position(position)
    with StatusLine() as status:
        found = cc.solve(
            p,
            stock=stock,
            table_mib=table_mib,
            nodes=nodes or 0,
            seconds=seconds,
            progress=lambda news: status.say(_news(news)),
        )
    if as_json:
        print_json(solve_fields(found))
    else:
        _show(p, found, show_all=show_all)


def _news(news: cc.SolveProgress) -> str:
    value = _shown(news.lower, news.upper)
    settled = f"{news.settled} of {news.moves} moves"
    return f"solving: {settled}, value {value}, {news.nodes:,} positions"


def _show(position: cc.Position, found: cc.Solution, *, show_all: bool) -> None:
    console = screen()
    rows = [(_shown(item.lower, item.upper), move_text(item.move, console)) for item in found.moves]
    columns = (Column("value", numbers=True), Column("move"))
    print_ranking(console, columns, rows, show_all=show_all)
    value = _shown(found.lower, found.upper)
    print_line(console, f"Value for seat {position.turn}: {value}")
    best = "-" if found.best is None else str(found.best)
    print_line(console, "Best: ", move_text(best, console))
    line = " ".join(str(move) for move in found.pv) or "-"
    print_line(console, "Line: ", move_text(line, console))
    print_line(console, f"{found.nodes} positions in {found.seconds:.3f} s")
    if not found.exact:
        print_line(console, "The limit was met first: ranges are proven bounds.")


def _shown(lower: float, upper: float) -> str:
    """A value as text, or its range."""
    low, high = (
        f"{value:+d}" if isinstance(value, int) else f"{value:+.3f}" for value in (lower, upper)
    )
    return low if low == high else f"{low} to {high}"
