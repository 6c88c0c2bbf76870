"""Hints: exact where nothing is hidden, and blind to what the mover cannot see."""

import json
import random
from time import perf_counter

import pytest

import casino_core as cc
from casino_core.hidden.worlds import Unseen
from casino_core.hints import caller
from casino_core.hints.options import METHODS
from casino_core.rules.cards import CARD_NAMES
from casino_core.rules.streams import Stream
from helpers.rounds import at_random, last, play_out
from helpers.rounds import first as first_move
from helpers.side_by_side import DATA, SEATINGS, random_position, shuffle_unseen


def answer(found):
    """A hint without its time."""
    moves = tuple((str(item.move), item.value, item.stderr) for item in found.moves)
    return str(found.best), moves, found.method, found.exact, found.samples, found.holds


@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("preset", list(cc.PRESETS))
def test_no_hidden_card_changes_the_answer(preset, seating):
    for seed in range(2):
        position = random_position(preset + seating, seed)
        first = answer(cc.hint(position, samples=3, seed=seed))
        assert answer(cc.hint(position.view(position.turn), samples=3, seed=seed)) == first
        for other in range(2):
            shuffled = shuffle_unseen(position, other)
            assert shuffled.view(position.turn) == position.view(position.turn)
            assert answer(cc.hint(shuffled, samples=3, seed=seed)) == first


@pytest.mark.parametrize("preset", list(cc.PRESETS))
def test_every_legal_move_is_valued_and_the_best_stands_first(preset):
    position = random_position(preset, 5)
    found = cc.hint(position, samples=4, seed=2)
    assert sorted(str(item.move) for item in found.moves) == [
        str(move) for move in position.legal_moves()
    ]
    values = [item.value for item in found.moves]
    assert values == sorted(values, reverse=True)
    assert found.best == found.moves[0].move
    assert found.samples >= 1


def last_deals():
    lines = (DATA / "cases" / "solved.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    return [case for case in cases if "players" not in case["position"]]


@pytest.mark.parametrize("case", last_deals()[:30])
def test_a_last_deal_is_exact(case):
    position = cc.Position.parse(case["position"])
    if position.stock_count:
        found = cc.hint(position, open=True)
    else:
        found = cc.hint(position.view(position.turn))
    assert found.method == "exact"
    assert found.exact
    assert {str(item.move): item.value for item in found.moves} == case["moves"]
    assert all(item.stderr == 0 for item in found.moves)


def test_the_other_hand_of_a_last_deal_is_held_for_sure():
    position = random_position("standard", 9, 48)
    while position.stock_count or sum(hand.size for hand in position.hands) < 4:
        position = random_position("standard", random.Random(str(position)).randrange(999), 48)
    other = 1 - position.rules.seats.index(position.turn)
    found = cc.hint(position)
    seat = position.rules.seats[other]
    assert found.holds == {seat: dict.fromkeys(position.hands[other].cards, 1.0)}


def test_holds_are_shares_of_the_worlds():
    position = cc.Position.start("standard", seed=4).view("a")
    found = cc.hint(position, samples=50, seed=1)
    assert set(found.holds) == {"b"}
    assert sum(found.holds["b"].values()) == pytest.approx(4)
    assert found.samples == 50
    assert not found.exact


def test_an_owner_holds_the_card_of_his_build():
    position = cc.Position.parse(
        "table=2s builds=9b:4h5c hands=AsTd7c/??? piles=" + "?" * 13 + "/" + "?" * 14
    )
    nines = {"9s", "9h", "9d", "9c"}
    for world in Unseen(position).sample(Stream(1, "worlds"), 40):
        assert nines & set(world.position.hands[1].cards)


def test_few_hands_are_all_looked_at():
    seen = ["5d", "Ks", "Qc", "7c", "9h"]
    unseen = ["8s", "8h", "8d", "2s", "3s"]
    out = "".join(card for card in CARD_NAMES if card not in seen + unseen)
    position = cc.Position.parse(f"table=5dKsQc hands=7c9h/? out={out}")
    found = cc.hint(position, samples=100)
    assert found.coverage == "worlds"
    assert found.samples == 5
    assert found.holds["b"] == {card: pytest.approx(0.2) for card in unseen}


def test_budgets():
    position = cc.Position.start("royal", seed=2)
    assert cc.hint(position, samples=7).samples == 7
    assert cc.hint(position, seconds=0.02).samples >= 1
    for budget in ({"samples": 0}, {"seconds": 0}, {"seconds": -1}):
        with pytest.raises(cc.CasinoError, match=r"samples|seconds"):
            cc.hint(position, **budget)


def test_what_no_hint_can_be_given_for():
    with pytest.raises(cc.HiddenCardError):
        cc.hint(cc.Position.start("standard", seed=1).view("b"))
    position = play_out(random_position("standard", 1), last).position
    with pytest.raises(cc.CasinoError, match="finished"):
        cc.hint(position)


@pytest.mark.parametrize("rules", ["standard", "royal", "draw", "standard,players=4,partners=yes"])
def test_the_answer_does_not_depend_on_threads(rules):
    for seed in range(2):
        position = random_position(rules, seed, 20)
        first = answer(cc.hint(position, samples=60, seed=seed))
        assert answer(cc.hint(position, samples=60, seed=seed, threads=2)) == first
        assert answer(cc.hint(position, samples=60, seed=seed, threads=5)) == first


def test_a_move_beyond_doubt_ends_the_search_early():
    # The ten takes four cards and two points; nothing else takes anything.
    position = cc.Position.parse("rules=hoyle table=TdAs4c5h hands=TcKc2hKd/????")
    found = cc.hint(position, samples=2000, seed=3)
    assert found.samples < 1000
    assert found.moves[0].chance == 1
    assert found.moves[-1].chance == 0


def test_chances_tell_how_sure_the_best_move_is():
    position = cc.Position.start("standard", seed=4).view("a")
    found = cc.hint(position, samples=30, seed=1)
    assert all(0 <= item.chance <= 1 for item in found.moves)
    assert sum(item.chance for item in found.moves) >= 1
    exact = cc.hint(random_position("standard", 9, 48))
    if exact.exact:
        best = exact.moves[0].value
        assert all(item.chance == (item.value == best) for item in exact.moves)


def test_moves_that_count_the_same_have_the_same_value():
    position = cc.Position.parse("table=2h9cQdAc hands=5h5c5sKh/????")
    moves = {str(item.move): item for item in cc.hint(position, samples=20, seed=1).moves}
    assert moves["5h"].value == moves["5c"].value != moves["5s"].value
    assert moves["5h"].chance == moves["5c"].chance


def test_progress_has_answers_that_grow(monkeypatch):
    monkeypatch.setattr(caller, "_NEWS", 0)
    monkeypatch.setattr(caller, "_REST", 0)
    position = cc.Position.start("standard", seed=4)
    news = []
    found = cc.hint(position, samples=2000, seed=1, measure_all=True, progress=news.append)
    counts = [item.samples for item in news]
    assert counts == sorted(counts)
    assert {512, 1024, 1536} <= set(counts)
    assert counts[-1] == found.samples == 2000
    assert all(len(item.moves) == len(found.moves) for item in news)
    assert all(item.stopped is None for item in news)


def test_why_a_hint_ended():
    position = cc.Position.parse("rules=hoyle table=TdAs4c5h hands=TcKc2hKd/????")
    assert cc.hint(position, samples=2000, seed=3).stopped == "decided"
    found = cc.hint(position, samples=300, seed=3, measure_all=True)
    assert (found.stopped, found.samples) == ("samples", 300)
    assert cc.hint(position, seconds=0.05, seed=3, measure_all=True).stopped == "time"
    assert cc.hint(position, seconds=60, seed=3, progress=lambda _: True).stopped == "stop"
    assert cc.hint(position, samples=50, method="mcts").stopped == "samples"
    assert cc.hint(position, seconds=0.05, method="mcts").stopped == "time"
    assert cc.hint(position, seconds=60, method="mcts", progress=lambda _: True).stopped == "stop"


def test_an_exact_hint_says_so():
    for item in last_deals()[:3]:
        assert cc.hint(cc.Position.parse(item["position"]), open=True).stopped == "exact"


#: Twelve loose cards, and more.
CROWDED = [
    "rules=royal table=AhAc2c3d4c5s6d8cTsJcQhKs hands=7h8s9cTd/???? "
    "piles=2h2d3h3c4h5c6h7d8h9sTcJhQdQcKdKc/- turn=a last=a",
    "rules=royal table=AhAc2c2d3d3s4c4d5s5h6d6c7c8cTsJcQhKs hands=7h8s9cTd/???? piles=2h9s/- "
    "turn=a last=a",
]


def test_millions_of_moves_are_no_reason_to_be_silent():
    table = "AsAhAdAc2s2h2d2c3s3h3d4s4h4d5s5h5d6s6h7s7h8s8h9s9h"
    position = cc.Position.parse(f"rules=royal table={table} hands=KhQsJdTc/???? piles=3c??/-")
    assert position.count_legal_moves() > 1_000_000
    found = cc.hint(position, seconds=0.3)
    assert 1000 < len(found.moves) < 10_000
    assert all(position.is_legal(item.move) for item in found.moves[:50])
    assert found.stopped == "time"


def test_of_too_many_moves_some_are_compared():
    position = cc.Position.parse(CROWDED[1])
    every = {str(move) for move in position.legal_moves()}
    some = [str(move) for move in position.some_legal_moves()]
    assert len(every) > 4096
    assert 4096 <= 2 * len(some) < 2 * 4096 + 1000
    assert some == sorted(set(some))
    assert every.issuperset(some)
    assert {move[:2] for move in every} == {move[:2] for move in some}
    largest = max(every, key=lambda move: (len(move), move))
    assert any(len(move) == len(largest) for move in some)


@pytest.mark.parametrize("position", CROWDED)
@pytest.mark.parametrize("method", ["auto", "blend", "response", "playouts", "pimc", "mcts"])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_end_is_heard_before_a_world_is_looked_at(position, method, threads):
    begun, asked = perf_counter(), []

    def enough(_):
        if perf_counter() > begun + 0.3:
            asked.append(perf_counter())
        return bool(asked)

    found = cc.hint(
        cc.Position.parse(position), seconds=30, method=method, threads=threads, progress=enough
    )
    assert found.stopped in {"stop", "decided"}
    assert not asked or perf_counter() - asked[0] < 3
    assert found.moves


@pytest.mark.parametrize("position", CROWDED)
@pytest.mark.parametrize("method", ["auto", "blend", "response", "playouts", "pimc", "mcts"])
def test_the_time_is_kept_on_crowded_tables(position, method):
    begun = perf_counter()
    found = cc.hint(cc.Position.parse(position), seconds=0.2, method=method)
    assert perf_counter() - begun < 3
    assert found.stopped in {"time", "decided"}


def test_a_hint_without_limits_ends():
    for position in CROWDED:
        begun = perf_counter()
        found = cc.hint(cc.Position.parse(position))
        assert perf_counter() - begun < 8
        assert found.best == found.moves[0].move


def test_threads_that_are_none():
    with pytest.raises(cc.CasinoError, match="threads"):
        cc.hint(cc.Position.start("standard", seed=4), threads=0)


@pytest.mark.parametrize("method", ["auto", "response", "playouts", "pimc", "mcts"])
@pytest.mark.parametrize("rules", ["standard", "royal,players=3", "spade,players=4,partners=yes"])
def test_every_method_is_blind_to_hidden_cards(method, rules):
    position = random_position(rules, 3, 20)
    first = answer(cc.hint(position, samples=40, seed=5, method=method))
    for other in range(2):
        shuffled = shuffle_unseen(position, other)
        assert answer(cc.hint(shuffled, samples=40, seed=5, method=method)) == first


@pytest.mark.parametrize("method", ["blend", "response", "playouts", "pimc", "mcts"])
def test_every_method_takes_what_is_there_to_take(method):
    position = cc.Position.parse("rules=hoyle table=TdAs4c5h hands=TcKc2hKd/????")
    found = cc.hint(position, samples=300, seed=3, method=method)
    assert str(found.best) == "TcxAs4c5hTd"
    assert found.method == method


def test_methods_that_are_none():
    position = cc.Position.start("draw", seed=4)
    with pytest.raises(cc.CasinoError, match="method is one of auto, blend"):
        cc.hint(position, method="best")
    with pytest.raises(cc.CasinoError, match="draw casino; take blend"):
        cc.hint(position, method="response")
    three = cc.Position.start("standard,players=3", seed=4)
    assert cc.hint(three, samples=2).method == "blend"
    assert cc.hint(position, samples=2).method == "blend"


def test_a_belief_changes_what_is_held():
    position = cc.Position.start("standard", seed=4)
    for method in ("response", "playouts", "pimc", "mcts"):
        found = cc.hint(position, samples=60, seed=1, belief="b:holds=Th lacks=A", method=method)
        held = found.holds["b"]
        assert held["Th"] == pytest.approx(1)
        assert not any(card[0] == "A" for card in held)


def test_facts_that_clash_are_refused():
    position = cc.Position.start("standard", seed=4)
    with pytest.raises(cc.CasinoError):
        cc.hint(position, belief="b:holds=Qs lacks=Q")
    with pytest.raises(cc.CasinoError):
        cc.hint(position, belief="nonsense")


def test_a_history_is_seen_from_the_mover_only():
    position = cc.Position.start("britannica", seed=6)
    followed = play_out(position, first_move, plays=3)
    history, position = followed.plays_of_deal(), followed.position
    first = answer(cc.hint(position, samples=50, seed=1, history=history))
    views = [(before.view(position.turn), str(move)) for before, move in history]
    assert answer(cc.hint(position, samples=50, seed=1, history=views)) == first
    assert first != answer(cc.hint(position, samples=50, seed=1))


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_that_are_none(seed):
    position = cc.Position.start("standard", seed=4)
    for method in METHODS:
        with pytest.raises(cc.CasinoError, match="seed is a whole number from 0 to"):
            cc.hint(position, samples=2, seed=seed, method=method)
    assert cc.hint(position, samples=2, seed=2**64 - 1).samples == 2


def test_forgotten_captures_are_part_of_each_world():
    piles = "?" * 28 + "/3h3d3c4h4d4c5h5d5c6h6d6c7h7d7c8h8d8c9h9d"
    position = cc.Position.parse(f"table=KhKd hands=2h/? piles={piles} last=a")
    with pytest.raises(cc.CasinoError, match="every captured card"):
        cc.hint(position, samples=2, method="response")
    found = cc.hint(position, samples=500, seed=1)
    assert found.method == "pimc"
    assert found.moves[0].value == pytest.approx(10.93, abs=0.3)  # the mean over all worlds


def test_a_tree_search_tells_and_can_be_ended():
    position = cc.Position.start("standard", seed=4)
    news = []
    found = cc.hint(position, samples=30_000, seed=1, method="mcts", progress=news.append)
    assert news
    assert all(position.is_legal(item.best) for item in news)
    ended = cc.hint(position, samples=10_000_000, seed=1, method="mcts", progress=lambda item: True)
    assert ended.samples < 10_000_000
    assert len(ended.moves) == len(found.moves)


def test_an_exact_search_can_be_ended():
    """Two deals of royal, all cards known, with a table too small to help."""
    start = cc.Position.start("royal", seed=10)
    followed = play_out(start, at_random(5), until=lambda position: position.stock_count <= 8)
    position = followed.position
    news = []
    found = cc.hint(
        position, open=True, table_mib=0.01, progress=lambda hint: news.append(hint) or True
    )
    assert len(news) == 1
    assert (found.coverage, found.exact) == ("deal", False)
    assert found.best == news[0].best
    whole = cc.hint(position, open=True)
    assert (whole.method, whole.exact) == ("exact", True)


def test_a_tree_search_draws_the_hands_where_they_are_many():
    """Of three hidden hands there are 34,650 ways here, which once took seconds to list."""
    position = cc.Position.parse(
        "rules=royal,players=4 table=2c3s7c9cQhQc hands=Ah2d8dKc/????/????/???? "
        "piles=4s4d5c7h8h8c9sJdJc/Ac3h3d4c6sTd/As3c4hThTcKhKd/Ad2h5h6d7s7d8sJs turn=a last=d"
    )
    found = cc.hint(position, samples=200, seed=1, method="mcts")
    for cards in found.holds.values():
        assert sum(cards.values()) == pytest.approx(4)
    assert len(found.holds) == 3
    in_all = [
        sum(cards.get(card, 0) for cards in found.holds.values())
        for card in cc.CardSet("2s5s6c6hJhQs5dKs9d9hTsQd")
    ]
    assert in_all == pytest.approx([1] * 12)
    assert cc.hint(position, samples=200, seed=1, method="mcts").moves == found.moves


@pytest.mark.parametrize("rules", ["standard", "royal", "spade"])
def test_a_blend_is_the_mean_of_answers_and_open_cards(rules):
    """With few enough worlds for every method to search them in one batch."""
    position = random_position(rules, 3, 20)
    found = {
        method: {
            str(item.move): item.value
            for item in cc.hint(position, samples=8, seed=5, method=method).moves
        }
        for method in ("blend", "response", "pimc")
    }
    for move, value in found["blend"].items():
        both = found["response"][move] + found["pimc"][move]
        assert value == pytest.approx(both / 2)


def test_few_worlds_are_not_taken_for_sure():
    position = cc.Position.start("standard", seed=4)
    one = cc.hint(position, samples=1, seed=1)
    assert all(item.stderr > 1 for item in one.moves)
    assert one.moves[0].chance < 0.7
    many = cc.hint(position, samples=400, seed=1)
    assert many.moves[0].stderr < 0.2
    assert many.moves[0].chance > 0.7


def test_what_others_hold_is_what_the_belief_says_whatever_is_drawn():
    position = cc.Position.start("standard", seed=4)
    one = cc.hint(position, samples=1, seed=1)
    assert one.holds["b"] == pytest.approx(cc.hint(position, samples=50, seed=2).holds["b"])
    assert set(one.holds["b"].values()) == {4 / 44}


def test_few_hands_are_all_looked_at_with_their_weights():
    position = cc.Position.start("standard", seed=4)
    found = cc.hint(position, samples=1, belief="b:holds=9s,9d,9c,8s")
    assert (found.coverage, found.samples) == ("worlds", 1)
    assert [item.stderr for item in found.moves] == [0] * len(found.moves)
    assert found.moves[0].chance == 1
    # Two hands, one thrice as likely: the mean of both, weighed.
    belief = "b:holds=9s,9d,9c lacks=2,3,4,5,6,7,T,J,Q,K,A,9h,8h,8d odds=8s*3"
    both = cc.hint(position, samples=2, belief=belief, method="pimc")
    assert (both.coverage, both.samples) == ("worlds", 2)
    one, other = (
        {
            str(item.move): item.value
            for item in cc.hint(position, belief=f"b:holds=9s,9d,9c,{card}", method="pimc").moves
        }
        for card in ("8s", "8c")
    )
    for item in both.moves:
        move = str(item.move)
        assert item.value == pytest.approx((3 * one[move] + other[move]) / 4)


@pytest.mark.parametrize(
    ("rules", "hands"),
    [("standard", "????"), ("hoyle,players=4,partners=yes", "????/????/????")],
)
def test_a_crowded_table_is_left_to_the_tree(rules, hands):
    table = "".join(rank + suit for rank in "A23456789" for suit in "sh")
    position = cc.Position.parse(f"rules={rules} table={table} hands=AdQcKdKh/{hands} piles=??/-")
    found = cc.hint(position, seconds=2, seed=1)
    assert (found.coverage, found.method) == ("tree", "mcts")
    assert found.samples > 1


def test_too_many_replies_are_left_to_the_tree():
    """Few moves of one's own, but too many of the others' to list."""
    table = "AsAc2s2h2d4c5s5h5d5c6s6h6d6c7s7c8s8d8c9s9cTsThJhJdQsQdKs"
    position = cc.Position.parse(
        f"rules=hoyle,players=4,partners=yes table={table} hands=AhAdKdKc/????/????/????"
        " piles=3h3d4s4h7h9hTcJc/-"
    )
    assert len(position.legal_moves()) == 18
    assert cc.hint(position, samples=40, seed=1).method == "mcts"
    with pytest.raises(cc.TooManyMovesError):
        cc.hint(position, samples=40, seed=1, method="response")
