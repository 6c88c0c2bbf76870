"""Files of many positions, read as they are needed: lines, CSV, NumPy archives, Parquet."""

from __future__ import annotations

import csv
import json
import os
import sys
import zipfile
import zlib
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from io import BufferedReader, BytesIO
from itertools import chain, islice
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self, cast

import numpy as np

from casino_core._tables import need
from casino_core._text import UNMARKED, UTF16_MARKS, is_unmarked
from casino_core.batch.arrays import POSITION_DTYPE, PositionArray, as_bytes, read_array_header
from casino_core.batch.chunks import Chunk, Lots
from casino_core.batch.files.packing import unpacked, without_packing
from casino_core.batch.files.partitions import Member, members
from casino_core.batch.files.rows import carried_names
from casino_core.errors import CasinoError, NotationError, quoted
from casino_core.formats.record import Game
from casino_core.formats.record_files import games_of
from casino_core.formats.record_json import is_json
from casino_core.formats.record_words import is_record
from casino_core.game.round import record_lines

__all__ = ["EVERY", "PLAY_COLUMNS", "Items", "Source"]

#: The value of `at` for every play of a game.
EVERY: Final = "every"
#: The columns of a play: numbers of the game in the file, of the round and the play, and the move.
PLAY_COLUMNS: Final = ("game", "round", "play", "played")

_COLUMN: Final = "position"
_NO_GAMES = "--at and --every-play are for a file of games, records or JSON"

_LONGEST = 100_000  # bytes of a line: a wrong file may have no line ends
_RULES_BYTES = 10_000_000  # limit for the rule sets of an archive, more than 256 sets need
_ROWS = 4096  # rows of a file read at once


class _Row(NamedTuple):
    """An item of a file: its number, its position, and its other columns."""

    number: int
    position: str | CasinoError
    carried: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Items:
    """Some positions of a file.

    Attributes:
        numbers: the numbers of their lines or rows, from 1.
        positions: texts and errors, or an array.
        carried: the copied columns of each item, by their names in the output.
        digest: digest of all items of the file and their numbers, up to the last of these items;
            it does not depend on the sizes in which they were read.
    """

    numbers: list[int]
    positions: list[str | CasinoError] | PositionArray
    carried: list[dict[str, Any]]
    digest: str = ""


class Source:
    """A file of positions, read chunk by chunk.

    A file that begins with a tag, or with JSON of a game, holds games, and the positions are those
    at their ends, at one play, or at every play. In other files blank lines and lines that begin
    with `#` are skipped. A line that begins with
    `{` or a quotation mark is JSON: an object with a `position`, or a text. `.csv` and `.parquet`
    have a column `position`; `.npz` holds a position array. Other columns, and other keys of JSON
    objects, are copied to the output; a name that clashes with an answer's is prefixed with `in_`.

    Args:
        name: the name of the file; `-` for lines from standard input; a folder, or a pattern such
            as `deals/*.csv`, for all its files in the order of their names, with the columns
            `file` and those of folders such as `year=2024`. `.gz` and `.zst` are unpacked.
        column: the column, or key of JSON objects, with the positions.
        at: of games, the play whose position to answer, as `Game.round_at` takes it; "every" for
            all plays, with the columns of `PLAY_COLUMNS`; None for the end.

    Attributes:
        columns: the copied columns, by their names in the output: an Arrow type, None for text.
        count: number of all positions, None if it is not known.

    Raises:
        CasinoError: the file does not exist or cannot be read.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "two.txt")
        ...     _ = path.write_text("# two lines\\ntable=2s5h8dKc hands=????/????\\n[]\\n")
        ...     with Source(str(path)) as source:
        ...         [(chunk.size, chunk.items.numbers) for chunk in source.chunks(lambda: 9)]
        [(2, [2, 3])]
    """

    def __init__(self, name: str, column: str = _COLUMN, at: str | None = None) -> None:
        self.name = name
        self._column = column
        self._at = at
        self.columns: dict[str, Any] = {}
        self._rows: Iterator[_Row] = iter(())
        self._open_files = ExitStack()
        self._seen = blake2b(digest_size=16)
        self._take: Callable[[int], Items]
        self._raw: Any = None  # the file under a file of lines, whose offset gives the progress
        self._size = 0
        self._taken = 0
        self.count: int | None = None
        with ExitStack() as stack, self._readable():
            stack.callback(self._open_files.close)
            self._take = self._open(name)
            stack.pop_all()
        if at == EVERY and not self.columns:
            self.columns = dict.fromkeys(PLAY_COLUMNS)

    def _open(self, name: str) -> Callable[[int], Items]:
        if name == "-":
            if sys.stdin is None:
                raise NotationError("standard input is closed")
            return self._taken_from(self._lines(sys.stdin.buffer))
        found = members(name)
        if found is not None:
            return self._taken_from(self._rows_of(found))
        plain = without_packing(name)
        if self._at is not None and plain.endswith((".csv", ".npz", ".parquet")):
            raise NotationError(_NO_GAMES)
        if name.endswith(".npz"):
            return self._open_array(name)
        if name.endswith(".parquet"):
            return self._taken_from(self._parquet_rows())
        file = self._open_files.enter_context(Path(name).open("rb"))  # noqa: SIM115 - closed with the stack
        self._raw, self._size = file, os.fstat(file.fileno()).st_size
        opened = unpacked(file, name)
        is_csv = plain.endswith(".csv")
        return self._taken_from(self._csv_rows(opened) if is_csv else self._lines(opened))

    def _rows_of(self, found: list[Member]) -> Iterator[_Row]:
        """The rows of many files, one after the other; all are opened once at the start."""
        columns: dict[str, Any] = {}
        for place, member in enumerate(found):
            with Source(member.name, self._column, self._at) as file:
                if not place:
                    columns = file.columns
                if sorted(file.columns) != sorted(columns):
                    raise NotationError(
                        f"{quoted(member.name)} has other columns than {quoted(found[0].name)}"
                    )
        self.columns = found[0].kinds(columns) if columns else {}
        return self._rows_of_each(found)

    def _rows_of_each(self, found: list[Member]) -> Iterator[_Row]:
        for member in found:
            with Source(member.name, self._column, self._at) as file:
                for row in file._rows:
                    yield row._replace(carried=member.columns(row.carried))

    def _lines(self, file: Any) -> Iterator[_Row]:
        return _lines(file, self._column, self._at)

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
        """Open an archive; the rows of its array are read piece by piece."""
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
            return Items(numbers, array, [{}] * size)

        return take

    def _taken_from(self, rows: Iterator[_Row]) -> Callable[[int], Items]:
        self._rows = rows
        lots = Lots(iter(lambda: next(self._rows, None), None))

        def take(size: int) -> Items:
            taken = lots.take(size)
            numbers, positions, carried = zip(*taken, strict=True) if taken else ((), (), ())
            return Items(list(numbers), list(positions), list(carried))

        return take

    def look_ahead(self) -> None:
        """Read the columns of JSON lines from the first line, if a format needs them early."""
        if self.columns:
            return
        with self._readable():
            first = list(islice(self._rows, 1))
        self.columns = dict.fromkeys(first[0].carried) if first else {}
        self._rows = map(self._fitted, chain(first, self._rows))

    def _fitted(self, row: _Row) -> _Row:
        """The row itself, or an error if it has a value without a column."""
        more = next((name for name in row.carried if name not in self.columns), None)
        if more is None:
            return row
        found = CasinoError(f"{quoted(more)} is not in the first line, which gives the columns")
        known = {name: value for name, value in row.carried.items() if name in self.columns}
        return _Row(row.number, found, known)

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Turn errors of the system and of libraries into one that names the file."""
        try:
            yield
        except CasinoError:
            raise
        except (OSError, EOFError, ValueError, zipfile.BadZipFile, zlib.error) as error:
            # errors of pyarrow are ValueErrors too
            reason = getattr(error, "strerror", None) or error
            raise NotationError(f"cannot read {quoted(self.name)}: {reason}") from None

    def _carry(self, names: list[str]) -> tuple[int, dict[int, str]]:
        """The index of the column with positions, and the output names of the others by index."""
        known = f"{quoted(self.name)} has no column {self._column}"
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise NotationError(f"{quoted(self.name)} has the column {quoted(twice)} twice")
        if self._column not in names:
            raise NotationError(
                f"{known}; --column names another: it has "
                + (", ".join(quoted(name) for name in names) or "none")
            )
        place = names.index(self._column)
        others = carried_names([name for name in names if name != self._column])
        return place, {index: others[name] for index, name in enumerate(names) if index != place}

    def _csv_rows(self, file: Any) -> Iterator[_Row]:
        """The rows of a CSV file; its heading is read first."""
        reader = csv.reader(_decoded_lines(file), strict=True)
        try:
            names = next((row for row in reader if row), [])
        except csv.Error as error:
            raise NotationError(f"{quoted(self.name)} is not CSV: {error}") from None
        if not names:
            raise NotationError(f"{quoted(self.name)} is empty: CSV begins with names of columns")
        place, others = self._carry(names)
        self.columns = dict.fromkeys(others.values())
        return self._rows_below(reader, len(names), place, others)

    def _rows_below(
        self, reader: Any, width: int, place: int, others: dict[int, str]
    ) -> Iterator[_Row]:
        before = reader.line_num
        while True:
            try:
                row = next(reader, None)
            except csv.Error as error:
                raise NotationError(
                    f"{quoted(self.name)} is not CSV from line {before + 1} on: {error}"
                ) from None
            if row is None:
                return
            number, before = before + 1, reader.line_num
            if row:
                carried = {name: row[at] for at, name in others.items() if at < len(row)}
                yield _Row(number, _csv_position(row, width, place), carried)

    def _parquet_rows(self) -> Iterator[_Row]:
        parquet = need("pyarrow.parquet", "parquet")
        arrow = need("pyarrow", "parquet")
        try:
            file = parquet.ParquetFile(self.name)
            schema = file.schema_arrow
            place, others = self._carry(schema.names)
        except arrow.ArrowInvalid:
            raise NotationError(f"{quoted(self.name)} is not a Parquet file") from None
        for at, name in others.items():
            kind = schema.field(at).type
            self.columns[name] = kind.value_type if arrow.types.is_dictionary(kind) else kind
        return _column_rows(file, place, others)

    def estimate(self, done: int) -> int | None:
        """Estimated number of all positions, from the share of the file read so far.

        Args:
            done: number of positions done so far.
        """
        if self.count is not None:
            return self.count
        if self._raw is None or not self._size or not self._taken:
            return None
        if self._raw.closed:  # as an unpacked stream leaves it at its end
            return self._taken
        read = int(self._raw.tell())
        return max(done, round(self._taken * self._size / max(read, 1)))

    def take(self, size: int) -> Items:
        """Read the next positions, fewer than `size` only at the end.

        Args:
            size: number of positions.
        """
        with self._readable():
            items = self._take(size)
        if isinstance(items.positions, PositionArray):
            self._seen.update(as_bytes(items.positions.data).tobytes())
        else:
            for row in zip(items.numbers, items.positions, items.carried, strict=True):
                number, item, carried = row
                beside = f" {carried}" if carried else ""
                self._seen.update(f"{number} {item}{beside}\n".encode("utf-8", "replace"))
        self._taken += len(items.numbers)
        return replace(items, digest=self._seen.hexdigest())

    def skip(self, count: int) -> str:
        """Skip positions.

        Args:
            count: number of positions.

        Returns:
            Digest of the input up to the last of them.

        Raises:
            CasinoError: the file has fewer positions.
        """
        digest = ""
        while count:
            items = self.take(min(count, _ROWS))
            if not items.numbers:
                raise CasinoError(f"{quoted(self.name)} has fewer positions than were done")
            count -= len(items.numbers)
            digest = items.digest
        return digest

    def chunks(self, size: Callable[[], int], first: int = 0) -> Iterator[Chunk[Items]]:
        """The rest of the file in chunks.

        Args:
            size: returns the size of the next chunk.
            first: number of the first position, from 0.
        """
        while (items := self.take(size())).numbers:
            yield Chunk(first, items, len(items.numbers))
            first += len(items.numbers)


def _lines(file: Any, key: str, at: str | None) -> Iterator[_Row]:
    """A row for each line, game or play to answer."""
    lines = enumerate(map(_text_of, _raw_lines(_reader(file))), 1)
    first = True
    for number, line in lines:
        if isinstance(line, CasinoError):
            yield _Row(number, line, {})
            continue
        if first and _begins_games(line):
            _check_plain(key)
            games = chain([""] * (number - 1), [line], (x for _, x in lines))
            yield from _of_games(games, at)
            return
        if at is not None and record_lines(line):
            raise NotationError(_NO_GAMES)
        if line and line[0] in '{"':
            yield _of_json(number, line, key)
            first = False
        elif line and (line[0] != "#" if line.isascii() else record_lines(line)):
            _check_plain(key)
            yield _Row(number, line, {})
            first = False


def _check_plain(key: str) -> None:
    """Refuse a column where the text has none."""
    if key != _COLUMN:
        raise NotationError(f"--column {key}: lines of text and games have no columns")


def _text_of(raw: bytes) -> str | CasinoError:
    """A line as text, stripped of blanks."""
    if len(raw) > _LONGEST:
        return NotationError(f"the line is longer than {_LONGEST} bytes")
    if is_unmarked(raw):
        return NotationError(UNMARKED)
    try:
        return raw.decode("utf-8").removeprefix("\ufeff").strip()
    except UnicodeDecodeError:
        return NotationError("the line is not UTF-8")


def _begins_games(line: str) -> bool:
    """Whether a file with this first line holds games."""
    return (line[:1] == "[" and is_record(line)) or (is_json(line) and '"rounds"' in line)


def _of_games(lines: Iterable[str | CasinoError], at: str | None) -> Iterator[_Row]:
    """The rows of a file of games."""
    texts = (f"] {line}" if isinstance(line, CasinoError) else line for line in lines)
    for place, (number, game) in enumerate(games_of(texts), start=1):
        if at == EVERY:
            yield from _of_plays(number, place, game)
            continue
        try:
            if game.error is not None:
                raise game.error
            yield _Row(number, str(game.round_at(at).position), {})
        except CasinoError as error:
            yield _Row(number, error, {})


def _of_plays(number: int, place: int, game: Game) -> Iterator[_Row]:
    """A row for each play of a game, and one for the error at which reading stopped."""
    for one in game.rounds:
        positions = zip(one.round.positions, one.round.words, strict=False)
        for play, (position, words) in enumerate(positions, start=1):
            values = (place, one.number, play, words[0])
            yield _Row(number, str(position), dict(zip(PLAY_COLUMNS, values, strict=True)))
    if game.error is not None:
        yield _Row(number, game.error, {PLAY_COLUMNS[0]: place})


def _reader(file: Any) -> Callable[[int], bytes]:
    """A function that reads the next line or piece of it as UTF-8, from UTF-8 or UTF-16."""
    buffered = file if hasattr(file, "peek") else BufferedReader(file)
    if buffered.peek(2)[:2] not in UTF16_MARKS:
        return cast(Callable[[int], bytes], buffered.readline)
    pieces = _from_utf16(buffered)
    return lambda _: next(pieces, b"")


def _from_utf16(file: Any) -> Iterator[bytes]:
    """The lines, or pieces of lines, of a UTF-16 file, as UTF-8."""
    decoder = getincrementaldecoder("utf-16")()
    try:
        while block := file.read(_LONGEST):
            yield from decoder.decode(block).encode("utf-8").splitlines(keepends=True)
        yield decoder.decode(b"", final=True).encode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("the text is not UTF-16") from None


def _raw_lines(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Lines without their ends (LF, CR LF or CR); a line that is too long is cut."""
    begun = b""  # the beginning of a line whose end is not read yet
    while raw := read(_LONGEST):
        raw = begun + raw
        ended = raw.endswith(b"\n")
        if ended:
            raw = raw[:-1].removesuffix(b"\r")
        # a CR at the end of the piece may be followed by its LF in the next one
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


def _of_json(number: int, line: str, key: str) -> _Row:
    """The row of a line of JSON."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return _Row(number, NotationError(f"{quoted(line)} is not JSON"), {})
    carried: dict[str, Any] = {}
    if isinstance(found, dict):
        position = found.pop(key, NotationError(f"the JSON object has no {key}"))
        try:
            names = carried_names(list(found))
        except NotationError as error:
            return _Row(number, error, {})
        carried = {names[name]: value for name, value in found.items()}
        found = position
    if isinstance(found, str | CasinoError):
        return _Row(number, found, carried)
    text = json.dumps(found)
    return _Row(number, NotationError(f"a position is text, not {quoted(text)}"), carried)


def _decoded_lines(file: Any) -> Iterator[str]:
    """Lines of CSV; bytes that are not UTF-8 are kept, so that the error can name the row."""
    for number, raw in enumerate(_raw_lines(_reader(file)), 1):
        if len(raw) > _LONGEST:
            raise NotationError(f"line {number} is longer than {_LONGEST} bytes")
        line = raw.decode("utf-8", "surrogateescape")
        yield (line.removeprefix("\ufeff") if number == 1 else line) + "\n"


def _csv_position(row: list[str], width: int, place: int) -> str | CasinoError:
    if len(row) != width:
        return NotationError(f"the row has {len(row)} fields, the heading {width}")
    if any("\udc80" <= letter <= "\udcff" for field in row for letter in field):
        return NotationError("the row is not UTF-8")
    return row[place]


def _column_rows(file: Any, place: int, others: dict[int, str]) -> Iterator[_Row]:
    number = 0
    for batch in file.iter_batches(batch_size=_ROWS):
        columns = [batch.column(at).to_pylist() for at in others]
        beside = zip(*columns, strict=True) if columns else iter([()] * batch.num_rows)
        for found, values in zip(batch.column(place).to_pylist(), beside, strict=True):
            number += 1
            carried = dict(zip(others.values(), values, strict=True))
            if not isinstance(found, str):
                found = NotationError(f"a position is text, not {quoted(found)}")
            yield _Row(number, found, carried)
