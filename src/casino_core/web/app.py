"""The application: the files of the page, pictures of cards, and the requests of the page."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from casino_core.errors import CasinoError
from casino_core.play.levels import LEVELS
from casino_core.web.analysis import AnalysisRequests
from casino_core.web.api import GameRequests
from casino_core.web.cards import card_picture
from casino_core.web.games import Games
from casino_core.web.requests import Refused, problem
from casino_core.web.reviews import Reports
from casino_core.web.security import PICTURE_POLICY, Guard, own_addresses
from casino_core.web.thinking import Thinking

__all__ = ["USUAL", "Page", "page_app"]

#: Texts of the agents that may be played against; `open` would see the cards.
USUAL = (*LEVELS, "greedy", "careful", "lookahead", "pimc", "random")

_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_THINKERS = 2  # threads in which agents think
_DAY = "max-age=86400"


class Page:
    """Everything that the server keeps while it runs.

    Args:
        offered: texts of the agents that may be played against; None for `USUAL`.

    Attributes:
        games: the games.
    """

    def __init__(self, offered: list[str] | None = None) -> None:
        self._thinkers = ThreadPoolExecutor(_THINKERS, thread_name_prefix="agent")
        self._thinking = Thinking()
        self._reports = Reports()
        self.games = Games(self._thinkers)
        self._offered = offered or list(USUAL)

    def routes(self) -> list[Route]:
        """The addresses and what answers there."""
        analysis = AnalysisRequests(self._thinking, self._reports)
        games = GameRequests(self.games, self._offered, self._thinking, analysis.reviewed)
        return [
            Route("/", _index),
            Route("/static/{name}", _static),
            Route("/cards/{name}.svg", _card),
            *games.routes(),
            *analysis.routes(),
        ]

    def close(self) -> None:
        """End work in progress, and begin no more."""
        self._thinking.close()
        self.games.close()
        self._thinkers.shutdown(wait=False, cancel_futures=True)


def page_app(page: Page, host: str, port: int) -> ASGIApp:
    """The application for a server at one address.

    Args:
        page: what it keeps.
        host: the address that the server listens on.
        port: its port.
    """
    handlers = {
        CasinoError: _bad_input,
        Refused: _refused,
        HTTPException: _no_such_address,
        Exception: _fault,
    }
    app = Starlette(routes=page.routes(), exception_handlers=handlers)
    return Guard(app, own_addresses(host, port))


async def _bad_input(request: Request, error: Exception) -> Response:
    return problem(400, str(error))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return problem(error.status, error.message)


async def _no_such_address(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return problem(error.status_code, error.detail)


async def _fault(request: Request, error: Exception) -> Response:
    return problem(500, f"internal error: {type(error).__name__}: {error}")


async def _index(request: Request) -> Response:
    return _file("index.html")


async def _static(request: Request) -> Response:
    return _file(request.path_params["name"])


def _file(name: str) -> Response:
    """One of the files of the page."""
    known = {one.name: one for one in files("casino_core.web").joinpath("static").iterdir()}
    kind = _KINDS.get(name.rpartition(".")[2])
    if name not in known or kind is None:
        raise Refused(404, "there is no such file")
    headers = {"cache-control": "no-cache"}
    return Response(known[name].read_bytes(), media_type=kind, headers=headers)


async def _card(request: Request) -> Response:
    picture = card_picture(request.path_params["name"])
    if picture is None:
        raise Refused(404, "there is no such card")
    headers = {"cache-control": _DAY, "content-security-policy": PICTURE_POLICY}
    return Response(picture, media_type=_KINDS["svg"], headers=headers)
