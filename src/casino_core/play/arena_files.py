"""The rounds of the arena as files: a line for each round, and records of all plays."""

from __future__ import annotations

import csv
import io
import os

from casino_core._files import write_whole
from casino_core.errors import CasinoError
from casino_core.formats.record import Game as GameRecord
from casino_core.play.arena import ArenaResult, Game

__all__ = ["CSV_COLUMNS", "write_csv", "write_records"]

#: The columns of a CSV file.
CSV_COLUMNS = (
    "deck",
    "rotation",
    "first_seats",
    "points",
    "first_points",
    "second_points",
    "difference",
    "first_plays",
    "second_plays",
    "first_seconds",
    "second_seconds",
    "luck",
)


def write_csv(result: ArenaResult, path: str | os.PathLike[str], *, replace: bool = True) -> None:
    """Write a header and a line for each game; the file is written whole or not at all.

    Args:
        result: the result of `play_arena`.
        path: the path of the file.
        replace: whether a file that exists is replaced.

    Raises:
        OSError: the file cannot be written, or exists and is not to be replaced.

    Example:
        >>> import tempfile
        >>> from casino_core.play.arena import play_arena
        >>> result = play_arena("greedy", "random", rounds=4, seed=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "games.csv")
        ...     write_csv(result, path)
        ...     with open(path, encoding="ascii") as file:
        ...         len(file.readlines())
        5
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for game in result.games:
        own = game.points[game.rotation]
        writer.writerow(
            [
                game.deck,
                game.rotation,
                "".join(result.rules.seats[game.rotation :: result.rules.sides]),
                "/".join(map(str, game.points)),
                own,
                f"{own - game.difference:g}",
                f"{game.difference:g}",
                *game.plays,
                *(f"{seconds:.6f}" for seconds in game.seconds),
                f"{sum(game.luck):.4f}" if game.luck else "",
            ]
        )
    write_whole(path, text.getvalue(), replace=replace)


def write_records(
    result: ArenaResult, path: str | os.PathLike[str], *, replace: bool = True
) -> None:
    """Write the record of each game; the file is written whole or not at all.

    Args:
        result: the result of `play_arena` with `keep_rounds=True`.
        path: the path of the file.
        replace: whether a file that exists is replaced.

    Raises:
        CasinoError: the rounds were not kept.
        OSError: the file cannot be written, or exists and is not to be replaced.

    Example:
        >>> import tempfile
        >>> from casino_core import read_games
        >>> from casino_core.play.arena import play_arena
        >>> result = play_arena("greedy", "random", rounds=2, seed=1, keep_rounds=True)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "games.txt")
        ...     write_records(result, path)
        ...     [game.players["a"] for game in read_games(path)]
        ['greedy', 'random']
    """
    text = "\n\n".join(str(_record(result, game)) for game in result.games)
    write_whole(path, text + "\n", replace=replace)


def _record(result: ArenaResult, game: Game) -> GameRecord:
    if game.round is None:
        raise CasinoError("the rounds were not kept: play_arena needs keep_rounds=True")
    sides = result.rules.sides
    tags = {"Event": f"arena, seed {result.seed}, deck {game.deck}"}
    for seat, letter in enumerate(result.rules.seats):
        agent = result.agents[0 if seat % sides == game.rotation else 1]
        tags[f"Player{letter.upper()}"] = agent
    return GameRecord([game.round], tags=tags)
