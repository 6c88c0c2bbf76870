"""The requests of the page about games."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from casino_core._arguments import SEED, Kind, instance_of, one_of, whole
from casino_core._version import __version__
from casino_core.errors import CasinoError, quoted
from casino_core.formats.reading import read_game
from casino_core.formats.record import Game
from casino_core.hints.options import OBJECTIVES
from casino_core.play.agents import parse_agent
from casino_core.play.session import Player, Session, player_to_play
from casino_core.rules.options import PRESETS, Rules
from casino_core.web.analysis import LONGEST_HINT
from casino_core.web.choices import why_not
from casino_core.web.games import YOU, Games, PageGame
from casino_core.web.hints import thought
from casino_core.web.requests import Refused, body_of, fields_of
from casino_core.web.reviews import finished_rounds
from casino_core.web.thinking import Thinking
from casino_core.web.views import game_view
from casino_core.web.words import agent_title

__all__ = ["GameRequests"]

_TEXT = instance_of(str)
_LONGEST_TEXT = 200


def _short(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        raise ValueError
    return value


def _target(value: Any) -> int | str:
    return value if value == "none" else whole(1, 1000).read(value)


def _cards(value: Any) -> list[str]:
    if not isinstance(value, list) or len(value) > 52:
        raise ValueError
    return [_short(one) for one in value]


_SHORT = Kind(f"a text of at most {_LONGEST_TEXT} characters", _short)
_CARDS = Kind("a list of cards", _cards)
_NEW: Mapping[str, Kind[Any]] = {
    "rules": _SHORT,
    "target": Kind('a number of points or "none"', _target),
    "opponent": _SHORT,
    "seat": one_of("abcd"),
    "seed": SEED,
    "record": _TEXT,
    "at": _SHORT,
}
_PLAY: Mapping[str, Kind[Any]] = {"move": _SHORT, "version": whole(0, 2**53)}
_HINT: Mapping[str, Kind[Any]] = {"seconds": LONGEST_HINT, "objective": one_of(OBJECTIVES)}
_HINT_SECONDS = 5.0
_CHOICE: Mapping[str, Kind[Any]] = {
    "card": _SHORT,
    "loose": _CARDS,
    "builds": Kind("a list of numbers", instance_of(list).read),
}


def _players(rules: Rules, seat: str, opponent: str) -> list[Player]:
    """The person at the page at one seat, agents at the others."""
    if seat not in rules.seats:
        raise CasinoError(f"seat: the seats of these rules are {rules.seats}")
    return [
        Player(YOU) if one == seat else Player(agent_title(opponent), parse_agent(opponent))
        for one in rules.seats
    ]


def _gone_on(given: Mapping[str, Any], opponent: str) -> Session:
    """The game that goes on from a record; the person at the page is the one to play."""
    for name in ("rules", "target", "seat"):
        if name in given:
            raise CasinoError(f"{name} is in the record")
    game = read_game(given["record"]).game.up_to(given.get("at"))
    players = _players(game.rules, player_to_play(game), opponent)
    return Session.from_record(game, players=players, seed=given.get("seed"))


class GameRequests:
    """Answers to the requests about games.

    Args:
        games: the games.
        offered: texts of the agents that may be played against, the usual one first.
        thinking: where hints are worked out.
        reviewed: answers with the review of a game.
    """

    def __init__(
        self,
        games: Games,
        offered: list[str],
        thinking: Thinking,
        reviewed: Callable[[Game], Awaitable[Response]],
    ) -> None:
        self._games = games
        self._offered = offered
        self._thinking = thinking
        self._reviewed = reviewed

    def routes(self) -> list[Route]:
        """The addresses and what answers there."""
        one = "/api/games/{id}"
        return [
            Route("/api/about", self.about),
            Route("/api/games", self.new, methods=["POST"]),
            Route(one, self.show),
            Route(f"{one}/events", self.events),
            Route(f"{one}/record", self.record),
            Route(f"{one}/play", self.play, methods=["POST"]),
            Route(f"{one}/why", self.why, methods=["POST"]),
            Route(f"{one}/hint", self.hint, methods=["POST"]),
            Route(f"{one}/review", self.review, methods=["POST"]),
            Route(f"{one}/take-back", self.take_back, methods=["POST"]),
            Route(f"{one}/next", self.next_round, methods=["POST"]),
        ]

    async def about(self, request: Request) -> Response:
        """Rule sets, opponents and the version."""
        presets = {
            name: {"players": rules.players, "target": rules.target}
            for name, rules in PRESETS.items()
        }
        opponents = [{"name": name, "title": agent_title(name)} for name in self._offered]
        fields = {"version": __version__, "presets": presets, "opponents": opponents}
        return JSONResponse(fields)

    async def new(self, request: Request) -> Response:
        """Begin a game."""
        given = fields_of(await body_of(request), _NEW)
        opponent = given.get("opponent", self._offered[0])
        if opponent not in self._offered:
            names = ", ".join(self._offered)
            raise CasinoError(f"opponent is one of {names}, not {quoted(opponent)}")
        if "record" in given:
            return self._shown(self._games.new(_gone_on(given, opponent)))
        rules = Rules.parse(given.get("rules", "standard"))
        session = Session.start(
            rules,
            target=given.get("target"),
            players=_players(rules, given.get("seat", "a"), opponent),
            seed=given.get("seed"),
        )
        return self._shown(self._games.new(session))

    def _game(self, request: Request) -> PageGame:
        try:
            return self._games.get(request.path_params["id"])
        except KeyError:
            raise Refused(404, "there is no such game here; begin a new one") from None

    def _shown(self, game: PageGame) -> Response:
        return JSONResponse(game_view(game))

    async def show(self, request: Request) -> Response:
        """The game as it stands."""
        return self._shown(self._game(request))

    async def play(self, request: Request) -> Response:
        """Make a play."""
        game = self._game(request)
        given = fields_of(await body_of(request), _PLAY, ("move",))
        if given.get("version", game.version) != game.version:
            raise Refused(409, "the game has changed meanwhile, in another window perhaps")
        game.play(given["move"])
        return self._shown(game)

    async def why(self, request: Request) -> Response:
        """Why the cards chosen are not a play."""
        game = self._game(request)
        given = fields_of(await body_of(request), _CHOICE, ("card",))
        if not game.is_mine:
            raise CasinoError("it is not your turn")
        position = game.session.position.view(game.seat)
        reason = why_not(position, given["card"], given.get("loose", []), given.get("builds", []))
        return JSONResponse({"reason": reason})

    async def hint(self, request: Request) -> Response:
        """The value of every play, from what the player sees, better as time goes by."""
        game = self._game(request)
        given = {"seconds": _HINT_SECONDS} | fields_of(await body_of(request), _HINT)
        if not game.is_mine:
            raise CasinoError("it is not your turn")
        if given.get("objective") == "match" and game.session.game.target is None:
            raise CasinoError("objective: this match has no end")
        seen, names = game.seen, game.names
        return await self._thinking.answer(lambda news: thought(seen, news, names=names, **given))

    async def review(self, request: Request) -> Response:
        """The review of the finished rounds; the last line has the address of its report."""
        game = self._game(request)
        fields_of(await body_of(request), {})
        return await self._reviewed(finished_rounds(game.session.game))

    async def take_back(self, request: Request) -> Response:
        """Take back the last play and the answers to it."""
        game = self._game(request)
        fields_of(await body_of(request), {})
        game.take_back()
        return self._shown(game)

    async def next_round(self, request: Request) -> Response:
        """Deal the next round."""
        game = self._game(request)
        fields_of(await body_of(request), {})
        game.next_round()
        return self._shown(game)

    async def record(self, request: Request) -> Response:
        """The record of the game, to be saved."""
        game = self._game(request)
        headers = {"content-disposition": 'attachment; filename="casino.txt"'}
        return PlainTextResponse(str(game.record()) + "\n", headers=headers)

    async def events(self, request: Request) -> Response:
        """The game after each change, as server-sent events."""
        game = self._game(request)
        return StreamingResponse(_changes(game), media_type="text/event-stream")


async def _changes(game: PageGame) -> AsyncIterator[str]:
    version = -1
    while True:
        if await game.wait(version):
            version = game.version
            yield f"data: {json.dumps(game_view(game))}\n\n"
        else:
            yield ": still here\n\n"
