"""Plays in the words of a card player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from casino_core.game.position import Move, Position
    from casino_core.rules.pieces import Build

__all__ = ["RANK_WORDS", "SUIT_WORDS", "card_words", "listed", "move_words"]

#: The words of the suits by their letter.
SUIT_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
)

#: The words of the ranks by their letter.
RANK_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "A": "ace",
        "2": "two",
        "3": "three",
        "4": "four",
        "5": "five",
        "6": "six",
        "7": "seven",
        "8": "eight",
        "9": "nine",
        "T": "ten",
        "J": "jack",
        "Q": "queen",
        "K": "king",
    }
)


def card_words(card: str) -> str:
    """A card in words.

    Args:
        card: its name.

    Example:
        >>> card_words("2s")
        'the two of spades'
    """
    return f"the {RANK_WORDS[card[0]]} of {SUIT_WORDS[card[1]]}"


def listed(parts: Iterable[str]) -> str:
    """Parts of a sentence with commas and `and`.

    Args:
        parts: the parts, at least one.

    Example:
        >>> listed(["the ace", "the two", "the six"])
        'the ace, the two and the six'
    """
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def move_words(
    position: Position,
    move: Move,
    *,
    owners: Mapping[str, str] = MappingProxyType({}),
    named: Callable[[str], str] = card_words,
    verb_end: str = "s",
) -> str:
    """A play in words, without its seat.

    Args:
        position: the position before the play.
        move: a legal move.
        owners: how to name the owner of a build, by seat, such as `{"b": "Anna's"}`; by default
            the letter of the seat, and "its own" for the seat to play.
        named: how a card is named; by default in words.
        verb_end: the end of the verb: empty after "you", and in a request.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=2s5h8d builds=7b:3c4d hands=As7c8cTd/???? out=-")
        >>> for text in ("Td", "7cx2s5h[7b]", "8c+2s=10", "As+[7b]=8"):
        ...     print(move_words(position, position.move(text)))
        trails the ten of diamonds
        captures the two of spades, the five of hearts and b's build of 7 with the seven of clubs
        builds 10 with the eight of clubs and the two of spades
        raises b's build of 7 to 8 with the ace of spades
        >>> move = position.move("7cx2s5h[7b]")
        >>> move_words(position, move, owners={"b": "Anna's"}, named=str, verb_end="")
        "capture 2s, 5h and Anna's build of 7 with 7c"
    """
    builds = [build for build in position.builds if build.cards <= move.built]
    named_builds = [_build(position, build, owners) for build in builds]
    card, loose = named(move.card), [*map(named, move.loose)]
    if move.kind == "trail":
        return f"trail{verb_end} {card}"
    if move.kind == "capture":
        return f"capture{verb_end} {listed([*loose, *named_builds])} with {card}"
    own = listed([card, *loose])
    if not builds:
        return f"build{verb_end} {move.value} with {own}"
    if move.value == builds[0].value:
        return f"add{verb_end} {own} to {named_builds[0]}"
    return f"raise{verb_end} {named_builds[0]} to {move.value} with {own}"


def _build(position: Position, build: Build, owners: Mapping[str, str]) -> str:
    """A build by its owner and value, and by its cards if another one has the same."""
    own = "its own" if build.owner == position.turn else f"{build.owner}'s"
    alike = [b for b in position.builds if (b.owner, b.value) == (build.owner, build.value)]
    cards = f" ({listed(build.cards)})" if len(alike) > 1 else ""
    return f"{owners.get(build.owner, own)} build of {build.value}{cards}"
