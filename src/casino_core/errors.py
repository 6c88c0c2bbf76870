"""The exceptions of the package.

Every error that casino_core raises on purpose is a subclass of `CasinoError`, which is a
`ValueError`; its text is one line. All of them can be pickled, so that a worker process can return
them.
"""

from __future__ import annotations

__all__ = [
    "AgentError",
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
        reason: why the move is illegal, in words; by default the message.
        code: the reason as a word for programs, one of `casino_core.game.refusals.REASON_CODES`.

    Example:
        >>> error = IllegalMoveError("9hx4d: 4d is not worth 9", "4d is not worth 9")
        >>> error.reason, error.code
        ('4d is not worth 9', 'not_allowed')
    """

    def __init__(
        self, message: str = "", reason: str | None = None, code: str = "not_allowed"
    ) -> None:
        super().__init__(message)
        self.reason = message if reason is None else reason
        self.code = code


class HiddenCardError(CasinoError):
    """A question that needs cards which are not known."""


class TooManyMovesError(CasinoError):
    """A position with more legal moves than a list of them can hold."""


class SearchLimitError(CasinoError):
    """A search that ended at its limit of nodes, time or memory without an answer."""


class AgentError(CasinoError):
    """An agent that has not made a legal play: it failed, was too late, or chose something else."""


class WorkerError(CasinoError):
    """A broken executor that cannot finish a batch; the message names the first item not done."""


def not_copied(thing: object) -> CasinoError:
    """The error for copying or pickling an object that holds memory of its process.

    Args:
        thing: the object.

    Example:
        >>> not_copied(1)
        CasinoError('int is not copied or sent to another process; make a new one there')
    """
    name = type(thing).__name__
    return CasinoError(f"{name} is not copied or sent to another process; make a new one there")


def quoted(text: object, limit: int = 40) -> str:
    """Text of a user for a one-line message: quoted, escaped, and cut if it is long.

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
    return repr(shown)  # escapes only characters that would break the line or disturb a terminal
