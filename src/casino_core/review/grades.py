"""Grades of plays by their cost, and the accuracy of a seat in percent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

__all__ = ["BLUNDER", "DOUBT", "INACCURACY", "MISTAKE", "Grade", "accuracy", "counted", "grade_of"]

Grade: TypeAlias = Literal["good", "inaccuracy", "mistake", "blunder"]

#: Least cost of an inaccuracy, in points of the round. The two methods that `hint` averages differ
#: by as much in costs before the last deal (root mean square, 120 plays).
INACCURACY = 0.2
#: Least cost of a mistake; `hint` gains little more than that (0.64) over `pimc` in a whole round.
MISTAKE = 0.5
#: Least cost of a blunder: a whole point, such as an ace or the two of spades given away.
BLUNDER = 1.0

#: Number of standard errors that a cost must exceed to count. The best play is the one with the
#: highest mean of several, so a smaller cost is more likely chance than a fault.
DOUBT = 2.0


def grade_of(cost: float, stderr: float) -> Grade:
    """The grade of a play.

    Args:
        cost: points that it gave away, by what its seat could know.
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
    """The cost of a play that counts in totals: 0 if it may be chance.

    Args:
        cost: points that it gave away, by what its seat could know.
        stderr: standard error of the cost.

    Example:
        >>> counted(0.5, 0.1), counted(0.1, 0.1)
        (0.5, 0.0)
    """
    return cost if cost > DOUBT * stderr else 0.0


def accuracy(plays: Iterable[tuple[float, float]]) -> float | None:
    """The accuracy of plays in percent; None if no choice mattered.

    The best plays give 100, plays no better than random moves 0.

    Args:
        plays: for each play its cost, and the average cost of a random legal move.

    Example:
        >>> accuracy([(0.5, 1.5), (0.0, 0.5)]), accuracy([(0.0, 0.0)])
        (75.0, None)
    """
    lost = stake = 0.0
    for cost, at_random in plays:
        lost += cost
        stake += at_random
    return 100 * max(0.0, 1 - lost / stake) if stake else None
