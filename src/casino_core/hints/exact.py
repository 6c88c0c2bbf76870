"""The search to the end of the round where nothing is hidden, for points or for the match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from casino_core.evaluation.goal import Goal
from casino_core.game.position import Move, Position
from casino_core.search.chances import ChanceContext
from casino_core.search.root import SearchContext
from casino_core.search.solver import plays_left, table_for

__all__ = ["Bounds", "ExactSearch", "exact_search"]

#: Every legal move with bounds of its value, equal if it is exact.
Bounds: TypeAlias = Sequence[tuple[Move, float, float]]


class ExactSearch(Protocol):
    """A search that goes on where it was ended."""

    def __call__(
        self,
        *,
        nodes: int = 0,
        seconds: float | None = None,
        ask: Callable[[], bool] | None = None,
    ) -> Bounds:
        """Bounds of the values of the moves.

        Args:
            nodes: the most nodes to search, 0 for no limit.
            seconds: a time limit, None for none.
            ask: called now and then; True ends the search.
        """
        ...


def exact_search(position: Position, goal: Goal | None, table_mib: float | None) -> ExactSearch:
    """The search of a position in which every card is known.

    Args:
        position: not finished, of two sides.
        goal: the chances to win the match, None to play for points.
        table_mib: size of the transposition table of a search for points, None to fit it.

    Example:
        >>> position = Position.parse(
        ...     "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
        ...     "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
        ... )
        >>> max(value for _, value, _ in exact_search(position, None, None)())
        -1
    """
    if goal is not None:
        return _search_of_chances(ChanceContext(goal, plays_left(position)), position)
    table = table_for(position) if table_mib is None else table_mib
    return _search_of_points(SearchContext(table), position)


def _search_of_points(context: SearchContext, position: Position) -> ExactSearch:
    def search(
        *,
        nodes: int = 0,
        seconds: float | None = None,
        ask: Callable[[], bool] | None = None,
    ) -> Bounds:
        report = None if ask is None else lambda *_: ask()
        return context.values(position, nodes=nodes, seconds=seconds, report=report)

    return search


def _search_of_chances(context: ChanceContext, position: Position) -> ExactSearch:
    def search(
        *,
        nodes: int = 0,
        seconds: float | None = None,
        ask: Callable[[], bool] | None = None,
    ) -> Bounds:
        context.watch_by(ask)
        return context.values(position, nodes=nodes, seconds=seconds)

    return search
