"""Positions, records, values and reviews, by the requests that the page makes."""

import asyncio
import contextlib
import json
import threading
import time
from typing import Any

import pytest

from casino_core import Game, Position
from casino_core.game.scoring import side_names
from casino_core.web.requests import Refused
from casino_core.web.thinking import News, Thinking
from helpers.rounds import first, play_out

LINE = "table=2s5h8dKc hands=As7c9hTd/????"
RECORD = '[PlayerA "Anna"] [PlayerB "<b>Ben"] [Seed 17] 1. 7dx7c 2. 9h'
ENDING = (
    "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
    "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
)


def lines(client: Any, path: str, **fields: Any) -> list[dict[str, Any]]:
    """The lines of an answer that comes bit by bit."""
    status, headers, text = client.ask(
        "POST", path, json.dumps(fields).encode(), content_type="application/json"
    )
    assert status == 200, text
    assert headers["content-type"].startswith("application/x-ndjson")
    found = [json.loads(line) for line in text.splitlines()]
    assert [line["done"] for line in found] == [False] * (len(found) - 1) + [True]
    return found


def test_a_board_that_is_set_up(client: Any) -> None:
    view = client.post(
        "/api/board", table="2s5h", hands=["As7c9hTd", "????"], stock=40, piles=["8d"], last="b"
    )
    assert view["line"] == (
        "rules=standard table=2s5h hands=As7c9hTd/???? piles=8d?/- turn=a last=b"
    )  # 11 cards are named and 40 are in the stock, so one more was captured
    assert {move["text"] for move in view["moves"]} >= {"7cx2s5h", "Td"}
    assert view["hands"] == {"a": ["As", "7c", "9h", "Td"], "b": ["?"] * 4}
    assert view["stock"] == 40
    build = {"value": 9, "owner": "b", "cards": "4d5s", "multiple": False}
    view = client.post("/api/board", hands=["?", "9s"], builds=[build], stock=0, turn="a")
    assert (view["known"], view["moves"]) == (False, [])
    assert [one["cards"] for one in view["builds"]] == [["4d", "5s"]]
    assert sum(side["cards"] for side in view["sides"]) == 48


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "hands"),
        ({"hands": ["As", "As"]}, "As"),
        ({"hands": ["Zz", "?"]}, "Zz"),
        ({"hands": ["As turn=b", "?"]}, "hand"),
        ({"hands": "AsKd"}, "hands"),
        ({"hands": ["As", 5]}, "hand"),
        ({"hands": ["?" * 53, "?"], "stock": 0}, "too many"),
        ({"hands": ["As", "?"], "stock": 53}, "stock"),
        ({"hands": ["As", "?"], "rules": "none"}, "none"),
        ({"hands": ["As", "?"], "rules": "royal turn=b"}, "rules"),
        ({"hands": ["As", "?"], "builds": [7]}, "build"),
        ({"hands": ["As", "?"], "builds": [{"value": 99}]}, "value"),
        ({"hands": ["As", "?"], "turn": "e"}, "turn"),
        ({"hands": ["As", "?"], "last": "c"}, "last"),
        ({"hands": ["As", "?"], "more": 1}, "more"),
    ],
)
def test_a_board_that_is_no_position(client: Any, fields: dict[str, Any], words: str) -> None:
    assert words in client.post("/api/board", 400, **fields)["error"]


def test_a_record_is_read_step_by_step(client: Any) -> None:
    view = client.post("/api/read", text=RECORD)
    assert [play.get("text") for play in view["plays"]] == ["7dx7c", "9h", None]
    assert view["plays"][0]["words"] == "Anna captures 7♣ with 7♦."
    assert view["plays"][1]["words"] == "<b>Ben trails 9♥."  # which the page escapes
    game = Game.parse(RECORD)
    for play in view["plays"]:
        step = client.post("/api/read", text=RECORD, at=play["at"])
        assert step["line"] == str(game.round_at(play["at"]).position)
        again = client.post("/api/read", text=step["round"])
        assert again["line"] == step["line"]
    for fields, words in [
        ({"text": ""}, "empty"),
        ({"text": "hello"}, "hello"),
        ({"text": RECORD, "at": "99"}, "at"),
        ({"text": RECORD, "at": "9" * 30}, "at"),
        ({"text": 5}, "text"),
        ({}, "text"),
    ]:
        assert words in client.post("/api/read", 400, **fields)["error"]


def test_values_get_better(client: Any) -> None:
    found = lines(client, "/api/values", text=LINE, seconds=0.6)
    legal = {str(move) for move in Position.parse(LINE).legal_moves()}
    assert len(found) > 1
    for view in found:
        assert {move["text"] for move in view["moves"]} == legal
        assert view["best"] == view["moves"][0]["text"]
    samples = [view["samples"] for view in found]
    assert samples == sorted(samples)
    assert found[-1]["holds"]["b"]
    (last,) = lines(client, "/api/values", text=ENDING)[-1:]
    assert last["exact"]


def test_values_that_cannot_be_found(client: Any) -> None:
    over = play_out(Position.parse(ENDING), first).position
    for fields, words in [
        ({"text": str(over)}, "over"),
        ({"text": LINE, "seconds": 0}, "seconds"),
        ({"text": LINE, "seconds": 1e9}, "seconds"),
        ({"text": LINE, "open": 1}, "open"),
    ]:
        assert words in client.post("/api/values", 400, **fields)["error"]
    (line,) = lines(client, "/api/values", text=LINE.replace("As7c9hTd", "As7c9h?"))
    assert "hidden" in line["error"] or "known" in line["error"]


def test_work_ends_when_the_page_turns_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no more work than there are places for goes on at a time."""
    monkeypatch.setattr("casino_core.web.thinking._PATIENCE", 0.05)
    ended = threading.Event()

    def endless(news: News) -> dict[str, Any]:
        while not news(lambda: {"step": 1}):
            time.sleep(0.001)
        ended.set()
        return {}

    async def asked() -> None:
        thinking = Thinking(1)
        read = (await thinking.answer(endless)).body_iterator
        assert json.loads(await anext(read)) == {"step": 1, "done": False}
        with pytest.raises(Refused, match="soon"):
            await thinking.answer(endless)
        await read.aclose()
        assert await asyncio.to_thread(ended.wait, 60)
        while True:  # the place is free again
            with contextlib.suppress(Refused):
                read = (await thinking.answer(lambda _: {"step": 2})).body_iterator
                break
        assert [json.loads(line) async for line in read] == [{"step": 2, "done": True}]
        thinking.close()

    asyncio.run(asked())


def test_a_review_and_its_report(client: Any) -> None:
    start = Position.start(seed=3)
    text = str(play_out(start, first))
    found = lines(client, "/api/review", text=text)
    assert found[0]["steps"] >= found[0]["made"]
    status, headers, page = client.ask("GET", found[-1]["report"])
    assert status == 200
    assert page.startswith("<!doctype html>")
    assert headers["content-security-policy"].startswith("sandbox allow-scripts;")
    assert client.ask("GET", "/reports/none")[0] == 404
    assert len(side_names(start.rules)) == 2


def test_the_review_of_a_game(client: Any, play_round: Any) -> None:
    game = client.post("/api/games", seed=4)
    path = f"/api/games/{game['id']}"
    assert "finished" in client.post(f"{path}/review", 400)["error"]
    play_round(game)
    report = lines(client, f"{path}/review")[-1]["report"]
    page = client.ask("GET", report)[2]
    assert "Level" not in page
    assert "Careful" in page or "Greedy" in page
    client.post(f"{path}/next")  # a round in progress is left out
    again = lines(client, f"{path}/review")[-1]["report"]
    assert client.ask("GET", again)[2] == page


def test_a_hint_in_a_game(client: Any) -> None:
    game = client.post("/api/games", seed=4)
    found = lines(client, f"/api/games/{game['id']}/hint", seconds=0.3)[-1]
    assert {move["text"] for move in found["moves"]} == {move["text"] for move in game["moves"]}
    assert set(found["holds"]) == {"b"}
    assert not any(reason.startswith("b ") for reason in found["reasons"])
    assert found["objective"] == "points"


def test_a_hint_to_win_the_match(client: Any) -> None:
    game = client.post("/api/games", seed=4)
    asked = {"seconds": 0.3, "objective": "match"}
    found = lines(client, f"/api/games/{game['id']}/hint", **asked)[-1]
    assert found["objective"] == "match"
    assert all(0 < move["value"] < 1 for move in found["moves"])
    endless = client.post("/api/games", seed=4, target="none")
    answer = client.post(f"/api/games/{endless['id']}/hint", 400, **asked)
    assert answer["error"] == "objective: this match has no end"
    wrong = client.post(f"/api/games/{game['id']}/hint", 400, objective="luck")
    assert "objective" in wrong["error"]
    three = client.post("/api/games", rules="standard,players=3", seed=4)
    last = lines(client, f"/api/games/{three['id']}/hint", **asked)[-1]
    assert "two sides" in last["error"]
