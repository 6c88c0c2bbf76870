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
    _values: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def notices(self, move: Move) -> bool:
        """Whether a move that is not a trail is noticed."""
        if move.kind == "build" and not self._happens(0, 1, self.eye.builds):
            return False
        values = self._values_of(move.card) if move.value is None else (move.value,)
        if not values:  # court cards that take their like
            return True
        items = list(self._items(move))
        return any(
            self._sees_all(value, sums) for value in values for sums in _splits(items, value)
        )

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

    def _sees_all(self, value: int, sums: list[list[_Item]]) -> bool:
        """Whether each sum is noticed, and that they go together."""
        together = sum(item.mask for one in sums for item in one)
        chance = self.eye.several ** max(len(sums) - 1, 0)
        return self._happens(together, 0, chance) and all(
            self._happens(sum(item.mask for item in one), value, self.eye.sums ** (len(one) - 1))
            for one in sums
        )

    def _happens(self, mask: int, value: int, chance: float) -> bool:
        """Whether something with this chance happens, the same each time for the same cards."""
        if chance >= 1:
            return True
        if (mask, value) not in self._seen:
            drawn = Stream(self.key, Purpose.NOTICE, mask, value).random()
            self._seen[mask, value] = drawn < chance
        return self._seen[mask, value]


def _splits(items: list[_Item], value: int) -> Iterator[list[list[_Item]]]:
    """The ways to split items into sums of a value."""
    if not items:
        yield []
        return
    first, *others = items
    for rest in [others] if value in first.alone else []:
        for sums in _splits(rest, value):
            yield [[first], *sums]
    for chosen in _sums_with([first], others, value - first.inside):
        left = [item for item in others if item not in chosen]
        for sums in _splits(left, value):
            yield [chosen, *sums]


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
