"""`casino-core moves`: every legal move."""

from __future__ import annotations

import click

from casino_core.cli.common import json_option, load_position, position_argument, print_json
from casino_core.formats.answers import moves_fields
from casino_core.render.text import print_line, print_moves, screen

__all__ = ["moves"]


@click.command()
@position_argument
@json_option
def moves(position: str, as_json: bool) -> None:
    """List every legal move of POSITION."""
    p = load_position(position)
    fields = moves_fields(p)
    if as_json:
        print_json(fields)
        return
    texts = fields["moves"]
    console = screen()
    many = "1 move" if len(texts) == 1 else f"{len(texts)} moves"
    print_line(console, "The round is over." if p.is_over else f"Seat {p.turn} has {many}:")
    print_moves(console, texts)
