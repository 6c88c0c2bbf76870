"""Searches that stop at a deal's end: shortcuts against the plain search."""

import re

import numpy as np
import pytest

import casino_core as cc
from casino_core.hidden.worlds import Unseen
from casino_core.hints.open_worlds import WorldSearch
from casino_core.hints.response import ResponseSearch
from casino_core.rules.cards import CARD_NAMES
from casino_core.rules.streams import Stream
from casino_core.search.root import SearchContext
from helpers.rounds import random_round
from reference.notation import parse_state
from reference.search import solve as solve_slowly

FAR = 50  # a horizon beyond every deal: the search without its short ways


@pytest.mark.parametrize("rules", cc.PRESETS)
def test_bounds_and_last_plays_change_no_value(rules):
    short, plain = SearchContext(1), SearchContext(1)
    for seed in range(4):
        whole = random_round(rules, seed, until=lambda at: not at.stock_count)
        for position in whole.positions[:-1]:
            if sum(hand.size for hand in position.hands) <= 6 and not position.rules.draw:
                unordered = cc.Position.parse(re.sub(r" stock=\S+", "", str(position)))
                for unit, asked in ((1, position), (60, position), (60, unordered)):
                    values = short.values(asked, unit=unit, to_deal=True)
                    assert values == plain.values(asked, unit=unit, to_deal=True, horizon=FAR)
                    assert all(lower == upper for _, lower, upper in values)


@pytest.mark.parametrize("rules", ["standard", "royal", "hoyle", "draw", "spade-royal"])
def test_many_worlds_have_the_values_of_each(rules):
    position = random_round(rules, 8, plays=11).position
    seen = position.view(position.turn)
    draws = position.rules.draw
    worlds = list(Unseen(seen).sample(Stream(3, "worlds"), 12, order_stock=draws))
    depth = 4 if draws else 99
    search = WorldSearch(seen, table_mib=0.5, unit=60, depths=bytes([depth]))
    masks = np.zeros((12, 8), dtype=np.uint64)
    for row, world in zip(masks, worlds, strict=True):
        row[:2] = world.hidden
    orders = None
    if draws:
        orders = b"".join(bytes(world.stock).ljust(52, b"\0") for world in worlds)
    found, done, level = search.values(masks.tobytes(), orders=orders)
    assert done == 12
    assert level == 0
    values = np.frombuffer(found, dtype=np.int32).reshape(12, -1)[:, search.classes]
    context = SearchContext(1)
    for row, world in zip(values, worlds, strict=True):
        one = context.values(
            world.position, unit=60, to_deal=True, horizon=0 if depth == 99 else depth
        )
        assert row.tolist() == [lower for _, lower, _ in one]


def test_a_world_that_takes_too_long_is_searched_less_deeply():
    position = cc.Position.start("royal", seed=3).view("a")
    worlds = list(Unseen(position).sample(Stream(1, "worlds"), 3))
    masks = np.zeros((3, 8), dtype=np.uint64)
    for row, world in zip(masks, worlds, strict=True):
        row[:2] = world.hidden
    search = WorldSearch(position, table_mib=1, unit=60, depths=bytes([99, 1]))
    found, done, level = search.values(masks.tobytes(), nodes=20)
    assert (done, level) == (3, 1)
    shallow = WorldSearch(position, table_mib=1, unit=60, depths=bytes([1]))
    assert shallow.values(masks.tobytes())[0] == found


@pytest.mark.parametrize("change", [{"orders": b"1"}, {"wanted": b"1"}, {"level": 3}])
def test_worlds_that_do_not_fit(change):
    position = cc.Position.start("royal", seed=3).view("a")
    search = WorldSearch(position, table_mib=1, unit=60, depths=bytes([1]))
    with pytest.raises(ValueError, match="do not fit"):
        search.values(bytes(64), **change)


def test_pimc_is_the_mean_over_all_worlds():
    # One captured card is forgotten, so which of four cards lie where is not known.
    line = "table=3h7c hands=7h3c/?? piles={}?/{} turn=a last=a"
    unseen = ["7d", "3d", "Ks", "Ah"]
    known = {"3h", "7c", "7h", "3c"}
    rest = [card for card in CARD_NAMES if card not in known and card not in unseen]
    rest.remove("2c")
    piles = ("".join(rest[:20]), "".join(rest[20:]))
    position = cc.Position.parse(line.format(*piles) + " out=2c" + unseen[3])
    cards = unseen[:3]
    values = {}
    for index, lost in enumerate(cards):
        held = "".join(card for at, card in enumerate(cards) if at != index)
        world = line.replace("??", held).replace("?/", lost + "/").format(*piles)
        _, moves = solve_slowly(parse_state(world + " out=2c" + unseen[3]))
        for move, value in moves.items():
            values.setdefault(move, []).append(value)
    found = cc.hint(position, samples=4000, seed=2, method="pimc")
    assert len(found.moves) == len(values)
    for item in found.moves:
        mean = sum(values[str(item.move)]) / len(values[str(item.move)])
        assert item.value == pytest.approx(mean, abs=5 * item.stderr + 1e-9)


@pytest.mark.parametrize("stock", [8, 16])
def test_the_table_is_worth_something_to_who_leads_in_the_next_deal(stock):
    """Seat b trails its last card. Of the two tables one gives more ranks something to capture."""
    out = {"Ks", "2h", "4h", "4d"}
    cards = [card for card in CARD_NAMES if card not in out]
    rest = [card for card in cards if card not in ("Ah", "3h")]
    hidden = rest[: len(rest) - stock]
    values = []
    for table, pile in (("2h4d", "4h"), ("4h4d", "2h")):
        piles = f"{pile}{''.join(hidden[::2])}Ah/{''.join(hidden[1::2])}3h"
        position = cc.Position.parse(f"turn=b table={table} hands=-/Ks piles={piles} last=b")
        (_, lower, upper), *others = SearchContext(1).values(position, unit=100, to_deal=True)
        assert lower == upper
        assert not others
        values.append(lower)
    # 2, 4, 6 and K against 4, 8 and K: worse for b, as a leads.
    assert 5 < values[1] - values[0] < 40


def test_a_search_that_is_halted_ends_as_if_the_time_were_up():
    seen = cc.Position.start("royal", seed=3).view("a")
    worlds = Unseen(seen).source(Stream(1, "worlds"), 200, order_stock=False).take(200)
    solved = WorldSearch(seen, table_mib=1, unit=60, depths=bytes([99]))
    answers = ResponseSearch(seen, unit=60)
    solved.halt()
    answers.halt()
    assert solved.values(worlds.masks.tobytes())[1] == 0
    assert answers.values(worlds.masks.tobytes())[1] == "time"


@pytest.mark.parametrize("rules", ["standard", "royal", "standard,players=4,partners=yes"])
@pytest.mark.parametrize("horizon", [0, 3])
def test_the_best_value_alone_is_that_of_all_moves(rules, horizon):
    every, best = SearchContext(0.5), SearchContext(0.5)
    horizon = horizon or 4 * (rules.count("players=4"))
    for seed in range(4):
        position = cc.Position.start(rules, seed=seed)
        for _ in range(10):
            options = {"unit": 60, "to_deal": True, "horizon": horizon}
            values = {move: value for move, value, _ in every.values(position, **options)}
            lower, upper, move = best.best(position, **options)
            assert lower == upper == max(values.values()) == values[move]
            position = position.play(move)
