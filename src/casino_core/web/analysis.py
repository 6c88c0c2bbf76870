"""The requests of the page about positions, records and their reviews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from casino_core._arguments import SWITCH, Kind, instance_of, measure
from casino_core.errors import CasinoError
from casino_core.formats.reading import ReadGame, read_game
from casino_core.formats.record import Game
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.web.boards import board_line, game_lines, position_view
from casino_core.web.hints import thought
from casino_core.web.requests import Refused, body_of, fields_of
from casino_core.web.reviews import Reports
from casino_core.web.security import REPORT_POLICY
from casino_core.web.thinking import Thinking

__all__ = ["LONGEST_HINT", "AnalysisRequests"]

#: The longest time for a hint, in seconds.
LONGEST_HINT = measure("a number of seconds", 120)

_USUAL_SECONDS = 20.0
_LONGEST_PLACE = 20


def _place(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_PLACE:
        raise ValueError
    return value


_TEXT = instance_of(str)
_READ: Mapping[str, Kind[Any]] = {"text": _TEXT, "at": Kind("the number of a play", _place)}
_THINK: Mapping[str, Kind[Any]] = {**_READ, "seconds": LONGEST_HINT, "open": SWITCH}


class AnalysisRequests:
    """Answers to the requests about positions and records.

    Args:
        thinking: where the work is done.
        reports: the reports made.
    """

    def __init__(self, thinking: Thinking, reports: Reports) -> None:
        self._thinking = thinking
        self._reports = reports

    def routes(self) -> list[Route]:
        """The addresses and what answers there."""
        return [
            Route("/api/board", self.board, methods=["POST"]),
            Route("/api/read", self.read, methods=["POST"]),
            Route("/api/values", self.values, methods=["POST"]),
            Route("/api/review", self.review, methods=["POST"]),
            Route("/reports/{name}", self.report),
        ]

    async def board(self, request: Request) -> Response:
        """The position that was set up."""
        position = Position.parse(board_line(await body_of(request)))
        return JSONResponse(position_view(position, position.warnings))

    async def read(self, request: Request) -> Response:
        """A position, or a game and one of its positions."""
        given = fields_of(await body_of(request), _READ, ("text",))
        found, asked = _read(given)
        fields = position_view(asked.position, found.warnings)
        plays = [] if found.is_position else game_lines(found)
        error = found.game.error
        return JSONResponse(
            {
                **fields,
                "round": str(asked),
                "plays": plays,
                "players": found.game.players,
                "error": None if error is None else str(error),
            }
        )

    async def values(self, request: Request) -> Response:
        """The value of every play of a position, better as time goes by."""
        given = fields_of(await body_of(request), _THINK, ("text",))
        _, asked = _read(given)
        if asked.is_over:
            raise CasinoError("the round is over: nothing can be played")
        seconds = given.get("seconds", _USUAL_SECONDS)
        names = {seat: f"seat {seat}" for seat in asked.start.rules.seats}
        options = {"open": given.get("open", False), "measure_all": True}
        return await self._thinking.answer(
            lambda news: thought(asked, news, seconds, names, **options)
        )

    async def review(self, request: Request) -> Response:
        """The review of a record; the last line has the address of its report."""
        given = fields_of(await body_of(request), {"text": _TEXT}, ("text",))
        return await self.reviewed(_read(given)[0].game)

    async def reviewed(self, game: Game) -> Response:
        """The review of a game.

        Args:
            game: the game.
        """
        return await self._thinking.answer(lambda news: self._reports.make(game, news))

    async def report(self, request: Request) -> Response:
        """A report, in an origin of its own."""
        try:
            page = self._reports[request.path_params["name"]]
        except KeyError:
            raise Refused(404, "there is no such report here; review the game again") from None
        headers = {"content-security-policy": REPORT_POLICY}
        return Response(page, media_type="text/html", headers=headers)


def _read(given: Mapping[str, Any]) -> tuple[ReadGame, Round]:
    """The game of a request, and its round as it stands at the place asked for."""
    found = read_game(given["text"])
    return found, found.at(given.get("at")).round
