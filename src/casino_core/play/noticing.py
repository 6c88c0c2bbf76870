"""Which plays a person notices: matches first, sums of many cards last.

Whether a sum is noticed depends on the cards in it and on a key alone, so that two plays with the
same sum are noticed or overlooked together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from casino_core.game.counting import card_values
from casino_core.game.position import Move, Position
from casino_core.rules.cards import CARD_NAMES, CardSet
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["Eye", "noticed_moves"]


@dataclass(frozen=True, slots=True)
class Eye:
    """How well a player sees plays, as chances.

    Attributes:
        sums: that it sees a sum of two cards; of three, this squared, and so on.
        several: that it sees that a play may take two sums at once; three, this squared.
        builds: that it thinks of building in a turn.
    """

    sums: float = 1.0
    several: float = 1.0
    builds: float = 1.0


class _Item(NamedTuple):
    """What may be part of a sum: a card, or a build as a whole."""

    mask: int
    inside: int  # its value in a sum with others
    alone: tuple[int, ...]  # its values by itself


@dataclass(slots=True)
class _Look:
    """A look at a table."""

    position: Position
    eye: Eye
    key: int
    _seen: dict[tuple[int, int], bool] = field(default_factory=dict)
    _counts: dict[tuple[int, int], int | None] = field(default_factory=dict)
    _values: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def notices(self, move: Move) -> bool:
        """Whether a move that is not a trail is noticed."""
        if move.kind == "build" and not self._happens(0, 1, self.eye.builds):
            return False
        values = self._values_of(move.card) if move.value is None else (move.value,)
        if not values:  # court cards that take their like
            return True
        items = list(self._items(move))
        return any(self._sees_all(items, value) for value in values)

    def _items(self, move: Move) -> Iterator[_Item]:
        """What a move brings together; a build that is captured is plain to see."""
        cards = list(move.loose)
        if move.kind == "build":
            cards.append(move.card)
            if move.built:
                yield self._build(move.built)
        for card in cards:
            values = self._values_of(card)
            yield _Item(1 << CARD_NAMES.index(card), values[0], values)

    def _build(self, cards: CardSet) -> _Item:
        """A build of the table."""
        value = next(build.value for build in self.position.builds if build.cards == cards)
        return _Item(cards.mask, value, (value,))

    def _values_of(self, card: str) -> tuple[int, ...]:
        if card not in self._values:
            self._values[card] = card_values(self.position._compiled, card)
        return self._values[card]

    def _sees_all(self, items: list[_Item], value: int) -> bool:
        """Whether items are seen to split into sums of a value, and that the sums go together."""
        count = self._sums_seen(items, value)
        if count is None:
            return False
        return self._happens(_mask(items), 0, self.eye.several ** max(count - 1, 0))

    def _sums_seen(self, items: list[_Item], value: int) -> int | None:
        """The least number of sums into which items are seen to split; None if they are not."""
        if not items:
            return 0
        place = _mask(items), value
        if place not in self._counts:
            rests = [self._sums_seen(rest, value) for rest in self._after_first(items, value)]
            counts = [rest + 1 for rest in rests if rest is not None]
            self._counts[place] = min(counts, default=None)
        return self._counts[place]

    def _after_first(self, items: list[_Item], value: int) -> Iterator[list[_Item]]:
        """What is left after each sum that is seen and has the first item in it."""
        first, *others = items
        if value in first.alone:
            yield others
        for chosen in _sums_with([first], others, value - first.inside):
            if self._happens(_mask(chosen), value, self.eye.sums ** (len(chosen) - 1)):
                yield [item for item in others if item not in chosen]

    def _happens(self, mask: int, value: int, chance: float) -> bool:
        """Whether something with this chance happens, the same each time for the same cards."""
        if chance >= 1:
            return True
        if (mask, value) not in self._seen:
            drawn = Stream(self.key, Purpose.NOTICE, mask, value).random()
            self._seen[mask, value] = drawn < chance
        return self._seen[mask, value]


def _mask(items: list[_Item]) -> int:
    """The cards of some items."""
    return sum(item.mask for item in items)


def _sums_with(start: list[_Item], others: list[_Item], left: int) -> Iterator[list[_Item]]:
    """Sums of two or more items that begin with some, with `left` still missing."""
    for place, item in enumerate(others):
        if item.inside == left:
            yield [*start, item]
        elif 0 < item.inside < left:
            yield from _sums_with([*start, item], others[place + 1 :], left - item.inside)


def noticed_moves(position: Position, eye: Eye, key: int) -> list[Move]:
    """The legal moves that a player notices, at least one.

    Every trail is noticed. If the rules allow only plays that were overlooked, the player looks
    again and sees them all.

    Args:
        position: the hand of the seat to play is known.
        eye: how well the player sees.
        key: what is overlooked by chance depends on it and the cards.

    Example:
        >>> position = Position.parse("table=2s5h8dKc hands=7c9dJsJh/????")
        >>> [str(move) for move in noticed_moves(position, Eye(sums=0.0), 1)]
        ['7c', '9d', 'Jh', 'Js']
        >>> [str(move) for move in noticed_moves(position, Eye(), 1)]
        ['7c', '7c+2s=9', '7cx2s5h', '9d', 'Jh', 'Js']
    """
    moves = position.some_legal_moves()
    look = _Look(position, eye, key)
    noticed = [move for move in moves if move.kind == "trail" or look.notices(move)]
    return noticed or moves
