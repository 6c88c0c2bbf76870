"""Answers of a batch as rows of plain values, and as lines of JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from casino_core.batch.analysis import BatchItem
from casino_core.batch.array_analysis import ArrayAnalysis
from casino_core.formats.answers import (
    hint_fields,
    json_line,
    listed_fields,
    moves_fields,
    score_fields,
    value_fields,
)

__all__ = ["COLUMNS", "Answers", "json_lines", "rows"]

#: Columns of each task and the kinds of their values; a kind in a list is that of a list.
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
        "method": str,
        "coverage": str,
        "exact": bool,
        "samples": int,
        "stopped": str,
        "holds": str,
        "search": str,
        "reasons": [str],
    },
}
for _columns in COLUMNS.values():
    _columns["error"] = str


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to some positions of a file.

    Attributes:
        task: of all of them.
        numbers: of their lines.
        arrays: the answers, of any task but `hint`.
        hints: the answers of that.
    """

    task: str
    numbers: list[int]
    arrays: ArrayAnalysis | None
    hints: list[BatchItem] | None

    def errors(self) -> Iterator[tuple[int, str]]:
        """(number, message) of each item that has failed."""
        places = range(len(self.numbers)) if self.arrays is None else self.arrays.failed()
        for index in places:
            error = self.error(index)
            if error is not None:
                yield self.numbers[index], error

    def error(self, index: int) -> str | None:
        """What went wrong with an item, or None.

        Args:
            index: of the item.
        """
        if self.arrays is not None:
            return self.arrays.error(index)
        assert self.hints is not None
        return self.hints[index].error


def json_lines(answers: Answers) -> bytes:
    """An object a line, as the commands print it, with the number of the line first.

    Args:
        answers: of any task.
    """
    lines = []
    for index, (number, fields) in enumerate(zip(answers.numbers, _objects(answers), strict=True)):
        error = answers.error(index) if fields is None else None
        told = {"error": error} if fields is None else fields
        lines.append(json_line({"line": number, **told}) + "\n")
    return "".join(lines).encode()


def _objects(answers: Answers) -> Iterator[dict[str, Any] | None]:
    """The answer to each item, None where it has failed."""
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


def rows(answers: Answers) -> Iterator[list[Any]]:
    """A row of the task's columns for each item, None where it has nothing.

    Args:
        answers: of any task.
    """
    names = list(COLUMNS[answers.task])
    for index, (number, fields) in enumerate(zip(answers.numbers, _objects(answers), strict=True)):
        cells = {"error": answers.error(index)} if fields is None else _cells(fields)
        yield [{**cells, "line": number}.get(name) for name in names]


def _cells(fields: dict[str, Any]) -> dict[str, Any]:
    """An answer with a list for each property of its moves, and with bounds in any case."""
    cells = {"lower": fields.get("value"), "upper": fields.get("value"), **fields}
    listed = fields.get("moves")
    if listed and isinstance(listed[0], dict):
        cells["moves"] = [item["move"] for item in listed]
        for name in listed[0].keys() - {"move"}:
            cells[f"{name}s"] = [item[name] for item in listed]
    if "holds" in fields:
        cells["holds"] = json_line(fields["holds"])
    return cells
