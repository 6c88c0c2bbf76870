"""The engine: requests and answers as lines of JSON, for programs in any language.

`serve` runs it on streams, as `casino-core engine` does; `Engine` has no streams. `docs/engine.md`
describes the protocol.
"""

from __future__ import annotations

import select
import threading
from collections import deque
from collections.abc import Callable, Iterator
from math import inf
from time import perf_counter
from typing import Any

from casino_core._version import __version__
from casino_core.engine.requests import COMMANDS, LONGEST_LINE, Request, read_request
from casino_core.errors import CasinoError
from casino_core.formats import answers
from casino_core.formats.reading import ReadRound
from casino_core.hints.hint import hint
from casino_core.hints.options import options_of
from casino_core.rules.options import PRESETS
from casino_core.search.solver import SolveProgress, solve

__all__ = ["PROTOCOL", "Engine", "serve"]

#: Raised with any change that could mislead a program written for an earlier protocol.
PROTOCOL = 2

# The most waiting requests. Beyond them no input is read, so that a long file costs no memory.
_MOST_WAITING = 1000
_CHUNK = 65536
# Waiting for a lock without a timeout blocks Ctrl-C on some systems.
_WAIT = 0.5
_LONG_WAIT = 60_000  # milliseconds of one wait for a hang-up


class Engine:
    """Takes requests in one thread and answers them in order in another.

    Each request has one answer. Answers to `about`, `ping`, `stop` and invalid requests come at
    once, all others in the order of the requests.

    Args:
        send: called with each line of the answers, without its end, by one thread at a time.

    Example:
        >>> engine = Engine(print)
        >>> more = engine.take(b'{"id": 1, "command": "play", "position": "hands=As/Ah out=-"}')
        {"id": 1, "error": "play needs the field move"}
        >>> engine.take(b'{"id": 2, "command": "quit"}')
        False
        >>> engine.work()
        {"id": 2, "quit": true}
    """

    def __init__(self, send: Callable[[str], object]) -> None:
        self._send = send
        self._output = threading.Lock()  # acquired before `_state` if both are needed
        self._state = threading.Condition()
        self._waiting: deque[Request] = deque()  # the first is in progress, or next
        self._closed = False
        self._failure: BaseException | None = None

    # Input

    def take(self, line: bytes) -> bool:
        """Take one line; waits while too many requests wait.

        Args:
            line: the bytes of a request, with or without the end of the line; a blank line is
                ignored.

        Returns:
            Whether more may come; False after `quit`.

        Raises:
            OSError: the output has failed.
        """
        if not line.strip():
            return True
        try:
            request = read_request(line)
        except Exception as error:  # a bug of the program
            request = Request(error=_fault(error))
        if request.error is not None:
            self._tell(request, {"error": request.error})
        elif request.command == "about":
            self._tell(request, _about())
        elif request.command == "ping":
            self._tell(request, {"ping": True})
        elif request.command == "stop":
            self._stop(request)
        else:
            return self._wait(request)
        return True

    def _tell(self, request: Request, fields: dict[str, Any]) -> None:
        """Answer a request at once."""
        with self._output:
            if request.command == "ping":
                fields["waiting"] = len(self._waiting)  # those without an answer yet
            self._send(answers.json_line({"id": request.id, **fields}))

    def _wait(self, request: Request) -> bool:
        """Append a request to the waiting ones. Returns whether more may come."""
        with self._state:
            if request.command == "quit":
                self._end(self._waiting)
                self._closed = True
            while len(self._waiting) >= _MOST_WAITING and not self._closed:
                self._state.wait(_WAIT)
            self._waiting.append(request)
            self._state.notify_all()
        return request.command != "quit"

    def close(self, failure: BaseException | None = None) -> None:
        """Announce that no more requests come; `work` ends when the waiting ones are answered.

        Args:
            failure: an error of the input or the output: then waiting requests are dropped, and
                `work` raises it.
        """
        with self._state:
            self._closed = True
            if failure is not None:
                self._failure = failure
                self._end(self._waiting)
            self._state.notify_all()

    def _stop(self, request: Request) -> None:
        """Stop the requests of one id, or the one in progress, and answer with their number."""
        with self._output:  # so that this answer comes before those of the stopped requests
            with self._state:
                if "request" in request.fields:
                    wanted = request.fields["request"]
                    ended = [item for item in self._waiting if item.has_id(wanted)]
                else:
                    ended = [item for item in self._waiting if item is self._waiting[0]]
                self._end(ended)
            self._send(answers.json_line({"id": request.id, "stopped": len(ended)}))

    def _end(self, requests: deque[Request] | list[Request]) -> None:
        for request in requests:
            if request is self._waiting[0]:
                request.stopped = True
            else:
                request.cancelled = True

    # Answers

    def work(self) -> None:
        """Answer requests until no more can come.

        Raises:
            OSError: input or output has failed.
        """
        while True:
            with self._state:
                while not self._waiting and not self._closed:
                    self._state.wait(_WAIT)
                if self._failure is not None:
                    raise self._failure
                if not self._waiting:
                    return
                request = self._waiting[0]
            answer = self._answer(request)
            with self._output:
                self._send(answer)
                with self._state:
                    self._waiting.popleft()
                    self._state.notify_all()

    def _answer(self, request: Request) -> str:
        """The line that answers a request, also if it fails."""
        try:
            if request.cancelled:
                raise CasinoError("stopped before it began")
            return answers.json_line({"id": request.id, **self._done(request)})
        except CasinoError as error:
            text = str(error)
        except MemoryError as error:
            text = str(error) or "not enough memory"
        except OSError:  # of the output, which ends the engine
            raise
        except Exception as error:  # a bug of the program; other requests may still work
            text = _fault(error)
        return answers.json_line({"id": request.id, "error": " ".join(text.split())})

    def _done(self, request: Request) -> dict[str, Any]:
        if request.command == "quit":
            return {"quit": True}
        found: ReadRound = request.fields["position"]
        if request.command == "moves":
            fields = answers.moves_fields(found.position)
        elif request.command == "show":
            fields = answers.position_fields(found.position)
        elif request.command == "play":
            fields = answers.play_fields(found.position, request.fields["move"])
        elif request.command == "solve":
            fields = self._solved(request, found)
        else:
            fields = self._hinted(request, found)
        if found.warnings:
            fields["warnings"] = list(found.warnings)
        return fields

    def _solved(self, request: Request, found: ReadRound) -> dict[str, Any]:
        given = request.fields
        whole = given.get("stock") != "unknown"
        begun = perf_counter()

        def so_far(news: SolveProgress) -> dict[str, Any]:
            lower, upper = (int(x) if whole else x for x in (news.lower, news.upper))
            return {
                "lower": lower,
                "upper": upper,
                "settled": news.settled,
                "count": news.moves,
                "nodes": news.nodes,
                "seconds": perf_counter() - begun,
            }

        solution = solve(
            found.position,
            stock=given.get("stock", "known"),
            table_mib=given.get("table"),
            nodes=given.get("nodes", 0),
            seconds=given.get("seconds"),
            progress=self._watch(request, so_far),
        )
        return answers.solve_fields(solution)

    def _hinted(self, request: Request, found: ReadRound) -> dict[str, Any]:
        given = {
            option.name: request.fields[option.field]
            for option in options_of("engine")
            if option.field in request.fields
        }
        watch = self._watch(request, answers.hint_fields)
        asked = found.position if "history" in given else found.round
        return answers.hint_fields(hint(asked, **given, progress=watch))

    def _watch(
        self, request: Request, so_far: Callable[[Any], dict[str, Any]]
    ) -> Callable[[Any], bool]:
        """The progress function of a search: it sends interim answers when they are due, and
        returns True to end the search."""
        every: float = request.fields.get("interim", inf)
        due = perf_counter() + every

        def told(news: Any) -> bool:
            nonlocal due
            if perf_counter() >= due and not request.stopped:
                line = answers.json_line({"id": request.id, "interim": True, **so_far(news)})
                with self._output:
                    self._send(line)
                due = perf_counter() + every
            return request.stopped

        return told


def _fault(error: Exception) -> str:
    return " ".join(f"internal error: {type(error).__name__}: {error}".split())


def _about() -> dict[str, Any]:
    return {
        "name": "casino-core",
        "version": __version__,
        "protocol": PROTOCOL,
        "commands": {name: list(fields) for name, fields in COMMANDS.items()},
        "presets": list(PRESETS),
    }


def serve(
    receive: Callable[[int], bytes], send: Callable[[str], object], output: int | None = None
) -> None:
    """Answer requests until the input ends, a request is `quit`, or the reader of the output is
    gone.

    A thread of its own reads the input, so that `stop` works during a search, and another watches
    the output. They may outlive the call; then they end with the process.

    Args:
        receive: returns at most the given number of bytes of the input, as soon as there are some;
            none at its end.
        send: called with each line of the answers, without its end.
        output: file descriptor of the output, watched so that a search ends with its reader.

    Raises:
        OSError: input or output has failed; a BrokenPipeError if the reader is gone.

    Example:
        >>> from io import BytesIO
        >>> serve(BytesIO(b'{"id": "x", "command": "moves"}').read, print)
        {"id": "x", "error": "moves needs the field position"}
    """
    engine = Engine(send)

    def take_in() -> None:
        try:
            for line in _lines(receive):
                if not engine.take(line):
                    return
            engine.close()
        except BaseException as error:  # raised again by `work`
            engine.close(error)

    def watch(output: int) -> None:
        wait_for_hangup(output)
        engine.close(BrokenPipeError("the reader of the answers is gone"))

    threading.Thread(target=take_in, name="engine input", daemon=True).start()
    if output is not None and can_wait_for_hangup():
        threading.Thread(target=watch, args=[output], name="engine output", daemon=True).start()
    engine.work()


def can_wait_for_hangup() -> bool:
    """Whether the system reports that a reader is gone; Windows does not."""
    return hasattr(select, "poll")


def wait_for_hangup(output: int) -> None:
    """Return when a pipe or socket has no reader any more; for a file never.

    Args:
        output: file descriptor of the end that is written to.

    Example:
        >>> import os
        >>> reader, writer = os.pipe()
        >>> os.close(reader)
        >>> wait_for_hangup(writer)
        >>> os.close(writer)
    """
    poll = select.poll()
    poll.register(output, 0)  # errors and hang-ups are always reported
    while not poll.poll(_LONG_WAIT):
        pass


def _lines(receive: Callable[[int], bytes]) -> Iterator[bytes]:
    """The lines of the input; a line that is too long is cut right after the limit."""
    line = bytearray()
    while chunk := receive(_CHUNK):
        first, *others = chunk.split(b"\n")
        for piece, ended in ((first, False), *((piece, True) for piece in others)):
            if ended:
                yield bytes(line)
                line.clear()
            line += piece[: LONGEST_LINE + 1 - len(line)]
    if line:
        yield bytes(line)
