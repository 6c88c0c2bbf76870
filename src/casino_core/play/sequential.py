"""A sequential test of which of two agents is better, which stops as soon as that is decided.

This is the sequential probability ratio test (A. Wald 1945) for the mean of results of unknown
variance, in its generalized form (X. Li, J. Liu and Z. Ying 2014): the variance is estimated from
the results so far. Fishtest uses the same test for chess engines.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import copysign, inf, log
from typing import Literal, TypeAlias

from casino_core._arguments import measure

__all__ = ["MARGIN", "SequentialTest", "Verdict"]

Verdict: TypeAlias = Literal["first", "second"]

#: The margin of a test, in points a round.
MARGIN = measure("a number of points", 100)

_FEWEST = 20  # fewest results before the test may stop, for a rough estimate of the variance


@dataclass
class SequentialTest:
    """Tests whether a mean is `margin` above zero or `margin` below it.

    If the mean is exactly one of the two, the verdict is wrong with the probability `error`; with a
    mean farther from zero, less often. Nearer to zero the test takes longer.

    Args:
        margin: the margin in points a round.
        error: the probability of a wrong verdict.

    Example:
        >>> test = SequentialTest(margin=0.5)
        >>> found = [test.add(value) for value in [2.0, -1.0, 1.5, 0.5] * 40]
        >>> found.index("first"), test.verdict
        (19, 'first')
    """

    margin: float = 0.1
    error: float = 0.05
    _count: int = field(default=0, init=False, repr=False)
    _sum: float = field(default=0.0, init=False, repr=False)
    _squares: float = field(default=0.0, init=False, repr=False)

    def add(self, result: float) -> Verdict | None:
        """Add a result, which must be independent of the others, and return the verdict so far.

        Args:
            result: points a round, the first agent's minus the second's.
        """
        self._count += 1
        self._sum += result
        self._squares += result * result
        return self.verdict

    @property
    def ratio(self) -> float:
        """Logarithm of the likelihood ratio of `margin` to minus `margin`."""
        if self._count < 2:
            return 0.0
        mean = self._sum / self._count
        spread = self._squares / self._count - mean * mean
        if spread <= 0:  # all results are equal
            return copysign(inf, mean) if mean else 0.0
        return 2 * self.margin * self._sum / spread

    @property
    def bound(self) -> float:
        """The absolute value of the log ratio at which the test stops."""
        return log((1 - self.error) / self.error)

    @property
    def verdict(self) -> Verdict | None:
        """The better agent; None until the test has decided."""
        if self._count < _FEWEST or abs(self.ratio) < self.bound:
            return None
        return "first" if self.ratio > 0 else "second"
