"""`casino-core review`: what each play of a record cost."""

from __future__ import annotations

import sys
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress
from rich.text import Text

import casino_core as cc
from casino_core._arguments import NODES, SECONDS
from casino_core.cli.common import NumberOf, json_option, print_json, read_text
from casino_core.formats.reading import read_round
from casino_core.render.text import Column, move_text, print_table, screen
from casino_core.review.analysis import LATEST, LATEST_OF_MANY

__all__ = ["review"]

_COLUMNS = (
    Column("play", numbers=True),
    Column("seat"),
    Column("before", numbers=True, drop=1),
    Column("after", numbers=True, drop=2),
    Column("cost", numbers=True),
    Column("move"),
)


@click.command()
@click.argument("game", metavar="GAME")
@click.option(
    "--plays",
    type=NumberOf(NODES, int),
    help="Solve positions with at most so many plays left; 48 is a whole round of two players.  "
    f"[default: {LATEST}, with more than two sides {LATEST_OF_MANY}]",
)
@click.option("--nodes", type=NumberOf(NODES, int), default=0, help="Most positions for a value.")
@click.option("--seconds", type=NumberOf(SECONDS, float), help="Longest time for a value.")
@json_option
def review(game: str, plays: int | None, nodes: int, seconds: float | None, as_json: bool) -> None:
    """What each play of GAME cost, in points of the round.

    GAME is a position line with every card known, followed by the plays made from it, with
    blanks or line ends between; or a file that holds this, or - for standard input.
    """
    played = read_round(read_text(game))
    for warning in played.start.warnings:
        click.echo(f"warning: {warning}", err=True)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("Solving", total=len(played.plays) + 1)
        found = cc.analyse_play(
            played,
            plays=plays,
            nodes=nodes,
            seconds=seconds,
            on_progress=lambda done, _: progress.update(task, completed=done),
        )
    if as_json:
        print_json({"position": str(played.start), "plays": [_fields(item) for item in found]})
        return
    console = screen()
    rows = [_row(number, item, console) for number, item in enumerate(found, 1)]
    print_table(console, _COLUMNS, rows)


def _row(number: int, item: cc.ReviewedPlay, console: Console) -> tuple[str | Text, ...]:
    moves = move_text(item.move, console)
    if item.cost and item.best is not None:
        moves.append("\nbest: ").append_text(move_text(item.best, console))
    return (
        str(number),
        item.position.turn,
        _signed(item.before),
        _signed(item.after),
        item.reason or str(item.cost),
        moves,
    )


def _signed(value: int | None) -> str:
    return "-" if value is None else f"{value:+d}"


def _fields(item: cc.ReviewedPlay) -> dict[str, Any]:
    """A play as JSON has it."""
    return {
        "turn": item.position.turn,
        "move": str(item.move),
        "before": item.before,
        "after": item.after,
        "best": None if item.best is None else str(item.best),
        "cost": item.cost,
        "reason": item.reason,
    }
