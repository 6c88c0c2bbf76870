"""`casino-core show`: a drawing of a position."""

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
from casino_core.formats.record import Game
from casino_core.render.text import print_line, print_position, screen

__all__ = ["show"]


@click.command()
@position_argument
@json_option
def show(position: str, as_json: bool) -> None:
    """Draw POSITION: table, builds, hands, piles and stock; also the score of a finished round."""
    found = load_game(position)
    game = found.game.up_to(place_asked())
    p = game.round_at().position
    if as_json:
        print_json(position_fields(p))
        return
    if not found.is_position:
        print_line(screen(), _title(game))
    print_position(screen(), p)


def _title(game: Game) -> str:
    """The names of the players, and the place of the position in the game."""
    last = game.rounds[-1]
    players = zip(game.rules.seats, game.seating(last.number), strict=True)
    names = [f"{seat} {game.players[who]}" for seat, who in players if who in game.players]
    plays = len(last.round.plays)
    parts = [*names, f"round {last.number}", f"after {plays} play{'s' * (plays != 1)}"]
    if game.leader is not None:
        parts.append(f"player {game.leader} leads the next round")
    return ", ".join(parts)
