"""The result of a round in parts: luck of the deals, mistakes, and a rest of hidden cards."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from casino_core.errors import HiddenCardError
from casino_core.game.round import Round
from casino_core.play.luck import DEFAULT_DEALS, DealLuck, OpenValues, leads_of, luck_of_deals
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["Parts", "RoundLuck", "round_luck"]


class Parts(NamedTuple):
    """The result of a round for a side as a sum.

    Attributes:
        result: points of the side less the mean of the other sides.
        start: value of the first position with open hands if the record does not begin with the
            round; 0 for a whole round.
        luck: luck of the deals.
        mistakes: points that the other sides gave away by what they could know, on average, less
            those that the side gave away.
        rest: effect of cards that nobody could know, mostly those in the other hands.
    """

    result: float
    start: float
    luck: float
    mistakes: float
    rest: float


@dataclass(frozen=True, slots=True)
class RoundLuck:
    """The luck of a round.

    Attributes:
        deals: each deal of the record.
        starts: value of the first position for each side if the record does not begin with the
            round, else 0.
        reason: the reason why luck is not measured: "hidden"; None if it is.
    """

    deals: tuple[DealLuck, ...]
    starts: tuple[float, ...] = ()
    reason: str | None = None

    @property
    def total(self) -> float | None:
        """Points that the deals gave side a; None if luck is not measured."""
        return self.total_of(0)

    def total_of(self, side: int) -> float | None:
        """Points that the deals gave a side; None if luck is not measured.

        Args:
            side: number of the side.
        """
        return None if self.reason else sum(deal.luck_of(side) for deal in self.deals)

    @property
    def stderr(self) -> float:
        """Standard error of `total`, from the sampling of other deals."""
        return sqrt(sum(deal.stderr**2 for deal in self.deals))

    def parts(self, played: Round, mistakes: float, side: int = 0) -> Parts | None:
        """The result of a finished round for a side in parts; None if a part is not known.

        Args:
            played: the round.
            mistakes: points that the other sides gave away, on average, less those of the side.
            side: number of the side.
        """
        total = self.total_of(side)
        if total is None or not played.is_over:
            return None
        result, start = leads_of(played.score())[side], self.starts[side]
        return Parts(result, start, total, mistakes, result - start - total - mistakes)


def round_luck(played: Round, *, seed: int = 0, deals: int = DEFAULT_DEALS) -> RoundLuck:
    """The luck of a round, or the reason why it is not measured.

    Args:
        played: the round, finished or not.
        seed: seed for the sampling of other deals.
        deals: number of other deals to sample, unless all are valued.

    Example:
        >>> from casino_core.game.position import Position
        >>> round_luck(Round(Position.start(seed=1)).seen_by("a")).reason
        'hidden'
    """
    rules = played.start.rules
    try:
        found = luck_of_deals(played, lambda deal: Stream(seed, Purpose.LUCK, deal), deals=deals)
        is_whole = bool(found) and found[0].plays == 0
        starts = (0.0,) * rules.sides if is_whole else OpenValues(rules).of(played.start)
    except HiddenCardError:
        return RoundLuck((), reason="hidden")
    return RoundLuck(found, starts)
