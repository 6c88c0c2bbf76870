"""`casino-core web`: a page on this machine for play and analysis."""

from __future__ import annotations

import click

from casino_core._arguments import whole
from casino_core.cli.agents import agent_named
from casino_core.cli.common import NumberOf
from casino_core.errors import CasinoError, quoted
from casino_core.web.address import PORT, bound

__all__ = ["web"]

_PORTS = whole(0, 65_535)


@click.command()
@click.option(
    "--port",
    type=NumberOf(_PORTS, int),
    default=PORT,
    metavar="N",
    help=f"Port of this machine, 0 for any that is free.  [default: {PORT}]",
)
@click.option(
    "--against",
    multiple=True,
    metavar="AGENT",
    help="Offer also this agent as an opponent, as arena takes it; several times for several.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in the browser.")
def web(port: int, against: tuple[str, ...], no_browser: bool) -> None:
    """Open a page for play and analysis in the browser.

    The page is served at 127.0.0.1, to this machine only, until Ctrl-C.
    """
    try:
        from casino_core.web.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("casino_core"):
            raise
        raise CasinoError(
            f"the page needs the package {error.name}: pip install 'casino-core[web]'"
        ) from None

    for text in against:
        if agent_named(text).sees_all:
            raise CasinoError(f"--against: {quoted(text)} sees every card")

    def opened(address: str) -> None:
        click.echo(f"casino-core: the page is at {address} (Ctrl-C stops it)")
        if not no_browser:
            click.launch(address)

    try:
        serve(bound(port), opened, against)
    except KeyboardInterrupt:
        click.echo("casino-core: stopped")
