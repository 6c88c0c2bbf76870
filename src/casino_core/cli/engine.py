"""`casino-core engine`: answers requests of other programs."""

from __future__ import annotations

import os
import sys

import click

from casino_core.engine.engine import serve
from casino_core.errors import CasinoError

__all__ = ["engine"]


@click.command()
def engine() -> None:
    """Answer requests from standard input, a line of JSON each.

    Each answer is a line of JSON on standard output. The protocol is described in
    docs/engine.md. It ends with the input, at the request {"command": "quit"}, or when nobody
    reads its answers any more.
    """
    if sys.stdin is None:
        raise CasinoError("standard input is closed")
    # Past the buffer: a thread that waits in it would keep the interpreter from ending.
    source = sys.stdin.fileno()
    serve(lambda most: os.read(source, most), _send, sys.stdout.fileno())


def _send(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
