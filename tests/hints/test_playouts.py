"""Playouts, against the same played in Python with the careful player."""

from time import perf_counter

import numpy as np
import pytest

import casino_core as cc
from casino_core.evaluation.estimate import estimated_value
from casino_core.evaluation.players import greedy_move
from casino_core.game.counting import points_of_cards
from casino_core.hidden.worlds import Unseen
from casino_core.hints.playouts import PlayoutSearch
from casino_core.rules.ruleset import CompiledRules
from casino_core.rules.streams import Stream
from helpers.side_by_side import random_position, shuffle_unseen

RULES = (
    "standard",
    "royal,players=3",
    "spade,players=4,partners=yes",
    "draw",
    "draw,players=3",
    "draw,players=4,partners=yes",
)
UNIT = 60


def sampled(seen, number, seed=1):
    source = Unseen(seen).source(Stream(seed, "worlds"), number, order_stock=True)
    return source.take(number)


def orders_of(worlds):
    return bytes(52 * len(worlds)) if worlds.orders is None else worlds.orders.tobytes()


def values(search, worlds, **options):
    found, done = search.values(worlds.masks.tobytes(), orders=orders_of(worlds), **options)
    return np.frombuffer(found, dtype=np.int32).reshape(done, -1)


def played_out(position, move):
    """The final lead of the side to play after a move and careful play."""
    side = position.rules.seats.index(position.turn) % position.rules.sides
    position = position.play(move)
    while not position.is_over:
        position = position.play(greedy_move(position, careful=True))
    points = position.score()
    return points[side] - max(one for other, one in enumerate(points) if other != side)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_careful_play(rules, seed):
    position = random_position(rules, seed, 8 + 6 * seed)
    seen = position.view(position.turn)
    search = PlayoutSearch(seen, unit=UNIT)
    worlds = sampled(seen, 3)
    found = values(search, worlds)
    for number, world in enumerate(worlds):
        for row, move in zip(search.classes, seen.some_legal_moves(), strict=True):
            assert found[number][row] == UNIT * played_out(world.position, str(move))


@pytest.mark.parametrize("rules", ["draw", "spade,players=4,partners=yes"])
@pytest.mark.parametrize("plays", [1, 5])
def test_after_some_plays_the_rest_is_estimated(rules, plays):
    position = random_position(rules, 4, 15)
    seen = position.view(position.turn)
    search = PlayoutSearch(seen, unit=UNIT, plays=plays)
    worlds = sampled(seen, 3)
    found = values(search, worlds)
    for number, world in enumerate(worlds):
        for row, move in zip(search.classes, seen.some_legal_moves(), strict=True):
            after = careful_plays(world.position.play(str(move)), plays)
            assert found[number][row] == estimate_of(after, seen.side)


def careful_plays(position, plays):
    for _ in range(plays):
        position = position.play(greedy_move(position, careful=True))
    return position


def estimate_of(position, side):
    """Points so far and the fitted estimate within a deal, in units, for a side of two."""
    mine, others = (position.piles[one].cards for one in (side, 1 - side))
    spades = [sum(card[1] == "s" for card in cards) for cards in (mine, others)]
    compiled = CompiledRules(position.rules)
    value = estimated_value(
        compiled,
        "fitted",
        unit=UNIT,
        cards=(len(mine), len(others), 52 - len(mine) - len(others)),
        spades=(*spades, 13 - sum(spades)),
        table=position.table,
        stop="midway",
        side=side,
    )
    points = [points_of_cards(compiled, cards) for cards in (mine, others)]
    swept = position.rules.sweep * (position.sweeps[side] - position.sweeps[1 - side])
    return UNIT * (points[0] - points[1] + swept) + value


def test_values_depend_on_their_world_alone():
    position = random_position("draw", 3, 9)
    seen = position.view(position.turn)
    worlds = sampled(seen, 6)
    together = values(PlayoutSearch(seen, unit=UNIT), worlds, stocks=5)
    search = PlayoutSearch(seen, unit=UNIT)
    for number in reversed(range(6)):
        one = values(search, worlds[number : number + 1], stocks=5)
        assert (one == together[number]).all()
    assert (values(search, worlds, stocks=1) != together).any()


def test_rows_that_are_not_wanted_stay_zero():
    position = random_position("standard,players=3", 3, 9)
    seen = position.view(position.turn)
    search, worlds = PlayoutSearch(seen, unit=UNIT), sampled(seen, 4)
    rows = max(search.classes) + 1
    every = values(search, worlds)
    some = values(search, worlds, wanted=bytes(row % 2 for row in range(rows)))
    assert (some[:, ::2] == 0).all()
    assert (some[:, 1::2] == every[:, 1::2]).all()


def test_arguments_that_do_not_fit():
    seen = cc.Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
    search = PlayoutSearch(seen, unit=UNIT)
    with pytest.raises(ValueError, match="do not fit"):
        search.values(bytes(64), orders=bytes(51))
    with pytest.raises(ValueError, match="do not fit"):
        search.values(bytes(64), orders=bytes(52), stocks=0)
    with pytest.raises(cc.CasinoError, match="knows its hand"):
        PlayoutSearch(cc.Position.parse("table=QsQh5d8c hands=????/QdAsThJh"), unit=UNIT)


def test_a_time_that_is_up_ends_playouts():
    position = random_position("draw", 3, 9)
    seen = position.view(position.turn)
    search, worlds = PlayoutSearch(seen, unit=UNIT), sampled(seen, 500)
    _, done = search.values(
        worlds.masks.tobytes(), orders=orders_of(worlds), stocks=1000, deadline=perf_counter()
    )
    assert done < 500


def answer(found):
    return found.best, [(str(item.move), item.value, item.stderr) for item in found.moves]


@pytest.mark.parametrize("method", ["blend", "playouts"])
@pytest.mark.parametrize(
    "rules",
    [
        "draw",
        "standard,players=3",
        "standard,players=4,partners=yes",
        "draw,players=4,partners=yes",
    ],
)
def test_hints_are_blind_and_the_same_in_threads(method, rules):
    position = random_position(rules, 3, 12)
    first = answer(cc.hint(position, samples=24, seed=5, method=method))
    again = cc.hint(position, samples=24, seed=5, method=method, threads=2)
    assert answer(again) == first
    assert again.coverage == "samples"
    for other in range(2):
        shuffled = shuffle_unseen(position, other)
        assert answer(cc.hint(shuffled, samples=24, seed=5, method=method)) == first


@pytest.mark.parametrize("rules", ["draw", "spade,players=4,partners=yes"])
def test_a_blend_is_the_mean_of_playouts_and_open_cards(rules):
    """With few enough worlds for every method to search them in one batch."""
    position = random_position(rules, 3, 12)
    found = {
        method: {
            str(item.move): item.value
            for item in cc.hint(position, samples=8, seed=2, method=method, measure_all=True).moves
        }
        for method in ("blend", "playouts", "pimc")
    }
    for move, value in found["blend"].items():
        assert value == pytest.approx((found["playouts"][move] + found["pimc"][move]) / 2)


@pytest.mark.parametrize("method", ["auto", "playouts"])
def test_the_match_is_an_objective_of_playouts(method):
    position = random_position("draw", 3, 12)
    found = cc.hint(position, samples=10, method=method, objective="match", score="18/20")
    assert all(0 <= item.value <= 1 for item in found.moves)


def test_forgotten_cards_are_played_with():
    position = cc.Position.parse("table=QsQh5d8c hands=QdAsThJh/???? piles=??????/??")
    found = cc.hint(position, samples=10, method="playouts")
    assert (found.method, found.coverage) == ("playouts", "samples")
