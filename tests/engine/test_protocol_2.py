"""Protocol 2: the answers of each command."""

import pytest

import casino_core as cc
from casino_core.engine.answering import DOES
from casino_core.engine.codes import ERROR_CODES
from casino_core.engine.commands import PROTOCOL_2
from casino_core.engine.requests import read_request
from casino_core.play.agents import parse_agent
from casino_core.play.table import turn_of
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream
from helpers.engine import ask, one, played_out
from helpers.rounds import last, play_out

LINE = "table=2s5h8dKc hands=As7c9hTd/????"
RULES = [*cc.PRESETS, "royal,players=3", "pagat,players=4", "royal-1911,players=4,partners=yes"]


def deal(**fields):
    return one("deal", **({"seed": 17} | fields))["record"]


def last_move(record):
    return str(cc.Game.parse(record).round_at().position.legal_moves()[-1])


def test_every_command_that_takes_its_turn_is_done():
    assert set(DOES) == {name for name, command in PROTOCOL_2.items() if command.lane != "now"}


@pytest.mark.parametrize("rules", RULES)
def test_a_round_by_requests_is_that_of_the_package(rules):
    dealt = one("deal", rules=rules, seed=3)
    followed = play_out(cc.Position.start(rules, seed=3), last)
    assert dealt["position"] == str(followed.start)
    answers = played_out(dealt["record"], last_move)
    assert [answer["move"] for answer in answers] == list(map(str, followed.plays))
    assert [answer["position"] for answer in answers] == list(map(str, followed.positions[1:]))
    assert sum(len(answer["taken"] + answer["last_cards"]) for answer in answers) == 52
    end = answers[-1]
    assert tuple(end["counted"]["points"].values()) == followed.score()
    assert sum(step["points"] for step in end["counted"]["steps"]) == sum(followed.score())
    assert not any(answer["counted"] for answer in answers[:-1])
    sweeps = [sum(answer["sweep"] for answer in answers if answer["seat"] in side) for side in "ab"]
    if followed.start.rules.players == 2:
        assert tuple(sweeps) == followed.position.sweeps
    cards = sum(sum(answer["dealt"].values()) for answer in answers)
    assert cards == followed.start.stock_count


def test_a_match_by_requests():
    record = deal(rules="standard,target=11", players=["Anna", "Ben"])
    while True:
        record = played_out(record, last_move)[-1]["record"]
        found = one("match", position=record)
        match = cc.Match.parse(record)
        assert found["score"] == dict(zip("ab", match.score, strict=True))
        assert found["over"] == match.is_over
        assert found["players"] == {"a": "Anna", "b": "Ben"}
        assert [one["number"] for one in found["rounds"]] == [*range(1, len(match.rounds) + 1)]
        if found["over"]:
            break
        assert (found["leader"], found["seating"]) == (match.leader, match.seating)
        dealt = one("deal", position=record, seed=len(match.rounds))
        assert dealt["seating"] == match.seating
        assert dealt["position"] == str(match.next_start(seed=len(match.rounds)))
        record = dealt["record"]
    assert found["winner"] == "ab"[match.winner]
    assert one("deal", position=record, seed=1)["code"] == "refused"


@pytest.mark.parametrize("rules", RULES)
def test_a_view_is_what_the_seat_sees(rules):
    followed = play_out(cc.Position.start(rules, seed=5), last, plays=13)
    record = str(cc.Game([followed]))
    for seat in followed.start.rules.seats:
        found = one("view", position=record, seat=seat)
        seen = followed.seen_by(seat)
        assert found["position"] == str(followed.position.view(seat))
        assert cc.Game.parse(found["record"]).round_at() == seen
        assert "?" not in "".join(found["hand"])
        assert found["plays"] == list(map(str, followed.plays))
        again = one("view", position=found["record"], seat=seat)
        assert again == found


def test_moves_have_their_parts_and_words():
    found = one("moves", position=LINE)
    assert found["count"] == len(found["moves"]) == 8
    position = cc.Position.parse(LINE)
    for item in found["moves"]:
        move = position.move(item["move"])
        assert (item["card"], item["kind"], item["value"]) == (move.card, move.kind, move.value)
        assert item["loose"] == list(move.loose)
        assert item["words"]


def test_why_a_move_is_refused():
    assert one("why", position=LINE, move="7c x 5h2s") == {
        "move": "7cx2s5h",
        "legal": True,
        "reason": None,
    }
    assert one("why", position=LINE, move="9hx2s")["reason"]["code"] == "no_groups"
    assert one("why", position=LINE, move="hello")["reason"]["code"] == "unreadable"
    refused = one("play", position=LINE, move="9hx2s")
    assert (refused["code"], refused["field"]) == ("illegal_move", "move")
    assert refused["reason"] == one("why", position=LINE, move="9hx2s")["reason"]


def test_a_hint_is_that_of_the_package():
    record = deal()
    found = one("hint", position=record, samples=20, seed=4, reasons="all")
    expected = cc.hint(cc.Game.parse(record).round_at(), samples=20, seed=4)
    assert found["best"] == str(expected.best)
    assert [item["value"] for item in found["moves"]] == [item.value for item in expected.moves]
    assert found["moves"][0]["reasons"] == found["reasons"] == list(expected.reasons)
    brief = one("hint", position=record, samples=20, seed=4, reasons="none", fields=["best"])
    assert brief == {"best": found["best"]}


@pytest.mark.parametrize("name", ["greedy", "level-3", "hint:samples=9", "random"])
def test_an_agent_plays_as_in_the_package(name):
    record = played_out(deal(), last_move)[11]["record"]
    played, agent = cc.Game.parse(record).round_at(), parse_agent(name)
    rng = Stream(8, Purpose.AGENT, 1, 12)
    found = one("agent", position=record, agent=name, seed=8)
    assert found["move"] == str(agent.choose(turn_of(played, agent, rng)))
    assert found["agent"] == str(agent)
    if name == "level-3":
        assert one("agent", position=record, level=3, seed=8) == found


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"command": "hint"}, "missing_field", "position"),
        ({"command": "hint", "position": LINE, "x": 1}, "unknown_field", "x"),
        ({"command": "hint", "position": LINE, "samples": 0}, "bad_field", "samples"),
        ({"command": "hint", "position": LINE, "reasons": "some"}, "bad_field", "reasons"),
        ({"command": "hint", "position": "x"}, "bad_notation", "position"),
        ({"command": "hint", "position": "rules=x hands=As/Ah"}, "bad_rules", "position"),
        ({"command": "hint", "position": f"{LINE}\n7cx2s"}, "illegal_move", "position"),
        ({"command": "hint", "position": LINE, "at": 7}, "bad_field", "at"),
        ({"command": "hint", "position": {"rounds": 1}}, "refused", "position"),
        ({"command": "deal"}, "missing_field", "seed"),
        ({"command": "deal", "seed": 1, "deck": "As"}, "missing_field", "seed"),
        ({"command": "agent", "position": LINE, "agent": "hint", "level": 3}, "bad_field", "level"),
        ({"command": "agent", "position": LINE, "agent": "open"}, "bad_field", "agent"),
        ({"command": "agent", "position": LINE, "agent": "os:system"}, "bad_field", "agent"),
        ({"command": "agent", "position": LINE, "level": 11}, "bad_field", "level"),
        ({"command": "dance"}, "unknown_command", "command"),
        ({"command": "about", "protocol": 3}, "bad_protocol", "protocol"),
        ({"command": "solve", "position": LINE}, "hidden_cards", None),
        ({"command": "view", "position": LINE, "seat": "c"}, "bad_field", "seat"),
        ({"command": "equity", "score": "21/3"}, "refused", None),
        (
            {"command": "agent", "position": "table=2s5h8dKc hands=????/????", "level": 1},
            "hidden_cards",
            None,
        ),
    ],
)
def test_errors_have_codes(fields, code, field):
    (found,) = ask({"id": 1, **fields})
    assert "\n" not in found["error"]
    assert (found["code"], found.get("field")) == (code, field)
    assert code in ERROR_CODES


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"hello", "not_json"),
        (b"\xff", "not_json"),
        (b"[" * 100_000, "not_json"),
        (b'{"id": 1e999}', "not_json"),
        (b"[1]", "bad_request"),
        (b'{"id": 1}', "bad_request"),
        (b'{"id": 1, "id": 2}', "bad_request"),
        (b'{"id": ' + b"[" * 30 + b"]" * 30 + b"}", "bad_field"),
    ],
)
def test_lines_that_are_no_requests_have_codes(line, code):
    (found,) = ask(line)
    assert found["code"] == code


def test_a_request_names_its_protocol():
    assert read_request(b'{"protocol": 2, "command": "moves"}').code == "missing_field"
    assert read_request(b'{"protocol": 2, "command": "moves"}').protocol == 2
    assert read_request(b'{"command": "moves"}').protocol == 1
    assert read_request(b'{"protocol": 1, "command": "deal"}', 2).error.startswith("no command")
