"""Answers of a batch as files: JSON lines, CSV, Parquet, NumPy archives; whole, or marked partial.

While a run goes on, what it has is in `OUT.partial` (and in more such files where a format needs
them), which only grow, and `OUT.state` says up to where they hold: after a kill they are cut
there, and the run goes on. At the end they become `OUT` in one step.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import sys
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from io import StringIO
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from casino_core.arrays import ANSWER_DTYPE, LISTED_DTYPE, MOVE_DTYPE
from casino_core.errors import CasinoError, quoted
from casino_core.rows import COLUMNS, Answers, json_lines, rows
from casino_core.sources import need

__all__ = ["FORMATS", "FileSink", "State", "StreamSink", "format_of"]

_COPIED = 1 << 20  # bytes at once
_ERROR_DTYPE = np.dtype([("line", "<i8"), ("message", "<U200")])


@dataclass
class State:
    """How far a run has come.

    Attributes:
        settings: what was asked: a run goes on only with the same.
        sizes: bytes of each partial file that hold.
        done: positions answered, failed ones included.
        failed: those that ended with an error.
        digest: of the input up to here.
    """

    settings: dict[str, Any]
    sizes: list[int]
    done: int = 0
    failed: int = 0
    digest: str = ""


class Format:
    """How answers are written.

    Attributes:
        parts: names of the partial files beside the first.
        is_whole: whether the first partial file is the output as it is.
    """

    parts: tuple[str, ...] = ()
    is_whole: bool = True

    def encode(self, answers: Answers) -> list[bytes]:
        """What is added to each partial file for some answers.

        Args:
            answers: of one task.
        """
        raise NotImplementedError

    def begin(self, task: str) -> list[bytes]:
        """What stands at the beginning of each partial file."""
        return [b""] * (1 + len(self.parts))

    def finish(self, task: str, partial: list[Path], target: Path) -> None:
        """Make the output from the partial files.

        Args:
            task: of all answers.
            partial: the partial files.
            target: a file that is not there.
        """
        raise NotImplementedError


class JsonLines(Format):
    """An object a line."""

    def encode(self, answers: Answers) -> list[bytes]:
        return [json_lines(answers)]


class Csv(Format):
    """A line of headings, then a line an item; lists with spaces between."""

    def begin(self, task: str) -> list[bytes]:
        return [",".join(COLUMNS[task]).encode() + b"\n"]

    def encode(self, answers: Answers) -> list[bytes]:
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for row in rows(answers):
            writer.writerow([_cell(value) for value in row])
        return [text.getvalue().encode()]


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return " ".join(str(part) for part in value)
    return value


class Packed(Format):
    """Text in gzip, in pieces that can be read as one.

    Args:
        inner: how the text is written.
    """

    def __init__(self, inner: Format) -> None:
        self._inner = inner

    def begin(self, task: str) -> list[bytes]:
        return [self._pack(part) for part in self._inner.begin(task)]

    def encode(self, answers: Answers) -> list[bytes]:
        return [self._pack(part) for part in self._inner.encode(answers)]

    @staticmethod
    def _pack(text: bytes) -> bytes:
        return gzip.compress(text, 6, mtime=0) if text else b""


class Parquet(Format):
    """A Parquet file, from a stream of Arrow record batches."""

    is_whole = False

    def _schema(self, task: str) -> Any:
        arrow = need("pyarrow", "parquet")
        kinds = {
            int: arrow.int64(),
            float: arrow.float64(),
            str: arrow.string(),
            bool: arrow.bool_(),
        }
        fields = []
        for name, kind in COLUMNS[task].items():
            listed = isinstance(kind, list)
            found = kinds[kind[0] if listed else kind]
            fields.append((name, arrow.list_(found) if listed else found))
        return arrow.schema(fields)

    def encode(self, answers: Answers) -> list[bytes]:
        arrow = need("pyarrow", "parquet")
        schema = self._schema(answers.task)
        columns = list(zip(*rows(answers), strict=True))
        arrays = [
            arrow.array(column, field.type) for column, field in zip(columns, schema, strict=True)
        ]
        batch = arrow.record_batch(arrays, schema=schema)
        # A message of the stream alone; the schema is made again at the end.
        return [batch.serialize().to_pybytes()]

    def finish(self, task: str, partial: list[Path], target: Path) -> None:
        arrow = need("pyarrow", "parquet")
        parquet = need("pyarrow.parquet", "parquet")
        schema = self._schema(task)
        with arrow.OSFile(str(partial[0])) as file, parquet.ParquetWriter(target, schema) as writer:
            while file.tell() < file.size():
                writer.write_batch(
                    arrow.ipc.read_record_batch(arrow.ipc.read_message(file), schema)
                )


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
        # Stored, as np.savez does; never whole in memory.
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


FORMATS: dict[str, Callable[[], Format]] = {
    ".jsonl": JsonLines,
    ".ndjson": JsonLines,
    ".csv": Csv,
    ".parquet": Parquet,
    ".npz": Archive,
    ".jsonl.gz": lambda: Packed(JsonLines()),
    ".ndjson.gz": lambda: Packed(JsonLines()),
    ".csv.gz": lambda: Packed(Csv()),
}


def format_of(name: str, task: str) -> Format:
    """The format that a name's ending asks for.

    Args:
        name: of the output; `-` for JSON lines on standard output.
        task: whose answers it takes.

    Raises:
        CasinoError: no such format, or one that cannot hold the task.

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
    if ending == ".parquet":
        need("pyarrow", "parquet")
    return FORMATS[ending]()


class StreamSink:
    """Standard output, written as answers come.

    Args:
        format_: of the text.
        task: of the answers.
    """

    def __init__(self, format_: Format, task: str) -> None:
        self._file: IO[bytes] = sys.stdout.buffer
        self.state = State({}, [])
        self._write(format_.begin(task))

    def _write(self, parts: list[bytes]) -> None:
        self._file.write(b"".join(parts))
        self._file.flush()

    def add(self, parts: list[bytes], done: int, failed: int, digest: str) -> None:
        """Write answers."""
        self._write(parts)
        self.state.done += done
        self.state.failed += failed

    def close(self) -> None:
        """Nothing: standard output stays open."""

    def keep(self) -> None:
        """Nothing: what was written is out."""

    def finish(self) -> None:
        """Nothing is left to do."""


class FileSink:
    """A file that appears when it is whole.

    Args:
        path: of the file.
        format_: of the file.
        settings: what was asked.
        resume: go on with what is there.

    Raises:
        CasinoError: the file, or a part of it, is there already; or what is there was made with
            other settings.
    """

    def __init__(
        self, path: Path, format_: Format, settings: dict[str, Any], *, resume: bool
    ) -> None:
        self._path = path
        self._format = format_
        self._task = str(settings["task"])
        self._state_path = path.with_name(path.name + ".state")
        names = ["", *(f".{part}" for part in format_.parts)]
        self._partial = [path.with_name(f"{path.name}{name}.partial") for name in names]
        self._files: list[IO[bytes]] = []
        if path.exists():
            raise CasinoError(f"{quoted(path.name)} is there already; remove it, or take another")
        if resume and self._state_path.exists():
            self.state = self._read_state(settings)
            try:
                self._open_again()
            except BaseException:
                self.close()
                raise
            return
        if not resume and self._state_path.exists():
            raise CasinoError(
                f"a part of {quoted(path.name)} is there: --resume goes on with it; to begin anew, "
                f"remove {self._state_path.name}"
            )
        begin = format_.begin(self._task)
        self.state = State(settings, [len(part) for part in begin])
        self._files = [partial.open("wb") for partial in self._partial]
        self._write(begin)
        self.keep()

    def _read_state(self, settings: dict[str, Any]) -> State:
        try:
            state = State(**json.loads(self._state_path.read_text("utf-8")))
        except (ValueError, TypeError):
            raise CasinoError(f"{quoted(self._state_path.name)} cannot be read") from None
        for name, value in settings.items():
            before = state.settings.get(name)
            if before != value:
                raise CasinoError(
                    f"--resume: the part that is there was made with {name} {before}, not {value}"
                )
        return state

    def _open_again(self) -> None:
        """Cut the partial files where they hold."""
        for path, size in zip(self._partial, self.state.sizes, strict=True):
            try:
                file = path.open("r+b")
            except OSError:
                raise CasinoError(
                    f"{quoted(path.name)} is gone, so --resume cannot go on"
                ) from None
            self._files.append(file)
            if file.seek(0, os.SEEK_END) < size:
                raise CasinoError(f"{quoted(path.name)} is shorter than it was")
            file.truncate(size)
            file.seek(size)

    def _write(self, parts: list[bytes]) -> None:
        for file, part in zip(self._files, parts, strict=True):
            file.write(part)

    def add(self, parts: list[bytes], done: int, failed: int, digest: str) -> None:
        """Write answers; they hold once they are kept.

        Args:
            parts: as the format has encoded them.
            done: how many positions.
            failed: how many of these have failed.
            digest: of the input up to them.
        """
        self._write(parts)
        for index, part in enumerate(parts):
            self.state.sizes[index] += len(part)
        self.state.done += done
        self.state.failed += failed
        self.state.digest = digest

    def close(self) -> None:
        """Close the partial files; what was kept stays."""
        for file in self._files:
            file.close()

    def keep(self) -> None:
        """Make what was added last, whatever happens to this process or the machine."""
        for file in self._files:
            file.flush()
            os.fsync(file.fileno())
        fresh = self._state_path.with_name(self._state_path.name + ".new")
        with fresh.open("wb") as state:
            state.write(json.dumps(asdict(self.state)).encode())
            state.flush()
            os.fsync(state.fileno())
        os.replace(fresh, self._state_path)

    def finish(self) -> None:
        """Make the whole output appear."""
        self.keep()
        self.close()
        fresh = self._path.with_name(self._path.name + ".new")
        with suppress(FileNotFoundError):
            fresh.unlink()
        if self._format.is_whole:
            fresh = self._partial[0]
        else:
            self._format.finish(self._task, self._partial, fresh)
        os.replace(fresh, self._path)
        self.clean_up(self._path)

    @staticmethod
    def clean_up(path: Path) -> None:
        """Remove what a run has left beside its whole output.

        Args:
            path: of the output.
        """
        for left in (f"{path.name}.state", f"{path.name}.partial"):
            path.with_name(left).unlink(missing_ok=True)
        for part in Archive.parts:
            path.with_name(f"{path.name}.{part}.partial").unlink(missing_ok=True)
