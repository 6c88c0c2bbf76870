"""Requests to the engine: each line of JSON is read and checked before any work.

`docs/engine.md` describes the protocol. `COMMANDS` is the table of commands and their fields, from
which reading, messages and the answer of `about` are made.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from casino_core._arguments import (
    MIB,
    NODE_LIMIT,
    SECONDS,
    Kind,
    one_of,
)
from casino_core.errors import CasinoError, quoted
from casino_core.formats.reading import ReadGame, read, read_game, read_round
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.hints.options import options_of
from casino_core.search.solver import STOCKS

__all__ = ["COMMANDS", "LONGEST_LINE", "Field", "Request", "read_request"]

#: The largest size of a request in bytes.
LONGEST_LINE = 1_000_000

_DEEPEST_ID = 20  # nested lists and objects; repeating the id must not fail
_MOST_DIGITS = 40


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a request.

    Attributes:
        kind: the JSON values allowed, and how they are read.
        needed: whether the field is required.
    """

    kind: Kind[Any]
    needed: bool = False

    def __call__(self, name: str, value: object) -> Any:
        """The value, converted to Python's own type.

        Args:
            name: of the field.
            value: the value in JSON.

        Raises:
            CasinoError: the value is not allowed.
        """
        try:
            return self.kind.read(value)
        except CasinoError:
            raise
        except (TypeError, ValueError, OverflowError):
            raise CasinoError(f"{name} is {self.kind.meaning}, not {_shown(value)}") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _position(value: object) -> ReadGame:
    return read_game(_text(value))


def _play(value: object) -> int | str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    return value


_HINT: Final = {option.name: option for option in options_of("engine")}


def _history(value: object) -> Round | list[tuple[Position, str]]:
    """The plays before a position: a round, or pairs of a position and a move."""
    given = _HINT["history"].json_kind.read(value)
    if isinstance(given, str):
        return read_round(given)
    return [(read(before).position, move) for before, move in given]


#: Readers of fields of a hint that need more than the table of options.
_READ: Final = {"history": Kind(_HINT["history"].json_kind.meaning, _history)}
_POSITION = Field(Kind("the text of a position", _position), needed=True)
_AT = Field(Kind('the number of a play, as 12 or "2.12"', _play))
_TIME = Field(SECONDS)

#: The fields of each command, in addition to `id` and `command`.
COMMANDS: Final[Mapping[str, Mapping[str, Field]]] = MappingProxyType(
    {
        "about": {},
        "ping": {},
        "moves": {"position": _POSITION, "at": _AT},
        "show": {"position": _POSITION, "at": _AT},
        "play": {
            "position": _POSITION,
            "at": _AT,
            "move": Field(Kind("the text of a move", _text), needed=True),
        },
        "solve": {
            "position": _POSITION,
            "at": _AT,
            "stock": Field(one_of(STOCKS)),
            "seconds": _TIME,
            "nodes": Field(NODE_LIMIT),
            "table": Field(MIB),
            "interim": _TIME,
        },
        "hint": {
            "position": _POSITION,
            "at": _AT,
            **{
                option.field: Field(_READ.get(option.name, option.json_kind))
                for option in _HINT.values()
            },
            "interim": _TIME,
        },
        "stop": {"request": Field(Kind("the id of a request", lambda value: value))},
        "quit": {},
    }
)


@dataclass(slots=True)
class Request:
    """One request.

    Attributes:
        id: the id of the line; None if there is none or it cannot be read.
        command: one of `COMMANDS`; empty if `error` is set.
        fields: the other fields, as Python values; the position as `read` returns it.
        error: why the line is not a valid request, in one line, or None.
        stopped: whether it is to end, once begun, with its result so far.
        cancelled: whether it is not to be begun.
    """

    id: Any = None
    command: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    error: str | None = None
    stopped: bool = False
    cancelled: bool = False

    def has_id(self, wanted: object) -> bool:
        """Whether the id is the same JSON value; 1, 1.0 and true are different.

        Args:
            wanted: a JSON value.

        Example:
            >>> Request(id=[1]).has_id([1]), Request(id=1).has_id(True)
            (True, False)
        """
        return json.dumps(self.id, sort_keys=True) == json.dumps(wanted, sort_keys=True)


def read_request(line: bytes) -> Request:
    """Read one line. Nothing is raised: an invalid line gives a request with an `error`.

    Args:
        line: the bytes of the line, with or without its end.

    Example:
        >>> read_request(b'{"id": 7, "command": "stop", "request": 6}').command
        'stop'
        >>> read_request(b'{"id": 7, "command": "moves"}').error
        'moves needs the field position'
    """
    request = Request()
    try:
        found = _object(line)
        request.id = _checked_id("id", found.pop("id", None))
        request.fields = _checked_fields(found)
        request.command = found["command"]
    except CasinoError as error:
        request.error = str(error)
    return request


def _object(line: bytes) -> dict[str, Any]:
    """The JSON object of a line."""
    if len(line) > LONGEST_LINE:
        raise CasinoError(f"the line is longer than {LONGEST_LINE} bytes")
    try:
        found = _DECODER.decode(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise CasinoError(f"the line is not UTF-8 at byte {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise CasinoError(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise CasinoError("the JSON is nested too deeply") from None
    if not isinstance(found, dict):
        raise CasinoError(f"a request is a JSON object, not {_shown(found)}")
    return found


def _checked_id(name: str, value: object) -> object:
    if _depth(value) > _DEEPEST_ID:
        raise CasinoError(f"{name} is nested more than {_DEEPEST_ID} deep")
    return value


def _checked_fields(found: dict[str, Any]) -> dict[str, Any]:
    """The fields other than id and command, checked against those of the command."""
    if "command" not in found:
        raise CasinoError(f"a request needs a command: {', '.join(COMMANDS)}")
    command = found["command"]
    if not isinstance(command, str) or command not in COMMANDS:
        raise CasinoError(f"no command {_shown(command)}; the commands are {', '.join(COMMANDS)}")
    known = COMMANDS[command]
    given = {name: value for name, value in found.items() if name != "command"}
    for name, value in given.items():
        if name not in known:
            names = ", ".join(("id", "command", *known))
            raise CasinoError(f"{command} has no field {quoted(name)}; its fields are {names}")
        given[name] = known[name](name, value)
    for name, rule in known.items():
        if rule.needed and name not in given:
            raise CasinoError(f"{command} needs the field {name}")
    if "position" in given:
        given["position"] = given["position"].at(given.pop("at", None))
    if "request" in given:
        _checked_id("request", given["request"])
    return given


def _depth(value: object, so_far: int = 0) -> int:
    """How deep a JSON value is nested, no further than it matters."""
    if not isinstance(value, list | dict) or so_far > _DEEPEST_ID:
        return so_far
    inner = value.values() if isinstance(value, dict) else value
    return max((_depth(item, so_far + 1) for item in inner), default=so_far + 1)


def _shown(value: object) -> str:
    """A JSON value as a message shows it."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    return json.dumps(value)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        count = Counter(name for name, _ in pairs)
        twice = next(name for name, times in count.items() if times > 1)
        raise CasinoError(f"the field {quoted(twice)} is there twice")
    return found


def _parsed_int(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise CasinoError(f"a number has more than {_MOST_DIGITS} digits")
    return int(text)


def _parsed_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise CasinoError(f"the number {quoted(text)} is too large")
    return value


def _no_constant(text: str) -> object:
    raise CasinoError(f"not JSON: {text} is not a number of JSON")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_pairs,
    parse_int=_parsed_int,
    parse_float=_parsed_float,
    parse_constant=_no_constant,
)
