"""What a player types: commands, moves in the notation, and moves typed in short."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from casino_core._text import spaced
from casino_core.errors import CasinoError, IllegalMoveError, NotationError, quoted
from casino_core.game.position import Move, Position

__all__ = ["Command", "Typed", "command_of", "fitting_moves", "is_number"]

Command: TypeAlias = Literal[
    "help", "moves", "why", "hint", "back", "review", "score", "piles", "quit", "show"
]

_COMMANDS: Final[dict[str, Command]] = {
    "help": "help",
    "commands": "help",
    "m": "moves",
    "moves": "moves",
    "?": "why",
    "why": "why",
    "h": "hint",
    "hint": "hint",
    "u": "back",
    "undo": "back",
    "back": "back",
    "r": "review",
    "review": "review",
    "s": "score",
    "score": "score",
    "p": "piles",
    "piles": "piles",
    "q": "quit",
    "quit": "quit",
    "exit": "quit",
    "": "show",
    "show": "show",
    "table": "show",
}

_SUITS: Final = str.maketrans("\u2660\u2665\u2666\u2663\u2664\u2661\u2662\u2667", "shdcshdc")
_CARD: Final = r"(?:[a2-9tjqk][shdc]?)"
_BRACKET: Final = rf"\[(\d+)([a-d]?)(?::{_CARD}+)?\]"
_SHORT: Final = re.compile(
    rf"(?P<card>{_CARD})(?P<sign>[x+])"
    rf"(?P<rest>(?:{_CARD}|{_BRACKET}|\+)*)(?:=(?P<value>\d*))?"
)
_RANK: Final = re.compile(_CARD)
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Typed:
    """A line that begins with a command.

    Attributes:
        command: the command; None for a move.
        rest: the text after it; of a move, the whole line.
    """

    command: Command | None
    rest: str


def command_of(line: str) -> Typed:
    """The command at the beginning of a line.

    Args:
        line: the line as typed.

    Example:
        >>> command_of("? 9h"), command_of("?9h").rest, command_of("9h").command
        (Typed(command='why', rest='9h'), '9h', None)
    """
    text = " ".join(spaced(line).split())
    if text.startswith("?"):
        return Typed("why", text[1:].strip())
    first, _, rest = text.partition(" ")
    command = _COMMANDS.get(first.lower())
    if command is None or (rest and command not in ("moves", "why", "hint")):
        return Typed(None, text)
    return Typed(command, rest)


def is_number(text: str) -> bool:
    """Whether a text is the number of a listed move.

    Args:
        text: the text as typed.

    Example:
        >>> is_number("3"), is_number("3h")
        (True, False)
    """
    return text.isascii() and text.isdigit() and len(text) < 7


def fitting_moves(position: Position, text: str) -> list[Move]:
    """The legal moves that a text may mean.

    A text in the notation means one move. In short forms suits, owners of builds and the value of a
    build may be left out, and all cards after `x` or `+`: they mean every legal move that fits.

    Args:
        position: the position as the player sees it.
        text: the text.

    Returns:
        At least one move.

    Raises:
        IllegalMoveError: a move that is not legal; the message is the reason.
        NotationError: a text that is not a move.

    Example:
        >>> position = Position.parse("table=2s5h8dKc hands=As7c9hTd/????")
        >>> [str(move) for move in fitting_moves(position, "7 x 2 5")]
        ['7cx2s5h']
        >>> [str(move) for move in fitting_moves(position, "T x")]
        ['Tdx2s8d']
    """
    if len(text) > _LONGEST:
        raise NotationError(f"{quoted(text)} is too long for a move")
    text = _without_words(text)
    try:
        move = position.move(text)
    except IllegalMoveError as error:
        raise IllegalMoveError(error.reason) from None
    except NotationError as error:
        found = _by_short_form(position, text)
        if found is None:
            raise NotationError(_plain_reason(error)) from None
        return found
    reason = position.why_illegal(move)
    if reason is not None:
        raise IllegalMoveError(reason)
    return [move]


def _without_words(text: str) -> str:
    """A text without the word before a trail."""
    first, _, rest = text.strip().partition(" ")
    return rest if first.lower() in ("trail", "leave", "play") and rest else text


def _plain_reason(error: NotationError) -> str:
    """The message of the reader of moves, with a hint of what a move looks like."""
    return f"{error} (examples: 9h, 7cx2s5h, 7c+2s=9; m lists the moves)"


def _by_short_form(position: Position, text: str) -> list[Move] | None:
    """The legal moves that fit a short form; None if the text is not one."""
    plain = re.sub(r"[\s,]", "", text.translate(_SUITS).lower()).replace("10", "t")
    plain = _with_values(plain)
    if re.fullmatch(_CARD, plain):
        return _of_card(position, plain)
    form = _SHORT.fullmatch(plain)
    if form is None:
        return None
    found = [move for move in _legal(position) if _fits(position, move, form)]
    if not found:
        raise IllegalMoveError(f"no legal move fits {quoted(text)}; m lists the legal moves")
    return found


def _with_values(text: str) -> str:
    """A short form in which a ten in a bracket or after = is a number again."""
    return re.sub(r"(?<=[\[=])t", "10", text)


def _of_card(position: Position, card: str) -> list[Move]:
    """Every move of a card, or of the cards of a rank."""
    found = [move for move in _legal(position) if move.card.lower().startswith(card)]
    if not found:
        raise IllegalMoveError(f"there is no legal move of {card.upper()} from this hand")
    return found


def _legal(position: Position) -> Sequence[Move]:
    try:
        return position.legal_moves()
    except CasinoError:  # too many to list
        return position.some_legal_moves()


def _fits(position: Position, move: Move, form: re.Match[str]) -> bool:
    """Whether a move has the cards of a short form."""
    sign = {"x": "capture", "+": "build"}[form["sign"]]
    if move.kind != sign or not move.card.lower().startswith(form["card"]):
        return False
    if form["value"] and int(form["value"]) != move.value:
        return False
    if not form["rest"].strip("+"):
        return True
    loose = re.sub(_BRACKET, "", form["rest"]).replace("+", "")
    named = [(int(value), owner) for value, owner in re.findall(_BRACKET, form["rest"])]
    return _same_cards(list(move.loose), _RANK.findall(loose)) and _same_builds(
        list(_builds(position, move)), named
    )


def _builds(position: Position, move: Move) -> Iterator[tuple[int, str]]:
    for build in position.builds:
        if build.cards <= move.built:
            yield build.value, build.owner


def _same_cards(cards: list[str], typed: list[str]) -> bool:
    """Whether cards are those typed, some of them by rank alone."""
    whole = [card for card in typed if len(card) == 2]
    for card in whole:
        name = card[0].upper() + card[1]
        if name not in cards:
            return False
        cards.remove(name)
    ranks = Counter(card.upper() for card in typed if len(card) == 1)
    return Counter(card[0] for card in cards) == ranks


def _same_builds(builds: list[tuple[int, str]], typed: list[tuple[int, str]]) -> bool:
    """Whether builds are those typed, some of them by value alone."""
    for value, owner in sorted(typed, key=lambda item: not item[1]):
        match = next((b for b in builds if b[0] == value and owner in ("", b[1])), None)
        if match is None:
            return False
        builds.remove(match)
    return not builds
