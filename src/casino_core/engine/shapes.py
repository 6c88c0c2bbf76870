"""Shapes of values in answers, as JSON Schema has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

__all__ = [
    "BOOL",
    "BUILD",
    "BUILDS",
    "CARDS",
    "COUNTED",
    "INT",
    "LEGAL_MOVES",
    "NUMBER",
    "NUMBERS_BY_SIDE",
    "OBJECT",
    "OBJECTS",
    "POINTS_SO_FAR",
    "REASON",
    "STRING",
    "STRINGS",
    "VALUED_MOVES",
    "VALUES",
    "Shape",
    "by_name",
    "list_of",
    "or_null",
    "record_of",
]

#: A part of a JSON Schema.
Shape: TypeAlias = Mapping[str, Any]


def by_name(shape: Shape) -> Shape:
    """Objects whose values have a shape, such as numbers by side.

    Args:
        shape: the shape of each value.

    Example:
        >>> by_name(INT)
        {'type': 'object', 'additionalProperties': {'type': 'integer'}}
    """
    return {"type": "object", "additionalProperties": shape}


def list_of(shape: Shape) -> Shape:
    """Lists of values of a shape.

    Args:
        shape: the shape of each item.

    Example:
        >>> list_of(INT)
        {'type': 'array', 'items': {'type': 'integer'}}
    """
    return {"type": "array", "items": shape}


def or_null(shape: Shape) -> Shape:
    """Values of a shape, or null.

    Args:
        shape: the shape.

    Example:
        >>> or_null(INT)
        {'anyOf': [{'type': 'integer'}, {'type': 'null'}]}
    """
    return {"anyOf": [shape, {"type": "null"}]}


def record_of(**fields: Shape) -> Shape:
    """Objects with fields that are all there; later versions may add others.

    Args:
        **fields: the shape of each.

    Example:
        >>> record_of(code=STRING)
        {'type': 'object', 'properties': {'code': {'type': 'string'}}, 'required': ['code']}
    """
    return {"type": "object", "properties": fields, "required": list(fields)}


STRING: Final[Shape] = {"type": "string"}
INT: Final[Shape] = {"type": "integer"}
NUMBER: Final[Shape] = {"type": "number"}
BOOL: Final[Shape] = {"type": "boolean"}
OBJECT: Final[Shape] = {"type": "object"}
OBJECTS: Final = list_of(OBJECT)
STRINGS: Final = list_of(STRING)
CARDS: Final = list_of({"type": "string", "pattern": "^([A2-9TJQK][shdc]|\\?)$"})
NUMBERS_BY_SIDE: Final = by_name(INT)
BUILD: Final = record_of(value=INT, owner=STRING, multiple=BOOL, cards=CARDS)
BUILDS: Final = list_of(BUILD)
REASON: Final = record_of(code=STRING, text=STRING)
LEGAL_MOVES: Final = list_of(
    record_of(
        move=STRING,
        card=STRING,
        kind={"enum": ["trail", "capture", "build"]},
        loose=CARDS,
        builds=BUILDS,
        value=or_null(INT),
        words=STRING,
    )
)
VALUES: Final = list_of(record_of(move=STRING, value=or_null(NUMBER)))
VALUED_MOVES: Final = list_of(
    record_of(move=STRING, value=NUMBER, stderr=NUMBER, chance=NUMBER, gap_stderr=NUMBER)
)
POINTS_SO_FAR: Final = by_name(
    record_of(
        cards=INT,
        spades=INT,
        big_casino=INT,
        little_casino=INT,
        aces=INT,
        other_spades=INT,
        sweeps=INT,
        total=INT,
    )
)
COUNTED: Final = record_of(
    points=NUMBERS_BY_SIDE,
    steps=list_of(record_of(name=STRING, side=or_null(STRING), points=INT)),
    totals=NUMBERS_BY_SIDE,
    match_over=BOOL,
    winner=or_null(STRING),
)
