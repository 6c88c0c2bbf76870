"""`casino-core solve`: exact values where every card is known."""

from __future__ import annotations

from typing import Literal

import click
from rich.text import Text

import casino_core as cc
from casino_core.cli.common import (
    json_option,
    load_position,
    new_table,
    position_argument,
    print_json,
    screen,
)

__all__ = ["solve"]


@click.command()
@position_argument
@click.option(
    "--stock",
    type=click.Choice(["known", "unknown"]),
    default="known",
    show_default=True,
    help="unknown: the exact expectation over the cards of the last deal, which comes next.",
)
@json_option
def solve(position: str, stock: Literal["known", "unknown"], as_json: bool) -> None:
    """Solve POSITION, in which every card must be known.

    A value is the final points of the round, the mover's side minus the other side, with
    both playing their best.
    """
    p = load_position(position)
    found = cc.solve(p, stock=stock)
    best = None if found.best is None else str(found.best)
    pv = [str(move) for move in found.pv]
    if as_json:
        print_json(
            {
                "value": found.value,
                "best": best,
                "moves": [{"move": str(item.move), "value": item.value} for item in found.moves],
                "pv": pv,
                "nodes": found.nodes,
                "seconds": found.seconds,
            }
        )
        return
    console = screen()
    shown = "+d" if stock == "known" or isinstance(found.value, int) else "+.3f"
    table = new_table("move", "#value")
    for item in found.moves:
        table.add_row(Text(str(item.move)), f"{item.value:{shown}}")
    console.print(table)
    console.print(f"Value for seat {p.turn}: {found.value:{shown}}", markup=False)
    console.print(f"Best: {best or '-'}", markup=False, soft_wrap=True)
    console.print(f"Line: {' '.join(pv) or '-'}", markup=False, soft_wrap=True)
    console.print(f"{found.nodes} positions in {found.seconds:.3f} s")
