"""Games as text: position lines, and the saved games of other programs.

`read` reads both. `saved_game_to_line` and `to_saved_game` convert between them; the format of
saved games is described in `casino_core.formats.saved_games`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from casino_core._arguments import instance_of
from casino_core._text import decoded, spaced
from casino_core.errors import NotationError, quoted
from casino_core.formats.groups import split_into_groups, values_of_group
from casino_core.formats.saved_games import is_saved_game, saved_game_to_line
from casino_core.game.position import Position
from casino_core.game.round import Round, record_lines
from casino_core.rules.cards import card_name, parse_card
from casino_core.rules.options import PRESETS

__all__ = [
    "ReadResult",
    "position_line",
    "read",
    "read_round",
    "saved_game_to_line",
    "to_saved_game",
]

_PLAYERS = ("Human", "Computer")
# A saved game has about a thousand characters; a longer text is the wrong file.
_LONGEST = 100_000


class ReadResult(NamedTuple):
    """The result of `read`.

    Attributes:
        position: the position.
        warnings: oddities in the text or the position, one line each.
    """

    position: Position
    warnings: tuple[str, ...]


def read(text: str | bytes) -> ReadResult:
    """Reads a position line, or a saved game of another program.

    Args:
        text: the whole text; bytes are UTF-8, or UTF-16 with its byte-order mark.  Blank lines
            and lines that begin with `#` around a position line are ignored.

    Raises:
        NotationError: the text is neither of them, or cannot be understood.
        RulesError: the position line names rules that do not exist.

    Example:
        >>> read("table=2s5h8dKc hands=AsTd7c9h/????").position.turn
        'a'
    """
    if not isinstance(text, str | bytes):
        raise NotationError(f"a position is read from text, not from {type(text).__name__}")
    line, warnings = position_line(decoded(text) if isinstance(text, bytes) else text)
    position = Position.parse(line)
    return ReadResult(position, warnings + tuple(position.warnings))


def read_round(text: str | bytes) -> Round:
    """Reads a record, or a saved game of another program, which is a round without plays.

    Args:
        text: the whole text, as `Round.parse` takes it; bytes as `read` takes them.

    Raises:
        NotationError: no position line, or a word that is no move.
        IllegalMoveError: a move that is not legal where it stands.

    Example:
        >>> read_round("table=2s5h8dKc hands=As7c9hTd/????\\n7cx2s5h").position.turn
        'b'
    """
    if not isinstance(text, str | bytes):
        raise NotationError(f"a record is read from text, not from {type(text).__name__}")
    text = spaced(decoded(text) if isinstance(text, bytes) else text)
    return Round(read(text).position) if is_saved_game(text) else Round.parse(text)


def position_line(text: str) -> tuple[str, tuple[str, ...]]:
    """The position line in a text of any form that `read` takes.

    Args:
        text: the whole text.

    Returns:
        The line, which may still be wrong itself, and what is odd in the text around it.

    Raises:
        NotationError: there is no position in the text, or more than one.

    Example:
        >>> position_line("# the last deal\\r\\ntable=2s hands=As/Ah\\r\\n")
        ('table=2s hands=As/Ah', ())
    """
    if len(text) > _LONGEST:
        raise NotationError(f"the text is too long for one position: {len(text)} characters")
    text = spaced(text)
    return saved_game_to_line(text) if is_saved_game(text) else (_only_line(text), ())


def _only_line(text: str) -> str:
    lines = record_lines(text)
    if not lines:
        raise NotationError("the text is empty: one position expected")
    if len(lines) > 1:
        raise NotationError(f"one position expected, the text has {len(lines)} lines")
    if "=" not in lines[0]:
        raise NotationError(f"{quoted(lines[0])} is neither a position line nor a saved game")
    return lines[0]


def to_saved_game(position: Position | str) -> str:
    """Write a position in the saved-game format, with seat `a` as Human.

    Reading the text gives the same position without its sweeps, which the format does not
    record and which score nothing under its rules.

    Args:
        position: the position or its text: two players, the rules of `ramapo`, and all cards
            known.

    Raises:
        NotationError: the format cannot hold the position; the message gives the reason.

    Example:
        >>> text = (
        ...     "Computer:\\n Hand: HQ\\n Pile:\\nHuman:\\n Hand: D9\\n Pile:\\n"
        ...     "Table: [C6 C3]\\nBuild Owner: [C6 C3] Human\\nDeck:\\nNext Player: Human"
        ... )
        >>> written = to_saved_game(read(text).position)
        >>> [line for line in written.splitlines() if "Owner" in line]
        ['Build Owner: [ [C3 C6] ] Human']
    """
    p = (
        read(position).position
        if isinstance(position, str)
        else instance_of(Position)("position", position)
    )
    reason = _why_not_saved(p)
    if reason:
        raise NotationError(f"a saved game cannot hold this position: {reason}")
    owners = dict(zip("ab", _PLAYERS, strict=True))
    builds = [(_bracketed(build.cards, build.value), owners[build.owner]) for build in p.builds]
    lines = ["Round: 0", ""]
    for seat in (1, 0):
        lines += [
            f"{_PLAYERS[seat]}:",
            f"   Score: {p.match_score[seat]}",
            f"   Hand: {_foreign(p.hands[seat].cards)}",
            f"   Pile: {_foreign(p.piles[seat].cards)}",
            "",
        ]
    table = " ".join([*(text for text, _ in builds), _foreign(p.table)])
    lines += [f"Table: {table}", ""]
    for text, owner in builds:
        lines += [f"Build Owner: {text} {owner}", ""]
    if p.last is not None:
        lines += [f"Last Capturer: {owners[p.last]}", ""]
    lines += [f"Deck: {_foreign(p.stock or ())}", "", f"Next Player: {owners[p.turn]}", ""]
    return "\n".join(line.rstrip() for line in lines)


def _why_not_saved(p: Position) -> str:
    """Why the saved-game format cannot hold a position; empty if it can."""
    if p.rules != PRESETS["ramapo"]:
        return f"its rules are ramapo, not {p.rules}"
    if any(hand.hidden for hand in (*p.hands, *p.piles)):
        return "cards of a hand or pile are not known"
    if p.stock is None and p.stock_count:
        return "the order of the stock is not known"
    leader, dealer = (len(hand.cards) for hand in p.hands)
    if leader > dealer or (leader == dealer and p.turn == "b"):
        return "it would show the wrong player as the leader of the deal"
    for build in p.builds:
        groups = split_into_groups(map(parse_card, build.cards), build.value) or [[]]
        if max(set.intersection(*map(values_of_group, groups)), default=0) != build.value:
            return f"the build {build.cards} would be read with another value"
    return ""


def _foreign(cards: Iterable[str]) -> str:
    return " ".join(name[1].upper() + name[0].replace("T", "X") for name in cards)


def _bracketed(cards: Iterable[str], value: int) -> str:
    groups = split_into_groups(map(parse_card, cards), value) or []
    inner = " ".join(f"[{_foreign(map(card_name, sorted(group)))}]" for group in groups)
    return f"[ {inner} ]"
