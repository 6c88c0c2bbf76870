"""Plays in the words of a card player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from casino_core.game.position import Move, Position

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


def move_words(position: Position, move: Move) -> str:
    """A play in words, without its seat.

    Args:
        position: the position before the play.
        move: a legal move.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("table=2s5h8d builds=7b:3c4d hands=As7c8cTd/???? out=-")
        >>> for text in ("Td", "7cx2s5h[7b]", "8c+2s=10", "As+[7b]=8"):
        ...     print(move_words(position, position.move(text)))
        trails the ten of diamonds
        captures the two of spades, the five of hearts and b's build of 7 with the seven of clubs
        builds 10 with the eight of clubs and the two of spades
        raises b's build of 7 to 8 with the ace of spades
    """
    card, builds = card_words(move.card), _builds(position, move)
    if move.kind == "trail":
        return f"trails {card}"
    loose = [card_words(name) for name in move.loose]
    if move.kind == "capture":
        return f"captures {listed([*loose, *(words for words, _ in builds)])} with {card}"
    own = listed([card, *loose])
    if not builds:
        return f"builds {move.value} with {own}"
    words, value = builds[0]
    if value == move.value:
        return f"adds {own} to {words}"
    return f"raises {words} to {move.value} with {own}"


def _builds(position: Position, move: Move) -> list[tuple[str, int]]:
    """The builds of a move in words, with their values."""
    found = []
    for build in position.builds:
        if build.cards <= move.built:
            whose = "its own" if build.owner == position.turn else f"{build.owner}'s"
            found.append((f"{whose} build of {build.value}", build.value))
    return found
