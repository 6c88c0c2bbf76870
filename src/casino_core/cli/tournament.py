"""`casino-core tournament`: a round robin of agents, with ratings."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click
from rich.console import Console

from casino_core.cli.agents import agent_named
from casino_core.cli.arena import progress_of_decks, series_options
from casino_core.cli.common import json_option, print_json
from casino_core.play.tournament import TournamentInterrupted, TournamentResult, play_tournament
from casino_core.render.text import Column, print_line, print_table, screen

__all__ = ["tournament"]

_RATINGS = (
    Column("points", numbers=True),
    Column("± 95 %", numbers=True, drop=1),
    Column("won", numbers=True, drop=2),
    Column("agent"),
)


@click.command()
@click.argument("agents", metavar="A B C ...", nargs=-1, required=True)
@series_options("Number of rounds for each pair of agents, rounded up to whole decks.")
@click.option(
    "--luck", is_flag=True, help="Measure the luck of the deals, and remove it from the ratings."
)
@json_option
def tournament(
    agents: tuple[str, ...],
    rounds: int,
    rules: str,
    seed: int,
    workers: int,
    luck: bool,
    as_json: bool,
) -> None:
    """Play every agent against every other, all on the same decks.

    Agents are written as for arena. A rating is the mean points per round of an agent against the
    others, minus theirs, with an interval of 95 %. After Ctrl-C the results of the pairs so far are
    printed, without ratings.
    """
    end: TournamentInterrupted | None = None
    try:
        with progress_of_decks() as report:
            result = play_tournament(
                [agent_named(one) for one in agents],
                rounds=rounds,
                rules=rules,
                seed=seed,
                workers=workers,
                luck=luck,
                progress=report,
            )
    except TournamentInterrupted as stop:
        if not stop.result.pairs:
            raise
        result, end = stop.result, stop
    if as_json:
        print_json(_fields(result, whole=end is None))
    else:
        _print(result, whole=end is None)
    if end is not None:
        raise end


def _fields(result: TournamentResult, *, whole: bool) -> dict[str, Any]:
    """The fields of the result in JSON; one that was interrupted has no ratings."""
    return {
        "ratings": [asdict(rating) for rating in result.ratings] if whole else None,
        "pairs": [
            {
                "first": result.agents[first],
                "second": result.agents[second],
                "points": one.points if one.adjusted is None else one.adjusted.points,
                "stderr": one.stderr if one.adjusted is None else one.adjusted.stderr,
                "rounds": one.rounds,
            }
            for first, second, one in result.pairs
        ],
    }


def _print(result: TournamentResult, *, whole: bool) -> None:
    """Print the result for people; one that was interrupted has no ratings."""
    console = screen()
    if whole:
        _print_ratings(console, result)
    for first, second, one in result.pairs:
        found = one if one.adjusted is None else one.adjusted
        error = "" if found.stderr is None else f" ± {found.stderr:.3f}"
        names = f"{result.agents[first]} against {result.agents[second]}"
        decks = "" if whole else f" in {one.rounds} rounds"
        print_line(console, f"{names}: {found.points:+.3f}{error} points a round{decks}")


def _print_ratings(console: Console, result: TournamentResult) -> None:
    rows = [
        (
            f"{one.points:+.3f}",
            "-" if one.interval is None else f"{one.interval[1] - one.points:.2f}",
            f"{one.won:.1%}",
            one.agent,
        )
        for one in result.ratings
    ]
    print_table(console, _RATINGS, rows)
    console.print()
