"""The caller of a hint: interim answers, its wish to end the hint, and why a hint ended."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Generic, Literal, TypeAlias, TypeVar

__all__ = ["Caller", "Stopped"]

#: Why a hint has ended: all was solved; one move was clearly the best; the time was up; all samples
#: were searched; `progress` ended it.
Stopped: TypeAlias = Literal["exact", "decided", "time", "samples", "stop"]

_NEWS = 0.05  # seconds between interim answers
_REST = 4  # pause after an interim answer, in multiples of its cost

_News = TypeVar("_News")


class Caller(Generic[_News]):
    """Calls the `progress` of a hint when it is due, and remembers that it has ended the hint.

    Args:
        progress: called with the answer so far; True from it ends the hint. None for nobody.

    Example:
        >>> caller = Caller(lambda news: news == "end")
        >>> caller.tell(lambda: "end"), caller.has_ended
        (True, True)
    """

    def __init__(self, progress: Callable[[_News], object] | None) -> None:
        self._progress = progress
        self._due = 0.0
        self.has_ended = False
        self.last: _News | None = None  # the last interim answer

    @property
    def listens(self) -> bool:
        """Whether there is a `progress` to call."""
        return self._progress is not None

    def tell(self, news: Callable[[], _News]) -> bool:
        """Whether the hint is to end. Calls `progress` if enough time has passed.

        Args:
            news: makes the answer so far.
        """
        begun = perf_counter()
        if self._progress is None or self.has_ended or begun < self._due:
            return self.has_ended
        made = news()
        self._due = perf_counter() + _NEWS + _REST * (perf_counter() - begun)
        self.last = made
        self.has_ended = self._progress(made) is True
        return self.has_ended
