"""What a hint answers: the best play, and the value of every other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from casino_core._deprecation import warn_renamed
from casino_core._tables import Tabular
from casino_core.game.position import Move
from casino_core.hints.caller import Stopped
from casino_core.hints.options import Coverage, MethodUsed, Objective

__all__ = ["Hint", "HintMove"]


@dataclass(frozen=True, slots=True)
class HintMove:
    """A legal move and its value.

    Attributes:
        move: the move.
        value: expected final points of the round, the mover's side minus the other side (with more
            than two sides: the best other side); with the objective `match` the probability that
            the mover's side wins the match, a drawn match counting half.
        stderr: standard error of the value from sampling; 0 if nothing was sampled.
        chance: probability that no other move is better, estimated from the samples.
        gap_stderr: standard error of the difference to the best move, smaller than the two errors
            suggest, as both moves are evaluated in the same worlds; 0 for the best.
    """

    move: Move
    value: float
    stderr: float
    chance: float
    gap_stderr: float = 0.0


@dataclass(frozen=True, slots=True)
class Hint(Tabular):
    """The best play, and the value of every other move.

    Attributes:
        best: the best move.
        moves: every legal move, best first, ties by text; if there are more than 4,096, about that
            many of them (`Position.some_legal_moves`).
        method: `exact` (nothing is hidden and the round was solved to its end), or the method of
            `hint`: `blend`, `response`, `playouts`, `pimc`, `mcts`.
        coverage: the worlds searched: `deal` (only one is possible), `worlds` (all), `samples` (a
            sample) or `tree` (a new one for each round of a tree search).
        exact: whether nothing was sampled or estimated.
        samples: number of worlds searched, or of rounds of a tree search.
        seconds: time of the hint.
        stopped: why the hint ended: `exact` (solved), `decided` (no other move may be the best),
            `time`, `samples` (all worlds asked for were searched) or `stop` (`progress` ended it);
            None in interim answers.
        holds: for each seat with hidden cards the probability that it holds each card.
        reasons: what the best move does and risks, in words.
        objective: what the values are: `points` of the round, or `match`, probabilities to win it.
    """

    best: Move
    moves: tuple[HintMove, ...]
    method: MethodUsed
    coverage: Coverage
    exact: bool
    samples: int
    seconds: float
    stopped: Stopped | None
    holds: dict[str, dict[str, float]]
    reasons: tuple[str, ...]
    objective: Objective = "points"

    def _kinds(self) -> dict[str, type]:
        return {"move": str, "value": float, "stderr": float, "chance": float}

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        return ((str(one.move), one.value, one.stderr, one.chance) for one in self.moves)

    def _repr_html_(self) -> str:
        """The table that a notebook shows."""
        from casino_core.render.html import hint_html  # drawn only where it is asked for

        return hint_html(self)

    @property
    def unit(self) -> str:
        """What the values are: `points`, or `probability` with the objective `match`."""
        return "points" if self.objective == "points" else "probability"

    @property
    def search(self) -> str:
        """The name that `method` had before; it goes with the next version."""
        warn_renamed("Hint.search", "method")
        return self.method
