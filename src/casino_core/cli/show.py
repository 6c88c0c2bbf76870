"""`casino-core show`: a picture of a position."""

from __future__ import annotations

import click

from casino_core.cli.common import json_option, load_position, position_argument, print_json
from casino_core.formats.answers import position_fields
from casino_core.render.text import print_position, screen

__all__ = ["show"]


@click.command()
@position_argument
@json_option
def show(position: str, as_json: bool) -> None:
    """Draw POSITION: table, builds, hands, piles and what is left."""
    p = load_position(position)
    if as_json:
        print_json(position_fields(p))
    else:
        print_position(screen(), p)
