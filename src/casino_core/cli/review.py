"""`casino-core review`: the cost of each play of a record, and the luck of the deals."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from casino_core._arguments import NODES, SAMPLES, SECONDS, SEED, THREADS
from casino_core.cli.common import (
    NumberOf,
    check_new,
    check_place,
    game_option,
    json_option,
    load_game,
    print_json,
    write_new,
)
from casino_core.cli.review_text import print_hindsight, print_review
from casino_core.errors import CasinoError
from casino_core.formats.record import Game
from casino_core.report.page import report_html
from casino_core.review.analysis import LATEST, LATEST_OF_MANY, analyse_play
from casino_core.review.fields import hindsight_fields, review_fields
from casino_core.review.review import (
    DEFAULT_SAMPLES,
    Review,
    ReviewInterrupted,
    review_game,
)
from casino_core.review.state import ReviewState

__all__ = ["review"]

_SAVE_EVERY = 2.0  # seconds between two saves of the results


@click.command()
@click.argument("game", metavar="GAME")
@click.option(
    "--samples",
    type=NumberOf(SAMPLES, int),
    help="Number of worlds to sample for each play.  "
    f"[default: {DEFAULT_SAMPLES}, unless --seconds is given]",
)
@click.option(
    "--seconds",
    type=NumberOf(SECONDS, float),
    help="Longest time for a play; with --hindsight, for a value.",
)
@click.option(
    "--seed", type=NumberOf(SEED, int), default=0, show_default=True, help="Seed of the sampling."
)
@click.option(
    "--threads",
    type=NumberOf(THREADS, int),
    default=1,
    show_default=True,
    help="Number of plays judged at once.",
)
@click.option(
    "--deep", is_flag=True, help="Solve the whole round in hindsight, which takes seconds."
)
@click.option(
    "--resume",
    metavar="FILE",
    help="Save results in FILE, and continue from it if it exists.",
)
@click.option(
    "--html",
    metavar="FILE",
    help="Write the review as one HTML page with plots and pictures to FILE, a new file.",
)
@click.option("--hindsight", is_flag=True, help="Show only exact values with open cards.")
@click.option(
    "--plays",
    type=NumberOf(NODES, int),
    help="With --hindsight: solve positions with at most this many plays left; 48 is a whole round "
    f"of two players.  [default: {LATEST}, with more than two sides {LATEST_OF_MANY}]",
)
@click.option(
    "--nodes",
    type=NumberOf(NODES, int),
    help="With --hindsight: most positions for a value.",
)
@game_option
@json_option
def review(
    game: str,
    samples: int | None,
    seconds: float | None,
    seed: int,
    threads: int,
    deep: bool,
    resume: str | None,
    html: str | None,
    hindsight: bool,
    plays: int | None,
    nodes: int | None,
    as_json: bool,
) -> None:
    """Show the cost of each play of GAME, and the luck of the deals.

    GAME is the record of a game, or a position line followed by the plays made from it; or a file
    that holds this, or - for standard input.

    A cost is in points of the round: the value of the best play by a hint for the seat, which sees
    no hidden cards, minus the value of the play made. A cost within its error does not count.
    Ctrl-C saves the results in the file of --resume.
    """
    played = load_game(game).game
    if not played.rounds:
        raise CasinoError("the record has no round")
    if hindsight:
        given = (samples, resume, html) if not deep else (deep,)
        if any(value is not None for value in given):
            raise click.UsageError("--samples, --resume, --html and --deep are not for --hindsight")
        _hindsight(played, plays, nodes or 0, seconds, as_json)
        return
    if plays is not None or nodes is not None:
        raise click.UsageError("--plays and --nodes are for --hindsight")
    if html is not None:
        check_place("--html", html)
        check_new("--html", html)
    state = ReviewState()
    if resume is not None:
        check_place("--resume", resume)
        state = ReviewState.load(resume)
    with _says_how_to_continue(resume):
        with _progress_bar() as tell:
            found = _review(
                played,
                resume,
                tell,
                samples=samples,
                seconds=seconds,
                seed=seed,
                threads=threads,
                deep=deep,
                state=state,
            )
        if html is not None:
            write_new("--html", html, report_html(found))
        if as_json:
            print_json(review_fields(found))
        elif html is not None:
            click.echo(f"The report is in {html}")
        else:
            print_review(found)


@contextmanager
def _says_how_to_continue(path: str | None) -> Iterator[None]:
    """At Ctrl-C, even while results are printed, name the file that has them."""
    try:
        yield
    except KeyboardInterrupt:
        if path is not None and os.path.exists(path):
            click.echo(f"casino-core: the review can be continued with --resume {path}", err=True)
        raise


def _review(
    played: Game, path: str | None, tell: Callable[[int, int], None], **options: Any
) -> Review:
    """The review; with a file, results are saved in it from time to time."""
    state: ReviewState = options["state"]
    saved = monotonic()

    def progress(done: int, steps: int) -> None:
        nonlocal saved
        tell(done, steps)
        if path is not None and monotonic() >= saved + _SAVE_EVERY:
            state.save(path)
            saved = monotonic()

    try:
        found = review_game(played, progress=progress, **options)
    except ReviewInterrupted:
        if path is not None:
            state.save(path)
        raise
    if path is not None:
        state.save(path)
    return found


@contextmanager
def _progress_bar() -> Iterator[Callable[[int, int], None]]:
    """A function that shows the number of steps done and of all steps."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("Reviewing", total=None)
        yield lambda done, steps: bar.update(task, completed=done, total=steps)


def _hindsight(
    game: Game, plays: int | None, nodes: int, seconds: float | None, as_json: bool
) -> None:
    """Print exact values before and after each play."""
    if len(game.rounds) > 1:
        raise CasinoError(f"--hindsight is for one round, the record has {len(game.rounds)}")
    played = game.round_at()
    with _progress_bar() as tell:
        found = analyse_play(played, plays=plays, nodes=nodes, seconds=seconds, on_progress=tell)
    if as_json:
        print_json(
            {"position": str(played.start), "plays": [hindsight_fields(item) for item in found]}
        )
    else:
        print_hindsight(found)
