"""The server of the page, until Ctrl-C."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence

import uvicorn

from casino_core.web.app import USUAL, Page, page_app

__all__ = ["serve", "server_of"]

_MOST_CONNECTIONS = 200
_KEPT_SECONDS = 60  # that an idle connection is kept
_LAST_SECONDS = 1  # for answers in progress when the server stops


def server_of(listener: socket.socket, page: Page) -> uvicorn.Server:
    """The server of a page, not running yet.

    Args:
        listener: the socket that listens.
        page: what the server keeps.
    """
    host, port = listener.getsockname()[:2]
    config = uvicorn.Config(
        page_app(page, host, port),
        http="h11",
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=_KEPT_SECONDS,
        timeout_graceful_shutdown=_LAST_SECONDS,
    )
    return uvicorn.Server(config)


def serve(
    listener: socket.socket, opened: Callable[[str], object], more: Sequence[str] = ()
) -> None:
    """Serve the page until Ctrl-C.

    Args:
        listener: the socket that listens.
        opened: called with the address of the page, which can be opened then.
        more: texts of further agents that may be played against.

    Raises:
        KeyboardInterrupt: at Ctrl-C, when the server has stopped.
    """
    host, port = listener.getsockname()[:2]
    page = Page([*USUAL, *more])
    server = server_of(listener, page)
    try:
        opened(f"http://{host}:{port}/")
        server.run(sockets=[listener])
    finally:
        page.close()
