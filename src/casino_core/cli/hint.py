"""`casino-core hint`: the best play from what the mover can see."""

from __future__ import annotations

from typing import Any

import click

import casino_core as cc
from casino_core._arguments import SAMPLES, SECONDS, SEED, THREADS
from casino_core.cli.common import (
    NumberOf,
    StatusLine,
    all_option,
    json_option,
    load_position,
    move_rows,
    position_argument,
    print_json,
    read_text,
    screen,
)
from casino_core.formats.answers import hint_fields
from casino_core.hints.hint import METHODS

__all__ = ["hint"]

_CARDS_SHOWN = 8


@click.command()
@position_argument
@click.option("--seconds", type=NumberOf(SECONDS, float), help="How long to think.")
@click.option("--seed", type=NumberOf(SEED, int), help="Seed of what is sampled.")
@click.option("--samples", type=NumberOf(SAMPLES, int), help="How many samples to take.")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="auto",
    show_default=True,
    help="How the ways in which the hidden cards may lie are searched.",
)
@click.option("--belief", metavar="TEXT", help="What hands may hold: 'b:holds=9,Td lacks=A'.")
@click.option(
    "--history",
    metavar="GAME",
    help="A file with the plays that led to POSITION: what they tell of the hands is used.",
)
@click.option("--threads", type=NumberOf(THREADS, int), default=1, help="How many threads work.")
@click.option("--open", "open_", is_flag=True, help="Let the mover see the hands that are known.")
@all_option
@json_option
def hint(
    position: str,
    seconds: float | None,
    seed: int | None,
    samples: int | None,
    method: str,
    belief: str | None,
    history: str | None,
    threads: int,
    open_: bool,
    show_all: bool,
    as_json: bool,
) -> None:
    """Say what the seat to play should do in POSITION.

    Values are the expected final points of the round, the mover's side minus the other
    side, over all that the mover cannot see.
    """
    p = load_position(position)
    given = {"seconds": seconds, "seed": seed, "samples": samples}
    wanted: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    with StatusLine() as status:
        found = cc.hint(
            p,
            open=open_,
            method=method,
            belief=belief,
            history=None if history is None else _plays(p, history),
            threads=threads,
            progress=(lambda news: status.say(_news(news))) if status.is_shown else None,
            **wanted,
        )
    if as_json:
        print_json(hint_fields(found))
        return
    console = screen()
    rows = [
        (str(item.move), f"{item.value:+.3f}", f"{item.stderr:.3f}", f"{item.chance:.0%}")
        for item in found.moves
    ]
    move_rows(console, ("move", "#value", "#error", "#best"), rows, show_all=show_all)
    kind = "exact" if found.exact else f"{found.samples} samples"
    why = f" ({', '.join(found.reasons)})" if found.reasons else ""
    console.print(f"Best: {found.best}{why}", markup=False, soft_wrap=True)
    how = f"By {found.method} ({found.search}), {kind}, in {found.seconds:.3f} s"
    console.print(how, markup=False)
    for seat, cards in found.holds.items():
        likely = sorted(cards.items(), key=lambda item: (-item[1], item[0]))[:_CARDS_SHOWN]
        shown = ", ".join(f"{card} {chance:.0%}" for card, chance in likely)
        console.print(f"Seat {seat} may hold: {shown or '-'}", markup=False, soft_wrap=True)


def _news(news: cc.Hint) -> str:
    return f"{news.samples} samples: {news.best} {news.moves[0].value:+.2f}"


def _plays(position: cc.Position, game: str) -> list[tuple[cc.Position, cc.Move]]:
    """The plays of a record that leads to a position, those of its deal only."""
    record = cc.read_play(read_text(game))
    plays = []
    before = record.start
    for move in record.moves:
        plays.append((before, move))
        before = before.play(move)
    if before.view(position.turn) != position.view(position.turn):
        raise cc.CasinoError("history: the plays do not lead to the position")
    return [(at, move) for at, move in plays if at.stock_count == position.stock_count]
