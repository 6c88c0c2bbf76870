"""Files of many positions, read as they are needed: lines, NumPy archives, Parquet."""

from __future__ import annotations

import gzip
import json
import os
import sys
import zipfile
import zlib
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from hashlib import blake2b
from io import BufferedReader, BytesIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

import numpy as np

from casino_core._text import UTF16_MARKS
from casino_core.batch.arrays import POSITION_DTYPE, PositionArray, as_bytes, read_array_header
from casino_core.batch.chunks import Chunk, Lots
from casino_core.errors import CasinoError, NotationError, quoted
from casino_core.game.round import record_lines

__all__ = ["Items", "Source", "need"]

_LONGEST = 100_000  # characters of a line; a wrong file may be endless
_RULES_BYTES = 10_000_000  # of an archive's rule sets, more than 256 can take
_ROWS = 4096  # of a Parquet file, read at once


@dataclass(frozen=True, slots=True)
class Items:
    """Some positions of a file.

    Attributes:
        numbers: of their lines, or of their rows from 1.
        positions: texts and errors, or an array.
        digest: of the file's positions and their numbers up to the last of these, whatever the
            sizes in which they were taken.
    """

    numbers: list[int]
    positions: list[str | CasinoError] | PositionArray
    digest: str = ""


def need(module: str, extra: str) -> Any:
    """A library that only some formats need.

    Args:
        module: its name.
        extra: of this package, that installs it.

    Raises:
        CasinoError: it is not installed.
    """
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        library = module.partition(".")[0]
        raise CasinoError(
            f"{library} is needed for this: pip install 'casino-core[{extra}]'"
        ) from None


class Source:
    """A file of positions, read chunk by chunk.

    Blank lines and lines that begin with `#` are passed over. A line that begins with `{` or a
    quotation mark is JSON: an object with a `position`, or a text. `.npz` holds a position
    array; a `.parquet` has a column `position`.

    Args:
        name: of the file; `-` for standard input, which is lines. `.gz` is unpacked.

    Raises:
        CasinoError: there is no such file, or it is something else.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "two.txt")
        ...     _ = path.write_text("# two lines\\ntable=2s5h8dKc hands=????/????\\n[]\\n")
        ...     with Source(str(path)) as source:
        ...         [(chunk.size, chunk.items.numbers) for chunk in source.chunks(lambda: 9)]
        [(2, [2, 3])]
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._open_files = ExitStack()
        self._seen = blake2b(digest_size=16)
        self._take: Callable[[int], Items]
        self._raw: Any = None  # of a file of lines, to see how far it has been read
        self._size = 0
        self._taken = 0
        self.count: int | None = None
        try:
            if name == "-":
                if sys.stdin is None:
                    raise NotationError("standard input is closed")
                self._take = _taker(_lines(sys.stdin.buffer))
            elif name.endswith(".npz"):
                self._take = self._open_array(name)
            elif name.endswith(".parquet"):
                self._take = _taker(_parquet_rows(name))
            else:
                file = self._open_files.enter_context(Path(name).open("rb"))  # noqa: SIM115 - closed with the stack
                self._raw, self._size = file, os.fstat(file.fileno()).st_size
                packed = name.endswith(".gz")
                self._take = _taker(_lines(gzip.GzipFile(fileobj=file) if packed else file))
        except OSError as error:
            raise NotationError(f"cannot read {quoted(name)}: {error.strerror or error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._open_files.close()

    def _open_array(self, name: str) -> Callable[[int], Items]:
        """Takes rows from the array of an archive without loading it whole."""
        try:
            archive = self._open_files.enter_context(zipfile.ZipFile(name))
            with archive.open("rules.npy") as member:
                rules = [
                    str(one)
                    for one in np.load(BytesIO(member.read(_RULES_BYTES)), allow_pickle=False)
                ]
            rows = self._open_files.enter_context(archive.open("positions.npy"))
            count, dtype = read_array_header(rows)
        except (zipfile.BadZipFile, KeyError, ValueError) as error:
            if isinstance(error, CasinoError):
                raise
            raise NotationError(f"{quoted(name)} holds no position array") from None
        if dtype != POSITION_DTYPE:
            raise NotationError(f"{quoted(name)} holds no position array")
        self.count = count
        compiled = PositionArray(np.zeros(0, POSITION_DTYPE), rules)
        self._seen.update("\n".join(rules).encode("utf-8", "replace"))
        taken = 0

        def take(size: int) -> Items:
            nonlocal taken
            size = min(size, count - taken)
            raw = rows.read(size * dtype.itemsize)
            if len(raw) != size * dtype.itemsize:
                raise NotationError(f"{quoted(name)} ends too soon")
            data = np.frombuffer(raw, dtype)
            array = PositionArray._made(data, compiled.compiled, {})
            numbers = list(range(taken + 1, taken + size + 1))
            taken += size
            return Items(numbers, array)

        return take

    def estimate(self, done: int) -> int | None:
        """How many positions there may be in all, by how much of the file has been read.

        Args:
            done: positions done so far.
        """
        if self.count is not None:
            return self.count
        if self._raw is None or not self._size or not self._taken:
            return None
        read = int(self._raw.tell())
        return max(done, round(self._taken * self._size / max(read, 1)))

    def take(self, size: int) -> Items:
        """The next positions, fewer than `size` only at the end.

        Args:
            size: how many.
        """
        try:
            items = self._take(size)
        except CasinoError:
            raise
        except (OSError, EOFError, ValueError, zipfile.BadZipFile, zlib.error) as error:
            # ValueError: what pyarrow raises is one too
            raise NotationError(f"cannot read {quoted(self.name)}: {error}") from None
        if isinstance(items.positions, PositionArray):
            self._seen.update(as_bytes(items.positions.data).tobytes())
        else:
            for number, item in zip(items.numbers, items.positions, strict=True):
                self._seen.update(f"{number} {item}\n".encode("utf-8", "replace"))
        self._taken += len(items.numbers)
        return replace(items, digest=self._seen.hexdigest())

    def skip(self, count: int) -> str:
        """Pass over positions.

        Args:
            count: how many.

        Returns:
            Their digest.

        Raises:
            CasinoError: there are fewer.
        """
        digest = ""
        while count:
            items = self.take(min(count, _ROWS))
            if not items.numbers:
                raise CasinoError(f"{quoted(self.name)} is shorter than what was done of it")
            count -= len(items.numbers)
            digest = items.digest
        return digest

    def chunks(self, size: Callable[[], int], first: int = 0) -> Iterator[Chunk[Items]]:
        """The rest of the file in chunks.

        Args:
            size: tells the size of the next chunk.
            first: number of the first position, from 0.
        """
        while (items := self.take(size())).numbers:
            yield Chunk(first, items, len(items.numbers))
            first += len(items.numbers)


def _taker(rows: Iterator[tuple[int, str | CasinoError]]) -> Callable[[int], Items]:
    lots = Lots(rows)

    def take(size: int) -> Items:
        taken = lots.take(size)
        return Items([number for number, _ in taken], [item for _, item in taken])

    return take


def _lines(file: Any) -> Iterator[tuple[int, str | CasinoError]]:
    """(number, position or error) for each line that is to be answered."""
    for number, raw in enumerate(_raw_lines(_reader(file)), 1):
        if len(raw) > _LONGEST:
            yield number, NotationError(f"the line is longer than {_LONGEST} bytes")
            continue
        try:
            line = raw.decode("utf-8").removeprefix("\ufeff").strip()
        except UnicodeDecodeError:
            yield number, NotationError("the line is not UTF-8")
            continue
        if line and line[0] in '{"':
            yield number, _position_in(line)
            continue
        if line and (line[0] != "#" if line.isascii() else record_lines(line)):
            yield number, line


def _reader(file: Any) -> Callable[[int], bytes]:
    """What reads a piece of a line in UTF-8, also from a file that begins as UTF-16."""
    buffered = file if hasattr(file, "peek") else BufferedReader(file)
    if buffered.peek(2)[:2] not in UTF16_MARKS:
        return cast(Callable[[int], bytes], buffered.readline)
    pieces = _from_utf16(buffered)
    return lambda _: next(pieces, b"")


def _from_utf16(file: Any) -> Iterator[bytes]:
    """The lines of a file in UTF-16, or pieces of them, in UTF-8."""
    decoder = getincrementaldecoder("utf-16")()
    while block := file.read(_LONGEST):
        yield from decoder.decode(block).encode("utf-8").splitlines(keepends=True)
    yield decoder.decode(b"", final=True).encode("utf-8")


def _raw_lines(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Lines without their ends, LF, CR LF or CR; of one that is too long the beginning."""
    begun = b""  # of a line whose end is still to come
    while raw := read(_LONGEST):
        raw = begun + raw
        ended = raw.endswith(b"\n")
        if ended:
            raw = raw[:-1].removesuffix(b"\r")
        # after a CR at the end of what was read its LF may come
        cut = raw[:-1] if raw.endswith(b"\r") and not ended else raw
        *lines, begun = cut.split(b"\r")
        yield from lines
        if ended:
            yield begun
            begun = b""
        else:
            begun = (begun + raw[len(cut) :])[: _LONGEST + 1]
    if begun:
        yield begun.removesuffix(b"\r")


def _position_in(line: str) -> str | CasinoError:
    """The position that a line of JSON holds."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return NotationError(f"{quoted(line)} is not JSON")
    if isinstance(found, dict):
        if "position" not in found:
            return NotationError("the JSON object has no position")
        found = found["position"]
    if isinstance(found, str):
        return found
    return NotationError(f"a position is text, not {quoted(json.dumps(found))}")


def _parquet_rows(name: str) -> Iterator[tuple[int, str | CasinoError]]:
    parquet = need("pyarrow.parquet", "parquet")
    arrow = need("pyarrow", "parquet")
    try:
        file = parquet.ParquetFile(name)
        if "position" not in file.schema_arrow.names:
            raise NotationError(f"{quoted(name)} has no column position")
        return _column_rows(file)
    except arrow.ArrowInvalid:
        raise NotationError(f"{quoted(name)} is not a Parquet file") from None


def _column_rows(file: Any) -> Iterator[tuple[int, str | CasinoError]]:
    number = 0
    for batch in file.iter_batches(batch_size=_ROWS, columns=["position"]):
        for found in batch.column(0).to_pylist():
            number += 1
            if isinstance(found, str):
                yield number, found
            else:
                yield number, NotationError(f"a position is text, not {quoted(found)}")
