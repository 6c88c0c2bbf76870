"""The answers to an array of positions as columns, without a row of Python values for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from casino_core._tables import as_list
from casino_core.batch.array_analysis import ArrayAnalysis
from casino_core.batch.statuses import Status

__all__ = ["BY_COLUMNS", "columns_of", "joined"]

Columns = dict[str, Any]


def columns_of(found: ArrayAnalysis) -> Columns:
    """The columns of the answers of a task in `BY_COLUMNS`: lists, or masked arrays of NumPy.

    Args:
        found: the answers.

    Example:
        >>> from casino_core import PositionArray, analyze
        >>> positions = PositionArray.from_texts(["table=2s5h8dKc hands=AsTd7c9h/????", "x"])
        >>> columns_of(analyze(positions, "moves"))["count"].tolist()
        [8, None]
    """
    failed = found.status > Status.LIMIT
    errors: list[str | None] = [None] * len(found)
    for index in np.flatnonzero(failed).tolist():
        errors[index] = found.error(index)
    return {**BY_COLUMNS[found.task](found, failed), "error": errors}


def _values(found: ArrayAnalysis, failed: Any) -> Columns:
    bounded = failed | (found.lower != found.upper)
    whole = {"lower": found.lower, "upper": found.upper}
    return {
        "value": np.ma.array(found.lower, mask=bounded),
        **{name: np.ma.array(bound, mask=failed) for name, bound in whole.items()},
        "best": _but(found.best_texts(), failed),
        "nodes": np.ma.array(found.nodes, mask=failed),
    }


def _moves(found: ArrayAnalysis, failed: Any) -> Columns:
    texts = found.all_moves(as_text=True)
    return {
        "count": np.ma.array(found.answers["moves"], mask=failed),
        "moves": _but(texts, failed),
    }


def _scores(found: ArrayAnalysis, failed: Any) -> Columns:
    sides = [one.sides for one in found.positions.rules]
    rules = found.positions.data["rules"].tolist()
    points = [
        of_sides[: sides[at]] if at < len(sides) else []
        for at, of_sides in zip(rules, found.points.tolist(), strict=True)
    ]
    return {"points": _but(points, failed)}


def _but(values: list[Any], failed: Any) -> list[Any]:
    """A column with None where there is no answer."""
    for index in np.flatnonzero(failed).tolist():
        values[index] = None
    return values


#: How the answers of each task become columns.
BY_COLUMNS: Final[dict[str, Callable[[ArrayAnalysis, Any], Columns]]] = {
    "moves": _moves,
    "score": _scores,
    "value": _values,
}


def joined(parts: list[Any]) -> Any:
    """The parts of a column as one.

    Args:
        parts: masked arrays or lists.

    Example:
        >>> joined([[1], [2, None]]), joined([])
        ([1, 2, None], [])
    """
    if parts and all(isinstance(part, np.ma.MaskedArray) for part in parts):
        return np.ma.concatenate(parts)  # type: ignore[no-untyped-call]
    return [value for part in parts for value in as_list(part)]
