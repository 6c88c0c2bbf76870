"""The engine: requests and answers as lines of JSON, for programs in any language.

`serve` runs it on streams, as `casino-core engine` does; `Engine` has no streams. `docs/engine.md`
describes the protocols.
"""

from __future__ import annotations

import select
import threading
from collections.abc import Callable, Iterable, Iterator
from math import inf
from time import perf_counter
from typing import Any, Final

from casino_core._version import __version__
from casino_core.engine.answering import answer_fields, own_agents, solve_progress, with_warnings
from casino_core.engine.codes import ERROR_CODES, RequestError, code_of
from casino_core.engine.commands import PROTOCOL_2
from casino_core.engine.lines import LONGEST_LINE
from casino_core.engine.queue import QUICK, SEARCH, Waiting
from casino_core.engine.requests import COMMANDS, PROTOCOLS, Request, read_request
from casino_core.errors import CasinoError, IllegalMoveError
from casino_core.formats import answers
from casino_core.formats.reading import ReadRound
from casino_core.hints.hint import hint
from casino_core.hints.options import options_of
from casino_core.rules.options import PRESETS
from casino_core.search.solver import solve

__all__ = ["PROTOCOL", "Engine", "serve"]

#: The newest protocol. Raised with any change that could mislead a program written for an earlier
#: one.
PROTOCOL: Final = max(PROTOCOLS)

# The most waiting requests. Beyond them no input is read, so that a long file costs no memory.
_MOST_WAITING = 1000
_CHUNK = 65536
# Waiting for a lock without a timeout blocks Ctrl-C on some systems.
_WAIT = 0.5
_ENDING = 0.2  # seconds for a thread that is ending
_LONG_WAIT = 60_000  # milliseconds of one wait for a hang-up


class Engine:
    """Takes requests in one thread and answers them in others.

    Each request has one answer. Answers to `about`, `ping`, `stop`, `cancel` and invalid requests
    come at once; all others of protocol 1 in the order of the requests, of protocol 2 when they are
    ready.

    Args:
        send: called with each line of the answers, without its end, by one thread at a time.
        threads: number of searches of protocol 2 at once.
        protocol: the protocol of requests that do not name one.

    Example:
        >>> engine = Engine(print)
        >>> more = engine.take(b'{"id": 1, "command": "play", "position": "hands=As/Ah out=-"}')
        {"id": 1, "error": "play needs the field move"}
        >>> engine.take(b'{"id": 2, "command": "quit"}')
        False
        >>> engine.work()
        {"id": 2, "quit": true}
    """

    def __init__(
        self, send: Callable[[str], object], *, threads: int = 1, protocol: int = 1
    ) -> None:
        self._send = send
        self._threads = threads
        self._protocol = protocol
        self._output = threading.Lock()  # acquired before `_state` if both are needed
        self._state = threading.Condition()
        self._waiting = Waiting()
        self._quit: Request | None = None
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
            request = read_request(line, self._protocol)
        except Exception as error:  # a bug of the program
            request = Request(error=_fault(error), code="internal", protocol=self._protocol)
        if request.error is not None:
            self._tell(request, _error_fields(request, request.error, request.code, request.field))
        elif request.command == "quit":
            self._begin_quit(request)
        elif request.command in _AT_ONCE:
            _AT_ONCE[request.command](self, request)
        else:
            self._wait(request)
        return request.command != "quit"

    def _tell(self, request: Request, fields: dict[str, Any]) -> None:
        """Answer a request at once."""
        with self._output:
            self._send(answers.json_line({"id": request.id, **fields}))

    def _ping(self, request: Request) -> None:
        with self._output:
            fields = {"ping": True, "waiting": len(self._waiting)}  # those without an answer yet
            self._send(answers.json_line({"id": request.id, **fields}))

    def _about(self, request: Request) -> None:
        self._tell(request, _about() if request.protocol == 1 else _about_2(self._threads))

    def _wait(self, request: Request) -> None:
        """Append a request to the waiting ones."""
        with self._state:
            while len(self._waiting) >= _MOST_WAITING and not self._closed:
                self._state.wait(_WAIT)
            self._waiting.put(request)
            self._state.notify_all()

    def _begin_quit(self, request: Request) -> None:
        with self._state:
            self._end(self._waiting)
            self._quit = request
            self._closed = True
            self._state.notify_all()

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
        """Stop the requests of one id, or those in progress, and answer with their number."""
        with self._output:  # so that this answer comes before those of the stopped requests
            with self._state:
                if "request" in request.fields:
                    ended = self._named(request)
                else:
                    ended = self._waiting.begun(request.protocol)
                self._end(ended)
            self._send(answers.json_line({"id": request.id, "stopped": len(ended)}))

    def _cancel(self, request: Request) -> None:
        """Cancel the requests of one id and answer with their number."""
        with self._output:
            with self._state:
                ended = self._named(request)
                for item in ended:
                    item.stopped = item.cancelled = True
            self._send(answers.json_line({"id": request.id, "cancelled": len(ended)}))

    def _named(self, request: Request) -> list[Request]:
        """The requests of the id that a request names."""
        wanted = request.fields["request"]
        return [item for item in self._waiting if item.has_id(wanted)]

    def _end(self, requests: Iterable[Request]) -> None:
        for request in list(requests):
            if self._waiting.is_begun(request):
                request.stopped = True
            else:
                request.cancelled = True

    # Answers

    def work(self) -> None:
        """Answer requests until no more can come.

        Raises:
            OSError: input or output has failed.
        """
        helpers = [
            threading.Thread(target=self._help, args=[kind], name=kind, daemon=True)
            for kind in [QUICK, *[SEARCH] * (self._threads - 1)]
        ]
        for helper in helpers:
            helper.start()
        try:
            self._work_to_the_end()
        finally:
            _wait_for(helpers)

    def _work_to_the_end(self) -> None:
        self._work(SEARCH)
        with self._state:
            while len(self._waiting):
                self._check()
                self._state.wait(_WAIT)
            self._check()
        if self._quit is not None:
            self._tell(self._quit, {"quit": True})

    def _check(self) -> None:
        """Raise the failure of the input or the output, if there is one."""
        if self._failure is not None:
            raise self._failure

    def _help(self, kind: str) -> None:
        """Answer requests in a thread of its own; an error of the output ends the engine."""
        try:
            self._work(kind)
        except BaseException as error:  # raised again by `work`
            self.close(error)

    def _work(self, kind: str) -> None:
        """Answer requests of one kind until no more can come."""
        while (request := self._next(kind)) is not None:
            answer = self._answer(request)
            with self._output:
                self._send(answer)
                with self._state:
                    self._waiting.done(request)
                    self._state.notify_all()

    def _next(self, kind: str) -> Request | None:
        """The next request for a worker; None if no more can come."""
        with self._state:
            while True:
                self._check()
                request = self._waiting.next(kind)
                if request is not None or (self._closed and not self._waiting.left(kind)):
                    return request
                self._state.wait(_WAIT)

    def _answer(self, request: Request) -> str:
        """The line that answers a request, also if it fails."""
        reason = None
        try:
            _refuse_cancelled(request, "stopped before it began")
            fields = self._done(request)
            _refuse_cancelled(request, "cancelled")
            return answers.json_line({"id": request.id, **fields})
        except CasinoError as error:
            text, code, field = str(error), code_of(error), getattr(error, "field", None)
            if isinstance(error, IllegalMoveError):
                field, reason = "move", {"code": error.code, "text": error.reason}
        except MemoryError as error:
            text, code, field = str(error) or "not enough memory", "no_memory", None
        except OSError:  # of the output, which ends the engine
            raise
        except Exception as error:  # a bug of the program; other requests may still work
            text, code, field = _fault(error), "internal", None
        fields = _error_fields(request, " ".join(text.split()), code, field)
        if reason is not None and request.protocol > 1:
            fields["reason"] = reason
        return answers.json_line({"id": request.id, **fields})

    def _done(self, request: Request) -> dict[str, Any]:
        if request.protocol > 1:
            return answer_fields(request.command, request.fields, _Watch(self, request))
        return with_warnings(self._done_1(request), request.fields["position"])

    def _done_1(self, request: Request) -> dict[str, Any]:
        """The answer to a request of protocol 1."""
        found: ReadRound = request.fields["position"]
        if request.command == "moves":
            return answers.moves_fields(found.position)
        if request.command == "show":
            return answers.position_fields(found.position)
        if request.command == "play":
            return answers.play_fields(found.position, request.fields["move"])
        if request.command == "solve":
            return self._solved(request, found)
        return self._hinted(request, found)

    def _solved(self, request: Request, found: ReadRound) -> dict[str, Any]:
        given = request.fields
        begun = perf_counter()
        watch = _Watch(self, request)
        progress = watch.progress(
            lambda news: {**solve_progress(news, given), "seconds": perf_counter() - begun}
        )
        solution = solve(
            found.position,
            stock=given.get("stock", "known"),
            table_mib=given.get("table"),
            nodes=given.get("nodes", 0),
            seconds=given.get("seconds"),
            progress=progress,
        )
        return answers.solve_fields(solution)

    def _hinted(self, request: Request, found: ReadRound) -> dict[str, Any]:
        given = {
            option.name: request.fields[option.field]
            for option in options_of("engine")
            if option.field in request.fields
        }
        watch = _Watch(self, request).progress(answers.hint_fields)
        asked = found.position if "history" in given else found.round
        return answers.hint_fields(hint(asked, **given, progress=watch))

    def interim(self, request: Request, fields: dict[str, Any]) -> None:
        """Send an interim answer.

        Args:
            request: the request in progress.
            fields: its state.
        """
        line = answers.json_line({"id": request.id, "interim": True, **fields})
        with self._output:
            self._send(line)


class _Watch:
    """Interim answers to a request, and its stop."""

    def __init__(self, engine: Engine, request: Request) -> None:
        self._engine = engine
        self._request = request

    def progress(self, so_far: Callable[[Any], dict[str, Any]]) -> Callable[[Any], bool]:
        """The progress function of a search: it sends interim answers when they are due, and
        returns True to end the search.

        Args:
            so_far: makes the fields of an interim answer.
        """
        request = self._request
        every: float = request.fields.get("interim", inf)
        due = perf_counter() + every

        def told(news: Any) -> bool:
            nonlocal due
            if perf_counter() >= due and not request.stopped:
                self._engine.interim(request, so_far(news))
                due = perf_counter() + every
            return request.stopped

        return told


#: What is answered at once.
_AT_ONCE: Final[dict[str, Callable[[Engine, Request], None]]] = {
    "about": Engine._about,
    "ping": Engine._ping,
    "stop": Engine._stop,
    "cancel": Engine._cancel,
}


def _error_fields(request: Request, text: str, code: str, field: str | None) -> dict[str, Any]:
    """The fields of an error, in protocol 2 with its code."""
    if request.protocol == 1:
        return {"error": text}
    return {"error": text, "code": code, **({} if field is None else {"field": field})}


def _refuse_cancelled(request: Request, text: str) -> None:
    if request.cancelled:
        raise RequestError(text, "cancelled")


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


def _about_2(threads: int) -> dict[str, Any]:
    return {
        **_about(),
        "protocols": list(PROTOCOLS),
        "commands": {name: list(command.fields) for name, command in PROTOCOL_2.items()},
        "agents": own_agents(),
        "codes": list(ERROR_CODES),
        "threads": threads,
    }


def serve(
    receive: Callable[[int], bytes],
    send: Callable[[str], object],
    output: int | None = None,
    *,
    threads: int = 1,
    protocol: int = 1,
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
        threads: number of searches of protocol 2 at once.
        protocol: the protocol of requests that do not name one.

    Raises:
        OSError: input or output has failed; a BrokenPipeError if the reader is gone.

    Example:
        >>> from io import BytesIO
        >>> serve(BytesIO(b'{"id": "x", "command": "moves"}').read, print)
        {"id": "x", "error": "moves needs the field position"}
    """
    engine = Engine(send, threads=threads, protocol=protocol)

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

    own = [threading.Thread(target=take_in, name="engine input", daemon=True)]
    if output is not None and can_wait_for_hangup():
        own.append(threading.Thread(target=watch, args=[output], name="engine output", daemon=True))
    for thread in own:
        thread.start()
    try:
        engine.work()
    except OSError:
        _wait_for(own)
        raise
    _wait_for(own[:1])  # the other waits for as long as there is a reader


def _wait_for(threads: Iterable[threading.Thread]) -> None:
    """Give threads that are ending the time for it: one that comes back while Python ends may
    abort the process."""
    for thread in threads:
        thread.join(_ENDING)


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
