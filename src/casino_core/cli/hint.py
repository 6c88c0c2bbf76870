"""`casino-core hint`: the best play from what the mover can see."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import click

from casino_core.cli.common import (
    StatusLine,
    all_option,
    hint_options,
    json_option,
    load_round,
    position_argument,
    print_json,
    read_text,
)
from casino_core.formats.answers import hint_fields
from casino_core.formats.reading import read_round
from casino_core.hints.answer import Hint
from casino_core.hints.hint import hint as find_hint
from casino_core.render.html import value_text
from casino_core.render.text import Column, move_text, print_line, print_ranking, screen

__all__ = ["hint"]

_CARDS_SHOWN = 8
_COLUMNS = (
    Column("value", numbers=True),
    Column("error", numbers=True, drop=2),
    Column("best", numbers=True, drop=1),
    Column("move"),
)
_ENDS: Mapping[str | None, str] = MappingProxyType(
    {
        "exact": "",
        "decided": ": no other move may be the best",
        "time": ": the time was up",
        "samples": ": all were looked at",
        "stop": ": stopped",
        None: "",
    }
)


@click.command()
@position_argument
@hint_options("command")
@all_option
@json_option
def hint(position: str, show_all: bool, as_json: bool, **given: Any) -> None:
    """Find the best play of the seat to play in POSITION.

    Values are the expected final points of the round, the mover's side minus the other
    side, over all that the mover cannot see. With --objective match they are
    probabilities to win the match.

    The plays of a record are taken into account. --history takes a file with the plays that led
    to a position.
    """
    played = load_round(position)
    wanted = {name: value for name, value in given.items() if value is not None}
    if "history" in wanted:
        wanted["history"] = read_round(read_text(wanted["history"]))
    asked = played.position if "history" in wanted else played
    with StatusLine() as status:
        if status.is_shown:
            wanted["progress"] = lambda news: status.say(_news(news))
        found = find_hint(asked, **wanted)
    if as_json:
        print_json(hint_fields(found))
        return
    _show(found, show_all=show_all)


def _show(found: Hint, *, show_all: bool) -> None:
    console = screen()
    rows = [
        (
            f"{item.value:+.3f}" if found.objective == "points" else f"{item.value:.1%}",
            f"{item.stderr:.3f}" if found.objective == "points" else f"{item.stderr:.1%}",
            f"{item.chance:.0%}",
            move_text(item.move, console),
        )
        for item in found.moves
    ]
    print_ranking(console, _COLUMNS, rows, show_all=show_all)
    count = "round" if found.coverage == "tree" else "world"
    kind = "exact" if found.exact else f"{found.samples:,} {count}{'s' * (found.samples != 1)}"
    why = f" ({', '.join(found.reasons)})" if found.reasons else ""
    print_line(console, "Best: ", move_text(found.best, console), why)
    end = _ENDS[found.stopped]
    print_line(console, f"By {found.method}, {kind}, in {found.seconds:.3f} s{end}")
    for seat, cards in found.holds.items():
        likely = sorted(cards.items(), key=lambda item: (-item[1], item[0]))[:_CARDS_SHOWN]
        shown = ", ".join(f"{card} {chance:.0%}" for card, chance in likely)
        print_line(console, f"Seat {seat} may hold: ", move_text(shown or "-", console))


def _news(news: Hint) -> str:
    value = value_text(news, news.moves[0].value)
    return f"{news.samples:,} worlds: {news.best} {value}"
