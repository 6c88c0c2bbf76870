"""Bars that show the progress of a batch, in a terminal or a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from casino_core.batch.analysis import BatchProgress

__all__ = ["bar_for"]


def bar_for(total: int | None) -> Callable[[BatchProgress], None]:
    """A bar for the place where the program runs.

    Args:
        total: number of all items, None if it is not known.

    Example:
        >>> type(bar_for(10)).__name__
        '_TerminalBar'
    """
    return _NotebookBar() if _in_notebook() else _TerminalBar(total)


def _in_notebook() -> bool:
    """Whether the program runs in a kernel, which shows pictures."""
    python: Any = sys.modules.get("IPython")
    shell = python.get_ipython() if python is not None else None
    return getattr(shell, "kernel", None) is not None


class _TerminalBar:
    """A bar in a terminal, which stays when all is done.

    Args:
        total: number of all items, None if it is not known.
    """

    def __init__(self, total: int | None) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        self._bar = Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._task = self._bar.add_task("", total=total)
        self._total = total

    def __call__(self, now: BatchProgress) -> None:
        """Show the progress."""
        self._bar.start()
        self._bar.update(self._task, completed=now.done)
        if now.done == self._total:
            self._bar.stop()


class _NotebookBar:
    """A bar in a notebook, which stays when all is done; no other package is needed for it."""

    def __init__(self) -> None:
        self._handle: Any = None

    def __call__(self, now: BatchProgress) -> None:
        """Show the progress."""
        if self._handle is None:
            display: Any = import_module("IPython.display").display  # which every kernel has
            self._handle = display(_Picture(now), display_id=True)
        else:
            self._handle.update(_Picture(now))


class _Picture:
    """A bar at one time."""

    def __init__(self, now: BatchProgress) -> None:
        self._now = now

    def __repr__(self) -> str:
        now = self._now
        total = "" if now.total is None else f" of {now.total:,}"
        failed = f", {now.failed:,} failed" if now.failed else ""
        return f"{now.done:,}{total} done{failed}, {now.seconds:.0f} s"

    def _repr_html_(self) -> str:
        of = "" if self._now.total is None else f' max="{self._now.total}" value="{self._now.done}"'
        return f"<progress{of}></progress> {self!r}"
