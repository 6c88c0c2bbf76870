"""Worlds: the ways in which the cards that a player cannot see may lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
from random import Random

from casino_core.cards import CARD_NAMES
from casino_core.core.position import Position
from casino_core.errors import CasinoError
from casino_core.inference import Beliefs, unseen_cards

__all__ = ["Unseen", "World"]

_FIRST_DRAWS = 32  # worlds drawn at once, at first and at most
_MOST_DRAWS = 1024
_MOST_LISTED = 2000  # hands that are listed where none is likelier than another


@dataclass(frozen=True, slots=True)
class World:
    """One way in which the unseen cards may lie.

    Attributes:
        seen: the position as it is seen.
        hidden: per seat, the mask of the cards that are not known.
        forgotten: per side, the mask of the captured cards that are not known.
        stock: the order of the stock as numbers of cards, None where it has none.
    """

    seen: Position
    hidden: tuple[int, ...]
    forgotten: tuple[int, ...]
    stock: tuple[int, ...] | None

    @property
    def position(self) -> Position:
        """The position with every hand and pile known."""
        hands = [
            hand.cards.mask | more for hand, more in zip(self.seen.hands, self.hidden, strict=True)
        ]
        piles = [
            pile.cards.mask | more
            for pile, more in zip(self.seen.piles, self.forgotten, strict=True)
        ]
        return self.seen._world(hands, piles, self.stock)


class Unseen:
    """What is not seen in a position, and the worlds that fit it.

    Without beliefs an owner of a build holds a card of its value in every world, and so does who
    has declared a value, as long as that can be; else each hand is equally likely.

    Args:
        position: as one seat sees it (`Position.view`); the hand of the seat to play is known.
        beliefs: what the hidden hands may be, in the same position.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/???? piles=-/-")
        >>> unseen = Unseen(position)
        >>> unseen.count, len(next(unseen.sample(Random(1), 1)).position.hands[1].cards)
        (44, 4)
    """

    def __init__(self, position: Position, beliefs: Beliefs | None = None) -> None:
        self._position = position
        self._sizes = [hand.hidden for hand in position.hands]
        self._forgotten = [pile.hidden for pile in position.piles]
        unseen = unseen_cards(position)
        self._cards = [card for card in range(52) if unseen >> card & 1]
        stock = position.stock
        self._stock = None if stock is None else [CARD_NAMES.index(card) for card in stock]
        self._given = beliefs

    @cached_property
    def beliefs(self) -> Beliefs:
        """What the hidden hands may be: as given, or by what the rules ask of owners."""
        return _duties_only(self._position) if self._given is None else self._given

    @property
    def count(self) -> int:
        """Number of cards not seen."""
        return len(self._cards)

    @property
    def is_settled(self) -> bool:
        """Whether there is one world only, but for the order of the stock."""
        places = sum(1 for size in (*self._sizes, *self._forgotten) if size)
        hidden = sum(self._sizes) + sum(self._forgotten)
        return hidden == 0 or (places == 1 and hidden == len(self._cards))

    def only(self) -> World:
        """The one world there is, where `is_settled`; the stock has no order."""
        every = sum(1 << card for card in self._cards)
        hidden = tuple(every if size else 0 for size in self._sizes)
        forgotten = [every if size else 0 for size in self._forgotten]
        return self._world(hidden, forgotten, None)

    def number(self) -> int | None:
        """How many hands the one hidden seat may hold; None where more places are hidden."""
        hidden = [size for size in self._sizes if size]
        if len(hidden) != 1 or any(self._forgotten):
            return None
        return comb(len(self._cards), hidden[0])

    def most(self) -> int:
        """How many ways there are to hold the cards of all hidden hands, or more."""
        left, ways = len(self._cards), 1
        for size in self._sizes:
            ways *= comb(left, size)
            left -= size
        return ways

    def all(self) -> Iterator[World]:
        """Every world that fits, where `number` is not None; the stock has no order."""
        for hidden, _ in self.beliefs.all() or ():
            yield self._world(hidden, self._nothing(), None)

    def sample(self, rng: Random, number: int, *, order_stock: bool = False) -> Iterator[World]:
        """Worlds drawn at random, each by its probability.

        Args:
            rng: where chance comes from.
            number: how many.
            order_stock: whether the stock gets an order too.
        """
        done, drawn = 0, _FIRST_DRAWS
        while done < number:
            # In growing lots, as whoever asks may stop before the last.
            lot = min(drawn, number - done)
            for hidden in self.beliefs.sample(lot, rng.getrandbits(64)):
                taken = sum(hidden)
                cards = [card for card in self._cards if not taken >> card & 1]
                piles = self._nothing()
                if order_stock or any(self._forgotten):
                    rng.shuffle(cards)
                for side, size in enumerate(self._forgotten):
                    for card in cards[:size]:
                        piles[side] |= 1 << card
                    del cards[:size]
                yield self._world(hidden, piles, cards if order_stock else None)
            done += lot
            drawn = min(2 * drawn, _MOST_DRAWS)

    def _nothing(self) -> list[int]:
        """No forgotten card, for each side."""
        return [0] * len(self._forgotten)

    def _world(self, hidden: tuple[int, ...], piles: list[int], stock: list[int] | None) -> World:
        order = self._stock if stock is None else stock
        return World(
            self._position, tuple(hidden), tuple(piles), None if order is None else tuple(order)
        )


def _duties_only(position: Position) -> Beliefs:
    try:
        return Beliefs(position, most=_MOST_LISTED)
    except CasinoError:  # a position from outside, in which the owners cannot all hold their cards
        return Beliefs(position, most=_MOST_LISTED, duties=False)
