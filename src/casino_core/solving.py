"""Exact values of positions in which every card is known."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Literal

from casino_core.core.position import Move, Position
from casino_core.core.solving import SearchContext
from casino_core.errors import CasinoError, SearchLimitError

__all__ = ["MoveValue", "Solution", "Solver", "Value", "solve"]


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A legal move and its exact value.

    Attributes:
        move: the move.
        value: final points of the round, the mover's side minus the other side; with an unknown
            stock their expectation, a fraction in floating point.
    """

    move: Move
    value: float


@dataclass(frozen=True, slots=True)
class Solution:
    """The exact value of every legal move.

    Attributes:
        value: final points of the round, the mover's side minus the other, both playing best.
        best: a best move, None when the round is finished.
        moves: every legal move with its value, best first, ties by text.
        pv: best play to the end of the round; with an unknown stock, to the end of the deal.
        nodes: positions searched.
        seconds: time that it took.
    """

    value: float
    best: Move | None
    moves: tuple[MoveValue, ...]
    pv: tuple[Move, ...]
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Value:
    """The exact value of a position.

    Attributes:
        value: final points of the round, the mover's side minus the other, both playing best.
        best: a best move, None when the round is finished.
        nodes: positions searched.
    """

    value: int
    best: Move | None
    nodes: int


class Solver:
    """Solves positions, one after the other, and keeps what it has learnt in a table.

    A solver is not for two threads at once; give each its own.

    Args:
        table_mib: size of the transposition table in MiB.

    Raises:
        CasinoError: a size that is none.

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
        self._context = SearchContext(table_mib)

    def clear(self) -> None:
        """Forget what the table holds. Values do not depend on it, only times do."""
        self._context.clear()

    def value(self, position: Position, *, nodes: int = 0, seconds: float | None = None) -> Value:
        """Value and a best move, cheaper than `solve`.

        Args:
            position: every card known.
            nodes: most positions to search, 0 for no limit.
            seconds: longest time, None for no limit.

        Raises:
            HiddenCardError: a card is not known.
            SearchLimitError: the limit was reached first.
            CasinoError: more than two sides.
        """
        if position.is_over:
            return Value(_final(position), None, 0)
        value, best = self._context.best(position, nodes=nodes, seconds=seconds)
        return Value(value, best, self._context.nodes)

    def solve(
        self,
        position: Position,
        *,
        stock: Literal["known", "unknown"] = "known",
        nodes: int = 0,
        seconds: float | None = None,
    ) -> Solution:
        """The exact value of every legal move, and best play.

        Args:
            position: every card known; with an unknown stock, all but the order of the stock.
            stock: "unknown" for the exact expectation over the cards of the last deal, before
                which the position stands, of two players who know each other's hand until then;
                an order that the position gives is not used.
            nodes: most positions to search, 0 for no limit.
            seconds: longest time, None for no limit.

        Raises:
            HiddenCardError: a card is not known.
            SearchLimitError: the limit was reached first.
            CasinoError: more than two sides; an unknown stock of more than the last deal.
        """
        start = perf_counter()
        if stock not in ("known", "unknown"):
            raise CasinoError(f"stock is known or unknown, not {stock!r}")
        if position.is_over:
            return Solution(_final(position), None, (), (), 0, perf_counter() - start)
        expect = stock == "unknown" and position.stock_count > 0
        moves = self._values(position, expect, nodes, seconds)
        searched = self._context.nodes
        if expect:
            line = self._expected_line(position, moves[0].move)
        else:
            line = self.line(position, first=moves[0].move)
        return Solution(
            moves[0].value, moves[0].move, tuple(moves), line, searched, perf_counter() - start
        )

    def _values(
        self, position: Position, expect: bool, nodes: int, seconds: float | None
    ) -> list[MoveValue]:
        """Exact values of all moves, best first."""
        bounds = self._context.values(position, nodes=nodes, seconds=seconds, expect=expect)
        if any(lower != upper for _, lower, upper in bounds):
            raise SearchLimitError(
                f"the search ended at its limit after {self._context.nodes} nodes without all "
                "exact values"
            )
        unit = self._context.unit
        return sorted(
            (MoveValue(move, lower / unit if expect else lower) for move, lower, _ in bounds),
            key=lambda item: (-item.value, str(item.move)),
        )

    def _expected_line(self, position: Position, first: Move) -> tuple[Move, ...]:
        """Best play to the end of the deal, the stock being unknown."""
        plays = [first]
        stock = position.stock_count
        position = position.play(first)
        while position.stock_count == stock:
            plays.append(self._values(position, True, 0, None)[0].move)
            position = position.play(plays[-1])
        return tuple(plays)

    def line(self, position: Position, *, first: Move | None = None) -> tuple[Move, ...]:
        """Best play of both sides from a position to the end of the round.

        Args:
            position: every card known.
            first: the first play, where it is known already.

        Raises:
            HiddenCardError: a card is not known.
            CasinoError: more than two sides.
        """
        plays = []
        while not position.is_over:
            if first is None:
                first = self._context.best(position)[1]
            plays.append(first)
            position = position.play(first)
            first = None
        return tuple(plays)


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
    """A table in MiB that fits the search of a position: making one costs time, too.

    Args:
        position: the position to be searched.

    Example:
        >>> table_for(Position.start(seed=1))
        256
    """
    plays = plays_left(position)
    return next((mib for most, mib in _TABLES if plays <= most), _LARGEST_TABLE)


# Plays left, and the MiB that a search of so many uses well.
_TABLES = ((8, 0.25), (16, 4), (24, 32))
_LARGEST_TABLE = 256


def solve(
    position: Position,
    *,
    stock: Literal["known", "unknown"] = "known",
    table_mib: float | None = None,
    nodes: int = 0,
    seconds: float | None = None,
) -> Solution:
    """The exact value of every legal move of a position, and best play.

    Args:
        position: every card known: all hands, all piles, and the order of the stock.
        stock: "unknown" for the exact expectation over the last deal; see `Solver.solve`.
        table_mib: size of the transposition table in MiB, None to fit it to the plays left.
        nodes: most positions to search, 0 for no limit.
        seconds: longest time, None for no limit.

    Raises:
        HiddenCardError: a card is not known.
        SearchLimitError: the limit was reached first.
        CasinoError: more than two sides.

    Example:
        >>> position = Position.parse(
        ...     "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
        ...     "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
        ... )
        >>> solution = solve(position)
        >>> solution.value, str(solution.best), len(solution.pv)
        (-1, 'Jh', 4)
    """
    solver = Solver(table_for(position) if table_mib is None else table_mib)
    return solver.solve(position, stock=stock, nodes=nodes, seconds=seconds)


def _final(position: Position) -> int:
    """Value of a finished round for the side whose turn it is said to be."""
    score = position.score()
    if len(score) != 2:
        raise CasinoError("exact values are for two sides: two players, or four in partnership")
    side = position.rules.side_of(position.rules.seats.index(position.turn))
    return score[side] - score[1 - side]
