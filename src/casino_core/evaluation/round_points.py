"""What a round brings to either side, as measured in rounds between strong players."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casino_core.game.position import Position
from casino_core.game.scoring import score_steps, step_names, step_points
from casino_core.rules.options import PRESETS, Rules

__all__ = ["MeasuredRounds", "RoundTotals", "measured_presets", "measured_rounds", "round_line"]

_NOBODY = "-"


class RoundTotals(NamedTuple):
    """The points of a round, each pair that came up once.

    Attributes:
        first: points of the side that led.
        second: points of the other side.
        shares: of the rounds, by which such a pair came up.
    """

    first: NDArray[np.int32]
    second: NDArray[np.int32]
    shares: NDArray[np.float64]


@dataclass(frozen=True)
class MeasuredRounds:
    """Rounds as they ended, a row each; columns are the steps of counting, sweeps last.

    Attributes:
        first: points so far of the side that led in the round.
        second: points so far of the other side.
    """

    first: NDArray[np.int32]
    second: NDArray[np.int32]

    def without(self, group: int, groups: int) -> MeasuredRounds:
        """All rounds but every `groups`-th one.

        Args:
            group: the number of the first one left out.
            groups: how far apart they are.
        """
        keep = np.arange(len(self.first)) % groups != group
        return MeasuredRounds(self.first[keep], self.second[keep])

    def totals(self) -> RoundTotals:
        """The joint distribution of both sides' points."""
        both = np.stack([self.first[:, -1], self.second[:, -1]], axis=1)
        pairs, counts = np.unique(both, axis=0, return_counts=True)
        return RoundTotals(pairs[:, 0], pairs[:, 1], counts / len(both))


def round_line(position: Position) -> str:
    """A finished round as a line of a table: who scores each step, then sweeps of both sides.

    Args:
        position: a finished round of two sides.

    Example:
        >>> position = Position.start(seed=1)
        >>> while not position.is_over:
        ...     position = position.play(next(position.iter_legal_moves()))
        >>> len(round_line(position).split()[0])
        8
    """
    steps = [step for step in score_steps(position) if step.name != "sweeps"]
    marks = "".join(_NOBODY if step.side is None else str(step.side) for step in steps)
    return f"{marks} {position.sweeps[0]}/{position.sweeps[1]}"


def measured_presets() -> tuple[str, ...]:
    """The presets that have a table of rounds.

    Example:
        >>> "standard" in measured_presets()
        True
    """
    return tuple(name for name in PRESETS if _table(name).is_file())


def _table(preset: str) -> Traversable:
    return resources.files("casino_core.evaluation").joinpath(f"data/{preset}.txt.gz")


@lru_cache(maxsize=len(PRESETS))
def measured_rounds(preset: str) -> MeasuredRounds:
    """The rounds that were measured under a preset.

    Args:
        preset: its name.

    Example:
        >>> rounds = measured_rounds("standard")
        >>> rounds.first.shape == rounds.second.shape
        True
    """
    lines = gzip.decompress(_table(preset).read_bytes()).decode("ascii").splitlines()
    return _read(Rules.parse(preset), [line for line in lines if not line.startswith("#")])


def _read(rules: Rules, lines: Iterable[str]) -> MeasuredRounds:
    """Rounds from their lines."""
    points = np.array([step_points(rules, name) for name in step_names(rules)], dtype=np.int32)
    fields = [line.split() for line in lines]
    marks = np.array([list(steps) for steps, _ in fields])
    sweeps = np.array([[int(n) for n in counts.split("/")] for _, counts in fields])
    sides = []
    for side in (0, 1):
        steps = np.cumsum((marks == str(side)) * points, axis=1)
        last = steps[:, -1:] + rules.sweep * sweeps[:, side : side + 1]
        sides.append(np.concatenate([steps, last], axis=1).astype(np.int32))
    return MeasuredRounds(*sides)
