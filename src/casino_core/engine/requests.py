"""Requests to the engine: each line of JSON is read and checked before any work.

`docs/engine.md` describes the protocols. `COMMANDS` is the table of commands and their fields of
protocol 1, `casino_core.engine.commands` that of protocol 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from casino_core._arguments import MIB, NODE_LIMIT, SECONDS, Kind, one_of
from casino_core.engine.codes import RequestError, code_of
from casino_core.engine.commands import PROTOCOL_2
from casino_core.engine.fields import (
    ANY_ID,
    HINT_OPTIONS,
    PLACE,
    POSITION,
    TEXT,
    Field,
    option_kind,
)
from casino_core.engine.lines import (
    LONGEST_LINE,
    checked_id,
    read_object,
    same_json,
    shown_json,
)
from casino_core.errors import CasinoError, quoted
from casino_core.formats.reading import ReadGame, ReadRound
from casino_core.search.solver import STOCKS

__all__ = ["COMMANDS", "LONGEST_LINE", "PROTOCOLS", "Request", "read_request"]

#: The protocols that the engine speaks.
PROTOCOLS: Final = (1, 2)

_POSITION = Field(POSITION, needed=True)
_AT = Field(PLACE)
_TIME = Field(SECONDS)

#: The fields of each command of protocol 1, in addition to `id` and `command`.
COMMANDS: Final[Mapping[str, Mapping[str, Field]]] = MappingProxyType(
    {
        "about": {},
        "ping": {},
        "moves": {"position": _POSITION, "at": _AT},
        "show": {"position": _POSITION, "at": _AT},
        "play": {
            "position": _POSITION,
            "at": _AT,
            "move": Field(Kind("the text of a move", TEXT.read), needed=True),
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
            **{option.field: Field(option_kind(option.name)) for option in HINT_OPTIONS.values()},
            "interim": _TIME,
        },
        "stop": {"request": Field(ANY_ID)},
        "quit": {},
    }
)

_COMMON: Final = MappingProxyType(
    {1: ("id", "command"), 2: ("protocol", "id", "client", "command")}
)
_TABLES: Final[Mapping[int, Mapping[str, Mapping[str, Field]]]] = MappingProxyType(
    {1: COMMANDS, 2: {name: command.fields for name, command in PROTOCOL_2.items()}}
)


@dataclass(slots=True, eq=False)
class Request:
    """One request.

    Attributes:
        id: the id of the line; None if there is none or it cannot be read.
        command: one of the commands of its protocol; empty if `error` is set.
        fields: the other fields, as Python values; a position as `read_game` returns it.
        error: why the line is not a valid request, in one line, or None.
        code: the code of the error.
        field: the field at fault.
        protocol: the protocol of the request, and of its answer.
        client: the name by which requests take turns, in protocol 2.
        stopped: whether it is to end, once begun, with its result so far.
        cancelled: whether it is not to be begun, and to end without a result.
    """

    id: Any = None
    command: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    error: str | None = None
    code: str = ""
    field: str | None = None
    protocol: int = 1
    client: str = ""
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
        return same_json(self.id, wanted)


def read_request(line: bytes, protocol: int = 1) -> Request:
    """Read one line. Nothing is raised: an invalid line gives a request with an `error`.

    Args:
        line: the bytes of the line, with or without its end.
        protocol: the protocol of a line that does not name it.

    Example:
        >>> read_request(b'{"id": 7, "command": "stop", "request": 6}').command
        'stop'
        >>> read_request(b'{"id": 7, "command": "moves"}').error
        'moves needs the field position'
        >>> read_request(b'{"protocol": 2, "command": "moves"}').code
        'missing_field'
    """
    request = Request(protocol=protocol)
    try:
        found = read_object(line)
        request.id = checked_id("id", found.pop("id", None))
        if "protocol" in found:
            request.protocol = _protocol(found.pop("protocol"))
        if request.protocol > 1:
            request.client = _client(found.pop("client", ""))
        request.fields = _checked_fields(found, _TABLES[request.protocol], request.protocol)
        request.command = found["command"]
    except CasinoError as error:
        request.error, request.code = str(error), code_of(error)
        request.field = getattr(error, "field", None)
    return request


def _protocol(value: object) -> int:
    if type(value) is not int or value not in PROTOCOLS:
        known = " and ".join(map(str, PROTOCOLS))
        what = f"protocol is one of those of this engine, {known}, not {shown_json(value)}"
        raise RequestError(what, "bad_protocol", "protocol")
    return value


_CLIENT: Final = Field(TEXT)


def _client(value: object) -> str:
    name: str = _CLIENT("client", value)
    return name


def _checked_fields(
    found: dict[str, Any], table: Mapping[str, Mapping[str, Field]], protocol: int
) -> dict[str, Any]:
    """The fields other than id and command, checked against those of the command."""
    names = ", ".join(table)
    if "command" not in found:
        raise RequestError(f"a request needs a command: {names}", "bad_request", "command")
    command = found["command"]
    if not isinstance(command, str) or command not in table:
        what = f"no command {shown_json(command)}; the commands are {names}"
        raise RequestError(what, "unknown_command", "command")
    known = table[command]
    given = {name: value for name, value in found.items() if name != "command"}
    for name, value in given.items():
        if name not in known:
            names = ", ".join((*_COMMON[protocol], *known))
            what = f"{command} has no field {quoted(name)}; its fields are {names}"
            raise RequestError(what, "unknown_field", name)
        given[name] = known[name](name, value)
    for name, rule in known.items():
        if rule.needed and name not in given:
            raise RequestError(f"{command} needs the field {name}", "missing_field", name)
    if "position" in given:
        given["game"] = given["position"]
        given["at"] = given.get("at")
        given["position"] = _stands(given["game"], given["at"])
    return given


def _stands(game: ReadGame, at: int | str | None) -> ReadRound:
    """The round as it stands at a play."""
    try:
        return game.at(at)
    except CasinoError as error:
        raise RequestError(str(error), "bad_field", "at") from None
