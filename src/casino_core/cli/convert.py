"""`casino-core convert`: a position or a game in another format."""

from __future__ import annotations

from itertools import chain

import click

from casino_core.cli.common import (
    json_option,
    load_games,
    place_asked,
    position_argument,
)
from casino_core.errors import CasinoError
from casino_core.formats.answers import json_line, position_fields
from casino_core.formats.reading import ReadGame, to_saved_game
from casino_core.formats.record import Game
from casino_core.formats.saved_games import PLAYERS
from casino_core.game.match import by_seats

__all__ = ["convert"]

_SOME_FAILED = 1


@click.command()
@position_argument
@click.option(
    "--to",
    "form",
    type=click.Choice(["position", "line", "record", "json", "saved"]),
    help="A position line (also called line; the default), a record, JSON, or a saved game.",
)
@json_option
def convert(position: str, form: str | None, as_json: bool) -> None:
    """Write POSITION in another format.

    A record as JSON is the whole game, or with --at the fields of the position. --json is short
    for --to json. A file of many games, records or JSON, is converted game by game; one with an
    error up to there, and the exit status is then 1.
    """
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json does not go with --to {form}")
    if as_json:
        form = "json"
    games = load_games(position)
    first, second = next(games), next(games, None)
    if second is None:
        if first.game.error is not None:
            raise first.game.error
        click.echo(_converted(first, form), nl=False)
        return
    failed = False
    for number, found in enumerate(chain([first, second], games), start=1):
        failed |= not _print_game(number, found, form)
    if failed:
        raise click.exceptions.Exit(_SOME_FAILED)


def _print_game(number: int, found: ReadGame, form: str | None) -> bool:
    """Print one game of several; an error is reported on standard error.

    Returns:
        Whether there was no error.
    """
    error = found.game.error
    try:
        text = _converted(found, form)
        click.echo(f"\n{text}" if form == "record" and number > 1 else text, nl=False)
    except CasinoError as refused:
        error = error or refused
    if error is not None:
        click.echo(f"casino-core: game {number}: {error}", err=True)
    return error is None


def _converted(found: ReadGame, form: str | None) -> str:
    """The text of a game in a format, with its line end."""
    game = found.game.up_to(place_asked())
    p = game.round_at().position
    if form == "json":
        whole = not found.is_position and place_asked() is None
        return json_line(found.game.to_json() if whole else position_fields(p)) + "\n"
    if form == "saved":
        return _saved(game)
    return str(game) if form == "record" else f"{p}\n"


def _saved(game: Game) -> str:
    """The saved game: its players keep their names if they have those of the format."""
    last = game.rounds[-1]
    names = tuple(game.players.get(seat, "") for seat in "ab")
    seated = by_seats(names, last.number - 1)
    players = seated if sorted(seated) == sorted(PLAYERS) else PLAYERS
    number = last.number if players == seated else 0
    return to_saved_game(last.round.position, players=players, number=number)
