"""Formats for the answers of a batch: JSON lines, CSV, Parquet, NumPy archives.

Answers are appended to one or more partial files, from which the output is made at the end. The
output does not depend on the pieces in which the answers came.
"""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.lib import format as npy

from casino_core._tables import arrow_fields, need
from casino_core.batch.arrays import ANSWER_DTYPE, LISTED_DTYPE, MOVE_DTYPE
from casino_core.batch.files.packing import PACKINGS, pack
from casino_core.batch.files.rows import COLUMNS, Answers, json_lines, rows
from casino_core.errors import CasinoError, quoted

__all__ = ["FORMATS", "GROUP", "Format", "Parquet", "format_of"]

_COPIED = 1 << 20  # bytes at once
#: Rows of a row group of Parquet.
GROUP: Final = 16_384
_ERROR_DTYPE = np.dtype([("line", "<i8"), ("message", "<U200")])


class Format:
    """A format of answers.

    Attributes:
        parts: names of the partial files after the first.
        is_whole: whether the first partial file is already the output.
        has_columns: whether all items have the same columns, known at the start.
        columns: the columns copied from the input: an Arrow type, None for text.
        made: how the output was made, for formats that hold it.
    """

    parts: tuple[str, ...] = ()
    is_whole: bool = True
    has_columns: bool = False

    def __init__(self) -> None:
        self.columns: dict[str, Any] = {}
        self.made: dict[str, Any] = {}

    def encode(self, answers: Answers) -> list[bytes]:
        """The bytes to append to each partial file for some answers.

        Args:
            answers: of one task.
        """
        raise NotImplementedError

    def begin(self, task: str) -> list[bytes]:
        """The bytes at the beginning of each partial file."""
        return [b""] * (1 + len(self.parts))

    def finish(self, task: str, partial: list[Path], target: Path) -> None:
        """Make the output from the partial files.

        Args:
            task: of all answers.
            partial: the partial files.
            target: the path of the output, which does not exist yet.
        """
        raise NotImplementedError


class JsonLines(Format):
    """JSON lines: an object per line."""

    def encode(self, answers: Answers) -> list[bytes]:
        return [json_lines(answers)]


class Csv(Format):
    """CSV: a heading, then a row per item; lists are joined with spaces."""

    has_columns = True

    def begin(self, task: str) -> list[bytes]:
        return [_csv_lines([[*COLUMNS[task], *self.columns]])]

    def encode(self, answers: Answers) -> list[bytes]:
        own = len(COLUMNS[answers.task])
        found = rows(answers, self.columns)
        return [_csv_lines([*map(_cell, row[:own]), *map(_text, row[own:])] for row in found)]


def _csv_lines(found: Iterable[list[Any]]) -> bytes:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(found)
    return text.getvalue().encode("utf-8", "replace")


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        parts = [str(part) for part in value]
        return ("; " if any(" " in part for part in parts) else " ").join(parts)
    return value


def _text(value: Any) -> str | None:
    """A copied value as text: text unchanged, anything else as JSON."""
    if isinstance(value, bool | int | float | list | dict):
        return json.dumps(value, default=str)
    return None if value is None else str(value)


class Packed(Format):
    """Text packed at the end, so that the bytes do not depend on the pieces.

    Args:
        inner: the format of the text.
        ending: the ending of the packing.
    """

    is_whole = False

    def __init__(self, inner: Format, ending: str) -> None:
        super().__init__()
        self._inner = inner
        self._ending = ending
        self.has_columns = inner.has_columns

    def begin(self, task: str) -> list[bytes]:
        self._inner.columns = self.columns
        return self._inner.begin(task)

    def encode(self, answers: Answers) -> list[bytes]:
        self._inner.columns = self.columns  # a run that goes on does not begin
        return self._inner.encode(answers)

    def finish(self, task: str, partial: list[Path], target: Path) -> None:
        pack(partial[0], target, self._ending)


class Parquet(Format):
    """A Parquet file, made from a stream of Arrow record batches, with row groups of one size."""

    is_whole = False
    has_columns = True

    def schema(self, task: str) -> Any:
        """The schema of the answers to a task, with the columns of the input.

        Args:
            task: the task.
        """
        arrow = need("pyarrow", "parquet")
        fields = arrow_fields(COLUMNS[task])
        fields += [arrow.field(name, kind or arrow.string()) for name, kind in self.columns.items()]
        return arrow.schema(fields)

    def encode(self, answers: Answers) -> list[bytes]:
        arrow = need("pyarrow", "parquet")
        schema = self.schema(answers.task)
        columns = list(zip(*rows(answers, self.columns), strict=True))
        for place, kind in enumerate(self.columns.values(), len(COLUMNS[answers.task])):
            if kind is None:
                columns[place] = tuple(map(_text, columns[place]))
        arrays = [
            arrow.array(column, field.type) for column, field in zip(columns, schema, strict=True)
        ]
        batch = arrow.record_batch(arrays, schema=schema)
        # Only this message of the stream; the schema is written again at the end.
        return [batch.serialize().to_pybytes()]

    def groups(self, task: str, path: Path) -> Iterator[Any]:
        """Tables of `GROUP` rows, the last one of fewer.

        Args:
            task: of all answers.
            path: the partial file.
        """
        arrow = need("pyarrow", "parquet")
        schema = self.schema(task)
        waiting: list[Any] = []
        count = 0
        with arrow.OSFile(str(path)) as file:
            while file.tell() < file.size():
                message = arrow.ipc.read_message(file)
                waiting.append(arrow.ipc.read_record_batch(message, schema))
                count += waiting[-1].num_rows
                while count >= GROUP:
                    table = arrow.Table.from_batches(waiting, schema)
                    yield table.slice(0, GROUP).combine_chunks()
                    waiting = table.slice(GROUP).to_batches()
                    count -= GROUP
        if count:
            yield arrow.Table.from_batches(waiting, schema).combine_chunks()

    def described(self, schema: Any) -> Any:
        """A schema whose metadata say how the output was made.

        Args:
            schema: the schema.
        """
        return schema.with_metadata({"casino_core": json.dumps(self.made)})

    def finish(self, task: str, partial: list[Path], target: Path) -> None:
        parquet = need("pyarrow.parquet", "parquet")
        whole = self.described(self.schema(task))
        with parquet.ParquetWriter(target, whole) as writer:
            for table in self.groups(task, partial[0]):
                writer.write_table(table.cast(whole))


class Archive(Format):
    """A NumPy archive of the packed answers: `line`, `answers`, `moves`, `best_lines`, `errors`."""

    is_whole = False
    parts = ("answers", "moves", "best_lines", "errors")
    _DTYPES = (np.dtype("<i8"), ANSWER_DTYPE, LISTED_DTYPE, MOVE_DTYPE, _ERROR_DTYPE)

    def encode(self, answers: Answers) -> list[bytes]:
        found = answers.arrays
        if found is None:
            raise CasinoError("hints do not go into a .npz; take .jsonl, .csv or .parquet")
        errors = [(number, text[:200]) for number, text in answers.errors()]
        return [
            np.array(answers.numbers, "<i8").tobytes(),
            found.answers.tobytes(),
            found.moves.tobytes(),
            found.lines.tobytes(),
            np.array(errors, _ERROR_DTYPE).tobytes(),
        ]

    def finish(self, task: str, partial: list[Path], target: Path) -> None:
        # Stored without compression, as np.savez does; never whole in memory.
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
            for name, path, dtype in zip(("line", *self.parts), partial, self._DTYPES, strict=True):
                count = path.stat().st_size // dtype.itemsize
                info = zipfile.ZipInfo(f"{name}.npy")
                with archive.open(info, "w", force_zip64=True) as member, path.open("rb") as file:
                    head = {
                        "descr": npy.dtype_to_descr(dtype),
                        "fortran_order": False,
                        "shape": (count,),
                    }
                    npy.write_array_header_1_0(member, head)
                    while block := file.read(_COPIED):
                        member.write(block)


def _packed(text: str, ending: str) -> Format:
    """The packed form of a format of text."""
    return Packed(FORMATS[text](), ending)


FORMATS: dict[str, Callable[[], Format]] = {
    ".jsonl": JsonLines,
    ".ndjson": JsonLines,
    ".csv": Csv,
    ".parquet": Parquet,
    ".npz": Archive,
}
for _text_format in (".jsonl", ".ndjson", ".csv"):
    for _ending in PACKINGS:
        FORMATS[_text_format + _ending] = partial(_packed, _text_format, _ending)


def format_of(name: str, task: str) -> Format:
    """The format for the ending of a name.

    Args:
        name: the name of the output; `-` for JSON lines on standard output.
        task: the task of the answers.

    Raises:
        CasinoError: unknown ending, or a format that cannot hold answers of the task.

    Example:
        >>> type(format_of("out.csv", "value")).__name__
        'Csv'
    """
    if name == "-":
        return JsonLines()
    ending = next((end for end in FORMATS if name.endswith(end)), None)
    if ending is None:
        raise CasinoError(
            f"--out: the format of {quoted(name)} is not known: it ends in none of "
            f"{', '.join(FORMATS)}"
        )
    if ending == ".npz" and task == "hint":
        raise CasinoError("--out: hints do not go into a .npz; take .jsonl, .csv or .parquet")
    if ending.endswith((".parquet", ".zst")):
        need("pyarrow", "parquet")
    return FORMATS[ending]()
