"""Kinds of arguments, and the one-line messages for values that are not valid.

Functions of the package, the command line and the engine all use a `Kind`, so that a limit and its
words are in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from numbers import Real
from operator import index
from typing import Any, Generic, TypeVar

from casino_core.errors import CasinoError, quoted

__all__ = [
    "CALLBACK",
    "MIB",
    "NODES",
    "NODE_LIMIT",
    "SAMPLES",
    "SECONDS",
    "SEED",
    "SWITCH",
    "THREADS",
    "Kind",
    "instance_of",
    "measure",
    "one_of",
    "shown",
    "whole",
]

_Value = TypeVar("_Value")

_LONGEST = 86_400  # seconds: a day
_LARGEST_MIB = 65_536
_MOST_BITS = 128  # size of the largest number that a message shows


@dataclass(frozen=True, slots=True)
class Kind(Generic[_Value]):
    """A kind of values: their description and a function that reads one.

    Attributes:
        meaning: the description, in words that continue "name is".
        read: converts a value to Python's own type. Raises TypeError, ValueError or OverflowError
            for another value, or a CasinoError with a message of its own.
        schema: its values in JSON, as JSON Schema has them; empty if anything may stand there.

    Example:
        >>> SEED("seed", 7)
        7
        >>> SEED("seed", -1)
        Traceback (most recent call last):
        ...
        casino_core.errors.CasinoError: seed is a whole number from 0 to 2**64 - 1, not -1
    """

    meaning: str
    read: Callable[[Any], _Value]
    schema: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __call__(self, name: str, value: object) -> _Value:
        """The value, converted to Python's own type.

        Args:
            name: the name of the argument in the message.
            value: the value to check.

        Raises:
            CasinoError: the value is not of this kind.
        """
        try:
            return self.read(value)
        except CasinoError:  # with a message of its own
            raise
        except (TypeError, ValueError, OverflowError):
            raise CasinoError(f"{name} is {self.meaning}, not {shown(value)}") from None

    def if_given(self, name: str, value: object) -> _Value | None:
        """The value, converted to Python's own type, or None if it is None.

        Args:
            name: the name of the argument in the message.
            value: the value to check.

        Raises:
            CasinoError: the value is neither None nor of this kind.
        """
        return None if value is None else self(name, value)

    def accepts(self, value: object) -> bool:
        """Whether a value is of this kind.

        Args:
            value: anything.

        Example:
            >>> SECONDS.accepts(0.5), SECONDS.accepts(float("inf")), SECONDS.accepts("1")
            (True, False, False)
        """
        try:
            self.read(value)
        except (TypeError, ValueError, OverflowError):
            return False
        return True


def _is_truth(value: object) -> bool:
    """Whether a value is True or False, also one of NumPy's."""
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def whole(least: int, most: int) -> Kind[int]:
    """Whole numbers in a range, also NumPy's; True and False are not whole numbers.

    Args:
        least: the smallest of them.
        most: the largest of them.

    Example:
        >>> whole(1, 9)("number", 10)
        Traceback (most recent call last):
        ...
        casino_core.errors.CasinoError: number is a whole number from 1 to 9, not 10
    """

    def read(value: Any) -> int:
        if _is_truth(value):
            raise TypeError
        number = index(value)
        if not least <= number <= most:
            raise ValueError
        return number

    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Kind(f"a whole number from {_limit(least)} to {_limit(most)}", read, schema)


def _limit(number: int) -> str:
    """A limit in its usual form."""
    bits = number.bit_length()
    return f"2**{bits} - 1" if bits > 30 and number == 2**bits - 1 else str(number)


def measure(what: str, most: float, least: float | None = None) -> Kind[float]:
    """Numbers in a range.

    Args:
        what: their description, in words.
        most: the largest of them.
        least: the smallest of them; None for all above 0.

    Example:
        >>> measure("a share", 1)("chance", 2)
        Traceback (most recent call last):
        ...
        casino_core.errors.CasinoError: chance is a share more than 0 and at most 1, not 2
    """

    def read(value: Any) -> float:
        if _is_truth(value) or not isinstance(value, Real):
            raise TypeError
        number = float(value)
        if not (
            isfinite(number)
            and number <= most
            and (number > 0 if least is None else number >= least)
        ):
            raise ValueError
        return number

    schema: dict[str, Any] = {"type": "number", "maximum": most}
    if least is None:
        schema["exclusiveMinimum"] = 0
        return Kind(f"{what} more than 0 and at most {most}", read, schema)
    schema["minimum"] = least
    return Kind(f"{what} from {least} to {most}", read, schema)


def one_of(names: Iterable[str]) -> Kind[str]:
    """One of several texts.

    Args:
        names: the texts.

    Example:
        >>> one_of(("known", "unknown"))("stock", "open")
        Traceback (most recent call last):
        ...
        casino_core.errors.CasinoError: stock is one of known, unknown, not 'open'
    """
    known = tuple(names)

    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in known:
            raise ValueError
        return value

    return Kind(f"one of {', '.join(known)}", read, {"enum": list(known)})


def instance_of(kind: type[_Value]) -> Kind[_Value]:
    """Instances of a class.

    Args:
        kind: the class.

    Example:
        >>> instance_of(dict)("answer", 5)
        Traceback (most recent call last):
        ...
        casino_core.errors.CasinoError: answer is a dict, not 5
    """

    def read(value: Any) -> _Value:
        if not isinstance(value, kind):
            raise TypeError
        return value

    return Kind(f"a {kind.__name__}", read)


def _switch(value: Any) -> bool:
    if not _is_truth(value):
        raise TypeError
    return bool(value)


def _callback(value: Any) -> Callable[..., object]:
    if not callable(value):
        raise TypeError
    return value  # type: ignore[no-any-return]


#: A length of time; None, where allowed, means no limit.
SECONDS = measure("a number of seconds", _LONGEST)
#: The size of a table or tree.
MIB = measure("a size in MiB", _LARGEST_MIB)
SEED = whole(0, 2**64 - 1)
#: Positions to search, 0 for no limit.
NODES = whole(0, 2**63 - 1)
#: Positions to search, where None means no limit.
NODE_LIMIT = whole(1, 2**63 - 1)
SAMPLES = whole(1, 2**31 - 1)
THREADS = whole(1, 1024)
SWITCH = Kind("True or False", _switch, {"type": "boolean"})
CALLBACK = Kind("a function", _callback)


def shown(value: object) -> str:
    """A value in a message: numbers and short texts themselves, else a description.

    Args:
        value: anything.

    Example:
        >>> shown("x" * 9), shown(2.5), shown([5]), shown(10**1000)
        ("'xxxxxxxxx'", '2.5', 'a value of type list', 'a number of 3322 bits')
    """
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return f"a number of {value.bit_length()} bits"
    if value is None or _is_truth(value) or isinstance(value, Real):
        return str(value)
    return f"a value of type {type(value).__name__}"
