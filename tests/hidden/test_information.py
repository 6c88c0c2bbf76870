"""The key of an information set: the same exactly where a seat sees the same."""

from random import Random

import pytest

import casino_core as cc
from casino_core.hidden.information import key
from helpers.side_by_side import TABLES, shuffle_unseen
from reference.random_positions import random_rules


def random_round(rules, seed):
    rng = Random(seed)
    played = cc.Round(cc.Position.start(rules, seed=seed))
    while not played.is_over:
        played = played.play(rng.choice(played.position.legal_moves()))
    return played


def each_way(found, pairs):
    """Keys and what is seen belong to each other, one to one."""
    by_key, by_sight = found
    for number, sight in pairs:
        assert by_key.setdefault(number, sight) == sight
        assert by_sight.setdefault(sight, number) == number


def sights_of_positions(played):
    for position in played.positions:
        for seat in position.rules.seats:
            yield key(position, seat), (seat, str(position.view(seat)))


def sights_of_rounds(played):
    while played.plays:
        for seat in played.position.rules.seats:
            plays = " ".join(str(move) for _, move in played.plays_of_deal())
            yield key(played, seat), (seat, str(played.position.view(seat)), plays)
        played = played.undo()


def test_a_key_is_the_same_exactly_where_the_view_is():
    found = {}, {}
    for rules in TABLES:
        for seed in range(6):
            each_way(found, sights_of_positions(random_round(rules, seed)))
    assert len(found[0]) > 2000


def test_a_key_of_a_round_is_the_same_exactly_where_the_view_and_the_plays_are():
    found = {}, {}
    for rules in TABLES:
        for seed in range(4):
            each_way(found, sights_of_rounds(random_round(rules, seed)))


@pytest.mark.parametrize("number", range(20))
def test_keys_under_random_rules(number):
    rules = random_rules(Random(number), change=0.6)
    found = {}, {}
    each_way(found, sights_of_positions(random_round(rules, number)))
    each_way(({}, {}), sights_of_rounds(random_round(rules, number)))


@pytest.mark.parametrize("rules", TABLES)
def test_hidden_cards_do_not_count(rules):
    for position in random_round(rules, 3).positions[5::9]:
        seat = position.turn
        if position.is_over:
            continue
        for seed in range(4):
            assert key(shuffle_unseen(position, seed), seat) == key(position, seat)
        assert key(position.view(seat), seat) == key(position, seat)


def test_positions_reached_by_other_plays_are_alike_and_their_rounds_are_not():
    """Two cards trailed by seat a, in either order."""
    start = cc.Round(cc.Position.parse("table=2s5h8dKc hands=As7c9hTd/3sAh9cQd"))
    one, other = (
        start.follow([f"{first} 3s {second} Qd"]) for first, second in (("As", "7c"), ("7c", "As"))
    )
    assert one.position == other.position
    assert key(one.position, "a") == key(other.position, "a")
    assert key(one, "a") != key(other, "a")
    assert key(start, "a") == key(start.position, "a")
    assert key(one.seen_by("a"), "a") == key(one, "a")


def test_a_key_is_the_same_on_every_platform():
    position = cc.Position.start("royal-1911,players=4,partners=yes", seed=1)
    assert [key(position, seat) for seat in "ab"] == [
        5044871182789859449,
        3465172166310817932,
    ]


def test_bad_arguments():
    position = cc.Position.start(seed=1)
    with pytest.raises(cc.CasinoError, match="a Position or a Round, not 5"):
        key(5, "a")
    with pytest.raises(cc.NotationError, match="'c' is not a seat"):
        key(position, "c")
