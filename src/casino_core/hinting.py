"""The best play from what the player to move can see."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import sqrt
from random import Random
from time import perf_counter

from casino_core.cards import CARD_NAMES
from casino_core.core.coalition import coalition_values
from casino_core.core.position import Move, Position
from casino_core.core.solving import SearchContext
from casino_core.errors import CasinoError
from casino_core.solving import plays_left, table_for
from casino_core.worlds import Unseen, World

__all__ = ["Hint", "HintMove", "hint"]

#: Worlds that a hint looks at when neither samples nor seconds are given.
DEFAULT_SAMPLES = 100

_UNIT = 60  # parts of a point that a search to the end of a deal counts in
_EXACT_PLAYS = 16  # known plays up to which a search goes to the end of the round
_MOST_WORLDS = 1000  # ways to hold the cards up to which all are looked at
_LONG_DEAL = 10  # plays of a deal from which a search stops before its end
_LONG_PLAYS = 6  # plays that are searched of such a deal
_DRAW_PLAYS = 6  # plays that are searched where each draws a card
_COALITION_PLAYS = 4  # plays that are searched for more than two sides
_WHOLE_DEAL = 99  # a search to the end of the deal
_LESS_DEEP = (4, 2, 1)  # plays searched where more take too long
_MOST_NODES = 1_000_000  # of one world
_MOST_POINTS = 40  # of a round, without sweeps, with room to spare
_LARGEST_VALUE = 15_000  # that a search counts with
_DEAL_TABLE = 4  # MiB of table for searches to the end of a deal
_LAST_PLAYS = 8  # plays before the end that are searched whole for more than two sides
_TELL_EVERY = 0.01  # seconds between two calls of `progress`


@dataclass(frozen=True, slots=True)
class HintMove:
    """A legal move and what it is worth.

    Attributes:
        move: the move.
        value: expected final points of the round, the mover's side minus the other (with more
            than two sides: the best other).
        stderr: standard error of the value from sampling; 0 where nothing was sampled.
    """

    move: Move
    value: float
    stderr: float


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
    progress: Callable[[Hint], object] | None = None,
) -> Hint:
    """The best play of the seat whose turn it is.

    Only what that seat can see is used: its own hand, the table, the captured cards. In the
    last deal of two players the other hand is what is left, and values are exact. Before that,
    hands that fit are sampled (all of them where one hand is hidden and the samples suffice),
    each is solved to the end of the deal, and the values are averaged.

    Args:
        position: the hand of the seat to play is known.
        seconds: longest time; None for no limit but `samples`.
        samples: most worlds to look at; 100 when `seconds` is not given either.
        seed: of the sampling; with `samples` alone the answer is the same each time.
        open: use every card that the position shows, hidden from the seat or not.
        table_mib: size of the transposition table in MiB, None to fit it to the deal.
        progress: called about every ten milliseconds between worlds, with the hint so far. True
            from it ends the hint as if the time were up; what it raises ends it too.

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
    _check(position, seconds, samples)
    moves = position.legal_moves()
    seen = position if open else position.view(position.turn)
    unseen = Unseen(seen)
    deadline = None if seconds is None else start + seconds
    if samples is None:
        samples = DEFAULT_SAMPLES if seconds is None else 1_000_000
    search = _Search(seen, deadline, table_mib)
    method, worlds = _worlds(seen, unseen, samples, seed)

    def so_far(totals: _Totals) -> Hint:
        by = method
        if isinstance(worlds, list) and totals.count < len(worlds):
            by = "samples"  # not all have been looked at
        values = [
            HintMove(move, mean, error if by == "samples" else 0.0)
            for move, (mean, error) in zip(moves, totals.means(), strict=True)
        ]
        values.sort(key=lambda item: (-item.value, str(item.move)))
        if by == "exact" and not search.is_exact:
            by = "deal"
        taken = perf_counter() - start
        exact, held = search.is_exact, totals.holds(seen)
        return Hint(values[0].move, tuple(values), by, exact, totals.count, taken, held)

    return so_far(_average(search, worlds, method, so_far, progress))


def _check(position: Position, seconds: float | None, samples: int | None) -> None:
    if position.is_over:
        raise CasinoError("the round is finished, so there is no play to advise")
    if seconds is not None and not seconds > 0:
        raise CasinoError(f"hint: seconds is more than 0, not {seconds}")
    if samples is not None and samples < 1:
        raise CasinoError(f"hint: samples is 1 or more, not {samples}")


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


class _Search:
    """Values of the root's moves in one world after the other.

    A search that does not end within its share of the budget is made again with fewer plays, down
    to the root's moves alone, which always ends; later worlds begin where the first one ended.
    """

    def __init__(self, seen: Position, deadline: float | None, table_mib: float | None) -> None:
        self._deadline = deadline
        if table_mib is None:
            table_mib = table_for(seen) if seen.stock_count == 0 else _DEAL_TABLE
        self._context = SearchContext(table_mib) if seen.rules.sides == 2 else None
        plays = sum(hand.size for hand in seen.hands)
        if self._context is None:
            self._depths = [plays if plays <= _LAST_PLAYS else _COALITION_PLAYS]
        elif seen.rules.draw and seen.stock_count:
            self._depths = [_DRAW_PLAYS]
        else:
            self._depths = [_LONG_PLAYS if plays > _LONG_DEAL else _WHOLE_DEAL]
        self._depths += [depth for depth in _LESS_DEEP if depth < self._depths[0]]
        most = _MOST_POINTS + seen.rules.sweep * plays_left(seen)
        self._unit = max(1, min(_UNIT, _LARGEST_VALUE // most))
        self.is_exact = False

    def late(self) -> bool:
        """Whether the time is up."""
        return self._deadline is not None and perf_counter() >= self._deadline

    def first_values(self, position: Position, method: str) -> list[float]:
        """Values of the moves in the first world, as deep as the budget allows."""
        if method == "exact":
            values = self._exact_values(position)
            if values is not None:
                self.is_exact = True
                return values
        while True:
            last = len(self._depths) == 1
            values = self._values(position, _MOST_NODES, self._left(0.6), unlimited=last)
            if values is not None:
                return values
            del self._depths[0]

    def next_values(self, position: Position) -> list[float] | None:
        """Values of the moves in a further world; None when the budget was used up first."""
        return self._values(position, _MOST_NODES, self._left(1.0), unlimited=False)

    def _left(self, part: float) -> float | None:
        if self._deadline is None:
            return None
        return max(part * (self._deadline - perf_counter()), 0.001)

    def _exact_values(self, position: Position) -> list[float] | None:
        assert self._context is not None
        bounds = self._context.values(position, seconds=self._left(0.6))
        if any(lower != upper for _, lower, upper in bounds):
            return None
        return [lower for _, lower, _ in bounds]

    def _values(
        self, position: Position, nodes: int, seconds: float | None, *, unlimited: bool
    ) -> list[float] | None:
        if unlimited:
            nodes, seconds = 0, None
        depth = self._depths[0]
        if self._context is None:
            worth = coalition_values(position, depth, seconds)
            return None if worth is None else [value / 100 for value in worth]
        bounds = self._context.values(
            position,
            unit=self._unit,
            to_deal=True,
            horizon=0 if depth == _WHOLE_DEAL else depth,
            nodes=nodes,
            seconds=seconds,
        )
        if any(lower != upper for _, lower, upper in bounds):
            return None
        return [lower / self._unit for _, lower, _ in bounds]


class _Totals:
    """Sums over worlds."""

    def __init__(self, moves: int, seats: int) -> None:
        self.count = 0
        self._sums = [0.0] * moves
        self._squares = [0.0] * moves
        self._held = [[0] * len(CARD_NAMES) for _ in range(seats)]

    def add(self, world: World, values: list[float]) -> None:
        self.count += 1
        for index, value in enumerate(values):
            self._sums[index] += value
            self._squares[index] += value * value
        for held, mask in zip(self._held, world.hidden, strict=True):
            while mask:
                low = mask & -mask
                held[low.bit_length() - 1] += 1
                mask ^= low

    def means(self) -> list[tuple[float, float]]:
        """Mean and standard error of each move."""
        n = self.count
        result = []
        for total, squares in zip(self._sums, self._squares, strict=True):
            variance = max(squares / n - (total / n) ** 2, 0.0)
            result.append((total / n, sqrt(variance / (n - 1)) if n > 1 else 0.0))
        return result

    def holds(self, seen: Position) -> dict[str, dict[str, float]]:
        """Share of the worlds in which a seat holds a card, for seats not all seen."""
        return {
            seen.rules.seats[seat]: {
                CARD_NAMES[card]: count / self.count for card, count in enumerate(held) if count
            }
            for seat, held in enumerate(self._held)
            if any(held)
        }


def _average(
    search: _Search,
    worlds: Iterable[World],
    method: str,
    so_far: Callable[[_Totals], Hint],
    progress: Callable[[Hint], object] | None,
) -> _Totals:
    """Look at worlds until they or the time end or `progress` has enough, at one in any case."""
    totals: _Totals | None = None
    tell_at = perf_counter() + _TELL_EVERY
    for world in worlds:
        if totals is None:
            first = search.first_values(world.position, method)
            totals = _Totals(len(first), len(world.hidden))
            totals.add(world, first)
        else:
            values = search.next_values(world.position)
            if values is None:
                break
            totals.add(world, values)
        if search.late():
            break
        if progress is not None and perf_counter() >= tell_at:
            if progress(so_far(totals)) is True:
                break
            tell_at = perf_counter() + _TELL_EVERY
    if totals is None:
        raise CasinoError("hint: no world fits what is known")
    return totals
