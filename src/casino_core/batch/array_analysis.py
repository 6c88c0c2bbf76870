"""The answers to a position array, as arrays, and as moves and texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from casino_core._tables import ROWS, SHOWN, Tabular, html_table
from casino_core.batch.arrays import ANSWER_DTYPE, LISTED_DTYPE, MOVE_DTYPE, PositionArray, as_bytes
from casino_core.batch.records import moves_of
from casino_core.batch.statuses import Status
from casino_core.errors import CasinoError
from casino_core.game.position import Move

__all__ = ["ArrayAnalysis", "to_moves"]


class ArrayAnalysis(Tabular):
    """The answers to a `PositionArray`, as arrays and as a table.

    Lists of moves (tasks `moves` and `solve`) follow each other: those of item i are
    `moves[offsets[i]:offsets[i + 1]]`.

    Args:
        task: value, solve, moves or score.
        positions: the positions of the answers.
        answers: an array of `ANSWER_DTYPE`.
        moves: an array of `LISTED_DTYPE`.
        lines: an array of `MOVE_DTYPE`: the lines of best play, item after item.

    Example:
        >>> from casino_core import analyze
        >>> positions = PositionArray.from_texts(
        ...     ["table=3h4c hands=JhKc/JcKh out=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTcQsQhQdQcAsAd"
        ...      "2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd5c7cJsJd turn=a"])
        >>> found = analyze(positions, task="moves")
        >>> found.move_texts(0), found.status.tolist()
        (['Jh', 'Kc'], [0])
    """

    def __init__(
        self,
        task: str,
        positions: PositionArray,
        answers: NDArray[Any],
        moves: NDArray[Any],
        lines: NDArray[Any],
    ) -> None:
        self.task = task
        self.positions = positions
        self.answers = answers
        self.moves = moves
        self.lines = lines
        self.offsets = _offsets(answers["moves"])
        self.line_offsets = _offsets(answers["line"])

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def value(self) -> NDArray[Any]:
        """Values as floating point; NaN for items without a value."""
        exact = (self.status <= Status.LIMIT) & (self.lower == self.upper)
        return np.where(exact, self.lower, np.nan)

    @property
    def lower(self) -> NDArray[Any]:
        """Lower bounds of the values, equal to the upper bounds of exact values."""
        return np.asarray(self.answers["lower"])

    @property
    def upper(self) -> NDArray[Any]:
        """Upper bounds of the values."""
        return np.asarray(self.answers["upper"])

    @property
    def best(self) -> NDArray[Any]:
        """Best moves, packed; card 255 means no move."""
        return np.asarray(self.answers["best"])

    @property
    def nodes(self) -> NDArray[Any]:
        """Positions searched."""
        return np.asarray(self.answers["nodes"])

    @property
    def points(self) -> NDArray[Any]:
        """Points of finished rounds, in four columns; 0 for sides that the rules do not have."""
        return np.asarray(self.answers["points"])

    @property
    def status(self) -> NDArray[Any]:
        """The `Status` of each item."""
        return np.asarray(self.answers["status"])

    def _kinds(self) -> dict[str, Any]:
        from casino_core.batch.frames import answer_kinds  # its tables are made of these arrays

        return {"position": str, **answer_kinds(self.task)}

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns of the positions and their answers; None for missing values.

        Example:
            >>> from casino_core import analyze
            >>> positions = PositionArray.from_texts(["table=2s5h8dKc hands=AsTd7c9h/????", "x"])
            >>> found = analyze(positions, "moves").to_dict()
            >>> found["count"], found["error"][0]
            ([8, None], None)
        """
        return super().to_dict()

    def _as_columns(self) -> dict[str, Any]:
        from casino_core.batch.frames import answer_columns

        texts, _ = self.positions.texts_and_errors()
        return {"position": texts, **answer_columns(self.task, len(self), self)}

    def _parts(self) -> Iterator[ArrayAnalysis]:
        return (self[at : at + ROWS] for at in range(0, max(len(self), 1), ROWS))

    def _repr_html_(self) -> str:
        return html_table(self[:SHOWN].to_dict(), len(self))

    def failed(self) -> list[int]:
        """The items that have no answer."""
        found: list[int] = np.flatnonzero(self.status > Status.LIMIT).tolist()
        return found

    def error(self, index: int) -> str | None:
        """The error of an item, or None.

        Args:
            index: of the item.
        """
        status = Status(int(self.status[index]))
        if not status.is_error:
            return None
        return self.positions.errors.get(index, status.message)

    def best_texts(self) -> list[str | None]:
        """Best moves as texts."""
        return [found[0] if found else None for found in self.best_moves(as_text=True)]

    def best_moves(self, *, as_text: bool = False) -> list[list[Any]]:
        """For each item a list with its best move, or an empty list.

        Args:
            as_text: whether moves are texts; if not, they are `Move` objects.
        """
        there = self.best["card"] != 255
        chosen = np.ascontiguousarray(self.best[there])
        counts = there.astype(np.int32)
        return self._moves(as_bytes(chosen), counts, in_line=False, as_text=as_text)

    def _moves(
        self, moves: NDArray[np.uint8], counts: NDArray[Any], *, in_line: bool, as_text: bool
    ) -> list[list[Any]]:
        records = as_bytes(self.positions.data)
        counts = np.ascontiguousarray(counts, np.int32)
        compiled = self.positions.compiled
        if as_text:
            return moves_of(records, compiled, moves, counts, in_line, True)
        return moves_of(records, compiled, moves, counts, in_line, False)

    def all_moves(self, *, as_text: bool = False) -> list[list[Any]]:
        """The list of moves of each item.

        Args:
            as_text: whether moves are texts; if not, they are `Move` objects.
        """
        moves = as_bytes(self.moves)
        return self._moves(moves, self.answers["moves"], in_line=False, as_text=as_text)

    def all_lines(self, *, as_text: bool = False) -> list[list[Any]]:
        """The line of best play of each item.

        Args:
            as_text: whether moves are texts; if not, they are `Move` objects.
        """
        lines = as_bytes(self.lines)
        return self._moves(lines, self.answers["line"], in_line=True, as_text=as_text)

    def move_texts(self, index: int) -> list[str]:
        """The texts of an item's list of moves.

        Args:
            index: of the item.
        """
        (found,) = self[index : index + 1].all_moves(as_text=True)
        return found

    def __getitem__(self, chosen: slice) -> ArrayAnalysis:
        """The answers to consecutive items."""
        start, stop, step = chosen.indices(len(self))
        if step != 1:
            raise CasinoError("a slice of answers has no step")
        stop = max(start, stop)
        return ArrayAnalysis(
            self.task,
            self.positions[start:stop],
            self.answers[start:stop],
            self.moves[self.offsets[start] : self.offsets[stop]],
            self.lines[self.line_offsets[start] : self.line_offsets[stop]],
        )

    @classmethod
    def joined(
        cls,
        task: str,
        positions: PositionArray,
        parts: Sequence[ArrayAnalysis],
        order: NDArray[np.int64] | None = None,
    ) -> ArrayAnalysis:
        """Join the answers to the parts of an array.

        Args:
            task: of all parts.
            positions: the whole array.
            parts: the answers to the parts of `positions`, one after the other.
            order: for each item of the parts its index in the array; None if they are in order.
        """
        answers = _join([part.answers for part in parts], ANSWER_DTYPE)
        moves = _join([part.moves for part in parts], LISTED_DTYPE)
        lines = _join([part.lines for part in parts], MOVE_DTYPE)
        if order is not None:
            back = np.argsort(order)
            moves = moves[_gathered(answers["moves"], back)]
            lines = lines[_gathered(answers["line"], back)]
            answers = answers[back]
        return cls(task, positions, answers, moves, lines)


def _join(parts: Sequence[NDArray[Any]], dtype: np.dtype[Any]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


def _gathered(counts: NDArray[Any], back: NDArray[np.int64]) -> NDArray[np.int64]:
    """The indices of the entries of concatenated lists, after a reordering of the lists."""
    lengths = counts[back]
    starts = _offsets(counts)[:-1][back] - _offsets(lengths)[:-1]
    found: NDArray[np.int64] = np.repeat(starts, lengths) + np.arange(lengths.sum())
    return found


def _offsets(counts: NDArray[Any]) -> NDArray[np.int64]:
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


def to_moves(found: list[list[Move | None]]) -> list[tuple[Move, ...]]:
    """Lists of moves without their empty entries."""
    return [tuple(move for move in part if move is not None) for part in found]
