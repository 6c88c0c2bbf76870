"""Games as text: position lines, and the saved games of other programs.

`read` takes either.  `saved_game_to_line` and `to_saved_game` go between the two; the format
of the saved games is described in `casino_core.formats.saved_games`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from casino_core._arguments import instance_of
from casino_core.errors import NotationError, quoted
from casino_core.formats.groups import split_into_groups, values_of_group
from casino_core.formats.saved_games import is_saved_game, saved_game_to_line
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.rules.cards import card_name, parse_card
from casino_core.rules.options import PRESETS

__all__ = ["ReadResult", "read", "read_round", "saved_game_to_line", "to_saved_game"]

_PLAYERS = ("Human", "Computer")
# A saved game has some thousand characters; this only keeps a wrong file from costing time.
_LONGEST = 100_000
_LINE_END = re.compile("\r\n|\r|\n")


class ReadResult(NamedTuple):
    """What `read` found.

    Attributes:
        position: the position.
        warnings: what is odd in the text or the position, a line each.
    """

    position: Position
    warnings: tuple[str, ...]


def read(text: str | bytes) -> ReadResult:
    """Reads a position line, or a saved game of another program.

    Args:
        text: the whole text; bytes are taken as UTF-8.  Around a position line, blank lines
            and lines that begin with `#` are passed over.

    Raises:
        NotationError: the text is neither, or is wrong in a way that has no plain meaning.
        RulesError: the position line names rules that do not exist.

    Example:
        >>> read("table=2s5h8dKc hands=AsTd7c9h/????").position.turn
        'a'
    """
    if not isinstance(text, str | bytes):
        raise NotationError(f"a position is read from text, not from {type(text).__name__}")
    text = _decoded(text)
    warnings: tuple[str, ...] = ()
    if is_saved_game(text):
        line, warnings = saved_game_to_line(text)
    else:
        line = _only_line(text)
    position = Position.parse(line)
    return ReadResult(position, warnings + tuple(position.warnings))


def read_round(text: str | bytes) -> Round:
    """Reads a record, or a saved game of another program, which is a round without plays.

    Args:
        text: the whole text, as `Round.parse` takes it; bytes are taken as UTF-8.

    Raises:
        NotationError: no position line, or a word that is no move.
        IllegalMoveError: a move that is not legal where it stands.

    Example:
        >>> read_round("table=2s5h8dKc hands=As7c9hTd/????\\n7cx2s5h").position.turn
        'b'
    """
    if not isinstance(text, str | bytes):
        raise NotationError(f"a record is read from text, not from {type(text).__name__}")
    text = _text(text)
    return Round(read(text).position) if is_saved_game(text) else Round.parse(text)


def _text(text: str | bytes) -> str:
    try:
        return text if isinstance(text, str) else text.decode("utf-8")
    except UnicodeDecodeError:
        raise NotationError("the text is not UTF-8") from None


def _decoded(text: str | bytes) -> str:
    """The text, refused where it cannot be one position."""
    text = _text(text).removeprefix("\ufeff")
    if len(text) > _LONGEST:
        raise NotationError(f"the text is too long for one position: {len(text)} characters")
    return text


def _only_line(text: str) -> str:
    lines = [line.strip() for line in _LINE_END.split(text)]
    lines = [line for line in lines if line and not line.startswith("#")]
    if not lines:
        raise NotationError("the text is empty: one position expected")
    if len(lines) > 1:
        raise NotationError(f"one position expected, the text has {len(lines)} lines")
    if "=" not in lines[0]:
        raise NotationError(f"{quoted(lines[0])} is neither a position line nor a saved game")
    return lines[0]


def to_saved_game(position: Position | str) -> str:
    """A position in the saved-game format, seat `a` as Human.

    Reading the text again gives the same position, but for sweeps: the format has no place
    for them, and they score nothing under its rules.

    Args:
        position: the position or its line: two players, the rules of `ramapo`, and every
            card known.

    Raises:
        NotationError: the format cannot say what the position says; the reason is named.

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
        Position.parse(position)
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
    """What the saved-game format cannot say of a position; empty where it can say all."""
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
