"""Pools of worker processes that end with their caller, however it ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, ParamSpec, TypeVar

from casino_core.errors import WorkerError

__all__ = ["ProcessPool", "process_pool"]

P = ParamSpec("P")
T = TypeVar("T")

_NAME = "casino-core worker"
_NO_GUARD = 86  # status of a worker that runs the caller's script instead of starting
_ADVICE = (
    "worker processes import the script that starts them: put its calls under "
    "if __name__ == '__main__':"
)


class _Context(SpawnContext):
    """Starts processes afresh on every platform: no thread or lock is copied in mid-flight."""

    def __init__(self) -> None:
        self.started: list[SpawnProcess] = []

    def Process(self, *args: Any, **more: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802 - of the base class
        process = SpawnProcess(*args, **{**more, "name": _NAME})
        self.started.append(process)
        return process


class ProcessPool(ProcessPoolExecutor):
    """Worker processes, which leave Ctrl-C to the caller and end with it.

    Args:
        workers: how many.

    Raises:
        WorkerError: this process is itself a worker that has not started yet.
    """

    def __init__(self, workers: int) -> None:
        _check_start()
        self._context = _Context()
        super().__init__(workers, self._context, _follow_the_caller)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with _interrupts_held():
            return super().submit(fn, *args, **kwargs)

    def why_broken(self) -> str:
        """What has happened to a pool that is broken, and what to do, in one line."""
        self.shutdown()  # its workers have ended then
        if any(process.exitcode == _NO_GUARD for process in self._started()):
            return _ADVICE
        return "a worker process ended before its work was done; was it killed, or out of memory?"

    def terminate(self) -> None:
        """End all workers at once."""
        for process in self._started():
            process.terminate()

    def _started(self) -> list[SpawnProcess]:
        return [process for process in self._context.started if process.pid is not None]


@contextmanager
def process_pool(workers: int) -> Iterator[ProcessPool]:
    """A pool for a block of code, whose workers are ended at once where the block fails.

    Args:
        workers: how many.

    Raises:
        WorkerError: a worker has died; the message says what to do.

    Example:
        >>> with process_pool(2) as pool:
        ...     list(pool.map(abs, [3, -4]))
        [3, 4]
    """
    pool = ProcessPool(workers)
    try:
        yield pool
    except (BrokenExecutor, WorkerError) as error:
        raise WorkerError(pool.why_broken()) from error
    except BaseException:
        pool.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _check_start() -> None:
    """Refuse new processes in one that still imports the script of its caller."""
    process = multiprocessing.current_process()
    if not getattr(process, "_inheriting", False):
        return
    if process.name == _NAME:  # the caller sees the status, and says the rest once
        sys.exit(_NO_GUARD)
    raise WorkerError(_ADVICE)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Keep Ctrl-C back for a moment; a process that is started meanwhile never hears it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _follow_the_caller() -> None:
    """In a worker: leave interrupts to the caller, and end when it has been killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_caller, daemon=True).start()


def _end_with_the_caller() -> None:
    caller = multiprocessing.parent_process()
    if caller is not None:
        caller.join()
        os._exit(1)
