"""Luck of the deals: the value of a deal for each side, minus its mean over all possible deals.

A deal is valued with all hands open and the stock unknown: two sides play best to the end of the
deal, more sides as the careful player does, and later deals are estimated. In draw casino each card
drawn is a deal of one card. Other deals are drawn independently of the real one from all cards that
were still in the stock, so the luck of a deal has mean zero for any players and any values. This is
the variance reduction of GNU Backgammon, and with a factor fitted on other rounds that of MIVAT
(M. White and M. Bowling 2009).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb, inf, sqrt
from statistics import fmean, variance
from typing import Any, NamedTuple

from casino_core._arguments import SAMPLES
from casino_core.evaluation.material import worth_of
from casino_core.evaluation.players import greedy_move
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.game.substitution import with_hidden_cards
from casino_core.rules.cards import CARD_NAMES
from casino_core.rules.options import Rules
from casino_core.rules.ruleset import CompiledRules
from casino_core.rules.streams import Stream
from casino_core.search.root import SearchContext, need_every_card

__all__ = ["DEFAULT_DEALS", "DealLuck", "OpenValues", "is_start", "leads_of", "luck_of_deals"]

#: Number of other deals to sample, unless all are valued.
DEFAULT_DEALS = 48

_UNIT = 60  # units of values per point
_LARGEST_VALUE = 15_000  # largest value of the search, in its units
_MOST_POINTS = 40  # generous bound on the points of a round without sweeps
_TABLE_MIB = 0.5
_SHORT_DEAL = 10  # most plays left in a deal that is searched to its end
_FEW_CARDS = 12  # most loose cards on the table for that
_LONG_PLAYS = 4  # depth of the search of other deals, in plays
_CROWDED_PLAYS = 2  # that depth on a crowded table
_DRAWN_PLAYS = 4  # that depth in draw casino, which has some 800 values a round
_DRAWN_TURNS = 2  # plays of each of many sides in draw casino; more make the values noisy
_ALL_SPLITS = 70  # most possible deals to value all: the number before the last deal of two players
_FEWEST = 16  # fewest deals requested for that
_CARD, _SPADE = 288, 192  # worth of a card and a spade of many sides, in 3200ths of a point


@dataclass(frozen=True, slots=True)
class DealLuck:
    """The value of a deal for each side, and the mean over all deals that could have come.

    Values are final points of the round, those of a side minus the mean of the other sides.

    Attributes:
        deal: number of the deal, from 1; in draw casino each card drawn after the first deal has a
            number of its own.
        plays: number of plays before it.
        seat: the seat that drew a card in draw casino; None for a deal to all.
        values: value for each side after the deal, with all hands open.
        means: mean of such values over the deals that could have come.
        stderrs: standard errors of the means; 0 where all deals were valued.
    """

    deal: int
    plays: int
    seat: str | None
    values: tuple[float, ...]
    means: tuple[float, ...]
    stderrs: tuple[float, ...]

    @property
    def value(self) -> float:
        """Value for side a."""
        return self.values[0]

    @property
    def mean(self) -> float:
        """Mean value for side a."""
        return self.means[0]

    @property
    def stderr(self) -> float:
        """Standard error of the mean for side a."""
        return self.stderrs[0]

    @property
    def luck(self) -> float:
        """Points that the deal gave side a."""
        return self.luck_of(0)

    def luck_of(self, side: int) -> float:
        """Points that the deal gave a side.

        Args:
            side: number of the side.
        """
        return self.values[side] - self.means[side]


def leads_of(points: Sequence[float]) -> tuple[float, ...]:
    """The points of each side minus the mean of the other sides; the sum is 0.

    Args:
        points: points of each side.

    Example:
        >>> leads_of((7, 4)), leads_of((6, 3, 2))
        ((3.0, -3.0), (3.5, -1.0, -2.5))
    """
    whole, others = sum(points), len(points) - 1
    return tuple(own - (whole - own) / others for own in points)


class OpenValues:
    """Values of positions with all hands open and the stock unknown; not for two threads at once.

    A value depends on the position alone.

    Args:
        rules: the rules of the positions.
        careful: shares of the deal's plays that are made by the careful player, before best play
            of both sides; the value is the mean over these shares. With several shares it is
            closer to the results of real players, who do not see each other's hands. With more
            than two sides the careful player makes all plays.

    Example:
        >>> start = Position.start(seed=1)
        >>> [round(value, 2) for value in OpenValues(start.rules).of(start)]
        [-0.02, 0.02]
    """

    def __init__(self, rules: Rules, careful: tuple[float, ...] = (0,)) -> None:
        self._rules = rules
        self._careful = careful
        # In draw casino the hands are played out without cards to draw, which are not known.
        self._compiled = CompiledRules(rules.replace(draw=False)) if rules.draw else None
        self._context = SearchContext(_TABLE_MIB)
        self._unit = max(1, min(_UNIT, _LARGEST_VALUE // (_MOST_POINTS + 48 * rules.sweep)))

    def __reduce__(self) -> tuple[Any, ...]:
        return OpenValues, (self._rules, self._careful)

    def of(self, position: Position) -> tuple[float, ...]:
        """Final points of each side minus the mean of the other sides.

        Args:
            position: a position with all hands and piles known; the order of the stock is ignored.

        Raises:
            HiddenCardError: a card of a hand or pile is not known.
        """
        need_every_card(position, to_deal=True)
        if self._compiled is not None and not position.is_over:
            position = _with_stock_unknown(position, self._compiled)
        plays = sum(hand.size for hand in position.hands)
        if self._rules.sides != 2:
            if self._compiled is not None and position.stock_count:
                plays = min(plays, _DRAWN_TURNS * self._rules.players)
            return self._played_out(position, plays)
        found, made = [], 0
        for share in sorted(self._careful):
            for _ in range(min(int(share * plays), plays - 1) - made):
                position = position.play(greedy_move(position, careful=True))
                made += 1
            found.append(self._best(position))
        value = fmean(found)
        return value, -value

    def _best(self, position: Position) -> float:
        """The value for side a with best play of two sides from here on."""
        if position.is_over:
            return leads_of(position.score())[0]
        value, _, _ = self._context.best(
            position, unit=self._unit, to_deal=True, horizon=self._horizon(position)
        )
        best = value / self._unit
        rules = position.rules
        return -best if rules.side_of(rules.seats.index(position.turn)) else best

    def _horizon(self, position: Position) -> int:
        """The depth of a search in plays, 0 for the end of the deal."""
        if position.table.mask.bit_count() > _FEW_CARDS:
            return _CROWDED_PLAYS
        plays = sum(hand.size for hand in position.hands)
        if plays > _SHORT_DEAL:
            return _LONG_PLAYS
        return _DRAWN_PLAYS if self._compiled is not None and position.stock_count else 0

    def _played_out(self, position: Position, plays: int) -> tuple[float, ...]:
        """The values after plays of the careful player, usually all of the deal."""
        for _ in range(plays):
            position = position.play(greedy_move(position, careful=True))
        if position.is_over:
            return leads_of(position.score())
        compiled, sweep = position._compiled, position.rules.sweep
        worth = (worth_of(compiled, p.cards, card=_CARD, spade=_SPADE) for p in position.piles)
        return leads_of(
            [own + sweep * count for own, count in zip(worth, position.sweeps, strict=True)]
        )


class _Deal(NamedTuple):
    """A deal or draw of a round: its number, the plays before it, who draws, the position."""

    number: int
    plays: int
    seat: str | None
    position: Position
    drawn: int  # mask of the card drawn


def luck_of_deals(
    played: Round,
    chance: Callable[[int], Stream],
    *,
    deals: int = DEFAULT_DEALS,
    careful: tuple[float, ...] = (0,),
) -> tuple[DealLuck, ...]:
    """The luck of each deal of a round; the first deal is left out if the record begins after it.

    Args:
        played: a round with every hand known when it is dealt.
        chance: returns the random stream for the number of a deal.
        deals: number of other deals to sample. With 16 or more, all 70 deals are valued instead
            before the last deal of two players, and all cards that could be drawn in draw casino.
        careful: as for `OpenValues`.

    Raises:
        HiddenCardError: a hand or pile is not known.

    Example:
        >>> found = luck_of_deals(Round(Position.start(seed=1)), lambda n: Stream(1, "luck", n))
        >>> [(one.deal, one.plays) for one in found]
        [(1, 0)]
    """
    values = OpenValues(played.start.rules, careful)
    SAMPLES("deals", deals)
    found = []
    for deal in _dealt(played):
        value = values.of(deal.position)
        drawn = [values.of(other) for other in _others(deal, deals, chance(deal.number))]
        by_side = list(zip(*drawn, strict=True))
        is_exact = deal.number > 1 and _is_counted_out(deal, deals)
        errors = [0.0 if is_exact else _stderr(side) for side in by_side]
        means = tuple(map(fmean, by_side))
        found.append(DealLuck(deal.number, deal.plays, deal.seat, value, means, tuple(errors)))
    return tuple(found)


def _stderr(values: Sequence[float]) -> float:
    return sqrt(variance(values) / len(values)) if len(values) > 1 else inf


def _dealt(played: Round) -> Iterator[_Deal]:
    """The deals of a round in order."""
    positions = played.positions
    if is_start(positions[0]):
        yield _Deal(1, 0, None, positions[0], 0)
    number = 1
    for plays, (before, after) in enumerate(pairwise(positions), 1):
        if after.stock_count < before.stock_count:
            number += 1
            seat = before.turn if after.rules.draw else None
            drawn = 0
            if seat is not None:
                drawn = after.hands[seat].cards.mask & ~before.hands[seat].cards.mask
            yield _Deal(number, plays, seat, after, drawn)


def is_start(position: Position) -> bool:
    """Whether a position is the start of a round, right after the first deal.

    Args:
        position: the position.

    Example:
        >>> start = Position.start(seed=1)
        >>> is_start(start), is_start(start.play(start.legal_moves()[0]))
        (True, False)
    """
    held = sum(hand.size for hand in position.hands)
    loose = position.table.mask.bit_count()
    return (
        held == 4 * position.rules.players
        and loose == 4
        and held + loose + position.stock_count == len(CARD_NAMES)
    )


def _others(deal: _Deal, number: int, rng: Stream) -> Iterator[Position]:
    """Positions after other deals, drawn independently of the real one."""
    if deal.number == 1:
        return _first_deals(deal.position, number, rng)
    others = _later_deals if deal.seat is None else _other_draws
    return others(deal, number, rng)


def _first_deals(position: Position, number: int, rng: Stream) -> Iterator[Position]:
    """Random other starts of a round."""
    deck = list(CARD_NAMES)
    for _ in range(number):
        rng.shuffle(deck)
        yield Position.start(position.rules, deck=deck)


def _other_draws(deal: _Deal, number: int, rng: Stream) -> Iterator[Position]:
    """The position with another card drawn: all possible ones, or a sample."""
    position, seat = deal.position, deal.position.rules.seats.index(deal.seat or "")
    bits = _bits(_unseen(position) | deal.drawn)
    if not _is_counted_out(deal, number):
        bits = [bits[rng.below(len(bits))] for _ in range(number)]
    for card in bits:
        hands = [hand.cards.mask for hand in position.hands]
        hands[seat] = hands[seat] & ~deal.drawn | card
        yield _with_hands(position, hands)


def _later_deals(deal: _Deal, number: int, rng: Stream) -> Iterator[Position]:
    """The position with other hands: all possible ones if they are few, else a sample."""
    position = deal.position
    sizes = [hand.size for hand in position.hands]
    held = [hand.cards.mask for hand in position.hands]
    bits = _bits(_unseen(position) | sum(held))
    if _is_counted_out(deal, number):
        whole = sum(bits)
        for first in combinations(bits, sizes[0]):
            yield _with_hands(position, [sum(first), whole - sum(first)])
        return
    for _ in range(number):
        rng.shuffle(bits)
        hands, place = [], 0
        for size in sizes:
            hands.append(sum(bits[place : place + size]))
            place += size
        yield _with_hands(position, hands)


def _with_hands(position: Position, hands: list[int]) -> Position:
    """The position with other hands, the order of the stock unknown."""
    return with_hidden_cards(position, hands, [pile.cards.mask for pile in position.piles], None)


def _with_stock_unknown(position: Position, compiled: CompiledRules) -> Position:
    """The position under other rules, the order of the stock unknown."""
    hands = [hand.cards.mask for hand in position.hands]
    piles = [pile.cards.mask for pile in position.piles]
    return with_hidden_cards(position, hands, piles, None, compiled)


def _unseen(position: Position) -> int:
    """The mask of the cards still to come."""
    cards: int = position.unseen.mask
    for name in position.stock or ():
        cards |= 1 << CARD_NAMES.index(name)
    return cards


def _bits(cards: int) -> list[int]:
    """A one-bit mask for each card."""
    return [1 << card for card in range(len(CARD_NAMES)) if cards >> card & 1]


def _is_counted_out(deal: _Deal, number: int) -> bool:
    """Whether to value all possible deals instead of a sample."""
    if number < _FEWEST or deal.seat is not None:
        return number >= _FEWEST
    sizes = [hand.size for hand in deal.position.hands]
    if len(sizes) != 2 or deal.position.stock_count:
        return False
    return comb(sum(sizes), sizes[0]) <= _ALL_SPLITS
