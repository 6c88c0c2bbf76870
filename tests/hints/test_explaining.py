"""Reasons in words: facts of the position, and chances of what it leaves."""

import pytest

import casino_core as cc
from casino_core.hints.reasons import reasons_for
from helpers.rounds import random_round

SEEN = "table=Td5h8dKc hands=TsAsJh9c/????"


def reasons(line, move, holds=None):
    position = cc.Position.parse(line)
    return reasons_for(position, position.move(move), holds or {})


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("TsxTd", ("takes the ten of diamonds", "takes one spade")),
        ("Jh", ("leaves a jack", "b probably lacks another jack: 80%")),
        ("As", ("leaves an ace", "which is the ace of spades")),
        ("As+8d=9", ("builds 9 with the ace of spades", "b may hold a card for it: 30%")),
    ],
)
def test_a_play_is_told_by_what_it_does(move, words):
    holds = {"b": {"Jd": 0.2, "9s": 0.3}}
    assert set(words) <= set(reasons(SEEN, move, holds))


def test_what_is_certain_is_not_called_probable():
    assert "b lacks another jack" in reasons(SEEN, "Jh", {"b": {"9s": 0.3}})
    assert "b holds another jack" in reasons(SEEN, "Jh", {"b": {"Jd": 1.0}})


def test_a_sweep_and_many_cards():
    line = "rules=hoyle table=Td2h8d hands=TsAsJh9c/???? out=Ks"
    assert reasons(line, "Tsx2h8dTd") == (
        "takes the ten of diamonds",
        "takes one spade",
        "takes four cards",
        "sweeps the table",
    )
    line = "rules=spade table=TsJsQsKs2h2d hands=2sAsJh9c/???? out=3h3d"
    assert "takes the two of spades" in reasons(line, "2sx2h")


def test_builds_taken_and_left():
    line = "table=5hKc builds=9b:4h5c,8a:3h5d hands=9s8cTc2d/???? piles=???/???"
    assert "captures b's build of 9" in reasons(line, "9sx[9b]")
    left = reasons(line, "9sx[9b]", {"b": {"8h": 0.5, "8d": 0.5}})
    assert "leaves its own build of 8: b may hold a card for it: 75%" in left
    assert "captures its own build of 8" in reasons(line, "8cx[8a]")


@pytest.mark.parametrize("rules", [*cc.PRESETS, "royal,players=3", "hoyle,players=4,partners=yes"])
def test_every_play_has_words_that_do_not_fail(rules):
    for position in random_round(rules, 2).positions[:-1]:
        seen = position.view(position.turn)
        for move in seen.legal_moves()[:4]:
            for reason in reasons_for(seen, move, {"b": {"9s": 0.5}}):
                assert reason
                assert reason == reason.strip()
