"""The result of a round in parts: luck of the deals, mistakes, and what nobody could know."""

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
        start: what the position was worth with open hands where the record begins later than the
            round; 0 for a whole round.
        luck: of the deals, for side a.
        mistakes: what side b gave away by what it could know, less what side a gave away.
        rest: what nobody could know, mostly the cards in the other hand.
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
        start: what the position was worth where the record begins later than the round, else 0.
        reason: why there are none, None where there are: "sides", "draw" or "hidden".
    """

    deals: tuple[DealLuck, ...]
    start: float = 0.0
    reason: str | None = None

    @property
    def total(self) -> float | None:
        """Points that the deals gave side a; None where luck is not measured."""
        return None if self.reason else sum(deal.luck for deal in self.deals)

    @property
    def stderr(self) -> float:
        """Standard error of `total` from the deals drawn."""
        return sqrt(sum(deal.stderr**2 for deal in self.deals))

    def parts(self, played: Round, mistakes: float) -> Parts | None:
        """The result of a finished round in its parts; None where a part is not known.

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
    """The luck of a round, with the reason where it is not measured.

    Args:
        played: the round, as far as it was played.
        seed: of the other deals that are drawn.
        deals: how many are drawn where not all are valued.

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
