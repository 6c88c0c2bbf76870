"""A question to `hint`: the position as the mover sees it, options, limits, and the worlds."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Generic, TypeVar

from casino_core.evaluation.goal import Goal
from casino_core.game.position import Position
from casino_core.hidden.posterior import Beliefs
from casino_core.hidden.worlds import Source, Unseen, Worlds
from casino_core.hints.averages import USUAL_SPREAD
from casino_core.hints.caller import Caller
from casino_core.hints.options import DEFAULT_SECONDS, Coverage, Objective, default_samples
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream
from casino_core.search.solver import plays_left

__all__ = ["Question"]

_EXACT_PLAYS = 16  # with no more plays left, a known stock is searched to the end of the round
_MOST_SAMPLES = 4096  # the most worlds within a time limit; more would add nothing
_MOST_WORLDS = 1000  # up to this number all worlds are searched
_CROWDED = 16  # with more loose cards a search of single worlds takes too long
_CROWDED_MOVES = 1000  # and with more legal moves
_WIN_POINTS = 20  # about how many points count as much as a won match against a lost one

#: The interim answers of a hint.
News = TypeVar("News")


@dataclass(frozen=True, kw_only=True)
class Question(Generic[News]):
    """A question and its limits."""

    seen: Position
    unseen: Unseen
    beliefs: Beliefs | None
    seed: int
    seconds: float | None
    samples: int | None
    threads: int
    table_mib: float | None
    measure_all: bool
    caller: Caller[News]
    goal: Goal | None
    start: float

    @property
    def objective(self) -> Objective:
        """What the values of moves are."""
        return "points" if self.goal is None else "match"

    @property
    def spread(self) -> float:
        """The usual spread of a move's values over worlds."""
        return USUAL_SPREAD if self.goal is None else USUAL_SPREAD / _WIN_POINTS

    @property
    def deadline(self) -> float | None:
        """The deadline on the clock of `perf_counter`."""
        return None if self.limit is None else self.start + self.limit

    @property
    def limit(self) -> float | None:
        """The time limit, as given or the default."""
        if self.seconds is None and self.samples is None:
            return DEFAULT_SECONDS
        return self.seconds

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return self.deadline is not None and perf_counter() >= self.deadline

    @property
    def is_crowded(self) -> bool:
        """Whether a search of world after world would take too long."""
        seen = self.seen
        many_cards = seen.table.mask.bit_count() > _CROWDED
        return many_cards or seen.count_legal_moves() > _CROWDED_MOVES

    @property
    def is_exact(self) -> bool:
        """Whether all is known up to the end of the round."""
        seen = self.seen
        short = plays_left(seen) <= _EXACT_PLAYS
        known = seen.stock_count == 0 or (seen.stock is not None and short)
        return self.unseen.is_settled and known and seen.rules.sides == 2

    def worlds(self, *, order_stock: bool) -> tuple[Coverage, Source]:
        """The coverage, and a source of worlds.

        Args:
            order_stock: whether each world needs an order of the stock.
        """
        seen, unseen = self.seen, self.unseen
        if unseen.is_settled and (not order_stock or seen.stock is not None):
            return "deal", Source(lambda *_: Worlds.of(unseen.only()), 1)
        most = self.samples
        if most is None:
            most = default_samples("auto") if self.seconds is None else _MOST_SAMPLES
        number = unseen.number()
        few = number is not None and number <= min(most, _MOST_WORLDS)
        chance = Stream(self.seed, Purpose.WORLDS)
        if few and not order_stock:
            return "worlds", unseen.source_of_all(chance)
        return "samples", unseen.source(chance, most, order_stock=order_stock)
