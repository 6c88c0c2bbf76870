"""Reviews of games for the page, and their reports."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import Any

from casino_core.errors import CasinoError
from casino_core.formats.record import Game
from casino_core.report.page import report_html
from casino_core.review.review import review_game
from casino_core.web.thinking import News

__all__ = ["Reports", "finished_rounds"]

_MOST = 20


def finished_rounds(game: Game) -> Game:
    """The rounds of a game that may be reviewed: the finished ones.

    Args:
        game: the game as it is played.

    Raises:
        CasinoError: no round is finished.
    """
    rounds = [one for one in game.rounds if one.round.is_over]
    if not rounds:
        raise CasinoError("a round is reviewed when it is finished")
    return Game(
        rounds, rules=game.rules, target="none" if game.target is None else None, tags=game.tags
    )


class Reports:
    """The reports made, each one HTML file, by their names; the oldest are dropped."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, str] = OrderedDict()

    def __getitem__(self, name: str) -> str:
        return self._pages[name]

    def make(self, game: Game, news: News) -> dict[str, Any]:
        """Review a game and keep its report.

        Args:
            game: the game.
            news: called with the steps done and the steps there are.

        Raises:
            CasinoError: the game cannot be reviewed, or nobody waits for it any more.
        """

        def so_far(done: int, steps: int) -> None:
            if news(lambda: {"steps": steps, "made": done}):
                raise CasinoError("the review was stopped")

        page = report_html(review_game(game, progress=so_far))
        name = secrets.token_urlsafe(9)
        self._pages[name] = page
        while len(self._pages) > _MOST:
            self._pages.popitem(last=False)
        return {"report": f"/reports/{name}"}
