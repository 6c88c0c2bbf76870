"""`casino-core convert`: a position or a game in another format."""

from __future__ import annotations

import click

from casino_core.cli.common import (
    json_option,
    load_game,
    place_asked,
    position_argument,
    print_json,
)
from casino_core.formats.answers import position_fields
from casino_core.formats.reading import to_saved_game
from casino_core.formats.record import Game
from casino_core.formats.saved_games import PLAYERS
from casino_core.game.match import by_seats

__all__ = ["convert"]


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
    for --to json.
    """
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json does not go with --to {form}")
    found = load_game(position)
    game = found.game.up_to(place_asked())
    p = game.round_at().position
    if as_json or form == "json":
        whole = not found.is_position and place_asked() is None
        print_json(found.game.to_json() if whole else position_fields(p))
    elif form == "saved":
        click.echo(_saved(game), nl=False)
    elif form == "record":
        click.echo(str(game), nl=False)
    else:
        click.echo(str(p))


def _saved(game: Game) -> str:
    """The saved game: its players keep their names if they have those of the format."""
    last = game.rounds[-1]
    names = tuple(game.players.get(seat, "") for seat in "ab")
    seated = by_seats(names, last.number - 1)
    players = seated if sorted(seated) == sorted(PLAYERS) else PLAYERS
    number = last.number if players == seated else 0
    return to_saved_game(last.round.position, players=players, number=number)
