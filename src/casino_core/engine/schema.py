"""The JSON Schema and the documents of protocol 2, made from its table of commands."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from casino_core.engine.codes import ERROR_CODES
from casino_core.engine.commands import COMMON, PROTOCOL_2, Command
from casino_core.engine.fields import Field
from casino_core.engine.shapes import REASON, STRING, STRINGS
from casino_core.game.refusals import REASON_CODES

__all__ = ["schema", "schema_text", "tables"]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NEEDED = "required"


def schema() -> dict[str, Any]:
    """The JSON Schema of protocol 2.

    A request is valid by the whole schema; the answers to a command by `$defs/answer_COMMAND`, an
    error by `$defs/error`. Answers may have further fields in later versions.

    Example:
        >>> sorted(schema()["$defs"])[:2], len(schema()["oneOf"]) == len(PROTOCOL_2)
        (['answer_about', 'answer_agent'], True)
    """
    requests = {f"request_{name}": _request(name, one) for name, one in PROTOCOL_2.items()}
    answers = {f"answer_{name}": _answer(one) for name, one in PROTOCOL_2.items()}
    return {
        "$schema": _DIALECT,
        "$id": "urn:casino-core:engine:2",
        "title": "Requests to casino-core engine, protocol 2",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in requests],
        "$defs": {**requests, **answers, "error": _error()},
    }


def schema_text() -> str:
    """The JSON Schema as text, as the package has it."""
    return json.dumps(schema(), indent=1) + "\n"


def _request(name: str, command: Command) -> dict[str, Any]:
    fields = {**COMMON, **command.fields}
    needed = [field for field, one in command.fields.items() if one.needed]
    return {
        "type": "object",
        "description": command.doc,
        "properties": {
            "command": {"const": name},
            **{field: _field(one) for field, one in fields.items()},
        },
        "required": ["command", *needed],
        "additionalProperties": False,
    }


def _field(field: Field) -> dict[str, Any]:
    shape = {**field.kind.schema, "description": field.doc}
    return shape if field.default is None else {**shape, "default": field.default}


def _answer(command: Command) -> dict[str, Any]:
    """The shape of an answer. `id` is always there; `fields` may leave out the others."""
    return {
        "type": "object",
        "properties": {
            "id": {},
            "interim": {"const": True},
            "warnings": STRINGS,
            **{name: {**one.shape, "description": one.doc} for name, one in command.answer.items()},
        },
        "required": ["id"],
        "not": {"required": ["error"]},
    }


def _error() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "id": {},
            "error": STRING,
            "code": {"enum": list(ERROR_CODES)},
            "field": STRING,
            "reason": REASON,
        },
        "required": ["id", "error", "code"],
    }


def tables() -> dict[str, str]:
    """The tables of `docs/engine.md` that are made from the table of commands, by name."""
    return {
        "commands": "\n\n".join(_table(name, one) for name, one in PROTOCOL_2.items()),
        "codes": _codes(ERROR_CODES),
        "reasons": _codes({**REASON_CODES, "unreadable": "the text is not a move"}),
    }


def _codes(codes: Mapping[str, str]) -> str:
    rows = [f"| `{code}` | {meaning} |" for code, meaning in codes.items()]
    return "\n".join(["| code | meaning |", "|---|---|", *rows])


def _table(name: str, command: Command) -> str:
    lines = [f"### {name}", "", command.doc, ""]
    if command.fields:
        lines += ["| field | value | meaning | default |", "|---|---|---|---|"]
        lines += [_row(field, one) for field, one in command.fields.items()]
        lines.append("")
    lines += ["| answer | meaning |", "|---|---|", *_answer_rows(command)]
    return "\n".join(lines)


def _answer_rows(command: Command) -> Iterator[str]:
    for name, answer in command.answer.items():
        yield f"| `{name}` | {answer.doc} |"


def _row(name: str, field: Field) -> str:
    default = _NEEDED if field.needed else field.default_words or _shown(field.default)
    return f"| `{name}` | {field.kind.meaning} | {field.doc} | {default} |"


def _shown(default: Any) -> str:
    return "" if default in (None, "") else f"`{json.dumps(default)}`"
