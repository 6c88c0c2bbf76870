"""Results over the worlds so far: values of moves, and probabilities of hidden cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from casino_core.game.position import Move
from casino_core.hidden.posterior import named_shares
from casino_core.hidden.worlds import Unseen, Worlds
from casino_core.hints.averages import USUAL_SPREAD, Averages

__all__ = ["Held", "Tally"]


class Held:
    """The probability of each hidden card in each hand.

    It is the posterior if that is exact, else the share of the sampled worlds.

    Args:
        unseen: the unseen cards of the position.
    """

    def __init__(self, unseen: Unseen) -> None:
        self._seats = unseen.position.rules.seats
        self._drawn: list[NDArray[np.uint64]] = []
        self._counted: dict[str, dict[str, float]] | None = None
        if unseen.beliefs.is_counted or unseen.beliefs.is_even:
            self._counted = unseen.beliefs.marginals()

    def add(self, worlds: Worlds) -> None:
        """Add worlds.

        Args:
            worlds: the worlds searched.
        """
        if self._counted is None:
            self._drawn.append(worlds.masks)

    def chances(self) -> dict[str, dict[str, float]]:
        """For each seat with hidden cards, the probability of each card that it may hold."""
        if self._counted is not None:
            return self._counted
        masks = np.concatenate(self._drawn)
        return named_shares(self._seats, masks, np.full(len(masks), 1 / len(masks)))


class Tally:
    """Values of the moves over the worlds so far.

    Args:
        moves: every legal move.
        rows: for each the number of its row of values; moves that count the same have one.
        unseen: what is not seen.
        sampled: whether the worlds are drawn, so that means have errors.
        seed: of the chance that the best move be known.
        spread: usual standard deviation of a move's value over worlds.
        keep_all: whether to value all moves alike, instead of dropping those clearly worse.
    """

    def __init__(
        self,
        moves: list[Move],
        rows: list[int],
        unseen: Unseen,
        *,
        sampled: bool,
        seed: int,
        spread: float = USUAL_SPREAD,
        keep_all: bool = False,
    ) -> None:
        self._keep_all = keep_all
        self._moves = moves
        self._rows = rows
        self._sampled = sampled
        self._seed = seed
        self._averages = Averages(max(rows) + 1, spread)
        self.held = Held(unseen)

    @property
    def count(self) -> int:
        """Number of worlds searched."""
        return self._averages.count

    @property
    def wanted(self) -> bytes:
        """For each row a byte, 1 if the row is to be evaluated further."""
        return self._averages.contenders.astype(np.uint8).tobytes()

    @property
    def is_settled(self) -> bool:
        """Whether one move is clearly the best."""
        return self._sampled and not self._keep_all and int(self._averages.contenders.sum()) == 1

    def add(self, worlds: Worlds, values: NDArray[np.float64]) -> None:
        """Add worlds.

        Args:
            worlds: the worlds of a batch, also those for which there was no time.
            values: a row for each world that was searched.
        """
        weights = worlds.weights
        self._averages.add(values, None if weights is None else weights[: len(values)])
        self.held.add(worlds[: len(values)])
        if self._sampled and not self._keep_all:
            self._averages.narrow()

    def results(self, *, sampled: bool) -> list[tuple[Move, float, float, float, float]]:
        """Every move with its mean, its standard error, its chance to be the best, and the standard
        error of what it is behind the best; best first.

        Args:
            sampled: whether there are worlds that were not searched.
        """
        means, errors = self._averages.estimates()
        if sampled:
            chances = self._averages.chances(self._seed)
            gaps = self._averages.gaps()
        else:
            errors = gaps = np.zeros(len(means))
            chances = (means >= means.max() - 1e-9).astype(float)
        found = [
            (move, float(means[row]), float(errors[row]), float(chances[row]), float(gaps[row]))
            for move, row in zip(self._moves, self._rows, strict=True)
        ]
        return sorted(found, key=lambda item: (-item[1], str(item[0])))
