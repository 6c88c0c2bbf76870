"""Values of the moves of a position in many worlds, in threads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from math import comb
from time import perf_counter
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from casino_core.evaluation.goal import Goal
from casino_core.evaluation.match_goal import CHANCE_UNIT
from casino_core.game.position import Position
from casino_core.hidden.worlds import Worlds
from casino_core.hints.open_worlds import WorldSearch
from casino_core.hints.playouts import PlayoutSearch
from casino_core.hints.response import ResponseSearch
from casino_core.search.coalition import coalition_values
from casino_core.search.last_deals import LastDeals
from casino_core.search.limits import Watched
from casino_core.search.solver import plays_left, table_for

__all__ = ["Evaluator", "TooLargeError", "can_end_exactly", "orders_stock", "world_search"]

_Result = TypeVar("_Result")

_LOOK = 0.02  # seconds between looks to the caller while threads work

_ESTIMATE = "learned"  # of the rest of the round, at the end of a deal

_UNIT = 60  # parts of a point that a search to the end of a deal counts in
_MOST_POINTS = 40  # of a round, without sweeps, with room to spare
_LARGEST_VALUE = 15_000  # that a search counts with
_DEAL_TABLE = 4  # MiB of table for searches to the end of a deal

_WHOLE_DEAL = 99  # a search to the end of the deal
_LONG_DEAL = 10  # plays of a deal from which a search stops before its end
_LONG_PLAYS = 6  # plays that are searched of such a deal
_DRAW_PLAYS = 6  # plays that are searched where each draws a card
_LESS_DEEP = (4, 2, 1)  # plays searched where more take too long

_MOST_NODES = 1_000_000  # of one world, before it is searched less deeply
_LEAST_NODES = 1000
_NODES_A_SECOND = 300_000  # of the time for all worlds, that the first one may take

_FIRST_LOT = 64  # worlds that answers are searched over together
_FIRST_LOT_OF_MANY = 8  # the same with more than two seats
_LOT = 512
_LARGEST_LOT_COST = 2_000_000  # worlds of a lot, times the square of the moves to compare
_LEAST_SECONDS = 0.02  # for a first world where the time was up before it
_MOST_VISITS = 2000  # for one move and world; a usual deal has less than a hundred
_LARGEST_SUM = 100_000_000

_PLAYS_TO_MEANS = 4  # plays before the last deal that are searched to exact means of it
_COALITION_PLAYS = 4  # plays that are searched for more than two sides
_LAST_PLAYS = 8  # plays before the end that are searched whole for more than two sides

_STOCKS = 6  # orders of the stock that are played out for each world
_MOST_PLAYED = 600  # of moves and orders, unless there are more moves
_DRAW_PLAYOUT = 16  # careful plays that are made of it where each draws a card
_PARTNERS_PLAYOUT = 12  # the same with partners


class TooLargeError(Exception):
    """A response search that would take too long."""


class Evaluator(Protocol):
    """Values of moves in worlds."""

    #: For each legal move, in the order of their texts, its column of values. Moves that count
    #: the same have one column.
    rows: list[int]

    #: Worlds that are looked at together, at first and at most.
    lots: tuple[int, int]

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

    def watch_by(self, ask: Callable[[], bool]) -> None:
        """Lets the caller end a search.

        Args:
            ask: called now and then while worlds are valued; True ends it as if the time were up.
        """
        ...

    def evaluate(
        self, worlds: Worlds, wanted: bytes, deadline: float | None, *, least: bool
    ) -> NDArray[np.float64]:
        """Values in points, or chances to win the match: a row for each world, fewer where the
        time was up.

        Args:
            worlds: the worlds.
            wanted: a byte for each column that is not 0 where it is to be valued.
            deadline: on the clock of `time.perf_counter`, None for none.
            least: whether one world at least is to be valued, whatever the time.
        """
        ...


def world_search(
    seen: Position,
    search: str,
    table_mib: float | None,
    threads: int,
    seconds: float | None,
    goal: Goal | None = None,
    *,
    exact_end: bool = False,
) -> Evaluator:
    """The evaluator of the moves of a position in worlds.

    Args:
        seen: the position as its mover sees it.
        search: "blend", "response", "playouts" or "pimc".
        table_mib: size of the transposition table in MiB, None to fit it to the deal.
        threads: the number of threads.
        seconds: a time limit for all worlds, None for no limit.
        goal: makes the values chances to win the match, instead of points.
        exact_end: whether the end of the deal is worth the exact mean of the last deal, where
            `can_end_exactly` allows it.
    """
    ends = [LastDeals(seen) for _ in range(threads)] if exact_end else [None] * threads
    if search == "response":
        return _Answers(seen, ends, seconds, goal)
    if search == "playouts":
        return _Playouts(seen, threads, goal)
    if search == "pimc":
        return _solved(seen, table_mib, ends, seconds, goal)
    fair: _Answers | _Playouts
    if _blends_playouts(seen):
        fair = _Playouts(seen, threads, goal)
    else:
        fair = _Answers(seen, ends, seconds, goal)
    return _Blend(fair, _solved(seen, table_mib, ends, seconds, goal, fair.rows))


def orders_stock(seen: Position, search: str) -> bool:
    """Whether each world needs an order of the stock.

    Args:
        seen: the position as its mover sees it.
        search: as for `world_search`.
    """
    if not seen.stock_count or search == "response":
        return False
    plays_out = search == "playouts" or (search == "blend" and _blends_playouts(seen))
    return seen.rules.draw or plays_out


def _blends_playouts(seen: Position) -> bool:
    """Whether a blend has playouts.

    The best response is for two hands: with more of them hidden, few worlds lead to a later turn of
    the mover, which then seems to know all hands.
    """
    return seen.rules.players > 2 or (seen.rules.draw and seen.stock_count > 0)


def _solved(
    seen: Position,
    table_mib: float | None,
    ends: Sequence[LastDeals | None],
    seconds: float | None,
    goal: Goal | None,
    rows: list[int] | None = None,
) -> _TwoSides | _ManySides:
    """Search with open cards; `rows` are those of another evaluator, which it shall have too."""
    if seen.rules.sides != 2:
        return _ManySides(seen, rows)
    return _TwoSides(seen, table_mib, ends, seconds, goal)


def can_end_exactly(seen: Position) -> bool:
    """Whether the mean of the last deal, which comes next, is worth its time: with few plays before
    it.

    Args:
        seen: the position as its mover sees it.
    """
    plays = sum(hand.size for hand in seen.hands)
    if plays > _PLAYS_TO_MEANS or not LastDeals.fits(seen):
        return False
    splits = comb(seen.stock_count, seen.stock_count // 2)
    return splits * _most_points(seen) <= _LARGEST_VALUE


def _unit(seen: Position, ends: Sequence[LastDeals | None], largest: int) -> int:
    """The parts of a point that a search counts in, with no value above the largest."""
    if ends[0] is not None:
        return ends[0].splits
    return max(1, min(_UNIT, largest // _most_points(seen)))


def _most_points(seen: Position) -> int:
    """No side gains more on the other in the rest of the round."""
    return _MOST_POINTS + seen.rules.sweep * plays_left(seen)


class _Threaded:
    """Searches with threads of their own, which end with them."""

    _halting: Sequence[Watched] = ()
    _ask: Callable[[], bool] | None = None

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._pool is None:
            return
        if kind is not None:  # threads see no signal
            self._halt()
        self._pool.shutdown(cancel_futures=True)

    def watch_by(self, ask: Callable[[], bool]) -> None:
        """Lets `ask` end the searches: it is called in the caller's thread alone."""
        self._ask = ask
        if self._pool is None:
            for search in self._halting:
                search.watch_by(ask)

    def _halt(self) -> None:
        for search in self._halting:
            search.halt()

    def _each(self, work: Callable[..., _Result], *items: Iterable[Any]) -> list[_Result]:
        """What work makes of the items, in their order, those of the same place together."""
        if self._pool is None:
            return list(map(work, *items))
        futures = [self._pool.submit(work, *item) for item in zip(*items, strict=False)]
        left: Collection[Future[_Result]] = futures
        while left:
            _, left = wait(left, timeout=_LOOK)
            if self._ask is not None and self._ask():
                self._halt()
        return [future.result() for future in futures]


class _TwoSides(_Threaded):
    """Exact search to the end of the deal, or less deep if that takes too long."""

    def __init__(
        self,
        seen: Position,
        table_mib: float | None,
        ends: Sequence[LastDeals | None],
        seconds: float | None,
        goal: Goal | None,
    ) -> None:
        super().__init__(len(ends))
        self.lots = (8, 64)
        if table_mib is None:
            table_mib = table_for(seen) if seen.stock_count == 0 else _DEAL_TABLE
        plays = sum(hand.size for hand in seen.hands)
        if seen.rules.draw and seen.stock_count:
            first = _DRAW_PLAYS
        else:
            first = _LONG_PLAYS if plays > _LONG_DEAL else _WHOLE_DEAL
        depths = bytes([first, *(depth for depth in _LESS_DEEP if depth < first)])
        unit = _unit(seen, ends, _LARGEST_VALUE)
        self._one = unit if goal is None else CHANCE_UNIT
        self._nodes = _MOST_NODES
        if seconds is not None:
            self._nodes = int(min(max(_LEAST_NODES, _NODES_A_SECOND * seconds), _MOST_NODES))
        self._searches = [
            WorldSearch(
                seen,
                table_mib=table_mib,
                unit=unit,
                depths=depths,
                goal=goal,
                last_deals=last,
                estimate=_ESTIMATE,
            )
            for last in ends
        ]
        self._halting = self._searches
        self._last = len(depths) - 1
        self.rows: list[int] = self._searches[0].classes
        self._level: int | None = None  # the depth that the first worlds allowed

    def evaluate(
        self, worlds: Worlds, wanted: bytes, deadline: float | None, *, least: bool
    ) -> NDArray[np.float64]:
        few, _ = self.lots
        if self._level is None and len(worlds) > few:  # these tell how deep to search the others
            first = self.evaluate(worlds[:few], wanted, deadline, least=least)
            if len(first) < few:
                return first
            rest = self.evaluate(worlds[few:], wanted, deadline, least=False)
            return np.concatenate([first, rest])
        distinct, places, _ = worlds.distinct()
        share = -(-len(distinct) // len(self._searches))
        parts = [distinct[i : i + share] for i in range(0, len(distinct), share)]
        begin = self._level or 0
        found = self._each(
            lambda search, part: self._part(search, part, wanted, deadline, begin),
            self._searches[: len(parts)],
            parts,
        )
        values = _whole_rows([part_values for part_values, _ in found], parts)
        # Those worlds that come before the first one not valued.
        values = values[places[: np.argmax(np.append(places, len(values)) >= len(values))]]
        if self._level is None:
            self._level = max(reached for _, reached in found)
        if least and not len(values):
            values, _ = self._part(self._searches[0], worlds[:1], wanted, None, self._last)
        return values

    def _part(
        self,
        search: WorldSearch,
        worlds: Worlds,
        wanted: bytes,
        deadline: float | None,
        level: int,
    ) -> tuple[NDArray[np.float64], int]:
        orders = None if worlds.orders is None else worlds.orders.tobytes()
        found, done, reached = search.values(
            worlds.masks.tobytes(),
            orders=orders,
            wanted=wanted,
            level=level,
            nodes=self._nodes,
            deadline=deadline or 0,
        )
        columns = len(wanted)
        values = np.frombuffer(found, dtype=np.int32).reshape(done, columns) / self._one
        return values, reached


class _Answers(_Threaded):
    """The best answers to careful players, over what the mover can tell apart."""

    def __init__(
        self,
        seen: Position,
        ends: Sequence[LastDeals | None],
        seconds: float | None,
        goal: Goal | None,
    ) -> None:
        super().__init__(len(ends))
        unit = _unit(seen, ends, _LARGEST_SUM)
        self._one = unit if goal is None else CHANCE_UNIT
        # Worlds that are looked at together decide together, so the more the better; in little
        # time a small lot comes first.
        first = _FIRST_LOT if len(seen.rules.seats) == 2 else _FIRST_LOT_OF_MANY
        # On a crowded table lots are small, and the size depends on the position alone.
        self._searches = [
            ResponseSearch(seen, unit=unit, goal=goal, last_deals=last, estimate=_ESTIMATE)
            for last in ends
        ]
        self.rows: list[int] = self._searches[0].classes
        most = max(1, min(_LOT, _LARGEST_LOT_COST // (max(self.rows) + 1) ** 2))
        if seconds is not None:  # then an answer of one world comes soon
            self.lots = (first if most >= first else 1, most)
        else:
            self.lots = (most, most)
        self._halting = self._searches

    def evaluate(
        self, worlds: Worlds, wanted: bytes, deadline: float | None, *, least: bool
    ) -> NDArray[np.float64]:
        distinct, places, times = worlds.distinct()
        # Each thread looks at its share of the moves, in all worlds.
        count = len(self._searches)
        shares = [
            bytes(chosen if row % count == number else 0 for row, chosen in enumerate(wanted))
            for number in range(count)
        ]
        parts = self._each(
            lambda search, share: search.values(
                distinct.masks.tobytes(),
                wanted=share,
                times=times.astype(np.int32).tobytes(),
                visits=_MOST_VISITS,
                deadline=deadline or 0,
            ),
            self._searches,
            shares,
        )
        ends = {end for _, end in parts}
        if "visits" in ends:
            raise TooLargeError
        if "time" not in ends:
            values = np.zeros((len(distinct), len(wanted)))
            for found, _ in parts:
                values += np.frombuffer(found, dtype=np.int32).reshape(values.shape)
            return values[places] / self._one
        if least and len(worlds) == 1:
            raise TooLargeError
        if not least or (self._ask is not None and self._ask()):
            return np.empty((0, len(wanted)))
        return self.evaluate(worlds[:1], wanted, perf_counter() + _LEAST_SECONDS, least=least)


def _playout_of(seen: Position) -> int:
    """The careful plays of a playout, 0 for play to the end of the round.

    With two sides the estimate of the rest adds less error than the stock does.
    """
    if seen.rules.sides != 2:
        return 0
    return _DRAW_PLAYOUT if seen.rules.draw else _PARTNERS_PLAYOUT if seen.rules.partners else 0


class _Playouts(_Threaded):
    """Careful play of all seats, with several orders of the stock in each world."""

    def __init__(self, seen: Position, threads: int, goal: Goal | None) -> None:
        super().__init__(threads)
        self.lots = (8, 64)
        self._one = _UNIT if goal is None else CHANCE_UNIT
        plays = _playout_of(seen)
        self._searches = [
            PlayoutSearch(seen, unit=_UNIT, plays=plays, goal=goal) for _ in range(threads)
        ]
        self._halting = self._searches
        self.rows: list[int] = self._searches[0].classes
        is_drawn = seen.stock_count > 0 and seen.stock is None
        self._stocks = max(1, min(_STOCKS, _MOST_PLAYED // len(self.rows))) if is_drawn else 1

    def evaluate(
        self, worlds: Worlds, wanted: bytes, deadline: float | None, *, least: bool
    ) -> NDArray[np.float64]:
        share = -(-len(worlds) // len(self._searches))
        parts = [worlds[i : i + share] for i in range(0, len(worlds), share)]
        found = self._each(
            lambda search, part: self._part(search, part, wanted, deadline, self._stocks),
            self._searches[: len(parts)],
            parts,
        )
        values = _whole_rows(found, parts)
        if least and not len(values):
            values = self._part(self._searches[0], worlds[:1], wanted, None, 1)
        return values

    def _part(
        self,
        search: PlayoutSearch,
        worlds: Worlds,
        wanted: bytes,
        deadline: float | None,
        stocks: int,
    ) -> NDArray[np.float64]:
        orders = bytes(52 * len(worlds)) if worlds.orders is None else worlds.orders.tobytes()
        found, done = search.values(
            worlds.masks.tobytes(),
            orders=orders,
            wanted=wanted,
            stocks=stocks,
            deadline=deadline or 0,
        )
        return np.frombuffer(found, dtype=np.int32).reshape(done, len(wanted)) / self._one


class _Blend:
    """The mean of a method without hidden cards and of perfect information, in each world.

    The one relies too much on careful opponents, the other on all sides knowing all cards.
    """

    def __init__(self, answers: _Answers | _Playouts, solved: _TwoSides | _ManySides) -> None:
        assert answers.rows == solved.rows
        self._answers = answers
        self._solved = solved
        self.rows = answers.rows
        self.lots = (answers if isinstance(answers, _Answers) else solved).lots

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._answers.__exit__(kind, error, traceback)
        self._solved.__exit__(kind, error, traceback)

    def watch_by(self, ask: Callable[[], bool]) -> None:
        self._answers.watch_by(ask)
        self._solved.watch_by(ask)

    def evaluate(
        self, worlds: Worlds, wanted: bytes, deadline: float | None, *, least: bool
    ) -> NDArray[np.float64]:
        answered = self._answers.evaluate(worlds, wanted, deadline, least=least)
        if not len(answered):
            return answered
        solved = self._solved.evaluate(worlds[: len(answered)], wanted, deadline, least=least)
        return (answered[: len(solved)] + solved) / 2


def _whole_rows(values: list[NDArray[np.float64]], parts: list[Worlds]) -> NDArray[np.float64]:
    """The rows of the parts, up to the first world that was not evaluated."""
    rows = []
    for found, part in zip(values, parts, strict=True):
        rows.append(found)
        if len(found) < len(part):
            break
    return np.concatenate(rows)


class _ManySides(_Threaded):
    """Paranoid search: the other sides play as one against the mover's."""

    def __init__(self, seen: Position, rows: list[int] | None = None) -> None:
        super().__init__(threads=1)
        self._watched = Watched()
        self._halting = [self._watched]
        self.lots = (8, 8)
        plays = sum(hand.size for hand in seen.hands)
        first = plays if plays <= _LAST_PLAYS else _COALITION_PLAYS
        self._depths = [first, *(depth for depth in _LESS_DEEP if depth < first)]
        self.rows: list[int] = rows or list(range(len(seen.some_legal_moves())))
        #: The move of each row.
        self._shown = [self.rows.index(row) for row in range(max(self.rows) + 1)]

    def evaluate(
        self,
        worlds: Worlds,
        wanted: bytes,
        deadline: float | None,
        *,
        least: bool,
    ) -> NDArray[np.float64]:
        rows: list[list[int]] = []
        for world in worlds:
            values = self._values(world.position, deadline, least=least and not rows)
            if values is None:
                break
            rows.append(values)
        found = np.array(rows, dtype=np.float64).reshape(len(rows), len(self.rows)) / 100
        return found[:, self._shown]

    def _values(
        self, position: Position, deadline: float | None, *, least: bool
    ) -> list[int] | None:
        """Values in one world, by less deep searches for the least one if the time demands it."""
        while True:
            left = None if deadline is None else max(deadline - perf_counter(), 0.0)
            if least and left is not None:
                left = 0.6 * left if len(self._depths) > 1 else None
            values = coalition_values(position, self._depths[0], left, self._watched)
            if values is not None or not least or (self._ask is not None and self._ask()):
                return values
            del self._depths[0]
