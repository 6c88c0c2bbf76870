"""The command `play` and its options."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import click

from casino_core._arguments import SEED
from casino_core.cli.agents import agent_named
from casino_core.cli.common import NumberOf, at_option, game_option, load_game, place_asked
from casino_core.cli.play.dialog import Dialog
from casino_core.cli.play.keyboard import Keyboard
from casino_core.cli.play.place import SavePlace
from casino_core.cli.play.screen import Screen, screen_for
from casino_core.cli.play.seats import DEFAULT_LEVEL, players_of
from casino_core.cli.play.words import side_name, sides_of
from casino_core.errors import CasinoError, quoted
from casino_core.formats.record_files import read_games
from casino_core.play.session import Session, player_to_play
from casino_core.rules.options import Rules

__all__ = ["play"]

_WHOLE_GAME = ("rules", "target", "seed", "seat", "level", "partner", "names", "save")


@click.command()
@click.option(
    "--level",
    type=click.IntRange(1, 10),
    help=f"The level of the others.  [default: {DEFAULT_LEVEL}]",
)
@click.option(
    "--against",
    multiple=True,
    metavar="WHO",
    help="An agent for the other seats, or person for somebody at the same keyboard; several times "
    "for several seats in order.",
)
@click.option("--partner", metavar="WHO", help="With partners=yes: the player opposite.")
@click.option("--seat", metavar="SEAT", help="Your seat in the first round; a leads.  [default: a]")
@click.option(
    "--name", "names", multiple=True, metavar="NAME", help="A name for each person, in order."
)
@click.option("--rules", help="The rule set.  [default: standard]")
@click.option(
    "--target",
    metavar="POINTS",
    help="Points that win the match, or none.  [default: by the rules]",
)
@click.option("--one-round", is_flag=True, help="Play one round only.")
@click.option("--seed", type=NumberOf(SEED, int), help="Seed of the cards.  [default: random]")
@click.option(
    "--save",
    metavar="FILE",
    help="The file for the record of the game, with all cards.  "
    "[default: casino-DATE-N.txt in the working directory]",
)
@click.option("--resume", metavar="FILE", help="Continue the game saved in FILE.")
@click.option(
    "--from",
    "record",
    metavar="RECORD",
    help="Go on from a record that holds every card, such as a file of arena --records: your seat "
    "is the one to play there.",
)
@at_option
@game_option
@click.option("--plain", is_flag=True, help="Plain sentences without drawings, for screen readers.")
def play(
    plain: bool, one_round: bool, resume: str | None, record: str | None, **given: Any
) -> None:
    """Play a round or a match in the terminal, against agents or other people.

    The game is saved after every play, and --resume continues it with the same cards. Type help for
    the commands. In a pipe, lines of the input are what a person would type.
    """
    if resume is not None:
        _check_alone({**given, "from": record})
        session, place = _resumed(resume, given["against"]), SavePlace(resume, is_new=False)
    elif record is not None:
        session = _from_record(record, **given)
        place = SavePlace.chosen(given["save"])
    else:
        session = _new_game(one_round=one_round, **given)
        place = SavePlace.chosen(given["save"])
    screen, keyboard = screen_for(plain=plain), Keyboard()
    try:
        dialog = Dialog(session, screen, keyboard, place, rounds=1 if one_round else None)
    except CasinoError:
        place.close()
        raise
    try:
        screen.say(*_greeting(session, place, resumed=resume is not None))
        dialog.run()
    except BaseException:
        if place.close():
            click.echo(f"casino-core: the game can be continued with {place.way_on}", err=True)
        raise
    _say_goodbye(dialog.session, screen, place)


def _check_alone(given: dict[str, Any]) -> None:
    """Refuse options that a saved game has already."""
    for name in (*_WHOLE_GAME, "from"):
        if given[name] not in (None, ()):
            flag = "--name" if name == "names" else f"--{name}"
            raise click.UsageError(f"{flag} is for a new game; --resume has it in the file")


def _resumed(path: str, against: Sequence[str]) -> Session:
    """The game of a file; agents that the file cannot start are named again by --against."""
    agents = [agent_named(text) for text in against]
    if not agents:
        return Session.load(path)
    tags = next((game.tags for game in read_games(path)), {})
    saved = {
        seat: tags[f"Agent{seat.upper()}"] for seat in "abcd" if f"Agent{seat.upper()}" in tags
    }
    known = {str(agent): agent for agent in agents}
    if not known.keys() <= set(saved.values()):
        names = ", ".join(saved.values()) or "nobody"
        raise CasinoError(f"--against: the agents of the saved game are {names}")
    named = {seat: known[text] for seat, text in saved.items() if text in known}
    return Session.load(path, agents=named)


def _new_game(*, one_round: bool, **given: Any) -> Session:
    rules = _rules(given["rules"])
    players = players_of(
        rules,
        seat="a" if given["seat"] is None else given["seat"],
        level=given["level"],
        against=given["against"],
        partner=given["partner"],
        names=given["names"],
    )
    target = _target(given["target"])
    if one_round and target is None:
        target = "none"
    tags = {"Date": date.today().strftime("%Y.%m.%d")}
    return Session.start(rules, target=target, players=players, seed=given["seed"], tags=tags)


def _from_record(record: str, **given: Any) -> Session:
    for name in ("rules", "target"):
        if given[name] is not None:
            raise click.UsageError(f"--{name} is for a new game; --from has it in the record")
    game = load_game(record).game.up_to(place_asked())
    players = players_of(
        game.rules,
        seat=player_to_play(game) if given["seat"] is None else given["seat"],
        level=given["level"],
        against=given["against"],
        partner=given["partner"],
        names=given["names"],
    )
    return Session.from_record(game, players=players, seed=given["seed"])


def _rules(text: str | None) -> Rules:
    """The rule set of an option."""
    if text is not None and not text.strip():
        raise CasinoError("--rules is empty")
    return Rules.parse("standard" if text is None else text)


def _target(text: str | None) -> Any:
    """The target of a match: a number, "none", or None if it is not given."""
    if text in (None, "none"):
        return text
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise CasinoError(f"--target is a number of points, or none, not {quoted(text)}")
    return int(text)


def _greeting(session: Session, place: SavePlace, *, resumed: bool) -> tuple[str, ...]:
    names = " against ".join(side_name(side) for _, side in sides_of(session))
    how = "continued from" if resumed else "saved after every play in"
    return (f"{names}, {session.rules}. The game, with all its cards, is {how} {place.path}.",)


def _say_goodbye(session: Session, screen: Screen, place: SavePlace) -> None:
    if not place.close():
        screen.say("Nothing was played, so nothing is saved.")
    elif session.is_over:
        screen.say(f"The record is in {place.path}; casino-core review {place.path} reviews it.")
    else:
        screen.say(f"Saved. Continue with: {place.way_on}")
