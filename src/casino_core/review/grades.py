"""What a play is called by what it gave away, and how well a seat played in percent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

__all__ = ["BLUNDER", "DOUBT", "INACCURACY", "MISTAKE", "Grade", "accuracy", "counted", "grade_of"]

Grade: TypeAlias = Literal["good", "inaccuracy", "mistake", "blunder"]

#: Points of the round that an inaccuracy gives away at least. In costs before the last deal the
#: two methods that `hint` averages differ by as much (root mean square, 120 plays).
INACCURACY = 0.2
#: A mistake: half a point; `hint` makes little more than that (0.64) over `pimc` in a whole round.
MISTAKE = 0.5
#: A blunder: a whole point, such as an ace or the two of spades handed over for nothing.
BLUNDER = 1.0

#: Standard errors that a cost must exceed to count. The best play is the one with the highest mean
#: of those compared, so a cost within its error is likelier chance than a fault.
DOUBT = 2.0


def grade_of(cost: float, stderr: float) -> Grade:
    """What a play is called.

    Args:
        cost: points that it gave away, by what could be known.
        stderr: standard error of the cost.

    Example:
        >>> grade_of(0.6, 0.1), grade_of(0.6, 0.4), grade_of(1.0, 0.0)
        ('mistake', 'good', 'blunder')
    """
    if counted(cost, stderr) < INACCURACY:
        return "good"
    if cost < MISTAKE:
        return "inaccuracy"
    return "mistake" if cost < BLUNDER else "blunder"


def counted(cost: float, stderr: float) -> float:
    """The cost of a play as totals have it: 0 where it may be chance.

    Args:
        cost: points that it gave away, by what could be known.
        stderr: standard error of the cost.

    Example:
        >>> counted(0.5, 0.1), counted(0.1, 0.1)
        (0.5, 0.0)
    """
    return cost if cost > DOUBT * stderr else 0.0


def accuracy(plays: Iterable[tuple[float, float]]) -> float | None:
    """How well plays were chosen, in percent; None where nothing depended on the choice.

    All best plays make 100, plays no better than moves drawn at random 0.

    Args:
        plays: for each, what it cost and what a random legal move costs on average.

    Example:
        >>> accuracy([(0.5, 1.5), (0.0, 0.5)]), accuracy([(0.0, 0.0)])
        (75.0, None)
    """
    lost = stake = 0.0
    for cost, at_random in plays:
        lost += cost
        stake += at_random
    return 100 * max(0.0, 1 - lost / stake) if stake else None
