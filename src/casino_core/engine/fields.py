"""Fields of requests: their values in JSON, whether they are required, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from casino_core._arguments import SEED, Kind
from casino_core.engine.codes import RequestError, code_of
from casino_core.engine.lines import checked_id, shown_json
from casino_core.errors import CasinoError
from casino_core.formats.reading import ReadGame, read, read_game, read_round
from casino_core.formats.record import Game
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.hints.options import options_of

__all__ = [
    "ANY_ID",
    "GAME",
    "HINT_OPTIONS",
    "NAMES",
    "NUMBERS",
    "PLACE",
    "POSITION",
    "TEXT",
    "Field",
    "option_kind",
]

_LONGEST_SEATS = 4


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a request.

    Attributes:
        kind: the JSON values allowed, and how they are read.
        needed: whether the field is required.
        doc: what it means, a phrase.
        default: what holds if it is left out, in JSON; None for nothing.
        default_words: the same in words, if the value alone is not clear.
    """

    kind: Kind[Any]
    needed: bool = False
    doc: str = ""
    default: Any = field(default=None, compare=False)
    default_words: str = ""

    def __call__(self, name: str, value: object) -> Any:
        """The value, converted to Python's own type.

        Args:
            name: of the field.
            value: the value in JSON.

        Raises:
            RequestError: the value is not allowed.
        """
        try:
            return self.kind.read(value)
        except CasinoError as error:  # with a message of its own
            raise RequestError(str(error), code_of(error), name) from None
        except (TypeError, ValueError, OverflowError):
            what = f"{name} is {self.kind.meaning}, not {shown_json(value)}"
            raise RequestError(what, "bad_field", name) from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _position(value: object) -> ReadGame:
    return read_game(_text(value))


def _game(value: object) -> ReadGame:
    """A game, as text or as the JSON of a record."""
    if not isinstance(value, dict):
        return _position(value)
    return ReadGame(Game.from_json(value), (), False)


def _place(value: object) -> int | str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    return value


def _names(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise TypeError
    return value


def _numbers(value: object) -> list[int]:
    """One number of points for each side."""
    if not isinstance(value, list) or not 2 <= len(value) <= _LONGEST_SEATS:
        raise TypeError
    return [SEED.read(number) for number in value]


#: The options of a hint that a request may have, by name.
HINT_OPTIONS: Final = MappingProxyType({option.name: option for option in options_of("engine")})


def _history(value: object) -> Round | list[tuple[Position, str]]:
    """The plays before a position: a round, or pairs of a position and a move."""
    given = HINT_OPTIONS["history"].json_kind.read(value)
    if isinstance(given, str):
        return read_round(given)
    return [(read(before).position, move) for before, move in given]


def option_kind(name: str) -> Kind[Any]:
    """The JSON values of an option of a hint.

    Args:
        name: the name of the option.

    Example:
        >>> option_kind("samples").meaning
        'a whole number from 1 to 2**31 - 1'
    """
    kind = HINT_OPTIONS[name].json_kind
    return Kind(kind.meaning, _history, kind.schema) if name == "history" else kind


_STRING: Final[Mapping[str, Any]] = {"type": "string"}

#: The text of a position, a record or a saved game.
POSITION: Final = Kind("the text of a position", _position, _STRING)
#: The same, or the JSON of a record.
GAME: Final = Kind(
    "the text of a position or record, or the JSON of a record",
    _game,
    {"type": ["string", "object"]},
)
#: The number of a play.
PLACE: Final = Kind(
    'the number of a play, as 12 or "2.12"', _place, {"type": ["integer", "string"]}
)
#: Any text.
TEXT: Final = Kind("a text", _text, _STRING)
#: A list of names.
NAMES: Final = Kind("a list of names", _names, {"type": "array", "items": _STRING})
#: A number for each side.
NUMBERS: Final = Kind(
    "a list of whole numbers, one for each side",
    _numbers,
    {
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
        "minItems": 2,
        "maxItems": _LONGEST_SEATS,
    },
)
#: The id of a request.
ANY_ID: Final[Kind[Any]] = Kind("the id of a request", lambda value: checked_id("request", value))
