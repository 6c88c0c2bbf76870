"""Requests that wait or are in progress, and whose turn it is.

Requests of protocol 1 are done one at a time and in order. Those of protocol 2 are quick ones, in
order, or searches, several at once, in which clients take turns. `Waiting` has no locks of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final

from casino_core.engine.commands import PROTOCOL_2
from casino_core.engine.requests import Request

__all__ = ["QUICK", "SEARCH", "Waiting"]

#: The kinds of workers: those for quick requests, and those for searches and protocol 1.
QUICK: Final = "quick"
SEARCH: Final = "search"

_Turn = tuple[int, str]  # protocol and client


class Waiting:
    """Requests that wait or are in progress.

    Example:
        >>> waiting = Waiting()
        >>> for client in "aab":
        ...     waiting.put(Request(command="hint", protocol=2, client=client))
        >>> [waiting.next(SEARCH).client for _ in range(3)]
        ['a', 'b', 'a']
    """

    def __init__(self) -> None:
        self._quick: deque[Request] = deque()
        # The searches of each client in order; the client whose turn is next comes first.
        self._searches: dict[_Turn, deque[Request]] = {}
        self._in_progress: list[Request] = []
        self._first: Request | None = None  # of protocol 1: in progress

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Request]:
        """The requests, those in progress first."""
        yield from self._in_progress
        yield from self._quick
        for line in self._searches.values():
            yield from line

    def put(self, request: Request) -> None:
        """Append a request.

        Args:
            request: the request.
        """
        if request.protocol > 1 and PROTOCOL_2[request.command].lane == "quick":
            self._quick.append(request)
        else:
            turn = (request.protocol, request.client)
            self._searches.setdefault(turn, deque()).append(request)

    def next(self, kind: str) -> Request | None:
        """The request whose turn it is, now in progress; None if there is none.

        Args:
            kind: the kind of the worker that asks.
        """
        found = self._next_quick() if kind == QUICK else self._next_search()
        if found is not None:
            self._in_progress.append(found)
        return found

    def _next_quick(self) -> Request | None:
        return self._quick.popleft() if self._quick else None

    def _next_search(self) -> Request | None:
        """The first request of the first client that may begin; its client goes to the end."""
        for turn, line in self._searches.items():
            if turn[0] == 1 and self._first is not None:
                continue
            found = line.popleft()
            del self._searches[turn]
            if line:
                self._searches[turn] = line
            if turn[0] == 1:
                self._first = found
            return found
        return None

    def left(self, kind: str) -> bool:
        """Whether requests for a kind of worker wait, or hold back others that do.

        Args:
            kind: the kind of the worker.
        """
        return bool(self._quick if kind == QUICK else self._searches)

    def done(self, request: Request) -> None:
        """Remove a request in progress.

        Args:
            request: the request, which has its answer.
        """
        self._in_progress.remove(request)
        if request is self._first:
            self._first = None

    def begun(self, protocol: int) -> list[Request]:
        """The requests that `stop` without an id ends.

        Args:
            protocol: 1 for the one in progress, or next, of protocol 1; 2 for all in progress.
        """
        if protocol > 1:
            return list(self._in_progress)
        head = self._head()
        return [] if head is None else [head]

    def _head(self) -> Request | None:
        """The request of protocol 1 that is in progress, or next."""
        line = self._searches.get((1, ""))
        return self._first or (line[0] if line else None)

    def is_begun(self, request: Request) -> bool:
        """Whether a request is in progress, or the next of protocol 1.

        Args:
            request: the request.
        """
        return request in self._in_progress or request is self._head()
