"""Agents that are programs of their own: bots in any language, which speak lines of JSON.

A bot is asked as `casino-core engine` is asked for the play of an agent (docs/agents.md).
"""

from __future__ import annotations

import json
import shlex
import subprocess
import threading
import weakref
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import IO, Any, ClassVar, Final

from casino_core._arguments import SECONDS
from casino_core.errors import AgentError, CasinoError, quoted
from casino_core.game.position import Move
from casino_core.play.agent import Agent, Turn, moves_or_some

__all__ = ["ProgramAgent"]

_USUAL_SECONDS: Final = 10.0  # for a play, the start of the program included
_LONGEST_LINE: Final = 1 << 20  # bytes of an answer
_PATIENCE: Final = 2.0  # seconds for a program to end by itself
_MOST_WORDS: Final = 200  # characters of the program's own that a message repeats


@dataclass(frozen=True, slots=True)
class ProgramAgent(Agent):
    """A program that answers requests for a play; it is started for the first one.

    Args:
        command: the program and its arguments, as in a shell; no shell reads it.
        seconds: the longest time for a play.

    Example:
        >>> agent = ProgramAgent.parse("seconds=2,python3 my_bot.py --fast")
        >>> agent.command, agent.seconds, str(agent)
        ('python3 my_bot.py --fast', 2.0, 'exec:seconds=2,python3 my_bot.py --fast')
    """

    name: ClassVar[str] = "exec"

    command: str
    seconds: float = _USUAL_SECONDS
    _program: _Program = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seconds", SECONDS("seconds", self.seconds))
        object.__setattr__(self, "_program", _Program(self.command))

    def __reduce__(self) -> tuple[Any, ...]:
        return ProgramAgent, (self.command, self.seconds)

    def __str__(self) -> str:
        usual = self.seconds == _USUAL_SECONDS
        return f"exec:{self.command}" if usual else f"exec:seconds={self.seconds:g},{self.command}"

    @staticmethod
    def parse(text: str) -> ProgramAgent:
        """The agent of a text without its `exec:`.

        Args:
            text: the command, with `seconds=N,` before it for another time limit.

        Raises:
            CasinoError: there is no command in it, or the number is not valid.
        """
        first, comma, rest = text.strip().partition(",")
        key, equals, value = first.partition("=")
        if not (comma and equals and key.strip() == "seconds"):
            return ProgramAgent(text.strip())
        try:
            seconds = float(value)
        except ValueError:
            raise CasinoError(f"agent exec: seconds is a number, not {quoted(value)}") from None
        return ProgramAgent(rest.strip(), seconds)

    def choose(self, turn: Turn) -> Move:
        position = turn.position
        request = {
            "protocol": 2,
            "command": "agent",
            "position": _seen(turn),
            "seed": turn.rng.bits() >> 11,  # below 2**53: exact in JavaScript too
            "turn": position.turn,
            "moves": [str(move) for move in moves_or_some(position)],
        }
        answer = self._program.ask(request, self.seconds)
        try:
            return position.move(answer["move"])
        except (CasinoError, KeyError) as error:
            self._program.end()
            if isinstance(error, CasinoError):
                raise
            raise AgentError(f"its answer has no move: {_shown(json.dumps(answer))}") from None


def _seen(turn: Turn) -> str:
    """The position as the seat sees it, with the plays of the deal that led to it."""
    if not turn.plays:
        return str(turn.position)
    moves = " ".join(str(move) for _, move in turn.plays)
    return f"{turn.plays[0][0]}\n{moves}"


def _shown(text: str) -> str:
    return quoted(" ".join(text.split()), _MOST_WORDS)


class _Program:
    """A program that is started when it is asked, and ends with its agent.

    Args:
        command: the program and its arguments.

    Raises:
        CasinoError: there is no command.
    """

    def __init__(self, command: str) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise CasinoError(f"agent exec: {quoted(command)}: {error}") from None
        if not self._words:
            raise CasinoError("agent exec: a command follows, as in exec:python3 my_bot.py")
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._said: deque[str] = deque(maxlen=1)
        self._readers: list[threading.Thread] = []
        self._number = 0

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a request.

        Args:
            request: its fields, without an id.
            seconds: the longest time for the answer.

        Raises:
            AgentError: there is no answer, or one that is no JSON object or an error.
        """
        with self._lock:
            self._number += 1
            line = json.dumps({"id": self._number, **request}).encode() + b"\n"
            process = self._running()
            assert process.stdin is not None
            try:
                process.stdin.write(line)
                process.stdin.flush()
            except OSError:
                raise self._gone() from None
            return self._checked(self._next_line(seconds))

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        pipe = subprocess.PIPE
        try:
            started = subprocess.Popen(
                self._words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )  # a session of its own: Ctrl-C is for us, and we end it
        except OSError as error:
            what = error.strerror or str(error)
            raise AgentError(f"{quoted(self._words[0])} cannot be started: {what}") from None
        self._lines, self._said = SimpleQueue(), deque(maxlen=1)
        assert started.stdout is not None
        assert started.stderr is not None
        self._readers = [
            threading.Thread(target=_read_lines, args=(started.stdout, self._lines), daemon=True),
            threading.Thread(target=_read_words, args=(started.stderr, self._said), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        weakref.finalize(self, _end, started, _PATIENCE)
        self._process = started
        return started

    def _next_line(self, seconds: float) -> bytes:
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            self.end()
            raise AgentError(f"it gave no answer in {seconds:g} s") from None
        if line is None:
            raise self._gone()
        return line

    def _checked(self, line: bytes) -> dict[str, Any]:
        """The object of an answer; a program that answers anything else is ended."""
        text = _shown(line.decode(errors="replace"))
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if isinstance(answer, dict) and "error" in answer:
            self.end()
            raise AgentError(f"it answers: {_shown(str(answer['error']))}")
        if not isinstance(answer, dict) or answer.get("id") != self._number:
            self.end()
            what = "no JSON object" if not isinstance(answer, dict) else "not of this request's id"
            raise AgentError(f"its answer is {what}: {text}")
        return answer

    def _gone(self) -> AgentError:
        """What is known of a program that has ended."""
        self.end()
        for reader in self._readers:
            reader.join(_PATIENCE)  # which may have a last line to read
        assert self._process is not None
        status = self._process.returncode
        end = f"status {status}" if status >= 0 else f"signal {-status}"
        words = f": {_shown(self._said[0])}" if self._said else ""
        return AgentError(f"it ended with {end}{words}")

    def end(self) -> None:
        """End the program; it is started again if it is asked once more."""
        if self._process is not None:
            _end(self._process, _PATIENCE)


def _end(process: subprocess.Popen[bytes], patience: float) -> None:
    """End a program: by the end of its input, else by force."""
    with suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(patience)
        return
    process.kill()
    process.wait()


def _read_lines(source: IO[bytes], lines: SimpleQueue[bytes | None]) -> None:
    with source, suppress(OSError, ValueError):
        while line := source.readline(_LONGEST_LINE):
            if line.strip():
                lines.put(line)
    lines.put(None)


def _read_words(source: IO[bytes], said: deque[str]) -> None:
    with source, suppress(OSError, ValueError):
        while line := source.readline(_LONGEST_LINE):
            if text := line.decode(errors="replace").strip():
                said.append(text)
