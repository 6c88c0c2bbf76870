"""`casino-core perft`: how many sequences of plays there are."""

from __future__ import annotations

import click

import casino_core as cc
from casino_core._arguments import whole
from casino_core.cli.common import (
    NumberOf,
    json_option,
    load_position,
    position_argument,
    print_json,
)
from casino_core.render.text import Column, move_text, print_line, print_table, screen

__all__ = ["perft"]

_DEPTH = whole(0, 48)  # plays of a whole round


@click.command()
@position_argument
@click.option(
    "-d", "--depth", type=NumberOf(_DEPTH, int), required=True, help="Plays in a sequence."
)
@click.option("--divide", is_flag=True, help="Count for each first move too.")
@json_option
def perft(position: str, depth: int, divide: bool, as_json: bool) -> None:
    """Count the sequences of plays from POSITION.

    A sequence ends earlier where the round ends, or where a card that is not known comes to
    a hand.
    """
    p = load_position(position)
    by_move = cc.perft_divide(p, depth) if divide and depth else {}
    nodes = sum(by_move.values()) if by_move else cc.perft(p, depth)
    if as_json:
        answer: dict[str, object] = {"depth": depth, "nodes": nodes}
        if divide:
            answer["moves"] = {str(move): count for move, count in by_move.items()}
        print_json(answer)
        return
    console = screen()
    if divide:
        rows = [(str(count), move_text(move, console)) for move, count in by_move.items()]
        print_table(console, (Column("nodes", numbers=True), Column("move")), rows)
    print_line(console, f"Sequences to depth {depth}: {nodes}")
