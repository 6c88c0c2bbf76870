"""Pools of worker processes that end with their caller, even if it is killed."""

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
_INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
_NO_GUARD = 86  # exit status of a worker that runs the caller's script again
_ADVICE = (
    "worker processes import the script that starts them: put its calls under "
    "if __name__ == '__main__':"
)


class _Worker(SpawnProcess):
    """A worker, which ignores SIGTERM; the pool ends it by `terminate` if another one has died."""

    def terminate(self) -> None:
        self.kill()


class _Context(SpawnContext):
    """A context that spawns processes on every platform, so that no held lock is copied."""

    def __init__(self) -> None:
        self.started: list[SpawnProcess] = []

    def Process(self, *args: Any, **more: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802 - of the base class
        process = _Worker(*args, **{**more, "name": _NAME})
        self.started.append(process)
        return process


class ProcessPool(ProcessPoolExecutor):
    """Worker processes that leave Ctrl-C and SIGTERM to the caller and end with it.

    Args:
        workers: number of processes.

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
        """The error of a broken pool: the cause and the remedy, in one line."""
        self.shutdown()  # after this its workers have ended
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
    """A pool for a block of code; if the block fails, its workers are ended at once.

    Args:
        workers: number of processes.

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
    """Raise an error in a worker that is still importing the script of its caller."""
    process = multiprocessing.current_process()
    if not getattr(process, "_inheriting", False):
        return
    if process.name == _NAME:  # the caller sees the status and prints the message once
        sys.exit(_NO_GUARD)
    raise WorkerError(_ADVICE)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold back Ctrl-C and SIGTERM for a moment; a process started meanwhile never receives them.

    Another thread may receive the signal, and Python then calls the handler in the main thread all
    the same; so the handlers are held back too.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    with _handlers_held():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _handlers_held() -> Iterator[None]:
    """Call the handlers of signals that come meanwhile only afterwards."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = {number: signal.getsignal(number) for number in _INTERRUPTS}
    own = [number for number, handler in before.items() if callable(handler)]
    for number in own:
        signal.signal(number, lambda number, _: held.append(number))
    try:
        yield
    finally:
        for number in own:
            signal.signal(number, before[number])
        if held:
            signal.raise_signal(held[0])


def _follow_the_caller() -> None:
    """Prepare a worker: ignore Ctrl-C and SIGTERM, and end if the caller has been killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_caller, daemon=True).start()


def _end_with_the_caller() -> None:
    caller = multiprocessing.parent_process()
    if caller is not None:
        caller.join()
        os._exit(1)
