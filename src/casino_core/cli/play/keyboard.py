"""Lines that a player types, or that a script pipes in."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

__all__ = ["Keyboard"]

_LONGEST = 10_000  # characters of a line; the rest of it is dropped
_OVER = b"\0"  # no signal has this number
_TRIES = 50
_PAUSE = 0.02  # seconds between two tries to end a read


class Keyboard:
    """Standard input, line by line.

    Attributes:
        is_person: whether a person types, at a terminal.
    """

    def __init__(self) -> None:
        self._held: str | None = None
        self.is_person = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")  # bytes of another encoding
        if self.is_person:
            with suppress(ImportError):
                import readline  # noqa: F401 - lines can be edited, and recalled

    def ask(self, prompt: str) -> str | None:
        """The next line; None at the end of the input.

        Args:
            prompt: the text before the line.
        """
        if self._held is not None:
            line, self._held = self._held, None
            return line
        with _interrupts_end_reads():
            if self.is_person:
                return _typed(prompt)
            line = sys.stdin.readline(_LONGEST) if sys.stdin is not None else ""
        shown = prompt + line.rstrip()
        click.echo(shown.rstrip())  # so that the output reads like a dialog
        return line.rstrip("\r\n") if line else None

    def hold(self, line: str) -> None:
        """Keep a line as the answer to the next question.

        Args:
            line: the line.
        """
        self._held = line

    def forget(self) -> None:
        """Forget the lines that could be recalled, before another person takes the keyboard."""
        readline = sys.modules.get("readline")
        if readline is not None:
            readline.clear_history()


def _typed(prompt: str) -> str | None:
    try:
        return input(prompt)
    except EOFError:
        click.echo()
        return None


@contextmanager
def _interrupts_end_reads() -> Iterator[None]:
    """Let signals end a read of the terminal, also one that arrives right before the read.

    Such a signal is noted, but the read that follows waits for a key: Python handles signals when a
    read ends. So while one waits, a thread is told of each signal, and ends the read by another.
    """
    main = threading.main_thread()
    if not hasattr(signal, "pthread_kill") or threading.current_thread() is not main:
        yield
        return
    heard, tell = os.pipe()
    os.set_blocking(tell, False)
    is_over = threading.Event()

    def end_read() -> None:
        while os.read(heard, 1) != _OVER:
            for _ in range(_TRIES):
                if is_over.wait(_PAUSE):
                    break
                signal.pthread_kill(main.ident or 0, signal.SIGURG)

    watch = threading.Thread(target=end_read, daemon=True)
    before = signal.signal(signal.SIGURG, lambda *_: None)  # else it is ignored, and ends nothing
    told_before = signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    watch.start()
    try:
        yield
    finally:
        is_over.set()
        signal.set_wakeup_fd(told_before)
        with suppress(BlockingIOError):
            os.write(tell, _OVER)
        watch.join()
        signal.signal(signal.SIGURG, before)
        os.close(heard)
        os.close(tell)
