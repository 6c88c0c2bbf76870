"""The best play from what the player to move can see."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from random import Random
from time import perf_counter

import numpy as np

from casino_core.averaging import Averages
from casino_core.cards import CARD_NAMES
from casino_core.core.position import Move, Position
from casino_core.core.solving import SearchContext
from casino_core.errors import CasinoError
from casino_core.evaluating import world_search
from casino_core.solving import plays_left, table_for
from casino_core.worlds import Unseen, World

__all__ = ["Hint", "HintMove", "hint"]

#: Worlds that a hint looks at when neither samples nor seconds are given.
DEFAULT_SAMPLES = 100

_EXACT_PLAYS = 16  # known plays up to which a search goes to the end of the round
_MOST_WORLDS = 1000  # ways to hold the cards up to which all are looked at
_FIRST_WORLDS = 8  # looked at together; then twice as many each time, up to the most
_MOST_TOGETHER = 64
_EXACT_SHARE = 0.6  # of the time, for a search to the end of the round


@dataclass(frozen=True, slots=True)
class HintMove:
    """A legal move and what it is worth.

    Attributes:
        move: the move.
        value: expected final points of the round, the mover's side minus the other (with more
            than two sides: the best other).
        stderr: standard error of the value from sampling; 0 where nothing was sampled.
        chance: probability that no other move is better, as far as sampling can tell.
    """

    move: Move
    value: float
    stderr: float
    chance: float


@dataclass(frozen=True, slots=True)
class Hint:
    """The best play, and what every other one is worth.

    Attributes:
        best: the best move.
        moves: every legal move, best first, ties by text.
        method: `exact` (solved to the end of the round), `deal` (nothing is hidden but the
            stock, or the budget is too small for `exact`), `worlds` (all possible hands) or
            `samples` (some of them).
        exact: whether nothing was sampled or estimated.
        samples: worlds looked at.
        seconds: time that it took.
        holds: per seat whose cards are hidden, the probability that it holds each card.
    """

    best: Move
    moves: tuple[HintMove, ...]
    method: str
    exact: bool
    samples: int
    seconds: float
    holds: dict[str, dict[str, float]]


def hint(
    position: Position,
    *,
    seconds: float | None = None,
    samples: int | None = None,
    seed: int = 0,
    open: bool = False,  # noqa: A002 - the name that a player uses: with open cards
    table_mib: float | None = None,
    threads: int = 1,
    progress: Callable[[Hint], object] | None = None,
) -> Hint:
    """The best play of the seat whose turn it is.

    Only what that seat can see is used: its own hand, the table, the captured cards. In the
    last deal of two players the other hand is what is left, and values are exact. Before that,
    hands that fit are sampled (all of them where one hand is hidden and the samples suffice),
    each is solved to the end of the deal, and the values are averaged. A move that is worse than
    the best one beyond doubt is looked at no longer, and a single one left ends the search.

    Args:
        position: the hand of the seat to play is known.
        seconds: longest time; None for no limit but `samples`.
        samples: most worlds to look at; 100 when `seconds` is not given either.
        seed: of the sampling; with `samples` alone the answer is the same each time.
        open: use every card that the position shows, hidden from the seat or not.
        table_mib: size of the transposition table in MiB, None to fit it to the deal.
        threads: how many threads look at worlds; the answer does not depend on it.
        progress: called with the answer so far, now and then, while worlds are looked at.

    Raises:
        HiddenCardError: a card of the seat to play is not known.
        CasinoError: the round is finished, or a budget that is none.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
        >>> answer = hint(position, samples=20, seed=1)
        >>> str(answer.best)[:2], answer.method, answer.exact, answer.samples
        ('Qd', 'samples', False, 20)
    """
    start = perf_counter()
    _check(position, seconds, samples, threads)
    seen = position if open else position.view(position.turn)
    deadline = None if seconds is None else start + seconds
    unseen = Unseen(seen)
    if samples is None:
        samples = DEFAULT_SAMPLES if seconds is None else 1_000_000
    method, worlds = _worlds(seen, unseen, samples, seed)
    if method == "exact":
        world = next(iter(worlds))
        found = _exact(world, start, deadline, table_mib)
        if found is not None:
            return found
        method, worlds = "deal", [world]
    totals = _Totals(seen, method, worlds, seed, start)
    with world_search(seen, table_mib, threads, seconds) as search:
        totals.begin(search.rows)
        source = iter(worlds)
        together = _FIRST_WORLDS
        while chosen := list(islice(source, together)):
            values = search.evaluate(chosen, totals.wanted, deadline, least=not totals.count)
            totals.add(chosen, values)
            if len(values) < len(chosen) or totals.is_settled:
                break
            if deadline is not None and perf_counter() >= deadline:
                break
            if progress is not None:
                progress(totals.answer())
            together = min(2 * together, _MOST_TOGETHER)
    return totals.answer()


def _check(position: Position, seconds: float | None, samples: int | None, threads: int) -> None:
    if position.is_over:
        raise CasinoError("the round is finished, so there is no play to advise")
    if seconds is not None and not seconds > 0:
        raise CasinoError(f"hint: seconds is more than 0, not {seconds}")
    if samples is not None and samples < 1:
        raise CasinoError(f"hint: samples is 1 or more, not {samples}")
    if threads < 1:
        raise CasinoError(f"hint: threads is 1 or more, not {threads}")


def _worlds(seen: Position, unseen: Unseen, samples: int, seed: int) -> tuple[str, Iterable[World]]:
    """How the question is answered, and the worlds that it takes."""
    two_sides = seen.rules.sides == 2
    if unseen.is_settled:
        short = plays_left(seen) <= _EXACT_PLAYS
        known = seen.stock_count == 0 or (seen.stock is not None and short)
        method = "exact" if known and two_sides else "deal"
        if not (seen.rules.draw and seen.stock_count and seen.stock is None):
            return method, unseen.sample(Random(seed), 1)
    number = unseen.number()
    if number is not None and number <= min(samples, _MOST_WORLDS) and not seen.rules.draw:
        every = list(unseen.all())
        Random(seed).shuffle(every)  # those that the time leaves are drawn at random
        return "worlds", every
    order = seen.rules.draw and seen.stock_count > 0
    return "samples", unseen.sample(Random(seed), samples, order_stock=order)


def _exact(
    world: World, start: float, deadline: float | None, table_mib: float | None
) -> Hint | None:
    """The exact answer where nothing is hidden, if the time suffices."""
    position = world.position
    context = SearchContext(table_for(position) if table_mib is None else table_mib)
    left = None
    if deadline is not None:
        left = max(_EXACT_SHARE * (deadline - perf_counter()), 0.001)
    bounds = context.values(position, seconds=left)
    if any(lower != upper for _, lower, upper in bounds):
        return None
    best = max(lower for _, lower, _ in bounds)
    moves = [
        HintMove(move, float(lower), 0.0, 1.0 if lower == best else 0.0)
        for move, lower, _ in bounds
    ]
    moves.sort(key=lambda item: (-item.value, str(item.move)))
    holds = _Held(world.seen)
    holds.add([world])
    taken = perf_counter() - start
    return Hint(moves[0].move, tuple(moves), "exact", True, 1, taken, holds.shares())


class _Held:
    """How often each hidden card was in each hand."""

    def __init__(self, seen: Position) -> None:
        self._seats = seen.rules.seats
        self._held = [[0] * len(CARD_NAMES) for _ in self._seats]
        self._count = 0

    def add(self, worlds: list[World]) -> None:
        self._count += len(worlds)
        for world in worlds:
            for held, hidden in zip(self._held, world.hidden, strict=True):
                mask = hidden
                while mask:
                    low = mask & -mask
                    held[low.bit_length() - 1] += 1
                    mask ^= low

    def shares(self) -> dict[str, dict[str, float]]:
        """Share of the worlds in which a seat holds a card, for seats not all seen."""
        return {
            seat: {
                CARD_NAMES[card]: count / self._count for card, count in enumerate(held) if count
            }
            for seat, held in zip(self._seats, self._held, strict=True)
            if any(held)
        }


class _Totals:
    """What has been found over the worlds so far."""

    def __init__(
        self, seen: Position, method: str, worlds: Iterable[World], seed: int, start: float
    ) -> None:
        self._moves = seen.legal_moves()
        self._method = method
        self._all = len(worlds) if isinstance(worlds, list) else None
        self._seed = seed
        self._start = start
        self._held = _Held(seen)
        self._rows: list[int] = []
        self._averages = Averages(0)

    def begin(self, rows: list[int]) -> None:
        """Take note of the row of values of each move."""
        self._rows = rows
        self._averages = Averages(max(rows) + 1)

    @property
    def count(self) -> int:
        """Worlds looked at."""
        return self._averages.count

    @property
    def wanted(self) -> bytes:
        """For each row, whether it is to be valued further."""
        return self._averages.contenders.astype(np.uint8).tobytes()

    @property
    def is_settled(self) -> bool:
        """Whether one move is the best beyond doubt."""
        return self._method == "samples" and int(self._averages.contenders.sum()) == 1

    def add(self, worlds: list[World], values: np.ndarray) -> None:
        self._averages.add(values)
        self._held.add(worlds[: len(values)])
        if self._method == "samples":
            self._averages.narrow()

    def answer(self) -> Hint:
        """The hint by what has been found."""
        method = self._method
        if self._all is not None and self.count < self._all:
            method = "samples"  # the time was up before all had been looked at
        means = self._averages.means()
        if method == "samples":
            errors = self._averages.errors()
            chances = self._averages.chances(self._seed)
        else:
            errors = np.zeros(len(means))
            chances = (means >= means.max() - 1e-9).astype(float)
        moves = [
            HintMove(move, float(means[row]), float(errors[row]), float(chances[row]))
            for move, row in zip(self._moves, self._rows, strict=True)
        ]
        moves.sort(key=lambda item: (-item.value, str(item.move)))
        taken = perf_counter() - self._start
        holds = self._held.shares()
        return Hint(moves[0].move, tuple(moves), method, False, self.count, taken, holds)
