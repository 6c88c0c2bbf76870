"""Answers for many positions: values, solutions, moves, scores or hints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from concurrent.futures import Executor
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any, Literal, Protocol, TypeAlias, cast, overload

import numpy as np
from numpy.typing import NDArray

from casino_core._arguments import (
    CALLBACK,
    MIB,
    NODES,
    SECONDS,
    THREADS,
    Kind,
    instance_of,
    one_of,
    shown,
)
from casino_core.batch.array_analysis import ArrayAnalysis, to_moves
from casino_core.batch.arrays import ANSWER_DTYPE, LISTED_DTYPE, MOVE_DTYPE, PositionArray, as_bytes
from casino_core.batch.chunks import Chunk, ChunkSizes, LostChunk, Lots, ordered
from casino_core.batch.frames import BatchAnswers, frame_of
from casino_core.batch.items import BatchItem
from casino_core.batch.loops import TASKS, BatchSearch, StopSign
from casino_core.batch.progress import bar_for
from casino_core.batch.records import round_seed
from casino_core.batch.statuses import Status
from casino_core.errors import CasinoError, WorkerError
from casino_core.formats.reading import read
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.hints.answer import Hint
from casino_core.hints.hint import hint
from casino_core.hints.options import options_of, untimed
from casino_core.search.solver import MoveValue, Solution, Value

__all__ = ["BatchItem", "BatchProgress", "analyze"]

Task: TypeAlias = Literal["value", "solve", "hint", "moves", "score"]
Answer: TypeAlias = Value | Solution | Hint | tuple[Move, ...] | tuple[int, ...]
Item: TypeAlias = str | Position | Round | CasinoError


class ArrowStream(Protocol):
    """A table with the Arrow stream interface."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The table as a stream."""


#: Largest size in MiB of each worker's table; it grows as positions need it.
LARGEST_TABLE = 32.0

_SEARCH_BUDGET: dict[str, Kind[Any]] = {"nodes": NODES, "seconds": SECONDS, "table_mib": MIB}
#: The limits and options of each task.
_BUDGETS: dict[str, dict[str, Kind[Any]]] = {
    "value": _SEARCH_BUDGET,
    "solve": _SEARCH_BUDGET,
    "moves": {},
    "score": {},
    "hint": {option.name: option.batch or option.kind for option in options_of("batch")},
}


def limits_of(task: str) -> list[str]:
    """The names of the limits and options of a task.

    Args:
        task: the name of the task.

    Example:
        >>> limits_of("value")
        ['nodes', 'seconds', 'table_mib']
    """
    return list(_BUDGETS[task])


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """The progress of a batch.

    Attributes:
        done: items answered, failed ones included.
        failed: items that ended with an error.
        total: number of all items, None if it is not known.
        seconds: time since the start.
    """

    done: int
    failed: int
    total: int | None
    seconds: float


class Worker:
    """The worker of a batch: a function of a chunk, for any thread or process.

    Args:
        task: the name of the task.
        budget: limits of each item, checked here.
    """

    def __init__(self, task: str, budget: dict[str, Any]) -> None:
        self.task = one_of(_BUDGETS)("task", task)
        kinds = _BUDGETS[task]
        self.budget = {}
        for name, value in budget.items():
            if name not in kinds:
                known = ", ".join(kinds) or "nothing"
                raise CasinoError(f"the task {task} takes {known}, not {name}")
            if value is not None:
                self.budget[name] = kinds[name](name, value)
        if task == "hint":
            self.budget = untimed(self.budget)
        self.stop = StopSign()
        self._searches: SimpleQueue[BatchSearch] = SimpleQueue()  # idle ones

    @property
    def settings(self) -> dict[str, Any]:
        """The settings on which the answers depend: the task and its limits, defaults included."""
        found = {"task": self.task, **self.budget}
        found |= {name: str(found[name]) for name in ("belief", "history") if name in found}
        if self.task == "hint":
            found.setdefault("seed", 0)
        elif self.task in ("value", "solve"):
            found.setdefault("table_mib", LARGEST_TABLE)
            if not found.get("nodes"):
                found.pop("nodes", None)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return Worker, (self.task, self.budget)

    def arrays(self, positions: PositionArray) -> ArrayAnalysis:
        """Answer an array, for any task but `hint`.

        Args:
            positions: as many as one call of the core answers.
        """
        answers = np.zeros(len(positions), ANSWER_DTYPE)
        try:
            search = self._searches.get_nowait()
        except Empty:
            search = BatchSearch(self.budget.get("table_mib", LARGEST_TABLE), self.stop)
        moves, lines = search.answer(
            TASKS[self.task],
            as_bytes(positions.data),
            positions.compiled,
            as_bytes(answers),
            self.budget.get("nodes", 0),
            self.budget.get("seconds"),
        )
        self._searches.put(search)
        return ArrayAnalysis(
            self.task,
            positions,
            answers,
            np.frombuffer(moves, LISTED_DTYPE),
            np.frombuffer(lines, MOVE_DTYPE),
        )

    def hints(self, first: int, items: Iterable[Item]) -> list[BatchItem]:
        """Hints for items, each with a seed from its number.

        Args:
            first: number of the first item.
            items: texts, Positions, or errors.
        """
        budget = dict(self.budget)
        seed, history = budget.pop("seed", 0), budget.pop("history", None)
        found = []
        for index, item in enumerate(items, first):
            if self.stop.raised:
                raise KeyboardInterrupt
            try:
                asked: Position | Round = item if isinstance(item, Round) else _position(item)
                if history is not None:
                    asked = _within(history, asked)
                answer = hint(asked, seed=round_seed(seed, index), **budget)
                found.append(BatchItem(index, answer, None))
            except CasinoError as error:
                found.append(BatchItem(index, None, str(error)))
        return found

    def __call__(self, chunk: Chunk[Any]) -> Any:
        """Answers to a chunk of items: a list for hints, else arrays."""
        if self.task == "hint":
            items = chunk.items
            return self.hints(chunk.first, _items(items))
        if isinstance(chunk.items, PositionArray):
            return self.arrays(chunk.items)
        return self.arrays(PositionArray.from_texts(chunk.items))


def _items(items: Any) -> Iterator[Item]:
    """The items of a chunk; items of an array that could not be read are errors."""
    if not isinstance(items, PositionArray):
        yield from items
        return
    for index in range(len(items)):
        try:
            yield items[index]
        except CasinoError as error:
            yield error


def _within(history: Round, asked: Position | Round) -> Round:
    """The round up to a position, with the plays that led to it."""
    if isinstance(asked, Round):
        raise CasinoError("history: a Round has its own plays, so it takes no history")
    seen, last = asked.view(asked.turn), history
    while (at := last.position).turn != asked.turn or at.view(at.turn) != seen:
        if not last.plays:
            raise CasinoError("history: the plays do not lead to the position")
        last = last.undo()
    return last


def _position(item: Item) -> Position:
    if isinstance(item, str):
        return read(item).position
    if isinstance(item, Position):
        return item
    if isinstance(item, CasinoError):
        raise item
    raise CasinoError(f"a position is a Position or its text, not {type(item).__name__}")


@overload
def analyze(
    positions: PositionArray,
    task: Literal["value", "solve", "moves", "score"] = "value",
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[BatchProgress], object] | bool | None = None,
    chunk: int | None = None,
    column: str | None = None,
    **budget: Any,
) -> ArrayAnalysis: ...
@overload
def analyze(
    positions: PositionArray,
    task: Literal["hint"],
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[BatchProgress], object] | bool | None = None,
    chunk: int | None = None,
    column: str | None = None,
    **budget: Any,
) -> BatchAnswers: ...
@overload
def analyze(
    positions: Iterable[str | Position | Round] | Mapping[str, Any] | ArrowStream,
    task: Task = "value",
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[BatchProgress], object] | bool | None = None,
    chunk: int | None = None,
    column: str | None = None,
    **budget: Any,
) -> BatchAnswers: ...
def analyze(
    positions: Iterable[str | Position | Round] | Mapping[str, Any] | ArrowStream | PositionArray,
    task: Task = "value",
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[BatchProgress], object] | bool | None = None,
    chunk: int | None = None,
    column: str | None = None,
    **budget: Any,
) -> BatchAnswers | ArrayAnalysis:
    """Answers many positions, in order; an error of one does not stop the others.

    Each answer is the same as that of a single call, for any number of workers, any executor and
    any size of chunks, unless a limit in seconds is reached.

    Args:
        positions: position lines or `Position`, for hints also a `Round` with its plays. The
            iterable may be endless: items are taken as they are needed, and answers come as they
            are made. A `PositionArray` gives arrays of answers; its positions with most cards left
            to play are answered first. Also a table: a frame of pandas, Polars or pyarrow, anything
            else with the Arrow stream interface, or a dictionary of columns; see `BatchAnswers`.
        task: `value` (as `Solver.value`), `solve`, `moves` (the legal ones), `score` (of
            finished rounds) or `hint`.
        workers: number of threads; None for the number of processors. With an executor, the
            number of workers to keep busy if the executor does not say how many it has.
        executor: any `concurrent.futures.Executor`, of processes or machines, as `get_executor()`
            of a Dask client gives. A chunk whose worker is lost is run again, three times in all.
        progress: called with a `BatchProgress` after each chunk; True shows a bar.
        chunk: number of positions per chunk, given to one worker; None to adapt it to the time
            that positions take.
        column: of a table, the column with the positions; None for `position`, or the only one.
        **budget: limits of each item: `nodes`, `seconds`, and `table_mib` of a worker's table
            (tasks value and solve); of task hint `seconds`, `samples`, `seed`, `method`,
            `belief`, `open`, `table_mib` and `measure_all`, as `hint` takes them, and `history`, a
            `Round` in which every position was reached. Without a limit each item takes 100
            samples (20,000 with `mcts`) and has no time limit, so that answers do not depend on
            the machine. The seed of each item is derived from `seed` and its number.

    Raises:
        CasinoError: unknown task or invalid limit.
        WorkerError: the executor is broken; the message names the first item without an answer.
            For an array there are no answers at all.

    Example:
        >>> lines = [
        ...     "rules=pagat-royal table=3h8sKc hands=2sKs/3d8h piles=" + "?" * 20 + "/" + "?" * 25,
        ...     "table=2s5h8dKc hands=AsTd7c9h/????",
        ...     "table=2s2s",
        ... ]
        >>> for item in analyze(lines, task="moves"):
        ...     print(item.index, item.error or [str(move) for move in item.answer][:2])
        0 ['2s', '2s+3h8s=13']
        1 ['7c', '7c+2s=9']
        2 table: 2s is there twice
    """
    worker = Worker(task, budget)
    workers = THREADS.if_given("workers", workers)
    executor = instance_of(Executor).if_given("executor", executor)
    column = instance_of(str).if_given("column", column)
    frame = None if isinstance(positions, PositionArray) else frame_of(positions, column)
    if frame is not None:
        positions = frame.positions
    elif column is not None:
        raise CasinoError("column is for a table of positions")
    if isinstance(positions, str | bytes | Position) or not isinstance(positions, Iterable):
        raise CasinoError(f"positions are a list or another iterable, not {shown(positions)}")
    total = len(positions) if isinstance(positions, Sized) else None
    reported = _callback(progress, total)
    sizes = ChunkSizes(chunk, total)
    order = None
    if isinstance(positions, PositionArray) and task in ("value", "solve"):
        order = _hardest_first(positions)
    run = ordered(
        worker,
        _chunks(positions, order),
        workers=workers,
        executor=executor,
        sizes=sizes,
        stop=worker.stop,
    )
    if isinstance(positions, PositionArray) and task != "hint":
        parts = []
        try:
            for piece, found in _reported(run, reported, total):
                parts.append(lost_arrays(task, piece) if _is_lost(found) else found)
        except WorkerError as error:
            raise WorkerError(
                "the executor is broken and takes no more work: the array is not answered"
            ) from error
        return ArrayAnalysis.joined(task, positions, parts, order)
    columns = {} if frame is None else frame.columns
    return BatchAnswers(task, _reported(run, reported, total), columns, _items_of)


def _callback(
    progress: Callable[[BatchProgress], object] | bool | None, total: int | None
) -> Callable[[BatchProgress], object] | None:
    """What to call after each chunk: a bar for True."""
    if isinstance(progress, bool):
        return bar_for(total) if progress else None
    return CALLBACK.if_given("progress", progress)


def _hardest_first(positions: PositionArray) -> NDArray[np.int64] | None:
    """Indices of the items, most cards left to play first; None if all have the same number.

    In another order, one worker may still have hard items when all others have finished.
    """
    data = positions.data
    plays = data["stock"] + np.bitwise_count(data["hands"]).sum(axis=1, dtype=np.uint8)
    if len(plays) == 0 or plays.min() == plays.max():
        return None
    return np.argsort(-plays.astype(np.int16), kind="stable")


def _is_lost(found: Any) -> bool:
    return isinstance(found, LostChunk)


def _chunks(
    positions: Any, order: NDArray[np.int64] | None
) -> Callable[[Callable[[], int]], Iterator[Chunk[Any]]]:
    """Cuts the positions into chunks; an array in the given order of its items."""

    def of_array(size: Callable[[], int]) -> Iterator[Chunk[Any]]:
        first = 0
        while first < len(positions):
            last = first + size()
            part = positions[first:last] if order is None else positions.taken(order[first:last])
            yield Chunk(first, part, len(part))
            first += len(part)

    def of_iterable(size: Callable[[], int]) -> Iterator[Chunk[Any]]:
        lots = Lots(iter(positions))
        first = 0
        while items := lots.take(size()):
            yield Chunk(first, items, len(items))
            first += len(items)

    return of_array if isinstance(positions, PositionArray) else of_iterable


def _reported(
    run: Iterator[tuple[Chunk[Any], Any]],
    progress: Callable[[BatchProgress], object] | None,
    total: int | None,
) -> Iterator[tuple[Chunk[Any], Any]]:
    """The chunks themselves, with a call of `progress` after each."""
    start = perf_counter()
    done = failed = 0
    for chunk, found in run:
        done += chunk.size
        failed += failures(chunk, found)
        yield chunk, found
        if progress is not None:
            progress(BatchProgress(done, failed, total, perf_counter() - start))


def failures(chunk: Chunk[Any], found: Any) -> int:
    """The number of items of a chunk that ended with an error.

    Args:
        chunk: the chunk.
        found: its answers from `Worker` or `ordered`.
    """
    if isinstance(found, LostChunk):
        return chunk.size
    if isinstance(found, ArrayAnalysis):
        return len(found.failed())
    return sum(item.error is not None for item in found)


def lost_arrays(task: str, chunk: Chunk[PositionArray]) -> ArrayAnalysis:
    """The error answers of a chunk that was given up.

    Args:
        task: the task of the batch.
        chunk: the chunk.
    """
    answers = np.zeros(chunk.size, ANSWER_DTYPE)
    answers["best"]["card"] = 255
    answers["status"] = Status.LOST
    none = (np.zeros(0, LISTED_DTYPE), np.zeros(0, MOVE_DTYPE))
    return ArrayAnalysis(task, chunk.items, answers, *none)


def _items_of(chunk: Chunk[Any], found: Any) -> Iterator[BatchItem]:
    """The answers to a chunk as objects."""
    if isinstance(found, LostChunk):
        for index in range(chunk.first, chunk.first + chunk.size):
            yield BatchItem(index, None, found.message)
    elif isinstance(found, ArrayAnalysis):
        yield from batch_items(chunk.first, found)
    else:
        yield from found


def batch_items(first: int, found: ArrayAnalysis) -> Iterator[BatchItem]:
    """The answers of one task as objects.

    Args:
        first: number of the first item.
        found: the answers.
    """
    answers: list[Answer]
    if found.task == "score":
        points = found.points.tolist()
        sides = [one.sides for one in found.positions.rules]
        rules = found.positions.data["rules"].tolist()
        kinds = [sides[index] if index < len(sides) else 0 for index in rules]
        answers = [tuple(row[:count]) for row, count in zip(points, kinds, strict=True)]
    elif found.task == "moves":
        answers = list(to_moves(found.all_moves()))
    else:
        answers = list(_solutions(found) if found.task == "solve" else _values(found))
    for index, answer in enumerate(answers):
        error = found.error(index)
        yield BatchItem(first + index, answer if error is None else None, error)


def _values(found: ArrayAnalysis) -> Iterator[Value]:
    columns = (found.lower.tolist(), found.upper.tolist(), found.nodes.tolist())
    for (lower, upper, nodes), best in zip(
        zip(*columns, strict=True), found.best_moves(), strict=True
    ):
        value = lower if lower == upper else None
        yield Value(value, best[0] if best else None, nodes, lower, upper)


def _solutions(found: ArrayAnalysis) -> Iterator[Solution]:
    lowest = found.moves["lower"].tolist()
    highest = found.moves["upper"].tolist()
    columns = (found.lower.tolist(), found.upper.tolist(), found.nodes.tolist())
    rows = zip(*columns, found.all_moves(), found.all_lines(), strict=True)
    for index, (lower, upper, nodes, moves, line) in enumerate(rows):
        start, end = int(found.offsets[index]), int(found.offsets[index + 1])
        listed = tuple(
            MoveValue(cast(Move, move), low if low == high else None, low, high)
            for move, low, high in zip(moves, lowest[start:end], highest[start:end], strict=True)
        )
        yield Solution(
            lower if lower == upper else None,
            listed[0].move if listed else None,
            listed,
            tuple(line),
            nodes,
            0.0,
            lower,
            upper,
            exact=all(item.value is not None for item in listed),
        )
