"""`analyse_play`: values before and after each play of a record."""

import pytest

import casino_core as cc
from helpers.rounds import cards_left, random_round


def record(rules, seed, left):
    """Random plays of the last `left` cards of a round."""
    whole = random_round(rules, seed)
    start = next(position for position in whole.positions if cards_left(position) == left)
    return cc.PlayRecord(start, whole.plays[-left:])


@pytest.mark.parametrize(
    "rules",
    [
        *("standard", "royal", "draw", "standard,players=4,partners=yes"),
        *("hoyle,players=3", "royal,players=4"),
    ],
)
def test_costs_against_solve(rules):
    game = record(rules, 3, 8)
    for item in cc.analyse_play(game):
        values = {entry.move: entry.value for entry in cc.solve(item.position).moves}
        assert item.before == max(values.values())
        assert item.after == values[item.move]
        assert values[item.best] == item.before
        assert item.cost == item.before - item.after >= 0
        assert item.reason is None


def test_what_is_not_known_has_a_reason():
    game = record("standard", 4, 8)
    reasons = [item.reason for item in cc.analyse_play(game, plays=6)]
    assert reasons == ["early"] * 2 + [None] * 6
    assert cc.analyse_play(game, nodes=1)[0].reason == "limit"
    three = record("standard,players=3", 4, 9)
    assert [item.reason for item in cc.analyse_play(three)] == ["early"] + [None] * 8
    assert cc.analyse_play(three, plays=9, nodes=1)[0].reason == "limit"


def test_records_that_are_wrong():
    game = record("standard", 4, 8)
    with pytest.raises(cc.IllegalMoveError, match="play 2"):
        cc.analyse_play(f"{game.start}\n{game.moves[0]} {game.moves[0]}")
    with pytest.raises(cc.NotationError, match="one position"):
        cc.read_play(f"{game.start}\n{game.start}")
    moves = " ".join(map(str, game.moves))
    with pytest.raises(cc.NotationError, match="over"):
        cc.read_play(f"{game.start}\n{moves} As")
    assert cc.read_play(f"{game.start}\n{moves}") == game


def test_a_round_is_reviewed_as_its_record_is():
    last = record("royal", 3, 6)
    played = cc.Round(last.start, last.moves)
    assert cc.analyse_play(played) == cc.analyse_play(last) == cc.analyse_play(str(played))
    assert cc.read_play(str(played)) == last
    with pytest.raises(cc.CasinoError, match="record is a Round, a PlayRecord or its text, not 5"):
        cc.analyse_play(5)
