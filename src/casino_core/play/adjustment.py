"""Control variates: results without the part that luck explains, by factors from earlier results.

The luck of each result, which has mean zero, is multiplied by factors fitted on the results before
it, and subtracted. So the mean is unbiased with any factors, and with any stopping rule. This is
MIVAT (M. White and M. Bowling, "Learning a Value Analysis Tool for Agent Evaluation", 2009).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, variance

import numpy as np
from numpy.typing import NDArray

from casino_core.game.round import Round
from casino_core.play.intervals import half_width, standard_errors
from casino_core.play.luck import luck_of_deals
from casino_core.rules.streams import Stream

__all__ = ["KINDS", "Adjusted", "Adjuster", "adjusted", "game_luck", "mean_luck"]

#: Kinds of luck of a round: of the deals before the last one, and of the last one.
KINDS = 2

#: Shares of careful plays for the values of deals; see `OpenValues`. Chosen on 200 decks of
#: `pimc:samples=24` against `careful`.
_CAREFUL = (0, 0.25, 1)

_FACTOR = 0.9  # the factor before any result
_WEIGHT = 20  # weight of this first factor, in results


class Adjuster:
    """Adjusts results one after the other.

    Args:
        kinds: number of kinds of luck, each with its own factor.

    Example:
        >>> adjuster = Adjuster(1)
        >>> adjuster.adjust(3.0, [1.0]), adjuster.adjust(-1.0, [0.0])
        (2.1, -1.0)
    """

    def __init__(self, kinds: int) -> None:
        self._count = 0
        self._sums: NDArray[np.float64] = np.zeros(kinds + 1)
        self._products: NDArray[np.float64] = np.zeros((kinds + 1, kinds + 1))

    @property
    def factors(self) -> NDArray[np.float64]:
        """The factor of each kind of luck, fitted on the results so far."""
        kinds = len(self._sums) - 1
        if not self._count:
            return np.full(kinds, _FACTOR)
        products = self._products - np.outer(self._sums, self._sums) / self._count
        spread = np.diag(self._products)[:-1] / self._count
        prior = np.diag(_WEIGHT * np.maximum(spread, 1e-9))
        wanted = products[:-1, -1] + prior @ np.full(kinds, _FACTOR)
        found: NDArray[np.float64] = np.linalg.solve(products[:-1, :-1] + prior, wanted)
        return found

    def adjust(self, result: float, luck: Sequence[float]) -> float:
        """Adjust a result, then add it to the fit.

        Args:
            result: the result of a deck.
            luck: its luck of each kind.
        """
        adjusted = float(result - self.factors @ np.asarray(luck))
        row = np.array([*luck, result])
        self._count += 1
        self._sums += row
        self._products += np.outer(row, row)
        return adjusted


def game_luck(
    played: Round, side: int, chance: Callable[[int], Stream], deals: int
) -> tuple[float, ...]:
    """The luck of a round for a side, by kinds.

    Args:
        played: the round.
        side: number of the side.
        chance: returns the random stream for the number of a deal.
        deals: number of other deals to sample.
    """
    deals_found = luck_of_deals(played, chance, deals=deals, careful=_CAREFUL)
    found = [one.luck_of(side) for one in deals_found]
    rules = played.start.rules
    last = 4 * rules.players if rules.draw else 1  # the last draws are as many as a deal has cards
    return sum(found[:-last]), sum(found[-last:])


def mean_luck(games: Sequence[Sequence[float]]) -> list[float]:
    """The luck of a deck, by kinds: the mean over its rounds.

    Args:
        games: the luck of each round.

    Example:
        >>> mean_luck([(1.0, 2.0), (0.0, -1.0)])
        [0.5, 0.5]
    """
    return [fmean(kind) for kind in zip(*games, strict=True)]


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Points a round without the luck of the deals.

    Attributes:
        points: mean points a round, the first agent's minus the second's.
        stderr: standard error of `points`; None for one deck.
        interval: interval of 95 % around `points`; None for one deck.
        factors: points of the result per point of each kind of luck, fitted on all decks.
        ratio: variance of the decks without luck, divided by that with luck; None for one deck.
        round_ratio: the same ratio for single rounds.
        decks: points a round of each deck.
    """

    points: float
    stderr: float | None
    interval: tuple[float, float] | None
    factors: tuple[float, ...]
    ratio: float | None
    round_ratio: float | None
    decks: tuple[float, ...]


def adjusted(
    points: Sequence[Sequence[float]], luck: Sequence[Sequence[Sequence[float]]]
) -> Adjusted:
    """The result of a series of decks without the luck of the deals.

    Args:
        points: for each deck, the first agent's points minus the second's in each round.
        luck: the luck of these rounds, by kinds.
    """
    adjuster, single = Adjuster(KINDS), Adjuster(KINDS)
    plain = [fmean(deck) for deck in points]
    values = [
        adjuster.adjust(value, mean_luck(deck)) for value, deck in zip(plain, luck, strict=True)
    ]
    rounds = [value for deck in points for value in deck]
    rounds_left = [
        single.adjust(value, kinds)
        for value, kinds in zip(rounds, (game for deck in luck for game in deck), strict=True)
    ]
    mean, half = fmean(values), half_width(values)
    return Adjusted(
        mean,
        None if half is None else half / standard_errors(len(values) - 1),
        None if half is None else (mean - half, mean + half),
        tuple(adjuster.factors.tolist()),
        _ratio(values, plain),
        _ratio(rounds_left, rounds),
        tuple(values),
    )


def _ratio(left: Sequence[float], before: Sequence[float]) -> float | None:
    """The share of a variance that is left; None for a variance of 0."""
    if len(before) < 2 or not (whole := variance(before)):
        return None
    return variance(left) / whole
