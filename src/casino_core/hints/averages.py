"""Means of moves over worlds, their errors, and the moves that are still in contention."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["USUAL_SPREAD", "Averages", "chances_of_means"]

# A move is dropped if its mean is this many standard errors of the paired difference below the
# best.
_BEYOND_DOUBT = 4.0
_FEWEST_WORLDS = 24  # before any move is dropped
_DRAWS = 256  # bootstrap resamples
_PARTS = 128  # the most blocks of worlds that are resampled

#: Usual standard deviation of a move's value over worlds, in points.
USUAL_SPREAD = 2.0


class Averages:
    """Values of moves over a growing number of worlds.

    Args:
        moves: the number of moves.
        spread: usual standard deviation of a move's value over worlds.

    Example:
        >>> averages = Averages(2)
        >>> averages.add(np.array([[1.0, 0.0], [2.0, 3.0]]))
        >>> averages.estimates()[0].tolist(), averages.count
        ([1.5, 1.5], 2)
    """

    def __init__(self, moves: int, spread: float = USUAL_SPREAD) -> None:
        self._spread = spread
        self._values = np.empty((64, moves))
        self._weights = np.empty(64)
        self._known = np.zeros(moves, dtype=np.int64)
        self._open = np.ones(moves, dtype=bool)
        self.count = 0

    def add(self, values: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> None:
        """Add worlds.

        Args:
            values: shape (worlds, moves); columns of moves out of contention are not
                read.
            weights: the weight of each world; None for equal weights.
        """
        while self.count + len(values) > len(self._values):
            self._values = np.concatenate([self._values, np.empty_like(self._values)])
            self._weights = np.concatenate([self._weights, np.empty_like(self._weights)])
        self._values[self.count : self.count + len(values)] = values
        self._weights[self.count : self.count + len(values)] = 1 if weights is None else weights
        self.count += len(values)
        self._known[self._open] = self.count

    @property
    def contenders(self) -> NDArray[np.bool_]:
        """Which moves may still be the best."""
        return self._open

    def narrow(self) -> None:
        """Drop moves from contention that are clearly worse than the best."""
        if self.count < _FEWEST_WORLDS:
            return
        moves = np.flatnonzero(self._open)
        values = self._values[: self.count]
        behind = values[:, self._best()][:, None] - values[:, moves]
        doubt = _BEYOND_DOUBT * _errors(behind, self._spread)
        self._open[moves[behind.mean(axis=0) > doubt]] = False

    def _best(self) -> int:
        """The contender with the highest mean."""
        means = self._mean(self._values[: self.count])
        means[~self._open] = -np.inf
        return int(means.argmax())

    def _mean(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The weighted mean of each column, over the first worlds."""
        weights = self._weights[: len(values)]
        found: NDArray[np.float64] = weights @ values / weights.sum()
        return found

    def estimates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean of each move over all worlds, and its standard error.

        A move that was dropped has its own mean until then, or the mean of the best move minus its
        paired difference until then (a control variate), whichever has the smaller error.
        """
        best = self._best()
        leader = self._values[: self.count, best : best + 1]
        means = np.empty(len(self._known))
        errors = np.empty(len(self._known))
        for known in np.unique(self._known):
            moves = np.flatnonzero(self._known == known)
            own = self._values[:known, moves]
            means[moves], errors[moves] = self._mean(own), _errors(own, self._spread)
            if known < self.count:
                behind = leader[:known] - own
                paired = np.hypot(_errors(behind, self._spread), _errors(leader, self._spread))
                surer = paired < errors[moves]
                errors[moves[surer]] = paired[surer]
                means[moves[surer]] = self._mean(leader) - self._mean(behind)[surer]
        return means, errors

    def gaps(self) -> NDArray[np.float64]:
        """The standard error of what each move is behind the best one; 0 for the best itself.

        The differences are taken world by world, as long as both moves were valued.
        """
        best = self._best()
        found = np.empty(len(self._known))
        for known in np.unique(self._known):
            moves = np.flatnonzero(self._known == known)
            values = self._values[:known]
            found[moves] = _errors(values[:, best : best + 1] - values[:, moves], self._spread)
        found[best] = 0.0
        return found

    def chances(self, seed: int) -> NDArray[np.float64]:
        """The probability of each move that no other is better, over other worlds drawn like these.

        Bootstrap: the worlds are resampled with replacement (B. Efron 1979), in blocks if there are
        many. One more world counts, in which each move in contention may be the best.

        Args:
            seed: of the resampling.
        """
        contenders = np.flatnonzero(self._open)
        starts = np.linspace(0, self.count, min(self.count, _PARTS), endpoint=False).astype(int)
        weights = self._weights[: self.count]
        sums = np.add.reduceat(weights[:, None] * self._values[: self.count, contenders], starts)
        parts = len(starts)
        drawn = np.empty((_DRAWS, parts))
        Stream(seed, Purpose.BOOTSTRAP).fill_resampled(drawn)
        means = drawn @ sums / (drawn @ np.add.reduceat(weights, starts))[:, None]
        is_best = means >= means.max(axis=1, keepdims=True) - 1e-9
        result = np.zeros(len(self._known))
        result[contenders] = (self.count * is_best.mean(axis=0) + 1 / len(contenders)) / (
            self.count + 1
        )
        return result


def _errors(values: NDArray[np.float64], spread: float = USUAL_SPREAD) -> NDArray[np.float64]:
    """The standard error of the mean of each column.

    So that few values do not look surer than they are, the variance includes one more value at the
    usual distance from the mean.
    """
    count = len(values)
    found: NDArray[np.float64] = np.sqrt((count * values.var(axis=0) + spread**2) / count / count)
    return found


def chances_of_means(
    means: NDArray[np.float64], errors: NDArray[np.float64], seed: int
) -> NDArray[np.float64]:
    """The probability of each mean that no other is higher, with independent normal errors.

    Args:
        means: one for each move.
        errors: their standard errors.
        seed: of the random errors.

    Example:
        >>> chances_of_means(np.array([1.0, 0.0]), np.array([0.1, 0.1]), 1).tolist()
        [1.0, 0.0]
    """
    drawn = np.empty((_DRAWS, len(means)))
    Stream(seed, Purpose.MEANS).fill_normal(drawn)
    drawn = means + errors * drawn
    is_best = drawn >= drawn.max(axis=1, keepdims=True) - 1e-9
    result: NDArray[np.float64] = is_best.mean(axis=0)
    return result
