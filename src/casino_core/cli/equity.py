"""`casino-core equity`: the chances of a match by its score."""

from __future__ import annotations

import click

import casino_core as cc
from casino_core.cli.common import json_option, print_json
from casino_core.formats.answers import equity_fields
from casino_core.render.text import print_line, screen

__all__ = ["equity"]


@click.command()
@click.argument("score")
@click.option("--rules", default="standard", show_default=True, help="A preset for two players.")
@click.option(
    "--target", type=int, help="Points that win the match; those of the rules if left out."
)
@click.option(
    "--leader", default="a", show_default=True, help="The side, a or b, that leads the next round."
)
@json_option
def equity(score: str, rules: str, target: int | None, leader: str, as_json: bool) -> None:
    """Print the chances of a match of equal players at SCORE, such as 18/20."""
    found = cc.match_equity(score, rules=rules, target=target, leader=leader)
    if as_json:
        print_json(equity_fields(found, score, leader))
        return
    line = f"Side a wins with {found.win:.1%}, side b with {found.loss:.1%}"
    drawn = f", drawn with {found.draw:.1%}" if found.draw else ""
    print_line(screen(), f"{line}{drawn} (standard error {found.stderr:.1%})")
