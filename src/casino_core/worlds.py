"""Worlds: the ways in which the cards that a player cannot see may lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random

from casino_core.cards import ALL_CARDS, CARD_NAMES
from casino_core.core.position import Position

__all__ = ["Unseen", "World"]

# Draws of hands that do not fit before the cards that must be held are dealt out first.
_MOST_DRAWS = 200


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

    An owner of a build holds a card of its value in every world, and so does who has declared a
    value, as long as that can be.

    Args:
        position: as one seat sees it (`Position.view`); the hand of the seat to play is known.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/???? piles=-/-")
        >>> unseen = Unseen(position)
        >>> unseen.count, len(next(unseen.sample(Random(1), 1)).position.hands[1].cards)
        (44, 4)
    """

    def __init__(self, position: Position) -> None:
        self._position = position
        self._hands = [hand.cards.mask for hand in position.hands]
        self._piles = [pile.cards.mask for pile in position.piles]
        self._sizes = [hand.hidden for hand in position.hands]
        self._forgotten = [pile.hidden for pile in position.piles]
        stock = position.stock
        known = position.table.mask | position.out.mask
        for build in position.builds:
            known |= build.cards.mask
        for mask in (*self._hands, *self._piles):
            known |= mask
        if stock:
            known |= sum(1 << CARD_NAMES.index(card) for card in stock)
        self._cards = [card for card in range(52) if (ALL_CARDS & ~known) >> card & 1]
        self._stock = None if stock is None else [CARD_NAMES.index(card) for card in stock]
        self._needs = self._owners_needs()

    def _owners_needs(self) -> list[tuple[int, int]]:
        """(seat, mask of cards of which it holds one) for each seat not all seen."""
        seats = self._position.rules.seats
        values = [(seats.index(build.owner), build.value) for build in self._position.builds]
        for seat, declared in enumerate(self._position.declared):
            values += [(seat, value) for value in declared]
        needs = []
        for seat, value in values:
            mask = sum(
                1 << card
                for card, name in enumerate(CARD_NAMES)
                if value in self._position._values(name)
            )
            if self._sizes[seat] and not self._hands[seat] & mask:
                if any(mask >> card & 1 for card in self._cards):
                    needs.append((seat, mask))
        return needs

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

    def number(self) -> int | None:
        """How many hands the one hidden seat may hold; None where more places are hidden."""
        hidden = [size for size in self._sizes if size]
        if len(hidden) != 1 or any(self._forgotten):
            return None
        return comb(len(self._cards), hidden[0])

    def all(self) -> Iterator[World]:
        """Every world that fits, where `number` is not None; the stock has no order."""
        seat = next((seat for seat, size in enumerate(self._sizes) if size), 0)
        found = False
        for needs in (self._needs, []):
            for cards in combinations(self._cards, self._sizes[seat]):
                mask = sum(1 << card for card in cards)
                if all(mask & need for _, need in needs):
                    found = True
                    hidden = [0] * len(self._sizes)
                    hidden[seat] = mask
                    yield self._world(hidden, [0] * len(self._forgotten), None)
            if found:
                return

    def sample(self, rng: Random, number: int, *, order_stock: bool = False) -> Iterator[World]:
        """Worlds drawn at random, each that fits equally likely unless hardly any fits.

        Args:
            rng: where chance comes from.
            number: how many.
            order_stock: whether the stock gets an order too.
        """
        for _ in range(number):
            hidden, cards = self._draw(rng)
            piles = [0] * len(self._forgotten)
            for side, size in enumerate(self._forgotten):
                for card in cards[:size]:
                    piles[side] |= 1 << card
                del cards[:size]
            yield self._world(hidden, piles, cards if order_stock else None)

    def _draw(self, rng: Random) -> tuple[list[int], list[int]]:
        """Hidden cards of each seat, and the cards left, in random order."""
        for _ in range(_MOST_DRAWS):
            hidden, cards = self._deal_out(rng, [0] * len(self._sizes), list(self._cards))
            if all(hidden[seat] & need for seat, need in self._needs):
                return hidden, cards
        # So many duties are met by few hands only: deal them out first. These worlds all fit, but
        # are not equally likely.
        cards = list(self._cards)
        hidden = [0] * len(self._sizes)
        for seat, need in self._needs:
            fitting = [card for card in cards if need >> card & 1]
            full = hidden[seat].bit_count() == self._sizes[seat]
            if hidden[seat] & need or full or not fitting:
                continue
            card = rng.choice(fitting)
            cards.remove(card)
            hidden[seat] |= 1 << card
        return self._deal_out(rng, hidden, cards)

    def _deal_out(
        self, rng: Random, hidden: list[int], cards: list[int]
    ) -> tuple[list[int], list[int]]:
        """Fill the hands up with cards at random."""
        rng.shuffle(cards)
        place = 0
        for seat, size in enumerate(self._sizes):
            missing = size - hidden[seat].bit_count()
            hidden[seat] |= sum(1 << card for card in cards[place : place + missing])
            place += missing
        return hidden, cards[place:]

    def _world(self, hidden: list[int], piles: list[int], stock: list[int] | None) -> World:
        order = self._stock if stock is None else stock
        return World(
            self._position, tuple(hidden), tuple(piles), None if order is None else tuple(order)
        )
