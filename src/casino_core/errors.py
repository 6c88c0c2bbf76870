"""The exceptions of the package.

Everything that casino_core refuses is refused with a subclass of `CasinoError`, which is a
`ValueError`; the text of each is one line.  All of them survive pickling, so that they can
cross from a worker process.
"""

from __future__ import annotations

__all__ = [
    "CasinoError",
    "HiddenCardError",
    "IllegalMoveError",
    "NotationError",
    "RulesError",
    "SearchLimitError",
    "TooManyMovesError",
    "WorkerError",
    "not_copied",
    "quoted",
]


class CasinoError(ValueError):
    """Base of every exception that casino_core raises on purpose."""


class RulesError(CasinoError):
    """An option or preset that does not exist, or options that contradict each other."""


class NotationError(CasinoError):
    """Text of a position, move, card or saved game that cannot be read."""


class IllegalMoveError(CasinoError):
    """A move that the rules forbid.

    Args:
        message: the whole line, usually with the move.
        reason: why the move is illegal, in words; the message where it is left out.

    Example:
        >>> IllegalMoveError("9hx4d: 4d is not worth 9", "4d is not worth 9").reason
        '4d is not worth 9'
    """

    def __init__(self, message: str = "", reason: str | None = None) -> None:
        super().__init__(message)
        self.reason = message if reason is None else reason


class HiddenCardError(CasinoError):
    """A question that needs cards which are not known."""


class TooManyMovesError(CasinoError):
    """A position with more legal moves than a list of them can hold."""


class SearchLimitError(CasinoError):
    """A search that ended at its limit of nodes, time or memory without an answer."""


class WorkerError(CasinoError):
    """An executor that can do no more work of a batch; the message says from which item on."""


def not_copied(thing: object) -> CasinoError:
    """What is raised where an object with memory of its own process is copied or pickled.

    Args:
        thing: the object.

    Example:
        >>> not_copied(1)
        CasinoError('int is not copied or sent to another process; make a new one there')
    """
    name = type(thing).__name__
    return CasinoError(f"{name} is not copied or sent to another process; make a new one there")


def quoted(text: object, limit: int = 40) -> str:
    """Foreign text as it may stand in a one-line message: quoted, escaped, cut when long.

    Args:
        text: what the user wrote.
        limit: the most characters of it to show.

    Example:
        >>> quoted("two\\nlines")
        "'two\\\\nlines'"
        >>> quoted("x" * 99, limit=5)
        "'xxxxx...'"
    """
    shown = str(text)
    if len(shown) > limit:
        shown = shown[:limit] + "..."
    return repr(shown)  # escapes what would break the line or upset a terminal, nothing else
