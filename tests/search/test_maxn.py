"""Exact values for more than two sides, against plain max^n of the reference."""

import random
import signal
import threading

import pytest

import casino_core as cc
from casino_core.search.maxn import MaxnContext
from helpers.rounds import at_random, in_last_deal, play_out
from helpers.side_by_side import small_positions
from reference.max_n import lead, solve, wish
from reference.notation import to_text
from reference.random_positions import random_round, random_rules

RULES = [(preset, players) for preset in cc.PRESETS for players in (3, 4)]


def last_deal(rules, seed, most_cards=12):
    """A position of the last deal, reached by random plays."""
    return play_out(
        cc.Position.start(rules, seed=seed),
        at_random(seed),
        until=in_last_deal(most_cards),
    ).position


def check(context, solver, state, position):
    """One position against the reference: points of all sides, values, order, best move."""
    side = state.turn
    points, moves = solve(state)
    found = context.values(position)
    assert {str(move): after for move, _, after in found} == moves, str(position)
    assert all(value == lead(after, side) for _, value, after in found)
    texts = sorted(moves, key=lambda text: [-part for part in wish(moves[text], side)] + [0])
    assert [wish(after, side) for _, _, after in found] == [
        wish(moves[text], side) for text in texts
    ]
    solution = solver.solve(position)
    assert solution.exact
    assert solution.value == solution.lower == solution.upper == lead(points, side)
    assert [(item.move, item.value) for item in solution.moves] == [item[:2] for item in found]
    assert moves[str(solution.best)] == points
    best = solver.value(position)
    assert (best.value, best.best) == (solution.value, solution.best)
    return points


@pytest.mark.parametrize(("preset", "players"), RULES)
def test_small_positions_of_every_preset(preset, players):
    solver, context = cc.Solver(1), MaxnContext(1)
    checked = 0
    for seed in range(2):
        rules = f"{preset},players={players}"
        for state, position in small_positions(rules, random.Random(seed), 6, 10):
            points = check(context, solver, state, position)
            end = position
            for move in solver.line(position):
                end = end.play(move)
            assert end.is_over
            assert tuple(end.score()) == points
            checked += 1
    assert checked >= 8


def test_small_positions_of_random_rules():
    rng = random.Random(11)
    solver, context = cc.Solver(0.1), MaxnContext(0.1)
    checked = 0
    while checked < 150:
        rules = random_rules(rng)
        if cc.Rules.parse(rules).sides > 2:
            for state, position in small_positions(rules, rng, 5, 10):
                check(context, solver, state, position)
                checked += 1


def test_the_best_move_keeps_the_outcome():
    for seed in range(4):
        position = last_deal("standard,players=3", seed, most_cards=8)
        context = MaxnContext(1)
        _, _, points = context.values(position)[0]
        for move in cc.Solver(1).solve(position).pv:
            assert context.values(position)[0][2] == points
            position = position.play(move)
        assert tuple(position.score()) == points


def test_values_do_not_depend_on_the_table():
    warm = MaxnContext(1)
    for seed in range(4):
        for rules in ("hoyle,players=3", "spade,scoring=spade26,players=4", "standard,players=3"):
            position = last_deal(rules, seed, most_cards=8)
            first = warm.values(position)
            assert first == MaxnContext(0.0001).values(position) == warm.values(position)
    warm.clear()
    assert warm.values(position) == first


def test_a_known_stock_is_played_out():
    """A drawn card at a time, and the deals after this one."""
    position = last_deal("draw,players=3", 1, most_cards=6)
    assert cc.solve(position).exact
    rng = random.Random(2)
    state = None
    for state, _ in random_round("draw,players=3", rng):
        if sum(map(len, state.hands)) + len(state.stock) == 6:
            break
    check(MaxnContext(1), cc.Solver(1), state, cc.Position.parse(to_text(state)))


def test_limits_leave_no_answer():
    position = last_deal("standard,players=3", 3)
    with pytest.raises(cc.SearchLimitError, match="no bounds"):
        cc.solve(position, nodes=10)
    with pytest.raises(cc.SearchLimitError):
        cc.Solver(1).value(position, seconds=1e-9)
    with pytest.raises(cc.SearchLimitError):
        cc.solve(position, progress=lambda news: True)
    with pytest.raises(ZeroDivisionError):
        cc.solve(position, progress=lambda news: 1 // 0)
    small = last_deal("standard,players=3", 3, most_cards=6)
    assert cc.solve(small, nodes=10**6, seconds=60).moves == cc.solve(small).moves


def test_progress_shows_bounds_that_hold():
    position = last_deal("standard,players=3", 3, most_cards=9)
    news = []
    found = cc.solve(position, progress=news.append)
    assert news
    assert all(item.lower <= found.value <= item.upper for item in news)
    assert all(item.moves == len(found.moves) for item in news)


def test_ctrl_c_ends_a_search():
    position = cc.Position.start("standard,players=3", seed=1)
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        cc.solve(position, table_mib=1, seconds=20)
    timer.join()


def test_what_is_not_known_is_refused():
    position = cc.Position.start("standard,players=3", seed=1)
    with pytest.raises(cc.HiddenCardError):
        cc.solve(position.view("a"))
    with pytest.raises(cc.CasinoError, match="two players only"):
        cc.solve(position, stock="unknown")
    with pytest.raises(cc.CasinoError, match="more than two sides"):
        MaxnContext(1).values(cc.Position.start(seed=1))
    with pytest.raises(cc.CasinoError, match="table_mib"):
        MaxnContext(0)


def test_a_finished_round_has_its_value():
    position = last_deal("standard,players=3", 5, most_cards=1)
    over = position.play(position.legal_moves()[0])
    score = list(over.score())
    mine = score.pop("abc".index(over.turn))
    assert cc.solve(over).value == cc.Solver(1).value(over).value == mine - max(score)
