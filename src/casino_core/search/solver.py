"""Exact values of positions in which every card is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from threading import Lock
from time import perf_counter
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from casino_core._arguments import CALLBACK, MIB, NODES, SECONDS, instance_of, one_of
from casino_core._tables import Tabular
from casino_core.errors import CasinoError, SearchLimitError
from casino_core.game.position import Move, Position
from casino_core.search.draws import expected_draws
from casino_core.search.maxn import MaxnContext
from casino_core.search.root import SearchContext, table_size

__all__ = ["MoveValue", "Solution", "SolveProgress", "Solver", "Value", "solve"]

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")

#: What `solve` takes for the stock.
STOCKS = ("known", "unknown")

_POSITION = instance_of(Position)
_FEW_PLAYS = 8  # with no more plays left a small table suffices for any search
_MAXN_TABLE = 16.0  # MiB: max^n does not prune, so it meets more transpositions


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A legal move and its exact value.

    Attributes:
        move: the move.
        value: final points of the round, the mover's side minus the other side (with more than two
            sides: the best other side); with an unknown stock their expectation, as a float. None
            if a limit was met first.
        lower: a proven lower bound of the value, equal to it if it is exact.
        upper: a proven upper bound of the value.
    """

    move: Move
    value: float | None
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Solution(Tabular):
    """The exact value of every legal move.

    Attributes:
        value: final points of the round with best play, the mover's side minus the other side (with
            more than two sides: the best other side). None if a limit was met first.
        best: a best move; None if the round is finished; if a limit was met, the move with the best
            bounds.
        moves: every legal move with its value, best first, ties by text; with more than two sides
            ties by the final points of all sides (see `Solver`), then by text.
        pv: the principal variation, best play to the end of the round; with an unknown stock, to
            the end of the deal. If a limit was met, as much of it as was found.
        nodes: number of positions searched.
        seconds: time of the search.
        lower: a proven lower bound of the value, equal to it if it is exact.
        upper: a proven upper bound of the value.
        exact: whether the values of all moves are exact.
    """

    value: float | None
    best: Move | None
    moves: tuple[MoveValue, ...]
    pv: tuple[Move, ...]
    nodes: int
    seconds: float
    lower: float
    upper: float
    exact: bool

    def _kinds(self) -> dict[str, type]:
        return {"move": str, "value": float, "lower": float, "upper": float}

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        return ((str(one.move), one.value, one.lower, one.upper) for one in self.moves)

    def _repr_html_(self) -> str:
        """The table that a notebook shows."""
        from casino_core.render.html import solution_html  # drawn only where it is asked for

        return solution_html(self)


@dataclass(frozen=True, slots=True)
class Value:
    """The exact value of a position.

    Attributes:
        value: final points of the round with best play, the mover's side minus the other side (with
            more than two sides: the best other side). None if a limit was met first.
        best: a best move; None if the round is finished; if a limit was met, the best found so far.
        nodes: number of positions searched.
        lower: a proven lower bound of the value, equal to it if it is exact.
        upper: a proven upper bound of the value.
    """

    value: int | None
    best: Move | None
    nodes: int
    lower: int
    upper: int


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """The progress of a search.

    Attributes:
        nodes: number of positions searched.
        settled: number of moves whose exact value is known; equivalent moves count once.
        moves: number of moves to settle.
        lower: a proven lower bound of the value.
        upper: a proven upper bound of the value.
    """

    nodes: int
    settled: int
    moves: int
    lower: float
    upper: float


def _one_at_a_time(
    method: Callable[Concatenate[Solver, _Given], _Answer],
) -> Callable[Concatenate[Solver, _Given], _Answer]:
    """A method that refuses a second call while one is under way, with or without the GIL."""

    @wraps(method)
    def guarded(self: Solver, /, *args: _Given.args, **given: _Given.kwargs) -> _Answer:
        if not self._free.acquire(blocking=False):
            raise CasinoError("a solver answers one call at a time; give each thread its own")
        try:
            return method(self, *args, **given)
        finally:
            self._free.release()

    return guarded


class Solver:
    """Solves positions one after the other and keeps its transposition table between calls.

    With more than two sides each plays for itself (max^n): it maximizes the lead of its points over
    those of the best other side; among equal leads its own points; then it minimizes the points of
    the side that plays next, then of the one after it. So values do not depend on the order of
    moves. Such a search proves no bounds on its way: if it meets a limit, there is no answer. It
    is meant for the last deal.

    A solver is not for two threads at once; give each thread its own. A copy, also by `pickle`, is
    a new one with an empty table of the same size.

    Args:
        table_mib: size of the transposition table in MiB.

    Raises:
        CasinoError: the size is not valid.

    Example:
        >>> position = Position.parse(
        ...     "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
        ...     "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
        ... )
        >>> solver = Solver()
        >>> solver.value(position).value
        -1
        >>> [(str(item.move), item.value) for item in solver.solve(position).moves]
        [('Jh', -1), ('JhxJd', -1), ('JhxJs', -1), ('Kc', -1)]
    """

    def __init__(self, table_mib: float = 16) -> None:
        self._table_mib = MIB("table_mib", table_mib)
        self._free = Lock()
        self._context = SearchContext(self._table_mib)
        self._maxn: MaxnContext | None = None  # made on first use

    def __reduce__(self) -> tuple[Any, ...]:
        return Solver, (self._table_mib,)

    @_one_at_a_time
    def clear(self) -> None:
        """Empty the table. Values do not depend on its content, only times do."""
        self._context.clear()
        if self._maxn is not None:
            self._maxn.clear()

    @_one_at_a_time
    def value(self, position: Position, *, nodes: int = 0, seconds: float | None = None) -> Value:
        """Value and a best move, cheaper than `solve`.

        Args:
            position: every card known.
            nodes: most positions to search, 0 for no limit.
            seconds: longest time, None for no limit.

        Raises:
            HiddenCardError: a card is not known.
            SearchLimitError: a limit was met, with more than two sides.
        """
        return self._value(position, nodes, seconds)[0]

    @_one_at_a_time
    def value_and_leads(
        self, position: Position, *, nodes: int = 0, seconds: float | None = None
    ) -> tuple[Value, tuple[int, ...] | None]:
        """As `value`, with the lead of each side: its points minus those of the best other side.

        The leads are None if a limit was met first.

        Args:
            position: every card known.
            nodes: most positions to search, 0 for no limit.
            seconds: longest time, None for no limit.

        Raises:
            HiddenCardError: a card is not known.
            SearchLimitError: a limit was met, with more than two sides.
        """
        found, points = self._value(position, nodes, seconds)
        if points is not None:
            return found, _leads(points)
        if found.value is None:
            return found, None
        lead = -found.value if _side(position) else found.value
        return found, (lead, -lead)

    def _value(
        self, position: Position, nodes: int, seconds: float | None
    ) -> tuple[Value, Sequence[int] | None]:
        """The value, and the final points where they come with it: in a finished round, and with
        more than two sides."""
        _POSITION("position", position)
        limits = _Limits.of(nodes, seconds)
        if position.is_over:
            value = _final(position)
            return Value(value, None, 0, value, value), position.score()
        if position.rules.sides > 2:
            maxn, found = self._max_n(position, limits)
            best, value, points = found[0]
            return Value(value, best, maxn.nodes, value, value), points
        lower, upper, best = self._context.best(
            position, nodes=limits.nodes, seconds=limits.seconds()
        )
        exact = lower if lower == upper else None
        return Value(exact, best, self._context.nodes, lower, upper), None

    @_one_at_a_time
    def solve(
        self,
        position: Position,
        *,
        stock: Literal["known", "unknown"] = "known",
        nodes: int = 0,
        seconds: float | None = None,
        progress: Callable[[SolveProgress], object] | None = None,
    ) -> Solution:
        """The exact value of every legal move, and best play.

        With a limit, the bounds of all moves are narrowed step by step, so that much is proven
        when the limit is met.

        Args:
            position: every card known; with an unknown stock, all but the order of the stock.
            stock: "unknown" for the exact expectation over the cards of the last deal, which
                comes next, for two players who know each other's hand until then; in draw casino
                over the last draws, up to four. An order of the stock in the position is ignored.
            nodes: most positions to search, 0 for no limit.
            seconds: longest time, None for no limit.
            progress: called about every ten milliseconds of a long search, from within it. If it
                returns True, the search ends as at a limit; if it raises, the search ends too.

        Raises:
            HiddenCardError: a card is not known.
            SearchLimitError: a limit was met, with more than two sides or an expectation over
                draws.
            CasinoError: an unknown stock of more than the last deal, or with more than two
                players.
        """
        start = perf_counter()
        _POSITION("position", position)
        one_of(STOCKS)("stock", stock)
        CALLBACK.if_given("progress", progress)
        limits = _Limits.of(nodes, seconds)
        if position.is_over:
            value = _final(position)
            taken = perf_counter() - start
            return Solution(value, None, (), (), 0, taken, value, value, exact=True)
        expect = stock == "unknown" and position.stock_count > 0
        report = None if progress is None else _Report(progress)
        if position.rules.sides > 2:
            return self._solve_for_each(position, expect, limits, report, start)
        if expect and position.rules.draw:
            return self._solve_draws(position, limits, start)
        moves = self._values(position, expect, limits, report)
        if report is not None and report.ended:
            limits = _Limits(1, None)  # the principal variation from the table alone
        searched = self._context.nodes
        lower = max(item.lower for item in moves)
        upper = max(item.upper for item in moves)
        first = moves[0].move
        exact = all(item.value is not None for item in moves)
        line: Iterator[Move] = iter(())
        if lower == upper:
            line = self._line(position, first, limits, expect=expect)
        return Solution(
            lower if lower == upper else None,
            first,
            tuple(moves),
            tuple(line),
            searched,
            perf_counter() - start,
            lower,
            upper,
            exact,
        )

    def _solve_draws(self, position: Position, limits: _Limits, start: float) -> Solution:
        """The answer of `solve` for the last draws of draw casino."""

        def value(known: Position) -> tuple[int, int]:
            if known.is_over:
                return _final(known), 1
            lower, upper, _ = self._context.best(known, seconds=limits.seconds())
            if lower < upper:
                raise SearchLimitError(
                    "the search ended at its limit: an expectation over draws has no bounds"
                )
            return lower, self._context.nodes

        found, nodes = expected_draws(position, value, limits.nodes, limits.deadline)
        best, expected = found[0]
        return Solution(
            expected,
            best,
            tuple(MoveValue(move, worth, worth, worth) for move, worth in found),
            (best,),
            nodes,
            perf_counter() - start,
            expected,
            expected,
            exact=True,
        )

    def _solve_for_each(
        self,
        position: Position,
        expect: bool,
        limits: _Limits,
        report: _Report | None,
        start: float,
    ) -> Solution:
        """The answer of `solve` with more than two sides."""
        if expect:
            raise CasinoError(
                "the expectation over an unknown stock is exact before the last deal of two "
                "players only; hint works with what is seen"
            )
        maxn, found = self._max_n(position, limits, report)
        nodes = maxn.nodes
        best, value, _ = found[0]
        return Solution(
            value,
            best,
            tuple(MoveValue(move, lead, lead, lead) for move, lead, _ in found),
            tuple(self._line(position, best, limits)),
            nodes,
            perf_counter() - start,
            value,
            value,
            exact=True,
        )

    def _max_n(
        self, position: Position, limits: _Limits, report: _Report | None = None
    ) -> tuple[MaxnContext, list[tuple[Move, int, tuple[int, ...]]]]:
        """The search for more than two sides and its result: moves with the mover's lead and the
        points of all sides, best first."""
        if self._maxn is None:
            self._maxn = MaxnContext(self._table_mib)
        seconds = limits.seconds()
        return self._maxn, self._maxn.values(
            position, nodes=limits.nodes, seconds=seconds, report=report
        )

    def _values(
        self,
        position: Position,
        expect: bool,
        limits: _Limits,
        report: _Report | None = None,
    ) -> list[MoveValue]:
        """Values of all moves, or their bounds, best first."""
        found = self._context.values(
            position,
            nodes=limits.nodes,
            seconds=limits.seconds(),
            expect=expect,
            narrow=limits.any,
            report=report,
        )
        unit = self._context.unit
        values = []
        for move, low, high in found:
            lower, upper = (low / unit, high / unit) if expect else (low, high)
            values.append(MoveValue(move, lower if low == high else None, lower, upper))
        values.sort(key=lambda item: (-item.lower, -item.upper, str(item.move)))
        return values

    def _line(
        self, position: Position, first: Move | None, limits: _Limits, *, expect: bool = False
    ) -> Iterator[Move]:
        """Best play to the end of the round, or of the deal with an unknown stock; less within
        limits."""
        stock = position.stock_count
        while not position.is_over and (not expect or position.stock_count == stock):
            best = first
            if best is None and expect:
                values = self._values(position, expect, limits)
                if values[0].lower < max(item.upper for item in values):
                    return
                best = values[0].move
            elif best is None and position.rules.sides > 2:
                try:
                    best = self._max_n(position, limits)[1][0][0]
                except SearchLimitError:
                    return
            elif best is None:
                lower, upper, best = self._context.best(
                    position, nodes=limits.nodes, seconds=limits.seconds()
                )
                if lower < upper:
                    return
            yield best
            position = position.play(best)
            first = None

    @_one_at_a_time
    def line(self, position: Position, *, first: Move | None = None) -> tuple[Move, ...]:
        """Best play of all sides from a position to the end of the round.

        Args:
            position: every card known.
            first: the first play, if it is known already.

        Raises:
            HiddenCardError: a card is not known.
        """
        _POSITION("position", position)
        if first is not None:
            first = position.move(first)
        return tuple(self._line(position, first, _Limits(0, None)))


class _Report:
    """Passes reports of the core to `progress`, and remembers whether that ended the search."""

    def __init__(self, progress: Callable[[SolveProgress], object]) -> None:
        self._progress = progress
        self.ended = False

    def __call__(self, nodes: int, settled: int, moves: int, lower: float, upper: float) -> bool:
        self.ended = self._progress(SolveProgress(nodes, settled, moves, lower, upper)) is True
        return self.ended


@dataclass(frozen=True, slots=True)
class _Limits:
    """Limits of a call: nodes of each search (0: none), and a deadline (None: none)."""

    nodes: int
    deadline: float | None

    @classmethod
    def of(cls, nodes: int, seconds: float | None) -> _Limits:
        """Limits that start now."""
        if type(nodes) is int and not nodes and seconds is None:
            return _NO_LIMITS
        nodes, seconds = NODES("nodes", nodes), SECONDS.if_given("seconds", seconds)
        return cls(nodes, None if seconds is None else perf_counter() + seconds)

    @property
    def any(self) -> bool:
        return self.nodes != 0 or self.deadline is not None

    def seconds(self) -> float | None:
        """What is left of the time."""
        return None if self.deadline is None else max(self.deadline - perf_counter(), 0.0)


_NO_LIMITS = _Limits(0, None)


def plays_left(position: Position) -> int:
    """Plays from a position to the end of its round.

    Args:
        position: any position.

    Example:
        >>> plays_left(Position.start(seed=1))
        48
    """
    return sum(hand.size for hand in position.hands) + position.stock_count


def table_for(position: Position) -> float:
    """Size in MiB of a table that suits the search of a position; allocating one costs time too.

    Args:
        position: the position to be searched.

    Example:
        >>> table_for(Position.start(seed=1))
        256.0
    """
    plays = plays_left(position)
    if position.rules.sides > 2 and plays > _FEW_PLAYS:
        return max(table_size(plays), _MAXN_TABLE)
    return table_size(plays)


def solve(
    position: Position,
    *,
    stock: Literal["known", "unknown"] = "known",
    table_mib: float | None = None,
    nodes: int = 0,
    seconds: float | None = None,
    progress: Callable[[SolveProgress], object] | None = None,
) -> Solution:
    """The exact value of every legal move of a position, and best play.

    Args:
        position: every card known: all hands, all piles, and the order of the stock.
        stock: "unknown" for the exact expectation over the last deal; see `Solver.solve`.
        table_mib: size of the transposition table in MiB, None to fit it to the plays left.
        nodes: most positions to search, 0 for no limit.
        seconds: longest time, None for no limit. If a limit is met, `Solution.exact` is False and
            each move has its proven bounds (two sides only).
        progress: called now and then in a long search; see `Solver.solve`.

    Raises:
        HiddenCardError: a card is not known.
        SearchLimitError: a limit was met, with more than two sides: there are no bounds then.
        CasinoError: an unknown stock of more than the last deal, or with more than two players.

    Example:
        >>> position = Position.parse(
        ...     "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
        ...     "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
        ... )
        >>> solution = solve(position)
        >>> solution.value, str(solution.best), len(solution.pv)
        (-1, 'Jh', 4)
    """
    _POSITION("position", position)
    solver = Solver(table_for(position) if table_mib is None else table_mib)
    return solver.solve(position, stock=stock, nodes=nodes, seconds=seconds, progress=progress)


def _final(position: Position) -> int:
    """Value of a finished round for the side of `turn`."""
    return _leads(position.score())[_side(position)]


def _side(position: Position) -> int:
    """The side whose turn it is."""
    return position.rules.side_of(position.rules.seats.index(position.turn))


def _leads(points: Sequence[int]) -> tuple[int, ...]:
    """What each side has more than the best other."""
    return tuple(
        own - max(other for place, other in enumerate(points) if place != side)
        for side, own in enumerate(points)
    )
