"""Worlds: determinizations of a position, sampled or listed by their posterior probability."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from casino_core.errors import CasinoError, not_copied
from casino_core.game.position import Position
from casino_core.game.substitution import with_hidden_cards
from casino_core.hidden.posterior import Beliefs
from casino_core.rules.cards import CARD_NAMES
from casino_core.rules.streams import Stream

__all__ = ["Source", "Unseen", "World", "Worlds"]

_FIRST_DRAWS = 32  # worlds in the first batch of a sample
_MOST_DRAWS = 1024  # and in the largest
_MOST_TIMES = 10_000  # times that the heaviest world counts
_MOST_LISTED = 2000  # equally likely hands that are listed


@dataclass(frozen=True, slots=True)
class World:
    """A world: one way in which the unseen cards may lie (a determinization).

    Attributes:
        seen: the position with its hidden cards.
        hidden: mask of the hidden cards of each seat.
        forgotten: mask of the unknown captured cards of each side.
        stock: the order of the stock as numbers of cards; None if it has no order.
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
        return with_hidden_cards(self.seen, hands, piles, self.stock)


@dataclass(frozen=True, slots=True)
class Worlds:
    """Many worlds of one position, as arrays.

    Attributes:
        seen: the position with its hidden cards.
        masks: shape (worlds, 8), the hidden cards of four hands and the forgotten ones of four
            piles.
        orders: shape (worlds, 52), the stock as numbers of cards, next card first; None if it has
            no order.
        weights: the posterior weight of each world; None if all are equal.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/???? piles=-/-")
        >>> len(Unseen(position).source(Stream(1, "worlds"), 5, order_stock=False).take(3))
        3
    """

    seen: Position
    masks: NDArray[np.uint64]
    orders: NDArray[np.uint8] | None
    weights: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.masks)

    def __getitem__(self, part: slice | NDArray[np.intp]) -> Worlds:
        orders = None if self.orders is None else self.orders[part]
        weights = None if self.weights is None else self.weights[part]
        return Worlds(self.seen, self.masks[part], orders, weights)

    @classmethod
    def of(cls, world: World) -> Worlds:
        """A single world as arrays.

        Args:
            world: the world.
        """
        masks = np.zeros((1, 8), dtype=np.uint64)
        masks[0, : len(world.hidden)] = world.hidden
        masks[0, 4 : 4 + len(world.forgotten)] = world.forgotten
        orders = None
        if world.stock is not None:
            orders = np.zeros((1, 52), dtype=np.uint8)
            orders[0, : len(world.stock)] = world.stock
        return cls(world.seen, masks, orders)

    def distinct(self) -> tuple[Worlds, NDArray[np.intp], NDArray[np.intp]]:
        """The different worlds, the index of each world among them, and the number of times each
        occurs.

        Only worlds that differ in a single hand are compared; others count as different. The
        weights of weighted worlds give the numbers.
        """
        if self.weights is not None:
            times = np.ceil(self.weights * (_MOST_TIMES / self.weights.max())).astype(np.intp)
            return self, np.arange(len(self)), times
        varied = np.flatnonzero(self.masks.any(axis=0))
        if self.orders is not None or len(varied) != 1:
            return self, np.arange(len(self)), np.ones(len(self), dtype=np.intp)
        _, first, places, times = np.unique(
            self.masks[:, varied[0]], return_index=True, return_inverse=True, return_counts=True
        )
        order = first.argsort()  # in the order of first occurrence
        ranks = np.empty_like(order)
        ranks[order] = np.arange(len(order))
        return self[first[order]], ranks[places], times[order]

    def __iter__(self) -> Iterator[World]:
        seats, sides = len(self.seen.hands), len(self.seen.piles)
        for row, masks in enumerate(self.masks.tolist()):
            order = None
            if self.orders is not None:
                order = tuple(self.orders[row, : self.seen.stock_count].tolist())
            yield World(self.seen, tuple(masks[:seats]), tuple(masks[4 : 4 + sides]), order)


class Source:
    """A source of worlds, taken in batches.

    Args:
        draw: returns the next worlds, given their number and a deadline; fewer after the deadline.
        number: the total number of worlds.
    """

    def __init__(self, draw: Callable[[int, float | None], Worlds], number: int) -> None:
        self._draw = draw
        self.left = number

    def __reduce__(self) -> NoReturn:
        raise not_copied(self)

    def take(self, number: int, deadline: float | None = None) -> Worlds:
        """The next worlds; fewer than asked for at the end, or if hardly any fit.

        Args:
            number: the number asked for.
            deadline: on the clock of `time.perf_counter`, after which one world is enough.
        """
        number = min(number, self.left)
        self.left -= number
        return self._draw(number, deadline)


class Unseen:
    """The unseen cards of a position, and the worlds that fit it.

    Without beliefs the owner of a build holds a card of its value in every world, and so does a
    seat that has declared a value, if that is possible; hands that fit are equally likely.

    Args:
        position: the position as one seat sees it (`Position.view`); the hand of the seat to play
            is known.
        beliefs: a posterior over the hidden hands of this position.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/???? piles=-/-")
        >>> unseen = Unseen(position)
        >>> unseen.count, len(next(unseen.sample(Stream(1, "worlds"), 1)).position.hands[1].cards)
        (44, 4)
    """

    def __init__(self, position: Position, beliefs: Beliefs | None = None) -> None:
        self.position = position
        self._sizes = [hand.hidden for hand in position.hands]
        self._forgotten = [pile.hidden for pile in position.piles]
        self._unseen = position.unseen.mask
        self._given = beliefs

    @cached_property
    def _cards(self) -> NDArray[np.uint64]:
        """Numbers of the unseen cards."""
        cards = [card for card in range(52) if self._unseen >> card & 1]
        return np.array(cards, dtype=np.uint64)

    @cached_property
    def _stock(self) -> tuple[int, ...] | None:
        """The stock as numbers of cards, if its order is known."""
        stock = self.position.stock
        return None if stock is None else tuple(CARD_NAMES.index(card) for card in stock)

    @cached_property
    def beliefs(self) -> Beliefs:
        """The posterior over hidden hands: as given, or by the duties of owners alone."""
        return _duties_only(self.position) if self._given is None else self._given

    @property
    def count(self) -> int:
        """Number of unseen cards."""
        return self._unseen.bit_count()

    @property
    def is_settled(self) -> bool:
        """Whether there is only one world, apart from the order of the stock."""
        places = sum(1 for size in (*self._sizes, *self._forgotten) if size)
        hidden = sum(self._sizes) + sum(self._forgotten)
        return hidden == 0 or (places == 1 and hidden == self.count)

    def only(self) -> World:
        """The only world, if `is_settled`; the stock keeps a given order."""
        hidden = tuple(self._unseen if size else 0 for size in self._sizes)
        forgotten = tuple(self._unseen if size else 0 for size in self._forgotten)
        return World(self.position, hidden, forgotten, self._stock)

    def number(self) -> int | None:
        """Number of hands that the only hidden seat may hold; None if other cards are hidden too,
        or hands are too many to list."""
        hidden = [size for size in self._sizes if size]
        if len(hidden) != 1 or any(self._forgotten):
            return None
        if self._given is not None:
            ways = self._given.ways()
            return None if ways is None else len(ways[1])
        return comb(self.count, hidden[0])

    def most(self) -> int:
        """An upper bound of the number of ways to fill all hidden hands."""
        left, ways = self.count, 1
        for size in self._sizes:
            ways *= comb(left, size)
            left -= size
        return ways

    def source_of_all(self, rng: Stream) -> Source:
        """Every world that fits, if `number` is not None, in random order; the stock has no order.

        Args:
            rng: the stream of random numbers.
        """
        ways = self.beliefs.ways()
        assert ways is not None
        order = np.empty(len(ways[0]), dtype=np.int64)
        rng.fill_permutation(order)
        worlds = self._worlds(ways[0][order], None)
        if self._given is not None:
            worlds = replace(worlds, weights=ways[1][order])
        begin = 0

        def take(number: int, _deadline: float | None) -> Worlds:
            nonlocal begin
            begin += number
            return worlds[begin - number : begin]

        return Source(take, len(worlds))

    def source(self, rng: Stream, number: int, *, order_stock: bool) -> Source:
        """Worlds drawn at random by their posterior probability.

        Args:
            rng: the stream of random numbers.
            number: the number of worlds.
            order_stock: whether the stock gets an order too.
        """

        def draw(lot: int, deadline: float | None) -> Worlds:
            hands = self.beliefs.draw(lot, rng.bits(), deadline=deadline)
            chance = rng if order_stock or any(self._forgotten) else None
            return self._worlds(hands, chance, order_stock=order_stock)

        return Source(draw, number)

    def sample(self, rng: Stream, number: int, *, order_stock: bool = False) -> Iterator[World]:
        """Worlds drawn at random one after the other, in growing batches.

        Args:
            rng: the stream of random numbers.
            number: the number of worlds.
            order_stock: whether the stock gets an order too.
        """
        source = self.source(rng, number, order_stock=order_stock)
        lot = _FIRST_DRAWS
        while source.left:
            yield from source.take(lot)
            lot = min(2 * lot, _MOST_DRAWS)

    def _worlds(
        self,
        hands: NDArray[np.uint64],
        chance: Stream | None,
        *,
        order_stock: bool = False,
    ) -> Worlds:
        """Worlds of these hands; the other unseen cards go to piles and stock at random."""
        count = len(hands)
        masks = np.zeros((count, 8), dtype=np.uint64)
        masks[:, :4] = hands
        orders = None
        if chance is not None:
            taken = np.bitwise_or.reduce(hands, axis=1)[:, None] >> self._cards & np.uint64(1)
            # Cards in hands come last, the others in random order.
            ranks = np.empty(taken.shape)
            chance.fill_random(ranks)
            places = (ranks + 2 * taken).argsort(axis=1)
            mixed = self._cards[places]
            begin = 0
            for side, size in enumerate(self._forgotten):
                pile = mixed[:, begin : begin + size]
                masks[:, 4 + side] = np.bitwise_or.reduce(np.uint64(1) << pile, axis=1)
                begin += size
            if order_stock:
                orders = np.zeros((count, 52), dtype=np.uint8)
                stock = mixed[:, begin : begin + self.position.stock_count]
                orders[:, : stock.shape[1]] = stock
        elif self._stock is not None:
            orders = np.zeros((count, 52), dtype=np.uint8)
            orders[:, : len(self._stock)] = self._stock
        return Worlds(self.position, masks, orders)


def _duties_only(position: Position) -> Beliefs:
    """The posterior from duties alone; hands are listed if they are few."""
    try:
        return Beliefs(position, most=_MOST_LISTED)
    except CasinoError:  # a position in which not every owner can hold its card
        return Beliefs(position, most=_MOST_LISTED, duties=False)
