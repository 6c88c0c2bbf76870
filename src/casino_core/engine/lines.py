"""Lines of JSON: reading one, and how a message shows a value."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, Final

from casino_core.engine.codes import RequestError
from casino_core.errors import quoted

__all__ = ["LONGEST_LINE", "checked_id", "read_object", "same_json", "shown_json"]

#: The largest size of a request in bytes.
LONGEST_LINE = 1_000_000

_DEEPEST_ID = 20  # nested lists and objects; repeating the id must not fail
_MOST_DIGITS = 40


def read_object(line: bytes) -> dict[str, Any]:
    """The JSON object of a line.

    Args:
        line: the bytes of the line, with or without its end.

    Raises:
        RequestError: the line is something else.

    Example:
        >>> read_object(b'{"id": 7}')
        {'id': 7}
    """
    if len(line) > LONGEST_LINE:
        raise RequestError(f"the line is longer than {LONGEST_LINE} bytes", "not_json")
    try:
        found = _DECODER.decode(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        at = error.start + 1
        raise RequestError(f"the line is not UTF-8 at byte {at}", "not_json") from None
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg} at character {error.pos + 1}"
        raise RequestError(what, "not_json") from None
    except RecursionError:
        raise RequestError("the JSON is nested too deeply", "not_json") from None
    if not isinstance(found, dict):
        what = f"a request is a JSON object, not {shown_json(found)}"
        raise RequestError(what, "bad_request")
    return found


def checked_id(name: str, value: object) -> object:
    """An id: any JSON value that is not nested too deeply.

    Args:
        name: the name of the field.
        value: its value.

    Raises:
        RequestError: the value is nested too deeply.
    """
    if _depth(value) > _DEEPEST_ID:
        raise RequestError(f"{name} is nested more than {_DEEPEST_ID} deep", "bad_field", name)
    return value


def same_json(one: object, other: object) -> bool:
    """Whether two JSON values are the same; 1, 1.0 and true are different.

    Args:
        one: a JSON value.
        other: another.

    Example:
        >>> same_json([1], [1]), same_json(1, True)
        (True, False)
    """
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def shown_json(value: object) -> str:
    """A JSON value as a message shows it.

    Args:
        value: the value.

    Example:
        >>> shown_json(True), shown_json([1, 2])
        ('true', 'a list')
    """
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    return json.dumps(value)


def _depth(value: object, so_far: int = 0) -> int:
    """How deep a JSON value is nested, no further than it matters."""
    if not isinstance(value, list | dict) or so_far > _DEEPEST_ID:
        return so_far
    inner = value.values() if isinstance(value, dict) else value
    return max((_depth(item, so_far + 1) for item in inner), default=so_far + 1)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        count = Counter(name for name, _ in pairs)
        twice = next(name for name, times in count.items() if times > 1)
        raise RequestError(f"the field {quoted(twice)} is there twice", "bad_request", twice)
    return found


def _parsed_int(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise RequestError(f"a number has more than {_MOST_DIGITS} digits", "not_json")
    return int(text)


def _parsed_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise RequestError(f"the number {quoted(text)} is too large", "not_json")
    return value


def _no_constant(text: str) -> object:
    raise RequestError(f"not JSON: {text} is not a number of JSON", "not_json")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_pairs,
    parse_int=_parsed_int,
    parse_float=_parsed_float,
    parse_constant=_no_constant,
)
