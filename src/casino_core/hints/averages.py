"""Means of moves over worlds, how sure they are, and which moves are still in contention."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["Averages", "chances_of_means"]

# A move is out of contention once its mean is so many standard errors below the best one, the
# difference being taken world by world.
_BEYOND_DOUBT = 4.0
_FEWEST_WORLDS = 24  # before any move is out
_USUAL_SPREAD = 2.0  # points, standard deviation of a move's value over worlds
_DRAWS = 256  # samples of the worlds looked at, drawn again from them, for the chance of the best
_PARTS = 128  # of the worlds, that are drawn as one where they are many


class Averages:
    """Values of moves in one world after the other.

    Args:
        moves: how many moves are compared.

    Example:
        >>> averages = Averages(2)
        >>> averages.add(np.array([[1.0, 0.0], [2.0, 3.0]]))
        >>> averages.estimates()[0].tolist(), averages.count
        ([1.5, 1.5], 2)
    """

    def __init__(self, moves: int) -> None:
        self._values = np.empty((64, moves))
        self._weights = np.empty(64)
        self._known = np.zeros(moves, dtype=np.int64)
        self._open = np.ones(moves, dtype=bool)
        self.count = 0

    def add(self, values: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> None:
        """Take note of further worlds.

        Args:
            values: a row for each world, a column for each move, in points; columns of moves that
                are out of contention are not read.
            weights: how much each world counts; None for all alike.
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
        """Put moves out of contention that are worse than the best one beyond doubt."""
        if self.count < _FEWEST_WORLDS:
            return
        moves = np.flatnonzero(self._open)
        values = self._values[: self.count]
        behind = values[:, self._best()][:, None] - values[:, moves]
        doubt = _BEYOND_DOUBT * _errors(behind)
        self._open[moves[behind.mean(axis=0) > doubt]] = False

    def _best(self) -> int:
        """The contender with the highest mean."""
        means = self._mean(self._values[: self.count])
        means[~self._open] = -np.inf
        return int(means.argmax())

    def _mean(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean of each column, a row for each world from the first on."""
        weights = self._weights[: len(values)]
        found: NDArray[np.float64] = weights @ values / weights.sum()
        return found

    def estimates(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean of each move over all worlds, and its standard error.

        A move that went out of contention has its own mean until then, or the best one's mean less
        what it was behind until then, whichever is the surer.
        """
        best = self._best()
        leader = self._values[: self.count, best : best + 1]
        means = np.empty(len(self._known))
        errors = np.empty(len(self._known))
        for known in np.unique(self._known):
            moves = np.flatnonzero(self._known == known)
            own = self._values[:known, moves]
            means[moves], errors[moves] = self._mean(own), _errors(own)
            if known < self.count:
                behind = leader[:known] - own
                paired = np.hypot(_errors(behind), _errors(leader))
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
            found[moves] = _errors(values[:, best : best + 1] - values[:, moves])
        found[best] = 0.0
        return found

    def chances(self, seed: int) -> NDArray[np.float64]:
        """The probability of each move that none is better, over other worlds drawn like these.

        Bootstrap: the worlds are drawn again from themselves, with repetition (B. Efron 1979), in
        parts where they are many. Beside them counts one more in which each move still in
        contention may be the best.

        Args:
            seed: of the drawing.
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


def _errors(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard error of the mean of each column.

    So that few values do not look surer than they are, a further one counts in the spread, which
    is as far from the mean as values usually are.
    """
    count = len(values)
    found: NDArray[np.float64] = np.sqrt(
        (count * values.var(axis=0) + _USUAL_SPREAD**2) / count / count
    )
    return found


def chances_of_means(
    means: NDArray[np.float64], errors: NDArray[np.float64], seed: int
) -> NDArray[np.float64]:
    """The probability of each mean that none is higher, the errors being normal and independent.

    Args:
        means: one for each move.
        errors: their standard errors.
        seed: of the drawing.

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
