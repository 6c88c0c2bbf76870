"""A program in a pseudo-terminal: what a person types, and what stands on the screen then."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from helpers.programs import PATIENCE, PROGRAM, started

#: The end of what `casino-core play` prints when it waits for a line.
PROMPT = r"(move \(or help\):|for none\)\?|, q:|last play:) ?$"
# Makes the terminal its own, so that Ctrl-C reaches the program.
_OWN = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
_OWN += "os.execv(sys.argv[1], sys.argv[1:])"
ESCAPES = re.compile(r"\x1b\[[?0-9;]*[a-zA-Z]")


class Terminal:
    """A started program and its terminal."""

    def __init__(self, process: Any, place: int) -> None:
        self.process = process
        self.shown = ""
        self._place = place

    def wait(self, pattern: str = PROMPT) -> str:
        """What is printed up to a text that matches, without escape sequences."""
        found, end = "", time.monotonic() + PATIENCE
        while not re.search(pattern, plain(found)):
            assert time.monotonic() < end, found
            more = self._more()
            assert more, f"the program has ended: {plain(found)}"
            found += more
        return plain(found)

    def type(self, line: str, pattern: str = PROMPT) -> str:
        """Type a line, and wait for the next question."""
        self.send(line + "\n")
        return self.wait(pattern)

    def send(self, keys: str) -> None:
        """Type keys, such as `\\x03` for Ctrl-C and `\\x04` for the end of the input."""
        os.write(self._place, keys.encode())

    def end(self) -> str:
        """All that is printed up to the end of the program."""
        found = ""
        while more := self._more():
            found += more
        self.process.wait(PATIENCE)
        return plain(found)

    def kill(self) -> None:
        """Kill the program as `kill -9` does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def _more(self) -> str:
        """What is printed next; empty at the end."""
        ready, _, _ = select.select([self._place], [], [], PATIENCE)
        assert ready, "nothing is printed"
        try:
            text = os.read(self._place, 65536).decode(errors="replace")
        except OSError:  # the end, on Linux
            text = ""
        self.shown += text
        return text


@contextmanager
def terminal(
    *arguments: object,
    program: tuple[str, ...] = PROGRAM,
    width: int = 80,
    env: dict[str, str] | None = None,
    **options: Any,
) -> Iterator[Terminal]:
    """Start `casino-core`, or another program, with arguments in a pseudo-terminal."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("4H", 40, width, 0, 0))
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", **_python(), **(env or {})}
    command = (sys.executable, "-c", _OWN, *program, *arguments)
    options = {"stdin": its, "stdout": its, "stderr": its, **options}
    with started(*command, env=environment, **options) as process:
        os.close(its)
        try:
            yield Terminal(process, ours)
        finally:
            os.close(ours)


def _python() -> dict[str, str]:
    """What the program needs of the environment to be found, and a terminal of UTF-8."""
    names = ("PYTHONPATH", "LD_PRELOAD", "ASAN_OPTIONS", "CASINO_CORE_TEST_RUN")
    found = {name: os.environ[name] for name in names if name in os.environ}
    return {"LC_ALL": "C.UTF-8", **found}


def plain(text: str) -> str:
    """A text without escape sequences."""
    return ESCAPES.sub("", text).replace("\r\n", "\n")
