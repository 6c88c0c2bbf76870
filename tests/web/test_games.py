"""Games on the page, by the requests that the page makes."""

import http.client
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from casino_core import Game, Rules
from casino_core.web.app import Page
from casino_core.web.views import MOST_MOVES

CARD = re.compile(r"[A2-9TJQK][shdc]")
HOLDS = re.compile(r'"holds": \{("[abcd]": \{[^}]*\},? ?)*\}')


def test_opponents_have_titles(client: Any) -> None:
    assert client.get("/api/about")["opponents"] == [
        {"name": "greedy", "title": "Greedy"},
        {"name": "random", "title": "Random"},
        {"name": "careful", "title": "Careful"},
    ]


def test_a_whole_match(client: Any, play_round: Callable[..., Any]) -> None:
    game = client.post("/api/games", target=11, opponent="greedy", seed=3)
    for number in range(1, 9):
        assert game["round"] == number
        game = play_round(game)
        result = game["result"]
        assert sum(result["points"]) >= 8
        assert [side["seats"] for side in game["sides"]] == [["a"], ["b"]]
        if result["match_over"]:
            break
        assert result["leader"] == ("You" if number % 2 == 0 else "Greedy")
        game = client.post(f"/api/games/{game['id']}/next")
    assert result["match_over"]
    assert max(result["totals"]) >= 11
    assert "match is over" in client.post(f"/api/games/{game['id']}/next", 400)["error"]
    _, headers, text = client.ask("GET", f"/api/games/{game['id']}/record")
    assert headers["content-disposition"].startswith("attachment")
    record = Game.parse(text)
    assert len(record.rounds) == number
    assert record.match.score == tuple(result["score"])
    assert record.players == {"a": "You", "b": "Greedy"}


@pytest.mark.parametrize(
    ("rules", "seat"),
    [("royal", "b"), ("draw", "a"), ("standard,players=3", "b"), ("pagat,players=4", "d"),
     ("royal-1911,players=4,partners=yes", "c")],
)  # fmt: skip
def test_other_rules_and_seats(
    client: Any, play_round: Callable[..., Any], rules: str, seat: str
) -> None:
    game = client.post("/api/games", rules=rules, seat=seat, seed=1, opponent="random")
    assert game["you"] == seat
    game = play_round(game)
    assert game["over"]
    game = client.settled(client.post(f"/api/games/{game['id']}/next"))
    players = Rules.parse(rules).players
    assert game["you"] == "abcd"["abcd".index(seat) - 1 if seat != "a" else players - 1]
    assert [name for name in game["names"].values() if name == "You"] == ["You"]


def test_a_game_goes_on_from_a_record(client: Any, play_round: Callable[..., Any]) -> None:
    record = '[A "Anna"] [Seed 17] 7dx7c 9h 2s'
    game = client.settled(client.post("/api/games", record=record, at="2", opponent="greedy"))
    assert (game["you"], game["names"]) == ("b", {"a": "Greedy", "b": "You"})
    assert [play["text"] for play in game["log"]] == ["7dx7c"]
    assert play_round(game)["over"]
    for fields, words in (
        ({"record": "table=2s5h8dKc hands=As7c9hTd/????"}, "every card"),
        ({"record": record, "rules": "royal"}, "rules is in the record"),
        ({"record": record, "at": "9"}, "9"),
        ({"record": "nothing"}, "nothing"),
    ):
        assert words in client.post("/api/games", 400, **fields)["error"]


@pytest.mark.parametrize("page", [["hint:seconds=3000"]], indirect=True)
def test_an_agent_whose_turn_was_taken_back_stops_to_think(client: Any, page: Page) -> None:
    """The two threads are free again and again; when the page ends they are free at once."""
    game = client.post("/api/games", seed=5)
    path = f"/api/games/{game['id']}"
    for _ in range(5):
        played = client.post(f"{path}/play", move=game["moves"][0]["text"])
        assert played["thinking"]
        client.post(f"{path}/take-back")
        page._thinkers.submit(lambda: None).result(timeout=60)
    client.post(f"{path}/play", move=game["moves"][0]["text"])


def test_take_back(client: Any) -> None:
    game = client.post("/api/games", seed=5)
    path = f"/api/games/{game['id']}"
    assert not game["can_take_back"]
    assert "no play of a person" in client.post(f"{path}/take-back", 400)["error"]
    first = client.post(f"{path}/play", move=game["moves"][0]["text"])
    after = client.settled(first)
    assert len(after["log"]) == 2
    back = client.post(f"{path}/take-back")
    assert back["log"] == []
    assert back["hands"] == game["hands"]
    assert back["moves"] == game["moves"]
    again = client.settled(client.post(f"{path}/play", move=game["moves"][0]["text"]))
    assert again["log"] == after["log"]


def test_refused_plays_say_why(client: Any) -> None:
    game = client.post("/api/games", seed=5)
    path = f"/api/games/{game['id']}"
    version = game["version"]
    for move, words in [("zz", "zz"), ("AsxKd", "As"), ("", "move"), (7, "text")]:
        assert words in client.post(f"{path}/play", 400, move=move)["error"]
    assert "missing" in client.post(f"{path}/play", 400)["error"]
    text = game["moves"][0]["text"]
    assert "changed" in client.post(f"{path}/play", 409, move=text, version=0)["error"]
    assert client.get(path)["version"] == version
    client.post(f"{path}/play", move=text, version=version)


def test_why_a_choice_is_no_play(client: Any) -> None:
    game = client.post("/api/games", seed=5)
    path = f"/api/games/{game['id']}/why"
    for card in game["hands"]["a"]:
        for other in game["table"]:
            reason = client.post(path, card=card, loose=[other])["reason"]
            texts = {f"{card}x{other}"} | {f"{card}+{other}={value}" for value in range(1, 15)}
            legal = any(move["text"] in texts for move in game["moves"])
            assert (reason is None) == legal, (card, other, reason)
    assert "card" in client.post(path, 400, card="zz")["error"]
    assert "builds" in client.post(path, 400, card=card, builds=[3])["error"]
    assert "zz" in client.post(path, 400, card=card, loose=["zz"])["error"]


def traffic_of_a_turn(client: Any, game: dict[str, Any]) -> Iterator[str]:
    """Everything that a page can ask for at the player's turn, each a piece of traffic."""
    path = f"/api/games/{game['id']}"
    client.post(f"{path}/why", card=game["hands"][game["you"]][0], loose=game["table"][:1])
    yield "why"
    client.post(f"{path}/play", 400, move="2x")
    client.post(f"{path}/next", 400)
    client.post(f"{path}/review", 400)
    yield "refusals"
    body = b'{"seconds": 0.02}'
    client.ask("POST", f"{path}/hint", body, content_type="application/json")
    yield "hint"
    client.ask("GET", f"{path}/record")
    yield "record"
    client.post(f"{path}/play", move=game["moves"][0]["text"])
    yield "play"


@pytest.mark.parametrize("rules", ["standard", "draw-royal", "pagat,players=3"])
def test_no_hidden_card_is_ever_sent(client: Any, page: Page, rules: str) -> None:
    """All traffic of a round: a card is named only after the player has seen it."""
    game = client.settled(
        client.post("/api/games", seed=987654321, opponent="careful", rules=rules)
    )
    real = page.games.get(game["id"])
    while not game["over"]:
        for _ in traffic_of_a_turn(client, game):
            game = client.settled(client.get(f"/api/games/{game['id']}"))
            position = real.session.position
            others = [hand for hand in position.hands if hand != position.hands[game["you"]]]
            hidden = {card for hand in others for card in hand.cards} | {*(position.stock or ())}
            for text in client.received:
                text = text.replace(game["id"], "")  # random letters
                text = HOLDS.sub("", text)  # probabilities of every card not seen
                assert not hidden & set(CARD.findall(text)), text
                assert str(real.session.seed) not in text
            client.received.clear()


def test_the_stream_of_a_game_has_what_the_player_has_seen(client: Any, page: Page) -> None:
    """Every line of the events of a whole round, each against the cards hidden at that moment."""
    game = client.post("/api/games", opponent="careful", seed=21)
    real = page.games.get(game["id"])
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
    connection.request("GET", f"/api/games/{game['id']}/events")
    stream = connection.getresponse()
    assert stream.getheader("content-type").startswith("text/event-stream")
    versions = []
    while True:
        line = stream.readline().decode()
        if not line.startswith("data: "):
            continue
        sent = json.loads(line.removeprefix("data: "))
        versions.append(sent["version"])
        followed = real.session.round.positions[len(sent["log"])]
        hidden = {*followed.hands["b"].cards, *(followed.stock or ())}
        assert not hidden & set(CARD.findall(line.replace(game["id"], "")))
        if sent["over"]:
            break
        if sent["mine"] and sent["version"] == real.version:
            client.post(f"/api/games/{game['id']}/play", move=sent["moves"][-1]["text"])
    connection.close()
    assert versions == sorted(set(versions))
    assert len(versions) >= 24


def test_the_seed_is_told_after_the_match(client: Any, play_round: Callable[..., Any]) -> None:
    game = client.post("/api/games", target=1, seed=123456789)
    path = f"/api/games/{game['id']}/record"
    assert "123456789" not in client.ask("GET", path)[2]
    assert play_round(game)["result"]["match_over"]
    assert "123456789" in client.ask("GET", path)[2]


def test_bad_setups(client: Any) -> None:
    for fields, words in [
        ({"rules": "no-such"}, "no-such"),
        ({"opponent": "os:system"}, "opponent is one of"),
        ({"opponent": "open"}, "opponent is one of"),
        ({"seat": "d"}, "seat"),
        ({"seed": -1}, "seed"),
        ({"target": 0}, "target"),
        ({"target": "x"}, "target"),
        ({"other": 1}, "other"),
        ({"rules": "x" * 300}, "rules"),
    ]:
        assert words in client.post("/api/games", 400, **fields)["error"]
    assert "no such game" in client.post("/api/games/none/play", 404, move="As")["error"]


def test_the_number_of_games_is_bounded(client: Any, page: Page) -> None:
    first = client.post("/api/games")
    for _ in range(100):
        client.post("/api/games")
    assert len(page.games) == 100
    assert client.ask("GET", f"/api/games/{first['id']}")[0] == 404


def test_a_crowded_table_is_cut(client: Any) -> None:
    game = client.post("/api/games", rules="pagat", seed=1)
    assert len(game["moves"]) <= MOST_MOVES


def test_events_follow_a_game(client: Any) -> None:
    import http.client

    game = client.post("/api/games", seed=2)
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=30)
    connection.request("GET", f"/api/games/{game['id']}/events")
    answer = connection.getresponse()
    assert answer.getheader("content-type", "").startswith("text/event-stream")

    def next_event() -> dict[str, Any]:
        line = answer.readline().decode()
        while not line.startswith("data: "):
            line = answer.readline().decode()
        return json.loads(line[6:])

    assert next_event()["version"] == game["version"]
    client.post(f"/api/games/{game['id']}/play", move=game["moves"][0]["text"])
    while not (event := next_event())["mine"]:
        assert event["log"]
    assert len(event["log"]) == 2
    connection.close()
