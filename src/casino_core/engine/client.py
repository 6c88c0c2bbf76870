"""Clients of the engine: `EngineClient` for threads, `AsyncEngineClient` for asyncio.

A client starts the engine as a child process and speaks protocol 2 with it. It starts a dead engine
again and repeats, once, the requests that had no answer yet: requests have no effects, so that is
safe. `docs/engine.md` has the commands.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

from casino_core.engine.codes import RequestError

__all__ = ["Asked", "AsyncEngineClient", "EngineClient", "EngineError", "EngineTimeout"]

Answer: TypeAlias = dict[str, Any]

_TIMEOUT: Final = 60.0  # seconds
_MOST_OPEN: Final = 500  # requests without an answer; the engine takes more
_TRIES: Final = 2  # times that a request is sent before it is given up
_PATIENCE: Final = 5.0  # seconds to wait for an engine that was told to quit
_LONGEST_ANSWER: Final = 1 << 26  # bytes of a line


class EngineError(RequestError):
    """An answer that is an error, or an engine that is gone.

    Args:
        message: one line for people.
        code: a code of errors of the engine; `engine_gone` if it ended twice before its answer.
        field: the field of the request at fault, or None.
        reason: for `illegal_move`, the `code` and `text` of the reason, or None.
    """

    def __init__(
        self,
        message: str = "",
        code: str = "internal",
        field: str | None = None,
        reason: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message, code, field)
        self.reason = reason


class EngineTimeout(EngineError):  # noqa: N818 - the name that says what it is
    """A request without an answer in time; it is cancelled."""

    def __init__(self, message: str = "", code: str = "cancelled", *more: Any) -> None:
        super().__init__(message, code, *more)


def _command(threads: int, command: Sequence[str] | None) -> list[str]:
    """The command line of the engine."""
    program = [sys.executable, "-m", "casino_core"] if command is None else list(command)
    return [*program, "engine", "--protocol", "2", "--threads", str(threads)]


def _line(number: int, command: str, fields: Mapping[str, Any]) -> bytes:
    given = {name: value for name, value in fields.items() if value is not None}
    return json.dumps({"id": number, "command": command, **given}).encode() + b"\n"


def _error_of(answer: Answer) -> EngineError | None:
    """The error that an answer is, or None."""
    if "error" not in answer:
        return None
    code, field = answer.get("code", "internal"), answer.get("field")
    return EngineError(answer["error"], code, field, answer.get("reason"))


def _gone() -> EngineError:
    return EngineError("the engine has ended without an answer, twice", "engine_gone")


def _closed() -> EngineError:
    return EngineError("the client is closed", "engine_gone")


def _not_started(command: Sequence[str], error: OSError) -> EngineError:
    what = f"cannot start {command[0]}: {error.strerror or error}"
    return EngineError(what, "engine_gone")


def _late(command: str, seconds: float) -> EngineTimeout:
    return EngineTimeout(f"{command}: no answer within {seconds:g} seconds")


class Asked:
    """A request that was sent by an `EngineClient`.

    Attributes:
        id: the number of the request.
        command: its command.
    """

    def __init__(
        self,
        client: EngineClient,
        number: int,
        command: str,
        line: bytes,
        on_interim: Callable[[Answer], object] | None,
    ) -> None:
        self.id = number
        self.command = command
        self._client = client
        self._line = line
        self._on_interim = on_interim
        self._future: Future[Answer] = Future()
        self._tries = 0
        self._process: subprocess.Popen[bytes] | None = None  # that it was sent to

    def result(self, timeout: float | None = None) -> Answer:
        """Wait for the answer.

        Args:
            timeout: seconds to wait; None for those of the client.

        Raises:
            EngineTimeout: there is none in time; the request is cancelled.
            EngineError: the answer is an error.
        """
        seconds = self._client.timeout if timeout is None else timeout
        try:
            return self._future.result(seconds)
        except FutureTimeoutError:
            self.cancel()
            raise _late(self.command, seconds) from None
        except KeyboardInterrupt:
            self.cancel()
            raise

    def is_done(self) -> bool:
        """Whether the answer is there."""
        return self._future.done()

    def cancel(self) -> None:
        """Cancel the request: its answer is an error with the code `cancelled`."""
        self._client._post("cancel", self.id)

    def stop(self) -> None:
        """End a search with its result so far."""
        self._client._post("stop", self.id)


class EngineClient:
    """An engine in a child process. It can be used by several threads.

    Args:
        threads: number of searches at once.
        timeout: seconds to wait for an answer, unless a request has its own.
        command: how to start the program, in place of this Python's `casino_core`.

    Example:
        >>> with EngineClient() as engine:
        ...     record = engine.ask("deal", seed=17)["record"]
        ...     move = engine.ask("agent", position=record, level=2)["move"]
        ...     engine.ask("play", position=record, move=move)["seat"]
        'a'
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        timeout: float = _TIMEOUT,
        command: Sequence[str] | None = None,
    ) -> None:
        self.timeout = timeout
        self._command = _command(threads, command)
        self._numbers = itertools.count(1)
        self._open: dict[int, Asked] = {}
        self._state = threading.Lock()  # of `_open`, `_process` and `_is_closed`
        self._writing = threading.Lock()  # acquired before `_state` if both are needed
        self._room = threading.BoundedSemaphore(_MOST_OPEN)
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Questions

    def ask(
        self,
        command: str,
        *,
        timeout: float | None = None,
        on_interim: Callable[[Answer], object] | None = None,
        **fields: Any,
    ) -> Answer:
        """Send a request and wait for its answer.

        Args:
            command: the command.
            timeout: seconds to wait; None for those of the client.
            on_interim: called with each interim answer, in a thread of the client.
            **fields: the fields of the request; those that are None are left out.

        Raises:
            EngineTimeout: there is no answer in time.
            EngineError: the answer is an error.
        """
        return self.send(command, on_interim=on_interim, **fields).result(timeout)

    def send(
        self, command: str, *, on_interim: Callable[[Answer], object] | None = None, **fields: Any
    ) -> Asked:
        """Send a request without waiting for its answer.

        Args:
            command: the command.
            on_interim: called with each interim answer, in a thread of the client.
            **fields: the fields of the request; those that are None are left out.

        Raises:
            EngineError: the client is closed.
        """
        number = next(self._numbers)
        asked = Asked(self, number, command, _line(number, command, fields), on_interim)
        self._room.acquire()
        asked._future.add_done_callback(lambda _: self._room.release())
        with self._state:
            closed = self._is_closed
            if not closed:
                self._open[number] = asked
        if closed:
            asked._future.set_exception(_closed())
        else:
            self._write(asked)
        return asked

    def _post(self, command: str, request: int) -> None:
        """Send a request about another one; nobody waits for its answer."""
        with self._writing:
            self._put(_line(0, command, {"request": request}))

    # The process

    def _write(self, asked: Asked) -> None:
        """Send a request to an engine that runs."""
        asked._tries += 1
        try:
            with self._writing:
                self._run()
                asked._process = self._process
                self._put(asked._line)
        except OSError as error:
            with self._state:
                self._open.pop(asked.id, None)
            asked._future.set_exception(_not_started(self._command, error))

    def _run(self) -> None:
        """Start the engine, unless one runs."""
        if self._process is not None and self._process.poll() is None:
            return
        pipe = subprocess.PIPE
        process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe)
        self._process = process
        threading.Thread(target=self._read, args=[process], name="engine", daemon=True).start()

    def _put(self, line: bytes) -> None:
        """Write a line. If the engine is gone, its reader sends the open requests again."""
        if self._process is None or self._process.stdin is None:
            return
        with suppress(OSError, ValueError):
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Take the answers of an engine to its end."""
        assert process.stdout is not None
        with suppress(OSError, ValueError):
            for line in process.stdout:
                if line.endswith(b"\n"):  # else the engine died in the middle of it
                    self._take(json.loads(line))
        process.wait()
        self._again(process)
        _close(process)

    def _take(self, answer: Answer) -> None:
        with self._state:
            asked = self._open.get(answer["id"])
            if asked is not None and not answer.get("interim"):
                del self._open[asked.id]
        if asked is None:
            return
        if answer.get("interim"):
            if asked._on_interim is not None:
                asked._on_interim(answer)
            return
        error = _error_of(answer)
        if error is None:
            asked._future.set_result(answer)
        else:
            asked._future.set_exception(error)

    def _again(self, process: subprocess.Popen[bytes]) -> None:
        """Repeat, or give up, the requests that a dead engine has left open."""
        with self._writing, self._state:
            left = [one for one in self._open.values() if one._process is process]
            given_up = [one for one in left if self._is_closed or one._tries >= _TRIES]
            for asked in given_up:
                del self._open[asked.id]
        for asked in given_up:
            asked._future.set_exception(_closed() if self._is_closed else _gone())
        for asked in left:
            if asked not in given_up:
                self._write(asked)

    def close(self) -> None:
        """End the engine; requests without an answer fail."""
        with self._state:
            self._is_closed = True
            process = self._process
        if process is None:
            return
        with self._writing:
            self._put(_line(0, "quit", {}))
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        _close(process)


def _close(process: subprocess.Popen[bytes]) -> None:
    """Close the pipes to an engine that has ended."""
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()


class AsyncEngineClient:
    """An engine in a child process, for asyncio.

    A question that is cancelled, as by a timeout of asyncio, is cancelled in the engine too.

    Args:
        threads: number of searches at once.
        timeout: seconds to wait for an answer, unless a request has its own.
        command: how to start the program, in place of this Python's `casino_core`.

    Example:
        >>> async def main():
        ...     async with AsyncEngineClient(threads=2) as engine:
        ...         record = (await engine.ask("deal", seed=17))["record"]
        ...         asked = [engine.ask("agent", position=record, level=n) for n in (1, 2)]
        ...         return [answer["seat"] for answer in await asyncio.gather(*asked)]
        >>> asyncio.run(main())
        ['a', 'a']
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        timeout: float = _TIMEOUT,
        command: Sequence[str] | None = None,
    ) -> None:
        self.timeout = timeout
        self._command = _command(threads, command)
        self._numbers = itertools.count(1)
        self._open: dict[int, _Open] = {}
        self._room = asyncio.Semaphore(_MOST_OPEN)
        self._starting = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._is_closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def ask(
        self,
        command: str,
        *,
        timeout: float | None = None,
        on_interim: Callable[[Answer], object] | None = None,
        **fields: Any,
    ) -> Answer:
        """Send a request and wait for its answer.

        Args:
            command: the command.
            timeout: seconds to wait; None for those of the client.
            on_interim: called with each interim answer.
            **fields: the fields of the request; those that are None are left out.

        Raises:
            EngineTimeout: there is no answer in time.
            EngineError: the answer is an error, or the client is closed.
        """
        seconds = self.timeout if timeout is None else timeout
        async with self._room:
            number = next(self._numbers)
            one = _Open(_line(number, command, fields), on_interim)
            self._open[number] = one
            try:
                async with asyncio.timeout(seconds):
                    await self._write(one)
                    return await one.future
            except TimeoutError:
                raise _late(command, seconds) from None
            finally:
                if self._open.pop(number, None) is not None:  # without an answer
                    self._put(_line(0, "cancel", {"request": number}))

    async def _write(self, one: _Open) -> None:
        """Send a request to an engine that runs."""
        if self._is_closed:
            raise _closed()
        one.tries += 1
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                try:
                    await self._run()
                except OSError as error:
                    raise _not_started(self._command, error) from None
            one.process = self._process
        self._put(one.line)
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                await self._process.stdin.drain()

    async def _run(self) -> None:
        """Start the engine."""
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, limit=_LONGEST_ANSWER
        )
        self._reader = asyncio.create_task(self._read(self._process))

    def _put(self, line: bytes) -> None:
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError, RuntimeError):
                self._process.stdin.write(line)

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Take the answers of an engine to its end."""
        assert process.stdout is not None
        while (line := await process.stdout.readline()).endswith(b"\n"):
            self._take(json.loads(line))
        await process.wait()
        await self._again(process)

    def _take(self, answer: Answer) -> None:
        one = self._open.get(answer["id"])
        if one is None:
            return
        if answer.get("interim"):
            if one.on_interim is not None:
                one.on_interim(answer)
            return
        del self._open[answer["id"]]
        error = _error_of(answer)
        if one.future.done():
            return
        if error is None:
            one.future.set_result(answer)
        else:
            one.future.set_exception(error)

    async def _again(self, process: asyncio.subprocess.Process) -> None:
        """Repeat, or give up, the requests that a dead engine has left open."""
        left = [(n, one) for n, one in self._open.items() if one.process is process]
        for number, one in left:
            if self._is_closed or one.tries >= _TRIES:
                del self._open[number]
                if not one.future.done():
                    one.future.set_exception(_closed() if self._is_closed else _gone())
            else:
                try:
                    await self._write(one)
                except EngineError as error:
                    one.future.set_exception(error)

    async def close(self) -> None:
        """End the engine; requests without an answer fail."""
        self._is_closed = True
        if self._process is None:
            return
        self._put(_line(0, "quit", {}))
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        if self._reader is not None:
            await self._reader


class _Open:
    """A request of an `AsyncEngineClient` without an answer."""

    def __init__(self, line: bytes, on_interim: Callable[[Answer], object] | None) -> None:
        self.line = line
        self.on_interim = on_interim
        self.future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.tries = 0
        self.process: asyncio.subprocess.Process | None = None  # that it was sent to
