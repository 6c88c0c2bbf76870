"""The program around the commands: errors become one line and an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from casino_core._interrupts import interrupt_work, interrupted_status
from casino_core._version import __version__
from casino_core.errors import CasinoError, quoted

__all__ = ["main"]

_REFUSED = 2
_NAME = "casino-core"


#: The commands; each is a function in a module of the same name.
_COMMANDS = (
    "play",
    "moves",
    "perft",
    "show",
    "solve",
    "review",
    "equity",
    "hint",
    "convert",
    "arena",
    "exploit",
    "tournament",
    "engine",
    "web",
    "batch",
    "sample",
    "docs",
)


class _Commands(Mapping[str, click.Command]):
    """The commands by name; the module of a command is imported when the command is used."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in _COMMANDS:
            raise KeyError(name)
        command = getattr(import_module(f"casino_core.cli.{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


class _Program(click.Group):
    """A group of commands that ends without a traceback."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        if sys.stdout is None:  # closed before the start: there is no place for the answer
            sys.exit(1)
        try:
            status = super().main(
                args, _NAME, complete_var, False, windows_expand_args=windows_expand_args, **extra
            )
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader of the pipe has closed it; the flush at exit must not fail.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        except click.Abort:
            _fail("interrupted", interrupted_status())
        except click.ClickException as error:
            _fail(error.format_message())
        except CasinoError as error:
            _fail(str(error))
        except OSError as error:
            place = "the output" if error.filename is None else quoted(error.filename)
            _fail(f"{place}: {error.strerror or error}")
        sys.exit(status if isinstance(status, int) else 0)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        found = super().resolve_command(ctx, args)
        interrupt_work()  # after all imports, so that a command can save its results at Ctrl-C
        return found

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            # caught here, as click would print an empty line before the message
            _fail("interrupted", interrupted_status())


def _fail(message: str, status: int = _REFUSED) -> NoReturn:
    click.echo(f"{_NAME}: {' '.join(message.split())}", err=True)
    sys.exit(status)


@click.group(
    cls=_Program,
    commands=_Commands(),
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name=_NAME)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Moves, exact values and advice for the card game Casino.

    POSITION is a position line, such as "rules=royal table=2s5h hands=AsTd/????", or a file
    that holds one or a saved game, or - for standard input.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
