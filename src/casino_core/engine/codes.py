"""Codes of errors: words for programs, beside the texts for people."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from casino_core.errors import (
    CasinoError,
    HiddenCardError,
    IllegalMoveError,
    NotationError,
    RulesError,
    SearchLimitError,
    TooManyMovesError,
)

__all__ = ["ERROR_CODES", "RequestError", "code_of"]

#: The codes of errors, which programs may rely on, and what each means. Codes may be added.
ERROR_CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "not_json": "the line is not JSON in UTF-8, or is too long or nested too deeply",
        "bad_request": "the line is not an object with a `command`, or has a field twice",
        "bad_protocol": "the engine does not speak this protocol",
        "unknown_command": "there is no such command",
        "unknown_field": "the command has no such field; `field` names it",
        "missing_field": "a field is required; `field` names it",
        "bad_field": "a value that the field does not take; `field` names it",
        "bad_notation": "a text of a position, record, move or card that cannot be read",
        "bad_rules": "rules that do not exist or contradict each other",
        "illegal_move": "a move that the rules forbid; `reason` has `code` and `text`",
        "hidden_cards": "the answer needs cards that are not known",
        "too_many_moves": "a crowded table: there are more moves than a list holds",
        "search_limit": "a search met its limit before it had an answer",
        "refused": "the question has no answer, as for the play of a finished round",
        "cancelled": "the request was cancelled, or the engine was told to quit",
        "no_memory": "there is not enough memory",
        "internal": "a fault of the program; other requests still work",
    }
)

_BY_CLASS: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (IllegalMoveError, "illegal_move"),
    (HiddenCardError, "hidden_cards"),
    (TooManyMovesError, "too_many_moves"),
    (SearchLimitError, "search_limit"),
    (RulesError, "bad_rules"),
    (NotationError, "bad_notation"),
    (CasinoError, "refused"),
    (MemoryError, "no_memory"),
)


class RequestError(CasinoError):
    """A request that cannot be done.

    Args:
        message: one line for people.
        code: one of `ERROR_CODES`.
        field: the field at fault, if one is.

    Example:
        >>> RequestError("hint has no field 'x'", "unknown_field", "x").code
        'unknown_field'
    """

    def __init__(self, message: str = "", code: str = "refused", field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.field = field


def code_of(error: BaseException) -> str:
    """The code of an error.

    Args:
        error: any exception.

    Example:
        >>> code_of(NotationError("x")), code_of(ZeroDivisionError())
        ('bad_notation', 'internal')
    """
    if isinstance(error, RequestError):
        return error.code
    return next((code for kind, code in _BY_CLASS if isinstance(error, kind)), "internal")
