"""Parts of the commands: the position argument, `--json`, options of hints, a status line."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from io import BufferedReader
from time import perf_counter
from types import TracebackType
from typing import IO, Any, Self, TypeVar

import click
from rich.console import Console
from rich.status import Status
from rich.text import Text

import casino_core as cc
from casino_core._arguments import Kind, whole
from casino_core._files import write_whole
from casino_core._text import UTF16_MARKS
from casino_core.errors import CasinoError, NotationError, quoted
from casino_core.formats.answers import json_line
from casino_core.formats.reading import ReadGame, read_game
from casino_core.formats.record import SeveralGamesError
from casino_core.formats.record_files import read_games
from casino_core.formats.record_json import is_json
from casino_core.formats.record_words import is_record
from casino_core.formats.saved_games import is_saved_game
from casino_core.hints.options import Face, Option, options_of
from casino_core.render.text import MOST_ROWS

__all__ = [
    "NumberOf",
    "StatusLine",
    "all_option",
    "at_option",
    "check_new",
    "check_place",
    "game_option",
    "hint_options",
    "json_option",
    "load_game",
    "load_games",
    "load_position",
    "load_round",
    "place_asked",
    "position_argument",
    "print_json",
    "read_text",
    "write_new",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])

# Longest text read from a file: a position is short, and a wrong file may be endless.
_MOST_BYTES = 1_000_000

_BEGIN = 4096  # bytes in which the first line that counts is looked for
_AT = "casino_core.at"  # key of the option --at in the context of a command
_GAME = "casino_core.game"  # key of the option --game
_NUMBER = whole(1, 2**31 - 1)


class NumberOf(click.ParamType):  # type: ignore[type-arg]  # generic in new versions only
    """The click type of a number of some kind.

    Args:
        kind: the kind.
        number: int or float.

    Example:
        >>> from casino_core._arguments import SECONDS
        >>> NumberOf(SECONDS, float).convert("0.5", None, None)
        0.5
    """

    name = "number"

    def __init__(self, kind: Kind[Any], number: type[int] | type[float]) -> None:
        self._kind = kind
        self._number = number

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self._kind.read(self._number(value))
        except (TypeError, ValueError, OverflowError):
            self.fail(f"{quoted(value)} is not {self._kind.meaning}", param, ctx)


def position_argument(command: _Command) -> _Command:
    """Decorator: give a command the argument POSITION, as text, --at and --game for records."""
    return click.argument("position", metavar="POSITION")(at_option(game_option(command)))


def at_option(command: _Command) -> _Command:
    """Decorator: give a command the option --at, which `load_round` and `load_game` use."""

    def keep(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
        ctx.meta[_AT] = value

    return click.option(
        "--at",
        metavar="N",
        expose_value=False,
        callback=keep,
        help="Of a record: the position of play N, or of play N in round R as R.N.  "
        "[default: its end]",
    )(command)


def game_option(command: _Command) -> _Command:
    """Decorator: give a command the option --game, which `load_game` uses."""

    def keep(ctx: click.Context, _: click.Parameter, value: int | None) -> None:
        ctx.meta[_GAME] = value

    return click.option(
        "--game",
        "number",
        metavar="N",
        type=NumberOf(_NUMBER, int),
        expose_value=False,
        callback=keep,
        help="Of a file of several games: the game, from 1.",
    )(command)


def json_option(command: _Command) -> _Command:
    """Decorator: give a command the option --json, as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")(
        command
    )


class OneOf(click.ParamType):  # type: ignore[type-arg]  # generic in new versions only
    """The click type of a word of some kind, kept as text, so that old words are accepted too.

    Args:
        kind: the kind.
    """

    name = "word"

    def __init__(self, kind: Kind[Any]) -> None:
        self._kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            with warnings.catch_warnings(record=True) as old:
                warnings.simplefilter("always")
                found = self._kind.read(value)
        except (TypeError, ValueError):
            self.fail(f"{quoted(value)} is not {self._kind.meaning}", param, ctx)
        for warning in old:
            click.echo(f"warning: {warning.message}", err=True)
        return found


def hint_options(face: Face, without: Collection[str] = ()) -> Callable[[_Command], _Command]:
    """Decorator: give a command the options of hints from their table.

    Args:
        face: the interface for which the table lists options.
        without: names of options that the command defines itself.
    """

    def decorate(command: _Command) -> _Command:
        for option in reversed(options_of(face)):
            if option.name not in without:
                command = _hint_option(option)(command)
        return command

    return decorate


def _hint_option(option: Option) -> Callable[[_Command], _Command]:
    plain = option.default is None or option.reads is bool
    words = option.default_help or ("" if plain else str(option.default))
    help_ = f"{option.help}  [default: {words}]" if words else option.help
    if option.reads is bool:
        return click.option(option.flag, option.name, is_flag=True, default=None, help=help_)
    kind: Any = click.STRING
    if option.reads in (int, float):
        kind = NumberOf(option.kind, option.reads)
    elif option.words:
        kind = OneOf(option.kind)
    metavar = option.metavar
    return click.option(option.flag, option.name, type=kind, metavar=metavar, help=help_)


def check_place(option: str, path: str) -> None:
    """Validate that a file can be written, before hours of work and not after.

    Args:
        option: the option that named the file.
        path: the path of the file.

    Raises:
        CasinoError: the file cannot be written.
    """
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.isdir(path):
        raise CasinoError(f"{option}: {quoted(path)} is a directory")
    if os.path.exists(path) and not os.path.isfile(path):
        raise CasinoError(f"{option}: {quoted(path)} is not a file but a device or a pipe")
    if not os.path.isdir(folder):
        raise CasinoError(
            f"{option}: {quoted(path)} cannot be made: there is no directory {quoted(folder)}"
        )
    if not os.access(folder, os.W_OK):
        raise CasinoError(
            f"{option}: {quoted(path)} cannot be made: {quoted(folder)} may not be written to"
        )


def check_new(option: str, path: str) -> None:
    """Validate that a file is not there yet.

    Args:
        option: the option that named the file.
        path: the path of the file.

    Raises:
        CasinoError: it exists.
    """
    if os.path.exists(path):
        raise CasinoError(f"{option}: {quoted(path)} exists already; remove it, or choose another")


def write_new(option: str, path: str, text: str) -> None:
    """Write a new file whole.

    Args:
        option: the option that named the file.
        path: the path of the file.
        text: the whole text.

    Raises:
        CasinoError: another program has made such a file meanwhile.
        OSError: the file cannot be written.
    """
    try:
        write_whole(path, text, replace=False)
    except FileExistsError:
        check_new(option, path)
        raise


def all_option(command: _Command) -> _Command:
    """Decorator: give a command the option --all, as `show_all`."""
    return click.option(
        "--all", "show_all", is_flag=True, help=f"Show more than the best {MOST_ROWS} moves."
    )(command)


def load_position(argument: str) -> cc.Position:
    """The position of an argument; its warnings are printed on standard error.

    Args:
        argument: a position line, record or saved game, the path of a file, or `-`.

    Raises:
        NotationError: there is no such file, or no position in it.
    """
    return load_round(argument).position


def load_round(argument: str) -> cc.Round:
    """The round that an argument gives, as it stands at the play that --at names.

    Args:
        argument: as `load_position` takes it.

    Raises:
        NotationError: there is no such file, or no position in it.
    """
    return load_game(argument).at(place_asked()).round


def load_game(argument: str) -> ReadGame:
    """The game that an argument gives, or the one that --game names; warnings go to standard error.

    Args:
        argument: as `load_position` takes it.

    Raises:
        NotationError: there is no such file, no position in it, or no such game.
    """
    number = _number_asked()
    if number is None:
        try:
            return _warned(read_game(read_text(argument)))
        except SeveralGamesError as error:
            raise NotationError(f"{error}; --game N takes game N of a file") from None
    count = 0
    for found in _games(argument):
        count += 1
        if count == number:
            if found.game.error is not None:
                raise found.game.error
            return _warned(found)
    raise CasinoError(f"--game: there is no game {number}, the last is {count}")


def _warned(found: ReadGame) -> ReadGame:
    """A game, after its warnings are printed on standard error."""
    for warning in found.warnings:
        click.echo(f"warning: {warning}", err=True)
    return found


def load_games(argument: str) -> Iterator[ReadGame]:
    """The games that an argument gives, read as they are needed; at least one.

    A game of several that has an error keeps it. Warnings go to standard error.

    Args:
        argument: as `load_position` takes it, or a file of many records, or of JSON of games.

    Raises:
        NotationError: there is no such file, or no position in it.
    """
    if _number_asked() is not None:
        yield load_game(argument)
        return
    for game in _games(argument):
        yield _warned(game)


def _games(argument: str) -> Iterator[ReadGame]:
    """The games that an argument gives, without warnings."""
    with ExitStack() as stack:
        file: IO[bytes] | None = None
        if argument == "-" and sys.stdin is not None:
            file = sys.stdin.buffer
            if not hasattr(file, "peek"):
                file = BufferedReader(file)  # type: ignore[type-var]
        elif os.path.isfile(argument) and os.access(argument, os.R_OK):
            file = stack.enter_context(open(argument, "rb"))
        if file is None or not _begins_games(file):
            text = file.read(_MOST_BYTES) if argument == "-" and file else read_text(argument)
            yield read_game(text)
            return
        for game in read_games(file):
            warnings = game.rounds[0].round.start.warnings if game.rounds else ()
            yield ReadGame(game, warnings, False)


def _begins_games(file: Any) -> bool:
    """Whether a file begins with a tag of a record or with JSON; nothing is taken from it."""
    begin = file.peek(1)[:_BEGIN]
    wide = begin[:2] in UTF16_MARKS
    lines = begin.decode("utf-16" if wide else "utf-8-sig", "ignore").splitlines()
    counts = [line for line in lines if line.strip() and line.lstrip()[0] not in "#;"]
    first = "\n".join(counts[:2])
    return is_json(first) or (first.lstrip()[:1] == "[" and is_record(first))


def _number_asked() -> int | None:
    """The value of --game, None without one."""
    number: int | None = click.get_current_context().meta.get(_GAME)
    return number


def place_asked() -> str | None:
    """The value of --at, None without one."""
    place: str | None = click.get_current_context().meta.get(_AT)
    return place


def read_text(argument: str) -> str | bytes:
    """The text of an argument: itself, the content of a file, or standard input for `-`.

    Args:
        argument: a position line, perhaps with more after it, the path of a file, or `-`.

    Raises:
        NotationError: there is no such file, or it cannot be read.
    """
    if argument == "-":
        if sys.stdin is None:
            raise NotationError("standard input is closed")
        return sys.stdin.buffer.read(_MOST_BYTES)
    if os.path.isdir(argument):
        raise NotationError(f"{quoted(argument)} is a directory, not a file with a position")
    if os.path.exists(argument):
        try:
            with open(argument, "rb") as file:
                return file.read(_MOST_BYTES)
        except OSError as error:
            raise NotationError(f"cannot read {quoted(argument)}: {error.strerror}") from None
    if "=" in argument or "\n" in argument or is_record(argument) or is_saved_game(argument):
        return argument
    raise NotationError(f"{quoted(argument)} is neither a file nor a position")


def print_json(answer: dict[str, Any]) -> None:
    """Print an answer as one line of JSON."""
    click.echo(json_line(answer))


class StatusLine:
    """A line with the progress of work on a terminal's standard error, removed when it is done.

    If standard error is not a terminal, and in the first moments, nothing is shown.

    Example:
        >>> with StatusLine() as status:
        ...     status.say("1 of 2")
    """

    _FIRST = 0.3  # seconds before the line is first shown
    _AGAIN = 0.1  # seconds between two updates

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._status: Status | None = None
        self._next = perf_counter() + self._FIRST

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()

    @property
    def is_shown(self) -> bool:
        """Whether the line can be shown; if not, its text need not be made."""
        return self._console.is_terminal

    def say(self, text: str) -> None:
        """Show a text in place of the last one, if it is time for a change.

        Args:
            text: one line.
        """
        if not self.is_shown or perf_counter() < self._next:
            return
        self._next = perf_counter() + self._AGAIN
        if self._status is None:
            self._status = self._console.status(Text(text))
            self._status.start()
        else:
            self._status.update(Text(text))
