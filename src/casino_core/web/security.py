"""Who may talk to the page's server: pages that it has served itself, under its own address.

A name that another server resolves to this machine (DNS rebinding) has the wrong Host; a foreign
page has the wrong Origin, and cannot send JSON without being asked for one first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from casino_core.errors import quoted
from casino_core.web.requests import drop_body

__all__ = ["PAGE_POLICY", "PICTURE_POLICY", "REPORT_POLICY", "Guard", "own_addresses"]

#: Content-Security-Policy of the page: its own files only, no inline script or style.
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
#: Of a picture of a card, which has its style inside.
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
#: Of a report: one file with script and style inside, in an origin of its own, without network.
REPORT_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
)

_HEADERS = {
    b"content-security-policy": PAGE_POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cache-control": b"no-store",
}
_READING = ("GET", "HEAD")


def own_addresses(host: str, port: int) -> frozenset[str]:
    """What the Host header of a request to this server may be.

    Args:
        host: the address that the server listens on.
        port: its port.

    Example:
        >>> sorted(own_addresses("127.0.0.1", 8012))
        ['127.0.0.1:8012', 'localhost:8012']
    """
    name = f"[{host}]" if ":" in host else host
    names = {name, "localhost"}
    return frozenset({f"{one}:{port}" for one in names} | (names if port == 80 else set()))


class Guard:
    """Answers what comes from elsewhere with an error, and adds headers to every other answer.

    Args:
        app: the application behind it.
        addresses: what the Host header may be.
    """

    def __init__(self, app: ASGIApp, addresses: Iterable[str]) -> None:
        self._app = app
        self._addresses = frozenset(addresses)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        problem = self._problem(scope)
        if problem is not None:
            await drop_body(receive)
            await _refuse(send, problem)
            return
        await self._app(scope, receive, _with_headers(send))

    def _problem(self, scope: Scope) -> str | None:
        """Why a request is refused; None if it is not."""
        found: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            found.setdefault(name.lower(), []).append(value)
        host = [value.decode("latin-1").lower() for value in found.get(b"host", [])]
        if len(host) != 1 or host[0] not in self._addresses:
            return f"the address {quoted(', '.join(host))} is not this server's"
        for value in found.get(b"origin", []):
            if value.decode("latin-1").lower() != f"http://{host[0]}":
                return "a page of another origin may not use this server"
        if (scope["method"], scope["path"]) == ("GET", "/"):  # links from anywhere may lead here
            return None
        for value in found.get(b"sec-fetch-site", []):
            if value not in (b"same-origin", b"none"):
                return "a page of another site may not use this server"
        if scope["method"] not in _READING:
            kind = b"".join(found.get(b"content-type", [])).split(b";")[0].strip().lower()
            if kind != b"application/json":
                return "the body of a request is application/json"
        return None


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message.get("headers", [])}
            more = [(name, value) for name, value in _HEADERS.items() if name not in given]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return sending


async def _refuse(send: Send, problem: str) -> None:
    body = json.dumps({"error": problem}).encode()
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    start: Message = {"type": "http.response.start", "status": 403, "headers": headers}
    await _with_headers(send)(start)
    await send({"type": "http.response.body", "body": body})
