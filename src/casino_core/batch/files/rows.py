"""Answers of a batch as rows of plain values and as JSON objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

from casino_core.batch.array_analysis import ArrayAnalysis
from casino_core.batch.items import BatchItem
from casino_core.errors import NotationError, quoted
from casino_core.formats.answers import (
    hint_fields,
    json_line,
    listed_fields,
    moves_fields,
    score_fields,
    value_fields,
)

__all__ = ["COLUMNS", "Answers", "carried_names", "json_lines", "rows"]

#: Columns of each task and the types of their values; a type in a list means a list of it.
COLUMNS: dict[str, dict[str, Any]] = {
    "value": {"line": int, "value": int, "lower": int, "upper": int, "best": str, "nodes": int},
    "solve": {
        "line": int,
        "value": int,
        "lower": int,
        "upper": int,
        "best": str,
        "moves": [str],
        "values": [int],
        "pv": [str],
        "nodes": int,
    },
    "moves": {"line": int, "count": int, "moves": [str]},
    "score": {"line": int, "points": [int]},
    "hint": {
        "line": int,
        "best": str,
        "moves": [str],
        "values": [float],
        "stderrs": [float],
        "chances": [float],
        "gap_stderrs": [float],
        "method": str,
        "coverage": str,
        "exact": bool,
        "samples": int,
        "stopped": str,
        "holds": str,
        "search": str,
        "reasons": [str],
        "objective": str,
        "unit": str,
    },
}
for _columns in COLUMNS.values():
    _columns["error"] = str

#: Names used by answers of any task in any format.
_TAKEN = {name for columns in COLUMNS.values() for name in columns} | {"position", "turn"}


def carried_names(names: list[str]) -> dict[str, str]:
    """The output names of copied columns, the same for all tasks.

    Args:
        names: the names in the input, without that of the position.

    Raises:
        CasinoError: two columns would have the same name.

    Example:
        >>> carried_names(["id", "value"])
        {'id': 'id', 'value': 'in_value'}
    """
    found = {name: f"in_{name}" if name in _TAKEN else name for name in names}
    for name, carried in found.items():
        if carried != name and carried in found:
            raise NotationError(
                f"the input has {quoted(name)} and {quoted(carried)}: of the first, whose name an "
                "answer has, comes the second"
            )
    return found


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to some positions of a file.

    Attributes:
        task: the task of all answers.
        numbers: the numbers of their lines.
        arrays: the answers of any task but `hint`.
        hints: the answers of the task `hint`.
        carried: the copied columns of each position.
    """

    task: str
    numbers: list[int]
    arrays: ArrayAnalysis | None
    hints: list[BatchItem] | None
    carried: list[dict[str, Any]]

    def errors(self) -> Iterator[tuple[int, str]]:
        """Number and message of each item that has failed."""
        places = range(len(self.numbers)) if self.arrays is None else self.arrays.failed()
        for index in places:
            error = self.error(index)
            if error is not None:
                yield self.numbers[index], error

    def error(self, index: int) -> str | None:
        """The error of an item, or None.

        Args:
            index: of the item.
        """
        if self.arrays is not None:
            return self.arrays.error(index)
        assert self.hints is not None
        return self.hints[index].error


def json_lines(answers: Answers) -> bytes:
    """An object per item, as the commands print it, with the number of the line first.

    Args:
        answers: answers of any task.
    """
    lines = []
    for index, (number, fields) in enumerate(zip(answers.numbers, _objects(answers), strict=True)):
        if fields is None:
            fields = {"error": answers.error(index)}
        beside = answers.carried[index]
        if beside:
            fields = {**fields, **json.loads(json.dumps(_finite(beside), default=str))}
        lines.append(json_line({"line": number, **fields}) + "\n")
    return "".join(lines).encode()


def _finite(value: Any) -> Any:
    """A value for JSON, which has no infinity and no NaN."""
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _objects(answers: Answers) -> Iterator[dict[str, Any] | None]:
    """The answer to each item, None for failed ones."""
    if answers.hints is not None:
        for item in answers.hints:
            yield None if item.answer is None else hint_fields(item.answer, timed=False)
        return
    assert answers.arrays is not None
    failed = set(answers.arrays.failed())
    for index, fields in enumerate(_OF_ARRAYS[answers.task](answers.arrays)):
        yield None if index in failed else fields


def _moves(found: ArrayAnalysis) -> Iterator[dict[str, Any] | None]:
    for index, moves in enumerate(found.all_moves(as_text=True)):
        if found.error(index) is None:
            yield moves_fields(found.positions[index], moves)
        else:
            yield None


def _scores(found: ArrayAnalysis) -> Iterator[dict[str, Any]]:
    sides = [one.sides for one in found.positions.rules]
    indices = found.positions.data["rules"].tolist()
    for index, points in zip(indices, found.points.tolist(), strict=True):
        yield score_fields(points[: sides[index]] if index < len(sides) else [])


def _values(found: ArrayAnalysis) -> Iterator[dict[str, Any]]:
    columns = (found.lower.tolist(), found.upper.tolist(), found.best_texts(), found.nodes.tolist())
    return map(value_fields, *columns)


def _solutions(found: ArrayAnalysis) -> Iterator[dict[str, Any]]:
    bounds = list(zip(found.moves["lower"].tolist(), found.moves["upper"].tolist(), strict=True))
    columns = (found.lower.tolist(), found.upper.tolist(), found.nodes.tolist())
    texts = (found.all_moves(as_text=True), found.all_lines(as_text=True))
    for start, low, high, nodes, moves, line in zip(
        found.offsets.tolist(), *columns, *texts, strict=False
    ):
        listed = zip(moves, bounds[start : start + len(moves)], strict=True)
        yield listed_fields([(move, *pair) for move, pair in listed], line, low, high, nodes)


_OF_ARRAYS: dict[str, Callable[[ArrayAnalysis], Iterator[dict[str, Any] | None]]] = {
    "moves": _moves,
    "score": _scores,
    "solve": _solutions,
    "value": _values,
}


def rows(answers: Answers, carried: Iterable[str] = ()) -> Iterator[list[Any]]:
    """A row of the task's columns for each item; None for missing values.

    Args:
        answers: answers of any task.
        carried: the copied columns of the input, which follow.
    """
    names = list(COLUMNS[answers.task])
    for index, (number, fields) in enumerate(zip(answers.numbers, _objects(answers), strict=True)):
        cells = {"error": answers.error(index)} if fields is None else _cells(fields)
        row = {**cells, "line": number}
        yield [*map(row.get, names), *map(answers.carried[index].get, carried)]


def _cells(fields: dict[str, Any]) -> dict[str, Any]:
    """An answer with a list for each property of its moves, and always with bounds."""
    cells = {"lower": fields.get("value"), "upper": fields.get("value"), **fields}
    listed = fields.get("moves")
    if listed and isinstance(listed[0], dict):
        cells["moves"] = [item["move"] for item in listed]
        for name in listed[0].keys() - {"move"}:
            cells[f"{name}s"] = [item[name] for item in listed]
    if "holds" in fields:
        cells["holds"] = json_line(fields["holds"])
    return cells
