"""Long work for the page, in threads: a line of JSON now and then, until the page turns away."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any, TypeAlias

from starlette.responses import Response, StreamingResponse

from casino_core.errors import CasinoError
from casino_core.web.requests import Refused

__all__ = ["News", "Thinking"]

_MOST = 2  # pieces of work at a time
_PATIENCE = 3.0  # seconds for a place: the work before may just be ending
_EVERY = 0.15  # seconds between two lines

#: Called with what is found so far; returns whether the work is to end.
News: TypeAlias = Callable[[Callable[[], dict[str, Any]]], bool]


class Thinking:
    """Runs pieces of work that are worth waiting for, a few at a time.

    Args:
        most: the most pieces of work at a time.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="thinking")
        self._places = asyncio.Semaphore(most)
        self._closed = threading.Event()

    def close(self) -> None:
        """End all work soon, and begin no more."""
        self._closed.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def answer(self, work: Callable[[News], dict[str, Any]]) -> Response:
        """The answer to a request: a line for each interim result, then the last one.

        Args:
            work: called in a thread with a function for its news; returns the last line.

        Raises:
            Refused: too much work is going on.
        """
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._places.acquire()
        except TimeoutError:
            raise Refused(503, "other hints are still being worked out; try again soon") from None
        lines = _Lines(self._closed)
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._threads, lines.work, work)
        future.add_done_callback(lambda _: self._places.release())
        return StreamingResponse(lines.read(), media_type="application/x-ndjson")


class _Lines:
    """The lines of one piece of work, from its thread to the answer."""

    def __init__(self, closed: threading.Event) -> None:
        self._closed = closed
        self._gone = False  # the page
        self._loop = asyncio.get_running_loop()
        self._waiting = asyncio.Queue[dict[str, Any]]()
        self._due = 0.0

    def work(self, work: Callable[[News], dict[str, Any]]) -> None:
        """Do the work, in a thread."""
        self._put(_ended(work, self._news))

    def _put(self, fields: dict[str, Any]) -> None:
        if not self._gone:
            with contextlib.suppress(RuntimeError):  # the server has stopped
                self._loop.call_soon_threadsafe(self._waiting.put_nowait, fields)

    def _news(self, fields: Callable[[], dict[str, Any]]) -> bool:
        if perf_counter() >= self._due:
            self._put({**fields(), "done": False})
            self._due = perf_counter() + _EVERY
        return self._gone or self._closed.is_set()

    async def read(self) -> AsyncIterator[str]:
        """The lines, in the server's loop."""
        try:
            done = False
            while not done:
                fields = await self._waiting.get()
                done = fields["done"]
                yield json.dumps(fields) + "\n"
        finally:
            self._gone = True


def _ended(work: Callable[[News], dict[str, Any]], news: News) -> dict[str, Any]:
    """The last line of a piece of work, also if it fails."""
    try:
        return {**work(news), "done": True}
    except (CasinoError, MemoryError) as error:
        text = str(error) or "not enough memory"
    except Exception as error:  # a bug of the program
        text = f"internal error: {type(error).__name__}: {error}"
    return {"error": " ".join(text.split()), "done": True}
