"""Files of many games, records or JSON, read as they are needed."""

from __future__ import annotations

import json
import os
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO, Any

from casino_core._text import UTF16_MARKS
from casino_core.errors import CasinoError, NotationError, quoted
from casino_core.formats.record import Game
from casino_core.formats.record_json import is_json, json_object
from casino_core.formats.record_reading import read_facts, words_of_games

__all__ = ["games_of", "read_games"]

_MOST = 200_000  # characters read at once: no line of a record is as long
_MOST_JSON = 1_000_000  # characters of the JSON of a game


def read_games(file: str | os.PathLike[str] | IO[Any]) -> Iterator[Game]:
    """The games of a file, one after the other, as they are read.

    They are records, or JSON of a game each, as `Game.to_json` makes it. A game with an error keeps
    it as `error`, with line and column, and has the rounds and plays before it; reading continues
    with the next game.

    Args:
        file: its path, or an open file, of text or of bytes; bytes are UTF-8, or UTF-16 with its
            byte-order mark.

    Raises:
        NotationError: the file cannot be read, or is not text.

    Example:
        >>> from io import StringIO
        >>> text = '[Event "one"] [Seed 1] 3h Ks\\n[Event "two"] [Seed 2] *'
        >>> for game in read_games(StringIO(text)):
        ...     print(game.tags["Event"], game.error)
        one line 1, column 27: play 2: Ks is not legal: seat b does not hold Ks
        two None
    """
    if isinstance(file, str | os.PathLike):
        try:
            with open(file, "rb") as opened:
                yield from read_games(opened)
        except OSError as error:
            name = quoted(os.fspath(file))
            raise NotationError(f"cannot read {name}: {error.strerror or error}") from None
        return
    for _, game in games_of(_lines(file)):
        yield game


def games_of(lines: Iterable[str]) -> Iterator[tuple[int, Game]]:
    """The games of a text, records or JSON, each with the number of its first line.

    Args:
        lines: the lines of the text, taken as they are needed.

    Example:
        >>> [number for number, _ in games_of(['[A "x"]', '[Seed 1] 3h', '[A "y"] [Seed 1] 3h'])]
        [1, 3]
    """
    given = iter(lines)
    before, begin = [], ""
    for line in given:
        before.append(line)
        if begin or (line.strip() and line.lstrip()[0] not in "#;"):
            begin += line
        if begin.strip() not in ("", "{"):
            break
    read = _of_json if is_json(begin) else _of_words
    yield from read(chain(before, given))


def _of_words(lines: Iterable[str]) -> Iterator[tuple[int, Game]]:
    """The games of records."""
    for words in words_of_games(lines):
        yield words[0].line, Game._of(read_facts(words))


def _of_json(lines: Iterable[str]) -> Iterator[tuple[int, Game]]:
    """The games of JSON objects, each on a line or on several."""
    text, first = "", 0
    for number, line in enumerate(lines, start=1):
        if text and line[0] == "{" and is_json(line):  # the object before it is broken
            yield first, _game_of_json(text, first)
            text = ""
        if not text:
            if not line.strip() or line.lstrip()[0] in "#;":
                continue
            first = number
        text += line if line.endswith("\n") else line + "\n"
        if len(text) > _MOST_JSON or (line.rstrip().endswith("}") and _is_whole(text)):
            yield first, _game_of_json(text, first)
            text = ""
    if text:
        yield first, _game_of_json(text, first)


def _is_whole(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _game_of_json(text: str, line: int) -> Game:
    """The game of a JSON object; a game without rounds with the error if there is one."""
    try:
        return Game.from_json(json_object(text))
    except CasinoError as error:
        game = Game()
        object.__setattr__(game, "error", type(error)(f"line {line}: {error}"))
        return game


def _lines(file: IO[Any]) -> Iterator[str]:
    """The lines of a file of text, or of bytes in UTF-8 or in UTF-16 with its byte-order mark."""
    decoder: IncrementalDecoder | None = None
    begun = ""  # of a line whose end is still to come
    while data := file.readline(_MOST):
        if isinstance(data, bytes):
            decoder = decoder or _decoder(data)
            data = decoder.decode(data)
        lines = (begun + data).splitlines(keepends=True)
        begun = lines.pop() if lines and not lines[-1].endswith("\n") else ""
        yield from lines
        if len(begun) > _MOST:
            yield begun
            begun = ""
    if begun:
        yield begun


def _decoder(first: bytes) -> IncrementalDecoder:
    """The decoder for bytes that begin so; what it cannot read, the reader of words refuses."""
    wide = first[:2] in UTF16_MARKS
    name, errors = ("utf-16", "replace") if wide else ("utf-8-sig", "surrogateescape")
    return getincrementaldecoder(name)(errors)
