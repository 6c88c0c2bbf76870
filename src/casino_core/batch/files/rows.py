"""Answers of a batch as rows of plain values, and as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from casino_core.batch.analysis import BatchItem
from casino_core.batch.array_analysis import ArrayAnalysis

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
        "method": str,
        "exact": bool,
        "samples": int,
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
    errors = dict(answers.errors())
    if answers.task == "value":
        return _value_lines(answers, errors)
    lines = []
    for number, fields in zip(answers.numbers, _objects(answers), strict=True):
        if number in errors:
            fields = {"error": errors[number]}
        lines.append(json.dumps({"line": number, **fields}) + "\n")
    return "".join(lines).encode()


def _value_lines(answers: Answers, errors: dict[int, str]) -> bytes:
    """By hand: these are many and short."""
    found = answers.arrays
    assert found is not None
    lines = []
    columns = (found.lower.tolist(), found.upper.tolist(), found.nodes.tolist())
    for number, low, high, nodes, move in zip(
        answers.numbers, *columns, found.best_texts(), strict=True
    ):
        if number in errors:
            lines.append(json.dumps({"line": number, "error": errors[number]}) + "\n")
            continue
        best = "null" if move is None else f'"{move}"'
        if low == high:
            text = f'{{"line": {number}, "value": {low}, "best": {best}, "nodes": {nodes}}}\n'
        else:
            text = (
                f'{{"line": {number}, "value": null, "best": {best}, "nodes": {nodes}, '
                f'"exact": false, "lower": {low}, "upper": {high}}}\n'
            )
        lines.append(text)
    return "".join(lines).encode()


def _objects(answers: Answers) -> Iterator[dict[str, Any]]:
    if answers.task == "hint":
        yield from _hint_objects(answers)
        return
    found = answers.arrays
    assert found is not None
    if answers.task == "score":
        for points in _points(found):
            yield {"points": points}
    elif answers.task == "moves":
        for index, moves in enumerate(found.all_moves(as_text=True)):
            if found.error(index) is not None:
                yield {}
                continue
            position = found.positions[index]
            yield {
                "position": str(position),
                "turn": position.turn,
                "count": len(moves),
                "moves": moves,
            }
    else:
        yield from _solve_objects(found)


def _points(found: ArrayAnalysis) -> Iterator[list[int]]:
    sides = [one.sides for one in found.positions.rules]
    indices = found.positions.data["rules"].tolist()
    for index, points in zip(indices, found.points.tolist(), strict=True):
        yield points[: sides[index]] if index < len(sides) else []


def _solve_objects(found: ArrayAnalysis) -> Iterator[dict[str, Any]]:
    lowest, highest = found.moves["lower"].tolist(), found.moves["upper"].tolist()
    columns = (found.lower.tolist(), found.upper.tolist(), found.nodes.tolist())
    texts = (found.all_moves(as_text=True), found.all_lines(as_text=True))
    start = 0
    for low, high, nodes, moves, line in zip(*columns, *texts, strict=True):
        exact = True
        listed: list[dict[str, Any]] = []
        for move, lower, upper in zip(
            moves,
            lowest[start : start + len(moves)],
            highest[start : start + len(moves)],
            strict=True,
        ):
            listed.append({"move": move, "value": lower if lower == upper else None})
            exact = exact and lower == upper
        if not exact:
            for item, lower, upper in zip(listed, lowest[start:], highest[start:], strict=False):
                item |= {"lower": lower, "upper": upper}
        start += len(moves)
        fields: dict[str, Any] = {
            "value": low if low == high else None,
            "best": moves[0] if moves else None,
            "moves": listed,
            "pv": line,
            "nodes": nodes,
        }
        if not exact:
            fields |= {"exact": False, "lower": low, "upper": high}
        yield fields


def _hint_objects(answers: Answers) -> Iterator[dict[str, Any]]:
    assert answers.hints is not None
    for item in answers.hints:
        found = item.answer
        if found is None:
            yield {}
            continue
        yield {
            "best": str(found.best),
            "moves": [
                {
                    "move": str(move.move),
                    "value": move.value,
                    "stderr": move.stderr,
                    "chance": move.chance,
                }
                for move in found.moves
            ],
            "method": found.method,
            "exact": found.exact,
            "samples": found.samples,
            "holds": found.holds,
        }


def rows(answers: Answers) -> Iterator[list[Any]]:
    """A row of the task's columns for each item, None where it has nothing.

    Args:
        answers: of any task.
    """
    names = list(COLUMNS[answers.task])
    objects: Iterator[dict[str, Any]]
    if answers.task == "value":
        objects = (json.loads(line) for line in json_lines(answers).splitlines())
    else:
        objects = _objects(answers)
    for index, (number, fields) in enumerate(zip(answers.numbers, objects, strict=True)):
        error = answers.error(index)
        if error is not None:
            fields = {}
        elif answers.task in ("value", "solve"):
            fields = {"lower": fields["value"], "upper": fields["value"], **fields}
        if "moves" in fields and fields["moves"] and isinstance(fields["moves"][0], dict):
            listed = fields["moves"]
            fields["moves"] = [item["move"] for item in listed]
            fields["values"] = [item["value"] for item in listed]
            fields["stderrs"] = [item.get("stderr") for item in listed]
        yield [{**fields, "line": number, "error": error}.get(name) for name in names]
