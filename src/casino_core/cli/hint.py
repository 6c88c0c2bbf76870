"""`casino-core hint`: the best play from what the mover can see."""

from __future__ import annotations

import math
from typing import Any

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

__all__ = ["hint"]

_CARDS_SHOWN = 8


def _seconds(ctx: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """Refuses what is no length of time, which a range alone lets through."""
    if value is not None and not (math.isfinite(value) and value > 0):
        raise click.BadParameter(f"{value} is not a time", ctx, option)
    return value


@click.command()
@position_argument
@click.option("--seconds", type=float, callback=_seconds, help="How long to think.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Seed of what is sampled.")
@click.option("--samples", type=click.IntRange(1, 2**31 - 1), help="How many samples to take.")
@click.option("--open", "open_", is_flag=True, help="Let the mover see the hands that are known.")
@json_option
def hint(
    position: str,
    seconds: float | None,
    seed: int | None,
    samples: int | None,
    open_: bool,
    as_json: bool,
) -> None:
    """Say what the seat to play should do in POSITION.

    Values are the expected final points of the round, the mover's side minus the other
    side, over all that the mover cannot see.
    """
    p = load_position(position)
    given = {"seconds": seconds, "seed": seed, "samples": samples}
    wanted: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    found = cc.hint(p, open=open_, **wanted)
    if as_json:
        print_json(
            {
                "best": None if found.best is None else str(found.best),
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
                "exact": found.exact,
                "samples": found.samples,
                "seconds": found.seconds,
                "holds": {seat: dict(cards) for seat, cards in found.holds.items()},
            }
        )
        return
    console = screen()
    table = new_table("move", "#value", "#error", "#best")
    for item in found.moves:
        table.add_row(
            Text(str(item.move)),
            f"{item.value:+.3f}",
            f"{item.stderr:.3f}",
            f"{item.chance:.0%}",
        )
    console.print(table)
    kind = "exact" if found.exact else f"{found.samples} samples"
    console.print(f"Best: {found.best}", markup=False, soft_wrap=True)
    console.print(f"By {found.method}, {kind}, in {found.seconds:.3f} s", markup=False)
    for seat, cards in found.holds.items():
        likely = sorted(cards.items(), key=lambda item: (-item[1], item[0]))[:_CARDS_SHOWN]
        shown = ", ".join(f"{card} {chance:.0%}" for card, chance in likely)
        console.print(f"Seat {seat} may hold: {shown or '-'}", markup=False, soft_wrap=True)
