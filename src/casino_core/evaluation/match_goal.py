"""The goal of a hint that plays for the match: its chances, for a position and a score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, factorial

import numpy as np
from numpy.typing import NDArray

from casino_core.errors import CasinoError
from casino_core.evaluation.equity import preset_of, round_chances, still_needed
from casino_core.evaluation.goal import Goal
from casino_core.evaluation.round_points import measured_rounds
from casino_core.game.position import Position
from casino_core.game.scoring import step_names, step_points
from casino_core.rules.cards import CardSet
from casino_core.rules.options import Rules

__all__ = ["CHANCE_UNIT", "match_goal"]

#: Of chances in the core: billionths.
CHANCE_UNIT = 1_000_000_000

_MOST_POINTS = 40  # of a side in a round, without sweeps, with room to spare
_PLAYS = 48  # of a round
_MOST_SWEEPS = 4  # of one side that are expected in the rest of a round
_MAJORITIES = {"cards": 0, "spades": -1}


def match_goal(
    position: Position, score: str | Sequence[int] | None = None, target: int | None = None
) -> Goal:
    """The chances of the match in which a round is played.

    Args:
        position: the round, of two players under a measured preset.
        score: points of both sides before the round; None for the match score of the position.
        target: points that win the match; None for those of the rules.

    Raises:
        CasinoError: more than two sides, rules that were not measured, a match that is over, or
            another value that is not valid.

    Example:
        >>> match_goal(Position.start(seed=1), "18/20").needs
        (3, 1)
    """
    if position.rules.sides != 2:
        raise CasinoError("objective match is for two sides")
    given = position.match_score if score is None else score
    rules, needs = still_needed(given, target, position.rules)
    size = _MOST_POINTS + rules.sweep * (max(position.sweeps) + _PLAYS)
    return _goal(rules, needs, size, position.stock_count)


@lru_cache(maxsize=128)
def _goal(rules: Rules, needs: tuple[int, int], size: int, plays: int) -> Goal:
    """The goal of a search that `plays` more plays of the round follow."""
    ended = round_chances(rules, needs, size)
    coming = _before_sweeps(ended, rules, plays)
    counts_out = rules.finish == "count_out" and min(needs) > 0
    return Goal(needs, counts_out, _steps(rules), size, _billionths(ended), _billionths(coming))


def _steps(rules: Rules) -> list[tuple[int, int]]:
    """The steps of counting, as `Goal` takes them."""
    return [
        (_MAJORITIES[name] if name in _MAJORITIES else CardSet(name).mask, step_points(rules, name))
        for name in step_names(rules)
    ]


def _billionths(chances: NDArray[np.float64]) -> bytes:
    return np.rint(chances * CHANCE_UNIT).astype(np.int32).tobytes()


def _before_sweeps(chances: NDArray[np.float64], rules: Rules, plays: int) -> NDArray[np.float64]:
    """The mean of the chances over the sweeps of the plays left, at the rate of measured rounds."""
    if not rules.sweep:
        return chances
    found = chances
    for axis, rate in enumerate(_sweep_rates(rules)):
        shares = _sweep_shares(rate * plays / _PLAYS)
        moved = [_moved(found, rules.sweep * sweeps, axis) for sweeps in range(len(shares))]
        found = np.tensordot(shares, np.array(moved), axes=1)
    return found


def _sweep_rates(rules: Rules) -> list[float]:
    """Mean sweeps of both sides in a round."""
    rounds = measured_rounds(preset_of(rules))
    return [
        float((side[:, -1] - side[:, -2]).mean()) / rules.sweep
        for side in (rounds.first, rounds.second)
    ]


def _sweep_shares(mean: float) -> list[float]:
    """How likely each number of sweeps is: a Poisson distribution, cut off."""
    ways = [exp(-mean) * mean**number / factorial(number) for number in range(_MOST_SWEEPS + 1)]
    return [way / sum(ways) for way in ways]


def _moved(chances: NDArray[np.float64], points: int, axis: int) -> NDArray[np.float64]:
    """Chances after more points of a side; beyond the table those of its last row or column."""
    places = np.minimum(np.arange(chances.shape[axis]) + points, chances.shape[axis] - 1)
    found: NDArray[np.float64] = chances.take(places, axis=axis)
    return found
