"""Luck of the deals: the value of a deal for a side, minus the mean over all possible deals.

A deal is valued with all hands open and the stock unknown: both sides play best to the end of the
deal, and later deals are estimated. Other deals are drawn independently of the real one from all
cards that were still in the stock, so the luck of a deal has mean zero for any players. This is the
variance reduction of GNU Backgammon, and with a factor fitted on other rounds that of MIVAT
(M. White and M. Bowling 2009).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb, inf, sqrt
from statistics import fmean, variance
from typing import Any

from casino_core._arguments import SAMPLES
from casino_core.errors import CasinoError
from casino_core.evaluation.players import greedy_move
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.game.substitution import with_hidden_cards
from casino_core.rules.cards import CARD_NAMES
from casino_core.rules.options import Rules
from casino_core.rules.streams import Stream
from casino_core.search.root import SearchContext

__all__ = ["DEFAULT_DEALS", "DealLuck", "OpenValues", "check_luck", "is_start", "luck_of_deals"]

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
_ALL_SPLITS = 70  # most possible deals to value all: the number before the last deal of two players
_FEWEST = 16  # fewest deals requested for that


@dataclass(frozen=True, slots=True)
class DealLuck:
    """The value of a deal, and the mean over all deals that could have come.

    Values are final points of the round, side a minus side b.

    Attributes:
        deal: number of the deal, from 1.
        plays: number of plays before it.
        value: value after the deal, with all hands open.
        mean: mean of such values over the deals that could have come.
        stderr: standard error of the mean; 0 where all deals were valued.
    """

    deal: int
    plays: int
    value: float
    mean: float
    stderr: float

    @property
    def luck(self) -> float:
        """Points that the deal gave side a."""
        return self.value - self.mean


def check_luck(rules: Rules) -> None:
    """Validate that luck can be measured under a rule set.

    Args:
        rules: the rule set.

    Raises:
        CasinoError: more than two sides, or each player draws a card after a play.

    Example:
        >>> check_luck(Rules(draw=True))
        Traceback (most recent call last):
        ...
        casino_core.errors.CasinoError: luck is measured deal by deal, which draw casino has not
    """
    if rules.sides != 2:
        raise CasinoError(f"luck is measured between two sides, not {rules.sides}")
    if rules.draw:
        raise CasinoError("luck is measured deal by deal, which draw casino has not")


class OpenValues:
    """Values of positions with all hands open and the stock unknown; not for two threads at once.

    A value depends on the position alone.

    Args:
        rules: the rules of the positions.
        careful: shares of the deal's plays that are made by the careful player, before best play
            of both sides; the value is the mean over these shares. With several shares it is
            closer to the results of real players, who do not see each other's hands.

    Example:
        >>> start = Position.start(seed=1)
        >>> round(OpenValues(start.rules).of(start), 2)
        -0.02
    """

    def __init__(self, rules: Rules, careful: tuple[float, ...] = (0,)) -> None:
        check_luck(rules)
        self._rules = rules
        self._careful = careful
        self._context = SearchContext(_TABLE_MIB)
        self._unit = max(1, min(_UNIT, _LARGEST_VALUE // (_MOST_POINTS + 48 * rules.sweep)))

    def __reduce__(self) -> tuple[Any, ...]:
        return OpenValues, (self._rules, self._careful)

    def of(self, position: Position) -> float:
        """Final points of side a minus those of side b.

        Args:
            position: a position with all hands and piles known; the order of the stock is ignored.

        Raises:
            HiddenCardError: a card of a hand or pile is not known.
        """
        plays = sum(hand.size for hand in position.hands)
        found, made = [], 0
        for share in sorted(self._careful):
            for _ in range(min(int(share * plays), plays - 1) - made):
                position = position.play(greedy_move(position, careful=True))
                made += 1
            found.append(self._best(position))
        return fmean(found)

    def _best(self, position: Position) -> float:
        """The value with best play of both sides from here on."""
        if position.is_over:
            points = position.score()
            return float(points[0] - points[1])
        plays = sum(hand.size for hand in position.hands)
        crowded = position.table.mask.bit_count() > _FEW_CARDS
        horizon = 0
        if crowded or plays > _SHORT_DEAL:
            horizon = _CROWDED_PLAYS if crowded else _LONG_PLAYS
        value, _, _ = self._context.best(position, unit=self._unit, to_deal=True, horizon=horizon)
        best = value / self._unit
        rules = position.rules
        return -best if rules.side_of(rules.seats.index(position.turn)) else best


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
            before the last deal of two players.
        careful: as for `OpenValues`.

    Raises:
        CasinoError: more than two sides, or draw casino.
        HiddenCardError: a hand or pile is not known.

    Example:
        >>> found = luck_of_deals(Round(Position.start(seed=1)), lambda n: Stream(1, "luck", n))
        >>> [(one.deal, one.plays) for one in found]
        [(1, 0)]
    """
    rules = played.start.rules
    values = OpenValues(rules, careful)
    SAMPLES("deals", deals)
    found = []
    for number, plays, position in _dealt(played):
        value = values.of(position)
        others = _first_deals if number == 1 else _later_deals
        drawn = [values.of(other) for other in others(position, deals, chance(number))]
        is_exact = number > 1 and _is_counted_out(position, deals)
        stderr = 0.0 if is_exact else sqrt(variance(drawn) / len(drawn)) if deals > 1 else inf
        found.append(DealLuck(number, plays, value, fmean(drawn), stderr))
    return tuple(found)


def _dealt(played: Round) -> Iterator[tuple[int, int, Position]]:
    """The position after each deal, with the numbers of the deal and of the plays before it."""
    positions = played.positions
    if is_start(positions[0]):
        yield 1, 0, positions[0]
    number = 1
    for plays, (before, after) in enumerate(pairwise(positions), 1):
        if after.stock_count < before.stock_count:
            number += 1
            yield number, plays, after


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


def _first_deals(position: Position, number: int, rng: Stream) -> Iterator[Position]:
    """Random other starts of a round."""
    deck = list(CARD_NAMES)
    for _ in range(number):
        rng.shuffle(deck)
        yield Position.start(position.rules, deck=deck)


def _later_deals(position: Position, number: int, rng: Stream) -> Iterator[Position]:
    """The position with other hands: all possible ones if they are few, else a sample."""
    sizes = [hand.size for hand in position.hands]
    bits = _cards_to_come(position)
    piles = [pile.cards.mask for pile in position.piles]
    if _is_counted_out(position, number):
        whole = sum(bits)
        for first in combinations(bits, sizes[0]):
            yield with_hidden_cards(position, [sum(first), whole - sum(first)], piles, None)
        return
    for _ in range(number):
        rng.shuffle(bits)
        hands, place = [], 0
        for size in sizes:
            hands.append(sum(bits[place : place + size]))
            place += size
        yield with_hidden_cards(position, hands, piles, None)


def _cards_to_come(position: Position) -> list[int]:
    """A one-bit mask for each card that was in the stock before the deal."""
    cards = position.unseen.mask
    for hand in position.hands:
        cards |= hand.cards.mask
    for name in position.stock or ():
        cards |= 1 << CARD_NAMES.index(name)
    return [1 << card for card in range(len(CARD_NAMES)) if cards >> card & 1]


def _is_counted_out(position: Position, number: int) -> bool:
    """Whether to value all possible deals instead of a sample."""
    sizes = [hand.size for hand in position.hands]
    if number < _FEWEST or len(sizes) != 2 or position.stock_count:
        return False
    return comb(sum(sizes), sizes[0]) <= _ALL_SPLITS
