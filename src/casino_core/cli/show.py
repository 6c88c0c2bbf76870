"""`casino-core show`: a drawing of a position."""

from __future__ import annotations

from typing import Any

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
from casino_core.game.match import match_result
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
        fields = {} if found.is_position else {"game": _game_fields(game)}
        print_json({**position_fields(p), **fields})
        return
    outcome = None
    if not found.is_position:
        print_line(screen(), _title(game))
        outcome = _outcome(game)
    print_position(screen(), p, outcome=outcome)


def _title(game: Game) -> str:
    """The players, and the place of the position in the game."""
    last = game.rounds[-1]
    seats, plays = game.seats_text(last.number), len(last.round.plays)
    parts = [*filter(None, [seats]), f"round {last.number}"]
    parts.append(f"after {plays} play{'s' * (plays != 1)}")
    if game.leader is not None:
        leader = game.player_name(game.leader)
        parts.append(f"{leader} leads the next round")
    return ", ".join(parts)


def _outcome(game: Game) -> str:
    """The end of the match in words, with the players named; empty if it goes on."""
    if game.winner is None:
        return ""
    last = game.rounds[-1]
    winner, won = match_result(last.round.position).winner, "The match is drawn"
    if winner is not None:
        won = f"{game.side_name(winner, last.number)} wins"
    return f"{won}: the target is {game.target}"


def _game_fields(game: Game) -> dict[str, Any]:
    """The fields of the game around a position."""
    last, fields = game.rounds[-1], game.to_json()
    kept = ("players", "target", "result", "winner", "leader")
    return {
        "round": last.number,
        "play": len(last.round.plays) + 1,
        "seating": game.seating(last.number),
        **{name: fields[name] for name in kept},
    }
