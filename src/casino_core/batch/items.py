"""The answer to one position of a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["BatchItem"]


@dataclass(frozen=True, slots=True)
class BatchItem:
    """The answer to one position of a batch.

    Attributes:
        index: number of the position, from 0.
        answer: None after an error; else by task: `value` a `Value`, `solve` a
            `Solution` (its `seconds` are 0: single items are not timed), `hint` a `Hint`,
            `moves` a tuple of `Move` sorted by text, `score` the points per side.
        error: the error in one line, or None.
    """

    index: int
    answer: Any
    error: str | None
