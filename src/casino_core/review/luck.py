"""The result of a round in parts: luck of the deals, mistakes, and a rest of hidden cards."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from casino_core.errors import HiddenCardError
from casino_core.game.round import Round
from casino_core.play.luck import DEFAULT_DEALS, DealLuck, OpenValues, luck_of_deals
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["Parts", "RoundLuck", "round_luck"]


class Parts(NamedTuple):
    """The result of a round, side a minus side b, as a sum.

    Attributes:
        result: points of side a less those of side b.
        start: value of the first position with open hands if the record does not begin with the
            round; 0 for a whole round.
        luck: luck of the deals, for side a.
        mistakes: points that side b gave away by what it could know, less those of side a.
        rest: effect of cards that nobody could know, mostly those in the other hand.
    """

    result: float
    start: float
    luck: float
    mistakes: float
    rest: float


@dataclass(frozen=True, slots=True)
class RoundLuck:
    """The luck of a round, for side a.

    Attributes:
        deals: each deal of the record.
        start: value of the first position if the record does not begin with the round, else 0.
        reason: the reason why luck is not measured: "sides", "draw" or "hidden"; None if it is.
    """

    deals: tuple[DealLuck, ...]
    start: float = 0.0
    reason: str | None = None

    @property
    def total(self) -> float | None:
        """Points that the deals gave side a; None if luck is not measured."""
        return None if self.reason else sum(deal.luck for deal in self.deals)

    @property
    def stderr(self) -> float:
        """Standard error of `total`, from the sampling of other deals."""
        return sqrt(sum(deal.stderr**2 for deal in self.deals))

    def parts(self, played: Round, mistakes: float) -> Parts | None:
        """The result of a finished round in parts; None if a part is not known.

        Args:
            played: the round.
            mistakes: points that side b gave away less those that side a gave away.
        """
        total = self.total
        if total is None or not played.is_over:
            return None
        points = played.score()
        result = float(points[0] - points[1])
        rest = result - self.start - total - mistakes
        return Parts(result, self.start, total, mistakes, rest)


def round_luck(played: Round, *, seed: int = 0, deals: int = DEFAULT_DEALS) -> RoundLuck:
    """The luck of a round, or the reason why it is not measured.

    Args:
        played: the round, finished or not.
        seed: seed for the sampling of other deals.
        deals: number of other deals to sample, unless all are valued.

    Example:
        >>> from casino_core.game.position import Position
        >>> round_luck(Round(Position.start("draw", seed=1))).reason
        'draw'
    """
    rules = played.start.rules
    if rules.sides != 2 or rules.draw:
        return RoundLuck((), reason="draw" if rules.draw else "sides")
    try:
        found = luck_of_deals(played, lambda deal: Stream(seed, Purpose.LUCK, deal), deals=deals)
        is_whole = bool(found) and found[0].plays == 0
        start = 0.0 if is_whole else OpenValues(rules).of(played.start)
    except HiddenCardError:
        return RoundLuck((), reason="hidden")
    return RoundLuck(found, start)
