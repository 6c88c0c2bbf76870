"""Nothing that is sent depends on cards which the player has not seen."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from casino_core import Game
from casino_core.play.session import Session
from casino_core.web.choices import why_not
from casino_core.web.games import PageGame
from casino_core.web.hints import thought
from casino_core.web.views import game_view

PACK = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"]
PACK = PACK[5:] + PACK[:5]


def game_of(pack: list[str], plays: str) -> PageGame:
    """A game in which the person has played with this pack."""
    text = f'[PlayerA "You"] [PlayerB "Ben"] [AgentB "careful"] [Deck "{"".join(pack)}"] {plays}'
    with ThreadPoolExecutor(1) as threads:
        return PageGame(Session.resume(Game.parse(text)), threads)


def sent(game: PageGame) -> str:
    """All that the page can be sent now."""
    view = game_view(game)
    seen = game.seen
    card, loose = view["hands"]["a"][0], view["table"][:1]
    never = threading.Event()
    hint = thought(seen, lambda _: never.is_set(), 60, game.names, samples=40)
    view["id"] = hint["seconds"] = None
    reason = why_not(game.session.position.view("a"), card, loose, [])
    return json.dumps([view, hint, reason, str(game.record())], sort_keys=True)


@pytest.mark.parametrize("plays", [0, 2])
def test_other_hidden_cards_change_nothing(plays: int) -> None:
    first = game_of(PACK, "")
    hidden = set(first.session.position.hands["b"].cards) | set(first.session.position.stock or ())
    made: list[Any] = []
    session = first.session
    for _ in range(plays):
        move = session.position.legal_moves()[-1]
        made.append(move)
        session = session.play(move)
        hidden -= {move.card}
    places = [place for place, card in enumerate(PACK) if card in hidden]
    other = [*PACK]
    for place, to in zip(places, reversed(places), strict=True):
        other[to] = PACK[place]
    assert other != PACK
    words = " ".join(map(str, made))
    games = [game_of(pack, words) for pack in (PACK, other)]
    assert games[0].session.position != games[1].session.position
    assert sent(games[0]) == sent(games[1])
