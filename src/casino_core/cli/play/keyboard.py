"""Lines that a player types, or that a script pipes in."""

from __future__ import annotations

import sys
from contextlib import suppress

import click

__all__ = ["Keyboard"]

_LONGEST = 10_000  # characters of a line; the rest of it is dropped


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
