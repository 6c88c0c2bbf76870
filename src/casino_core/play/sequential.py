"""A sequential test of which of two agents is better, that ends as soon as that is decided.

The sequential probability ratio test (A. Wald 1945) for the mean of results whose spread is not
known: the generalized one, in which the spread is that of the results so far, as the testers of
chess engines use it in Fishtest (after X. Li, J. Liu and Z. Ying 2014).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import copysign, inf, log
from typing import Literal, TypeAlias

from casino_core._arguments import measure

__all__ = ["MARGIN", "SequentialTest", "Verdict"]

Verdict: TypeAlias = Literal["first", "second"]

#: Points a round that a test decides by.
MARGIN = measure("a number of points", 100)

_FEWEST = 20  # results before the test may end: their spread is to be known roughly


@dataclass
class SequentialTest:
    """Tests whether a mean is `margin` above zero or `margin` below it.

    Where the mean is one of the two, the test errs with the probability `error`; farther from zero
    more seldom. Nearer to zero it takes longer.

    Args:
        margin: points a round.
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
        """Take note of a result, drawn independently of the others; the verdict with it.

        Args:
            result: points a round, the first agent's less the second's.
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
        if spread <= 0:  # all results are the same
            return copysign(inf, mean) if mean else 0.0
        return 2 * self.margin * self._sum / spread

    @property
    def bound(self) -> float:
        """The size of the ratio that decides."""
        return log((1 - self.error) / self.error)

    @property
    def verdict(self) -> Verdict | None:
        """The better agent; None as long as that is open."""
        if self._count < _FEWEST or abs(self.ratio) < self.bound:
            return None
        return "first" if self.ratio > 0 else "second"
