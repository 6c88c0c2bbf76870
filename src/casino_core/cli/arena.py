"""`casino-core arena`: two agents against each other over many rounds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, Protocol, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from casino_core._arguments import SEED
from casino_core.cli.agents import agent_named
from casino_core.cli.common import NumberOf, check_new, check_place, json_option, print_json
from casino_core.errors import CasinoError, quoted
from casino_core.play.arena import (
    FIRST_DECK,
    ROUNDS,
    WORKERS,
    ArenaInterrupted,
    ArenaResult,
    ArenaStopped,
    play_arena,
)
from casino_core.play.arena_files import write_csv, write_records
from casino_core.play.sequential import MARGIN
from casino_core.render.text import Column, print_line, print_table, screen

__all__ = ["arena", "progress_of_decks", "series_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_COLUMNS = (*(Column(title, numbers=True) for title in ("won", "tied", "lost")), Column("of"))


class _Report(Protocol):
    def __call__(self, done: int, decks: int) -> None: ...


def series_options(rounds_help: str) -> Callable[[_Command], _Command]:
    """The options of a series of rounds: how many, by which rules, seed and workers.

    Args:
        rounds_help: the help of `--rounds`.
    """
    options = (
        click.option(
            "--rounds",
            type=NumberOf(ROUNDS, int),
            default=200,
            show_default=True,
            help=rounds_help,
        ),
        click.option("--rules", default="standard", show_default=True, help="The rule set."),
        click.option(
            "--seed",
            type=NumberOf(SEED, int),
            default=0,
            show_default=True,
            help="Seed of the decks and of random plays.",
        ),
        click.option(
            "--workers",
            type=NumberOf(WORKERS, int),
            default=1,
            show_default=True,
            help="Number of worker processes.",
        ),
    )

    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@series_options("Number of rounds, rounded up to whole decks.")
@click.option(
    "--first-deck",
    type=NumberOf(FIRST_DECK, int),
    default=0,
    show_default=True,
    help="Number of the first deck, to continue after another run.",
)
@click.option(
    "--luck",
    is_flag=True,
    help="Measure the luck of the deals, and print also the result without it.",
)
@click.option(
    "--stop-when-decided",
    "stop",
    is_flag=True,
    help="Stop as soon as a sequential test has decided which agent is better.",
)
@click.option(
    "--margin",
    type=NumberOf(MARGIN, float),
    default=0.1,
    show_default=True,
    help="Margin of the test, in points a round.",
)
@click.option("--csv", "path", metavar="FILE", help="Write a line for each round to a new file.")
@click.option("--records", metavar="FILE", help="Write the records of all rounds to a new file.")
@json_option
def arena(
    first: str,
    second: str,
    rounds: int,
    rules: str,
    seed: int,
    workers: int,
    first_deck: int,
    luck: bool,
    stop: bool,
    margin: float,
    path: str | None,
    records: str | None,
    as_json: bool,
) -> None:
    """Play agent A against agent B, with duplicate decks: A plays each deck on every side.

    Agents: random, greedy, careful, lookahead, pimc, open, hint; with options after a colon, as
    in lookahead:samples=40, pimc:samples=20 or hint:seconds=0.1,samples=500; level-1 (a beginner)
    to level-10 (a hint); or, for your own, module:name of a subclass of Agent or of a function.

    The result is A's points minus B's per round, with an interval of 95 %. With more than two
    sides B plays all but one, and its average counts. After Ctrl-C, or the death of a worker, the
    result is that of the decks played so far.
    """
    for option, file in (("--csv", path), ("--records", records)):
        if file is not None:
            check_place(option, file)
            check_new(option, file)
    if (
        path is not None
        and records is not None
        and os.path.realpath(path) == os.path.realpath(records)
    ):
        raise CasinoError(f"--csv and --records are the same file {quoted(path)}")
    end: ArenaInterrupted | ArenaStopped | None = None
    try:
        with progress_of_decks() as report:
            result = play_arena(
                agent_named(first),
                agent_named(second),
                rounds=rounds,
                rules=rules,
                seed=seed,
                workers=workers,
                first_deck=first_deck,
                luck=luck,
                margin=margin if stop else None,
                keep_rounds=records is not None,
                progress=report,
            )
    except (ArenaInterrupted, ArenaStopped) as stop:
        if stop.result is None:
            raise
        result, end = stop.result, stop
    if path is not None:
        write_csv(result, path, replace=False)
    if records is not None:
        write_records(result, records, replace=False)
    if as_json:
        print_json(_fields(result))
    else:
        _print(result)
    if end is not None:
        done = first_deck + result.decks
        click.echo(f"casino-core: the run can be continued with --first-deck {done}", err=True)
        raise end


@contextmanager
def progress_of_decks() -> Iterator[_Report | None]:
    """A function that shows the number of decks done, or None without a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("decks"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("decks", total=None)

        def report(done: int, decks: int) -> None:
            bar.update(task, completed=done, total=decks)

        yield report


def _fields(result: ArenaResult) -> dict[str, Any]:
    """The fields of the result in JSON."""
    interval = result.interval
    return {
        "first": result.agents[0],
        "second": result.agents[1],
        "rules": str(result.rules),
        "seed": result.seed,
        "decks": result.decks,
        "rounds": result.rounds,
        "points": result.points,
        "stderr": result.stderr,
        "interval": None if interval is None else list(interval),
        "won": result.won,
        "tied": result.tied,
        "decks_won": result.decks_won,
        "decks_tied": result.decks_tied,
        "first_seconds": result.seconds[0],
        "second_seconds": result.seconds[1],
        **_without_luck(result),
        **({} if result.verdict is None else {"verdict": result.verdict}),
    }


def _without_luck(result: ArenaResult) -> dict[str, Any]:
    """The fields in JSON of the result without the luck of the deals, if that was measured."""
    if result.adjusted is None:
        return {}
    fields = asdict(result.adjusted)
    del fields["decks"]
    return {"adjusted": fields}


def _spread(interval: tuple[float, float] | None) -> str:
    """An interval as text."""
    if interval is None:
        return "no interval from one deck"
    return "95 %% between %+.2f and %+.2f" % interval  # noqa: UP031 - shorter so


def _print(result: ArenaResult) -> None:
    """Print the result for people."""
    console = screen()
    first, second = result.agents
    print_line(console, f"{first} against {second}")
    print_line(
        console,
        f"Rules {result.rules}, seed {result.seed}, decks {result.decks}, rounds {result.rounds}",
    )
    print_line(console, f"Points a round: {result.points:+.3f}, {_spread(result.interval)}")
    found = result.adjusted
    if found is not None:
        left = "" if found.ratio is None else f"; {found.ratio:.0%} of the variance is left"
        spread = _spread(found.interval)
        print_line(console, f"Without the luck of the deals: {found.points:+.3f}, {spread}{left}")
    if result.verdict is not None:
        better = first if result.verdict == "first" else second
        print_line(console, f"Decided: {better} is better")
    rows = [
        (f"{won:.1%}", f"{tied:.1%}", f"{1 - won - tied:.1%}", name)
        for name, won, tied in (
            ("rounds", result.won, result.tied),
            ("decks", result.decks_won, result.decks_tied),
        )
    ]
    print_table(console, _COLUMNS, rows)
    for name, seconds in zip(result.agents, result.seconds, strict=True):
        print_line(console, f"Time a play: {1000 * seconds:.3f} ms by {name}")
