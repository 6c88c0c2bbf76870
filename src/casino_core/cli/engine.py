"""`casino-core engine`: answers requests of other programs."""

from __future__ import annotations

import os
import sys
from importlib.resources import files

import click

from casino_core._arguments import THREADS, whole
from casino_core.cli.common import NumberOf
from casino_core.engine.engine import serve
from casino_core.engine.requests import PROTOCOLS
from casino_core.errors import CasinoError

__all__ = ["engine"]


@click.command()
@click.option(
    "--threads",
    type=NumberOf(THREADS, int),
    default=1,
    show_default=True,
    help="Searches of protocol 2 at once.",
)
@click.option(
    "--protocol",
    type=NumberOf(whole(min(PROTOCOLS), max(PROTOCOLS)), int),
    default=1,
    show_default=True,
    help="The protocol of requests that do not name one.",
)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of protocol 2 instead.")
@click.option("--javascript", is_flag=True, help="Print the client in JavaScript instead.")
def engine(threads: int, protocol: int, schema: bool, javascript: bool) -> None:
    """Answer requests from standard input, a line of JSON each.

    Each answer is a line of JSON on standard output. The protocol is described in
    docs/engine.md. It ends with the input, at the request {"command": "quit"}, or when nobody
    reads its answers any more.
    """
    if schema or javascript:
        name = "protocol_2.schema.json" if schema else "casino_core.mjs"
        click.echo(_data(name), nl=False)
        return
    if sys.stdin is None:
        raise CasinoError("standard input is closed")
    # Past the buffer: a thread that waits in it would keep the interpreter from ending.
    source = sys.stdin.fileno()
    serve(
        lambda most: os.read(source, most),
        _send,
        sys.stdout.fileno(),
        threads=threads,
        protocol=protocol,
    )


def _data(name: str) -> str:
    """The text of a file that the package has."""
    return (files("casino_core.engine") / "data" / name).read_text(encoding="utf-8")


def _send(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
