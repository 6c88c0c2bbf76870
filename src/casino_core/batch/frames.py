"""Data frames: tables of positions to answer, and tables of answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from casino_core._tables import Tabular, arrow_table, as_list, column_of, need
from casino_core.batch.array_analysis import ArrayAnalysis
from casino_core.batch.chunks import Chunk, LostChunk
from casino_core.batch.columns import BY_COLUMNS, columns_of, joined
from casino_core.batch.files.rows import COLUMNS, Answers, carried_names, rows
from casino_core.batch.items import BatchItem
from casino_core.errors import CasinoError, NotationError, not_copied, quoted
from casino_core.game.position import Position
from casino_core.game.round import Round

__all__ = ["BatchAnswers", "answer_columns", "answer_kinds", "frame_of"]

Run = Iterator[tuple[Chunk[Any], Any]]


@dataclass(frozen=True, slots=True)
class Frame:
    """A table with a column of positions.

    Attributes:
        positions: the positions; errors in place of what is none.
        columns: all columns by their names in the output: lists, or Arrow columns.
    """

    positions: list[Any]
    columns: dict[str, Any]


def frame_of(given: Any, column: str | None) -> Frame | None:
    """Read a table: a dictionary of columns, or anything with the Arrow stream interface.

    Args:
        given: what is to be answered.
        column: the column with the positions; None for `position`, or the only column.

    Returns:
        The table; None if it is none.

    Raises:
        CasinoError: a table that cannot be read, or without such a column.
    """
    if isinstance(given, Mapping):
        columns = {str(name): list(values) for name, values in given.items()}
    elif hasattr(given, "__arrow_c_stream__"):
        columns = _arrow_columns(given)
    elif hasattr(type(given), "columns"):
        raise CasinoError(
            f"positions: a {type(given).__name__} has no Arrow stream interface; "
            "make it a list of positions, or a frame in memory"
        )
    else:
        return None
    if len({len(values) for values in columns.values()}) > 1:
        raise CasinoError("positions: the columns have different lengths")
    name = column_of(list(columns), column)
    others = carried_names([one for one in columns if one != name])
    others[name] = "position"
    found = columns[name]
    values = found.to_pylist() if hasattr(found, "to_pylist") else found
    return Frame(list(map(_item, values)), {others[one]: values for one, values in columns.items()})


def _item(value: Any) -> Any:
    if isinstance(value, str | Position | Round):
        return value
    return NotationError(f"a position is text, not {quoted(str(value))}")


def _arrow_columns(given: Any) -> dict[str, Any]:
    """The columns of a table or of one column, which share the memory of what was given."""
    arrow = need("pyarrow", "frames")
    try:
        if not any(hasattr(type(given), name) for name in ("columns", "column_names")):
            return _column_or_table(arrow, given)
        table = arrow.table(given)
    except (arrow.ArrowException, TypeError) as error:
        raise CasinoError(f"positions: the Arrow stream cannot be read: {error}") from None
    names = table.column_names
    if len(set(names)) < len(names):
        raise CasinoError("positions: the table has two columns of one name")
    return dict(zip(names, table.columns, strict=True))


def _column_or_table(arrow: Any, given: Any) -> dict[str, Any]:
    """The columns of a stream, which is one column unless it is of structs."""
    column = arrow.chunked_array(given)
    if not arrow.types.is_struct(column.type):
        return {"position": column}
    return {
        field.name: arrow.chunked_array([part.field(at) for part in column.chunks], field.type)
        for at, field in enumerate(column.type)
    }


class BatchAnswers(Tabular):
    """The answers to a list or a table of positions: an iterator of `BatchItem`, and a table.

    Answers are made as they are taken. The table has all of them, beside the columns of the input,
    whose names get the prefix `in_` where an answer has the same.

    Args:
        task: the task of the answers.
        run: the chunks and their answers.
        columns: the columns of the input.
        items: makes `BatchItem` objects of a chunk.
    """

    def __init__(
        self,
        task: str,
        run: Run,
        columns: dict[str, Any],
        items: Callable[[Chunk[Any], Any], Iterator[BatchItem]],
    ) -> None:
        self.task = task
        self._run = run
        self._columns = columns
        self._iterator = (item for chunk, found in run for item in items(chunk, found))
        self._begun = False
        self._table: dict[str, Any] | None = None

    def __iter__(self) -> Iterator[BatchItem]:
        return self

    def __next__(self) -> BatchItem:
        self._begun = True
        return next(self._iterator)

    def __reduce__(self) -> Any:
        raise not_copied(self)

    def close(self) -> None:
        """End the batch: no more answers are made."""
        self._iterator.close()
        self._run.close()  # type: ignore[attr-defined]

    def to_dict(self) -> dict[str, Any]:
        """The columns of the input and of all answers, by name; None for missing values.

        Raises:
            CasinoError: some answers were taken by iteration before.

        Example:
            >>> from casino_core import analyze
            >>> deals = {"id": [7], "position": ["table=2s5h8dKc hands=AsTd7c9h/????"]}
            >>> found = analyze(deals, "moves").to_dict()
            >>> found["id"], found["count"], found["moves"][0][:2]
            ([7], [8], ['7c', '7c+2s=9'])
        """
        beside = {
            name: values.to_pylist() if hasattr(values, "to_pylist") else values
            for name, values in self._columns.items()
        }
        return beside | {name: as_list(values) for name, values in self._answers().items()}

    def _answers(self) -> dict[str, Any]:
        if self._table is None:
            if self._begun:
                raise CasinoError("some answers were taken already: a table has all of them")
            self._begun = True
            parts: dict[str, list[Any]] = {name: [] for name in answer_kinds(self.task)}
            for chunk, found in self._run:
                for name, values in answer_columns(self.task, chunk.size, found).items():
                    parts[name].append(values)
            self._table = {name: joined(found) for name, found in parts.items()}
        return self._table

    def _arrow(self, answers: dict[str, Any], *, empty: bool = False) -> Any:
        """The table of all columns; those of the input are not copied."""
        arrow = need("pyarrow", "frames")
        beside = {
            name: values if hasattr(values, "to_pylist") else arrow.array(map(_plain, values))
            for name, values in self._columns.items()
        }
        if empty:
            beside = {name: values[:0] for name, values in beside.items()}
        made = arrow_table(answers, answer_kinds(self.task))
        names = [*beside, *made.column_names]
        return arrow.table([*beside.values(), *made.columns], names=names)

    def __arrow_c_schema__(self) -> Any:
        """The columns and their types, for libraries that read Arrow."""
        none: dict[str, list[Any]] = {name: [] for name in answer_kinds(self.task)}
        return self._arrow(none, empty=True).schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The table as an Arrow stream, for libraries that read it.

        Args:
            requested_schema: the types that the reader would like, as a capsule, or None.
        """
        return self._arrow(self._answers()).__arrow_c_stream__(requested_schema)


def _plain(value: Any) -> Any:
    """A position as text, other values as they are."""
    return str(value) if isinstance(value, Position | Round) else value


def answer_kinds(task: str) -> dict[str, Any]:
    """The columns of the answers of a task, and their types.

    Args:
        task: the name of the task.

    Example:
        >>> list(answer_kinds("moves"))
        ['count', 'moves', 'error']
    """
    return {name: kind for name, kind in COLUMNS[task].items() if name != "line"}


def answer_columns(task: str, size: int, found: Any) -> dict[str, Any]:
    """The answers to a chunk as columns: lists, or masked arrays of NumPy.

    Args:
        task: the name of the task.
        size: the number of positions of the chunk.
        found: its answers: an `ArrayAnalysis`, a list of `BatchItem`, or a chunk that was lost.
    """
    if isinstance(found, ArrayAnalysis) and task in BY_COLUMNS:
        return columns_of(found)
    if isinstance(found, LostChunk):
        found, task_of_rows = [BatchItem(0, None, found.message)] * size, "hint"
    else:
        task_of_rows = task
    is_array = isinstance(found, ArrayAnalysis)
    answers = Answers(
        task_of_rows,
        list(range(size)),
        found if is_array else None,
        None if is_array else found,
        [{}] * size,
    )
    names = list(COLUMNS[task_of_rows])
    columns = zip(*rows(answers), strict=True) if size else ([] for _ in names)
    made = {name: list(values) for name, values in zip(names, columns, strict=True)}
    return {name: made.get(name, [None] * size) for name in answer_kinds(task)}
