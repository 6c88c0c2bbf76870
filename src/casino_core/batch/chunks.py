"""Work in chunks, on threads or on any executor: results in order, few chunks in flight."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Any, Generic, Protocol, TypeVar

from casino_core._arguments import whole
from casino_core.batch.loops import StopSign
from casino_core.errors import CasinoError, WorkerError

__all__ = ["Chunk", "ChunkSizes", "LostChunk", "Lots", "default_workers", "ordered"]

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R", covariant=True)

#: How often a chunk is submitted before it is given up, if its worker is lost or fails.
TRIES = 3

_IN_FLIGHT = 2  # chunks for each worker: one at work, one waiting
_MOST_IN_FLIGHT = 64  # chunks for each worker, where one of them is in the way of the others
_MOST_ITEMS = 16_384  # in all of these
_UNKNOWN_WORKERS = 16  # of an executor that does not say how many it has


class Sized(Protocol):
    """Anything with a length."""

    def __len__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Chunk(Generic[T]):
    """Some of the items, in order.

    Attributes:
        first: number of the first item, from 0.
        items: the items.
        size: how many.
    """

    first: int
    items: T
    size: int


@dataclass(frozen=True, slots=True)
class LostChunk:
    """The result of a chunk that was given up.

    Attributes:
        message: the items and the reason.
    """

    message: str


class Lots(Generic[S]):
    """Items taken in lots; an error is raised only after the items before it were taken.

    Args:
        source: the items.

    Example:
        >>> lots = Lots(iter("abc"))
        >>> lots.take(2), lots.take(2), lots.take(2)
        (['a', 'b'], ['c'], [])
    """

    def __init__(self, source: Iterator[S]) -> None:
        self._source = source
        self._failure: Exception | None = None

    def take(self, size: int) -> list[S]:
        """The next items, fewer only at the end or before an error.

        Args:
            size: how many.
        """
        if self._failure is not None:
            raise self._failure
        taken: list[S] = []
        try:
            for item in islice(self._source, size):
                taken.append(item)  # noqa: PERF402 - they are kept where the next one fails
        except Exception as error:
            if not taken:
                raise
            self._failure = error
        return taken


class ChunkSizes:
    """Sizes for chunks that take about the same time, whether items are easy or hard.

    Results do not depend on them. The first chunks are small, so that the first answers come soon;
    so are the last of a known number of items, so that all workers end together.

    Args:
        fixed: a size for all chunks, None to adapt it.
        total: number of all items, None if it is not known.

    Example:
        >>> sizes = ChunkSizes()
        >>> sizes.next(workers=2)
        1
        >>> sizes.took(1, 0.00001)
        >>> sizes.next(workers=2)
        8
    """

    _SECONDS = 0.08
    _LARGEST = 4096
    _GROWTH = 8

    def __init__(self, fixed: int | None = None, total: int | None = None) -> None:
        self._fixed = whole(1, 2**31 - 1).if_given("chunk", fixed)
        self._left = total
        self._size = 1
        self._cost = 0.0  # seconds of an item: at once where it rises, by halves where it falls

    def next(self, workers: int = 1) -> int:
        """Size of the next chunk.

        Args:
            workers: number of workers that share the remaining items.
        """
        if self._fixed is not None:
            return self._fixed
        size = self._size
        if self._left is not None:
            if workers > 1:
                size = max(1, min(size, self._left // (2 * workers)))
            self._left -= size
        return size

    def took(self, size: int, seconds: float) -> None:
        """Adapt the sizes to the time of a chunk.

        Args:
            size: number of its items.
            seconds: time that a worker took for it.
        """
        cost = max(seconds, 1e-6) / size
        self._cost = max(cost, (self._cost + cost) / 2)
        wanted = int(self._SECONDS / self._cost)
        self._size = max(1, min(wanted, self._size * self._GROWTH, self._LARGEST))


def default_workers() -> int:
    """Processors that this process may use.

    Example:
        >>> default_workers() >= 1
        True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def _timed(work: Callable[[Chunk[T]], R], chunk: Chunk[T]) -> tuple[R, float]:
    """The result of a chunk, and the time that its worker took."""
    start = perf_counter()
    return work(chunk), perf_counter() - start


def ordered(
    work: Callable[[Chunk[T]], R],
    chunks: Callable[[Callable[[], int]], Iterator[Chunk[T]]],
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    sizes: ChunkSizes,
    stop: StopSign,
) -> Iterator[tuple[Chunk[T], R | LostChunk]]:
    """Each chunk with its result, in order.

    Args:
        work: called with each chunk; with an executor of processes both must be picklable.
        chunks: makes the chunks; its argument is a function that gives the size of the next one.
        workers: number of threads, or of chunks in work at once in an executor; None for the
            number of processors. With 1 there is no thread: the caller's thread does the work.
        executor: the executor, None for new threads.
        sizes: sizes of the chunks.
        stop: set when the iterator is closed or fails, so that threads end soon.

    Raises:
        WorkerError: the executor takes no more work.
    """
    try:
        if executor is not None:
            count = workers or getattr(executor, "_max_workers", None) or _UNKNOWN_WORKERS
            yield from _submitted(work, chunks, executor, count, sizes)
            return
        count = workers or default_workers()
        if count == 1:
            for chunk in chunks(sizes.next):
                result, seconds = _timed(work, chunk)
                sizes.took(chunk.size, seconds)
                yield chunk, result
            return
        with ThreadPoolExecutor(count, "casino_core") as threads:
            try:
                yield from _submitted(work, chunks, threads, count, sizes)
            except BaseException:
                stop.raise_it()  # before the pool waits for its threads
                raise
    except BaseException:
        stop.raise_it()
        raise


def _submitted(
    work: Callable[[Chunk[T]], R],
    chunks: Callable[[Callable[[], int]], Iterator[Chunk[T]]],
    executor: Executor,
    workers: int,
    sizes: ChunkSizes,
) -> Iterator[tuple[Chunk[T], R | LostChunk]]:
    waiting: deque[tuple[Chunk[T], Future[tuple[R, float]]]] = deque()
    source = chunks(lambda: sizes.next(workers))
    failure: Exception | None = None
    is_end = False
    try:
        while True:
            while not is_end and _has_room(waiting, workers):
                try:
                    chunk = next(source, None)
                except Exception as error:  # of the caller's: first what came before it
                    failure, chunk = error, None
                if chunk is None:
                    is_end = True
                    break
                future = _submit(executor, work, chunk)
                waiting.append((chunk, future))
                future.add_done_callback(partial(_learn, sizes, chunk.size))
            if not waiting:
                if failure is not None:
                    raise failure
                return
            chunk, future = waiting[0]
            busy = [one for _, one in waiting if not one.done()]
            if not future.done() and not is_end:
                wait(busy, return_when=FIRST_COMPLETED)  # any: its worker may take another chunk
                continue
            waiting.popleft()
            outcome = _outcome(executor, work, chunk, future)
            yield chunk, outcome if isinstance(outcome, LostChunk) else outcome[0]
    finally:
        for _, future in waiting:
            future.cancel()


def _has_room(waiting: Collection[tuple[Chunk[Any], Future[Any]]], workers: int) -> bool:
    """Whether to submit another chunk.

    Two chunks a worker are enough, one in work and one waiting. If the first takes long, workers
    that have finished theirs continue with more chunks behind it.
    """
    if len(waiting) < _IN_FLIGHT * workers:
        return True
    first = next(iter(waiting))[1]
    if first.done() or len(waiting) >= _MOST_IN_FLIGHT * workers:
        return False
    busy = sum(not future.done() for _, future in waiting)
    items = sum(chunk.size for chunk, _ in waiting)
    return busy < _IN_FLIGHT * workers and items < _MOST_ITEMS


def _learn(sizes: ChunkSizes, size: int, future: Future[tuple[Any, float]]) -> None:
    """Adapt the sizes to a finished chunk."""
    if not future.cancelled() and future.exception() is None:
        sizes.took(size, future.result()[1])


def _submit(
    executor: Executor, work: Callable[[Chunk[T]], R], chunk: Chunk[T]
) -> Future[tuple[R, float]]:
    try:
        return executor.submit(_timed, work, chunk)
    except (BrokenExecutor, RuntimeError) as error:
        raise _broken(chunk, error) from error


def _outcome(
    executor: Executor,
    work: Callable[[Chunk[T]], R],
    chunk: Chunk[T],
    future: Future[tuple[R, float]],
) -> tuple[R, float] | LostChunk:
    """The result of a chunk, which is submitted again if its worker was lost."""
    for left in range(TRIES - 1, -1, -1):
        try:
            return future.result()
        except BrokenExecutor as error:
            raise _broken(chunk, error) from error
        except (Exception, CancelledError) as error:
            if isinstance(error, CasinoError):
                raise
            if not left:
                return LostChunk(
                    f"{_numbers(chunk)} failed {TRIES} times, the last time by "
                    f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
                )
            future = _submit(executor, work, chunk)
    raise AssertionError


def _numbers(chunk: Chunk[Any]) -> str:
    if chunk.size == 1:
        return f"item {chunk.first}"
    return f"items {chunk.first} to {chunk.first + chunk.size - 1}"


def _broken(chunk: Chunk[Any], error: BaseException) -> WorkerError:
    return WorkerError(
        f"the executor is broken and takes no more work: {_numbers(chunk)} and all after them are "
        f"not done ({type(error).__name__}); continue from there with a new executor"
    )
