"""Where the page is served: a port of this machine that other machines cannot reach."""

from __future__ import annotations

import errno
import socket

from casino_core.errors import CasinoError

__all__ = ["HOST", "PORT", "bound"]

#: The loopback address.
HOST = "127.0.0.1"
#: The usual port.
PORT = 8752


def bound(port: int) -> socket.socket:
    """A socket that listens on a port of this machine.

    Args:
        port: the port; 0 for any that is free.

    Raises:
        CasinoError: the port is in use, or may not be used.

    Example:
        >>> with bound(0) as listener:
        ...     listener.getsockname()[0]
        '127.0.0.1'
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            more = "stop what listens there, or choose another with --port"
            raise CasinoError(f"port {port} of {HOST} is in use: {more}") from None
        raise CasinoError(f"port {port} of {HOST}: {error.strerror}") from None
    return listener
