"""Outputs that are folders: a Parquet file for each value of some columns, as `NAME=VALUE/…`.

The answers of a run are collected in one partial file, as for every other output; the folder is
made from it at the end, under another name, and appears in one step.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import quote, unquote

from casino_core._tables import need
from casino_core.batch.files.formats import GROUP, Parquet
from casino_core.errors import CasinoError, quoted

__all__ = ["Folders", "content", "files_of", "remove", "settle", "settle_file", "value_of"]

_NULL: Final = "__HIVE_DEFAULT_PARTITION__"  # the name for null that Arrow, Spark and Hive agree on
_FILE: Final = "part-0.parquet"
_OPEN: Final = 200  # files that are written at once
_READ: Final = 1 << 20  # bytes per read


class Folders(Parquet):
    """Parquet files in folders `NAME=VALUE`.

    Args:
        names: the columns whose values name the folders, the outermost first; the files are
            without them.
    """

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self._names = tuple(names)

    def begin(self, task: str) -> list[bytes]:
        """Nothing, once it is certain that the output has the columns."""
        types = need("pyarrow", "parquet").types
        schema = self.schema(task)
        usable = [
            field.name
            for field in schema
            if any(
                is_one(field.type)
                for is_one in (types.is_string, types.is_integer, types.is_boolean)
            )
        ]
        for name in self._names:
            if name not in usable:
                raise CasinoError(
                    f"--partition: no column {quoted(name)} with text, whole numbers or truth "
                    f"values; there are {', '.join(usable)}"
                )
            if self._names.count(name) > 1:
                raise CasinoError(f"--partition: {quoted(name)} is there twice")
        return super().begin(task)

    def finish(self, task: str, partial: list[Path], target: Path) -> None:
        target.mkdir()
        keys = iter(sorted({key for _, key in self._parts(task, partial[0])}))
        while some := list(islice(keys, _OPEN)):
            self._write(task, partial[0], target, set(some))

    def _parts(self, task: str, path: Path) -> Iterator[tuple[Any, str]]:
        """The rows of each folder in each group of rows, with the name of the folder."""
        for table in self.groups(task, path):
            places: dict[str, list[int]] = {}
            values = (table.column(name).to_pylist() for name in self._names)
            for place, row in enumerate(zip(*values, strict=True)):
                named = zip(self._names, row, strict=True)
                key = "/".join(f"{quote(name, '')}={_text_of(value)}" for name, value in named)
                places.setdefault(key, []).append(place)
            rest = table.drop_columns(list(self._names))
            for key, rows in places.items():
                yield rest.take(rows), key

    def _write(self, task: str, path: Path, target: Path, keys: set[str]) -> None:
        """Write the files of some folders."""
        arrow, parquet = need("pyarrow", "parquet"), need("pyarrow.parquet", "parquet")
        waiting: dict[str, list[Any]] = {}
        with ExitStack() as stack:
            writers = {}
            for table, key in self._parts(task, path):
                if key not in keys:
                    continue
                if key not in writers:
                    (target / key).mkdir(parents=True)
                    whole = self.described(table.schema)
                    writer = parquet.ParquetWriter(target / key / _FILE, whole)
                    writers[key] = stack.enter_context(writer)
                joined = arrow.concat_tables([*waiting.get(key, ()), table]).combine_chunks()
                while joined.num_rows >= GROUP:
                    writers[key].write_table(joined.slice(0, GROUP).cast(writers[key].schema))
                    joined = joined.slice(GROUP)
                waiting[key] = [joined]
            for key, (left,) in waiting.items():
                if left.num_rows:
                    writers[key].write_table(left.cast(writers[key].schema))


def _text_of(value: Any) -> str:
    """A value as a part of the name of a folder."""
    if value is None:
        return _NULL
    return str(value).lower() if isinstance(value, bool) else quote(str(value), "")


def value_of(text: str) -> str | None:
    """The value in the name of a folder.

    Args:
        text: what follows the sign `=`.

    Example:
        >>> value_of("a%2Fb"), value_of("__HIVE_DEFAULT_PARTITION__")
        ('a/b', None)
    """
    return None if text == _NULL else unquote(text)


def files_of(path: Path) -> list[Path]:
    """The files of an output, in the order of their names: itself, or those of a folder.

    Args:
        path: the output.
    """
    if not path.is_dir():
        return [path]
    return sorted(one for one in path.rglob("*") if not one.is_dir())


def content(path: Path) -> tuple[int, str]:
    """Size and digest of an output; those of a folder are of the names and bytes of its files.

    Args:
        path: the output.
    """
    size, found = 0, blake2b(digest_size=16)
    for one in files_of(path):
        if one != path:
            found.update(f"{one.relative_to(path).as_posix()}\n{one.stat().st_size}\n".encode())
        with one.open("rb") as file:
            while block := file.read(_READ):
                found.update(block)
                size += len(block)
    return size, found.hexdigest()


def settle_file(file: IO[bytes]) -> None:
    """Flush a file to disk, so that its content survives a crash of the process or machine.

    Args:
        file: the open file.
    """
    file.flush()
    os.fsync(file.fileno())


def settle(path: Path) -> None:
    """Flush all files of an output to disk.

    Args:
        path: the output.
    """
    for one in files_of(path):
        with one.open("r+b") as file:
            settle_file(file)


def remove(path: Path) -> None:
    """Remove an unfinished output, if it is there.

    Args:
        path: the output; of a folder nothing is removed if a file is not of the program's own.

    Raises:
        CasinoError: a folder with other files.
    """
    if not path.is_dir() or path.is_symlink():
        path.unlink(missing_ok=True)
        return
    files = files_of(path)
    if any(one.name != _FILE or "=" not in one.parent.name for one in files):
        raise CasinoError(f"{quoted(path.name)} has files that no run made; remove or rename it")
    for one in files:
        one.unlink()
    for folder in sorted(path.rglob("*"), reverse=True):
        folder.rmdir()
    path.rmdir()
