"""Limits of a search: bounds that hold, never a wrong exact value; progress; the command line."""

import json
import signal
import time

import numpy as np
import pytest
from click.testing import CliRunner

import casino_core as cc
from casino_core.cli import main
from casino_core.cli.common import StatusLine
from casino_core.hints.open_worlds import WorldSearch
from casino_core.hints.response import ResponseSearch
from casino_core.hints.tree.search import TreeSearch
from casino_core.rules.cards import CARD_NAMES
from helpers.rounds import cards_left, in_hands, random_round


def reach(rules, seed, plays):
    """A position with every card known and `plays` plays left."""
    return random_round(rules, seed, until=lambda at: cards_left(at) <= plays).position


def holds(found, exact):
    """Whether bounds contain the exact values, and equal bounds are marked exact."""
    values = {item.move: item.value for item in exact.moves}
    assert {item.move for item in found.moves} == set(values)
    for item in found.moves:
        assert item.lower <= values[item.move] <= item.upper
        assert item.value == (item.lower if item.lower == item.upper else None)
    assert found.lower <= exact.value <= found.upper
    assert found.value == (found.lower if found.lower == found.upper else None)
    assert found.exact == all(item.value is not None for item in found.moves)
    return True


@pytest.mark.parametrize(
    "rules", ["standard", "royal", "spade", "draw", "standard,players=4,partners=yes", "old-way"]
)
def test_bounds_under_a_limit_hold_the_exact_value(rules):
    for seed in range(6):
        position = reach(rules, seed, 12)
        exact = cc.solve(position)
        for nodes in (1, 30, 300, 3000, 30000):
            assert holds(cc.Solver(1).solve(position, nodes=nodes), exact)


def test_bounds_get_no_wider_with_more_positions_and_meet_in_the_end():
    position = reach("standard", 5, 16)
    exact = cc.solve(position)
    open_moves = []
    width = None
    for nodes in (1, 1000, 6000, 10**9):
        found = cc.Solver(1).solve(position, nodes=nodes)
        now = sum(item.upper - item.lower for item in found.moves)
        assert width is None or now <= width
        width = now
        open_moves.append(sum(item.value is None for item in found.moves))
        assert nodes == 10**9 or found.nodes <= nodes
    assert open_moves[0] == len(exact.moves)
    assert open_moves[-1] == 0
    assert open_moves[1] < open_moves[0]
    assert found.exact
    assert found.moves == exact.moves
    assert found.value == exact.value


def test_the_same_nodes_give_the_same_bounds():
    position = reach("royal", 2, 16)
    first = cc.Solver(1).solve(position, nodes=5000)
    again = cc.Solver(1).solve(position, nodes=5000)
    assert first.moves == again.moves
    assert first.nodes == again.nodes
    assert not first.exact
    assert first.best == first.moves[0].move


def test_value_under_a_limit():
    for seed in range(10):
        position = reach("standard", seed, 14)
        exact = cc.Solver(1).value(position)
        assert exact.lower == exact.upper == exact.value
        for nodes in (1, 100, 1000):
            found = cc.Solver(1).value(position, nodes=nodes)
            assert found.lower <= exact.value <= found.upper
            assert found.value == (found.lower if found.lower == found.upper else None)
            assert position.is_legal(found.best)


def test_a_time_limit_ends_a_long_search():
    position = cc.Position.start("royal", seed=1)
    solver = cc.Solver(1)
    found = solver.solve(position, seconds=0.05)
    assert not found.exact
    assert found.value is None
    assert found.pv == ()
    assert found.lower < found.upper
    assert solver.value(position, seconds=0.05).value is None
    nothing = solver.solve(position, seconds=1e-9)
    assert not nothing.exact
    assert len(nothing.moves) == len(position.legal_moves())


@pytest.mark.parametrize("limit", [{"seconds": -1}, {"seconds": float("nan")}, {"nodes": -1}])
def test_limits_that_are_none(limit):
    position = reach("standard", 1, 8)
    (name,) = limit
    with pytest.raises(cc.CasinoError, match=f"{name} is a"):
        cc.solve(position, **limit)
    with pytest.raises(cc.CasinoError, match=f"{name} is a"):
        cc.Solver(1).value(position, **limit)


def test_an_expectation_under_a_limit():
    position = random_round(
        "standard", 4, until=lambda at: at.stock_count == 8 and in_hands(at) <= 3
    ).position
    exact = cc.solve(position, stock="unknown")
    for nodes in (1, 200, 2000, 20_000):
        found = cc.Solver(1).solve(position, stock="unknown", nodes=nodes)
        assert holds(found, exact)
    assert holds(cc.Solver(1).solve(position, stock="unknown", nodes=10**9), exact)


def test_progress_is_told_and_true():
    position = reach("royal", 3, 24)
    news = []
    found = cc.Solver(16).solve(position, progress=news.append)
    assert len(news) > 3
    assert [item.nodes for item in news] == sorted(item.nodes for item in news)
    for item in news:
        assert item.lower <= found.value <= item.upper
        assert 0 <= item.settled <= item.moves <= len(found.moves)
    assert news[-1].settled > 0


def test_what_progress_raises_ends_the_search_and_the_solver_lives_on():
    position = reach("royal", 3, 20)
    solver = cc.Solver(16)

    def stop(news):
        raise ZeroDivisionError("enough")

    for limit in ({}, {"nodes": 10**9}):
        with pytest.raises(ZeroDivisionError, match="enough"):
            solver.solve(position, progress=stop, **limit)
    small = reach("royal", 3, 8)
    assert solver.solve(small).moves == cc.solve(small).moves


def run(*arguments):
    return CliRunner().invoke(main, list(arguments))


def test_command_with_limits():
    position = str(reach("royal", 2, 16))
    answer = run("solve", position, "--nodes", "5000", "--json")
    assert answer.exit_code == 0
    fields = json.loads(answer.stdout)
    assert fields["exact"] is False
    assert fields["lower"] <= fields["upper"]
    assert {"move", "value", "lower", "upper"} == set(fields["moves"][0])
    shown = run("solve", position, "--nodes", "5000", "--table", "1")
    assert " to " in shown.stdout
    assert "The limit was met first" in shown.stdout
    exact = json.loads(run("solve", str(reach("royal", 2, 8)), "--seconds", "60", "--json").stdout)
    assert set(exact) == {"value", "best", "moves", "pv", "nodes", "seconds"}
    assert set(exact["moves"][0]) == {"move", "value"}


@pytest.mark.parametrize(
    "option", [("--nodes", "0"), ("--seconds", "-1"), ("--table", "0"), ("--nodes", "many")]
)
def test_command_with_limits_that_are_none(option):
    answer = run("solve", str(reach("royal", 2, 8)), *option)
    assert answer.exit_code == 2
    assert option[0] in answer.stderr
    assert "Traceback" not in answer.stderr


def test_the_status_line_is_for_terminals_only(capfd, monkeypatch):
    monkeypatch.setattr(StatusLine, "_FIRST", 0.0)
    with StatusLine() as status:
        status.say("one of two")
    assert capfd.readouterr().err == ""
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with StatusLine() as status:
        status.say("one of two")
        status.say("too soon")
    assert "one of two" in capfd.readouterr().err


# Every way in which a search ends early

LONG = "rules=royal table=AhAc2c3d4c5s6d8cTsJcQhKs hands=7h8s9cTd/????"
LONG += " piles=2h2d3h3c4h5c6h7d8h9sTcJhQdQcKdKc/- turn=a last=a"


def searches(position):
    """Calls of each search by samples, with a limit in seconds."""
    world = np.zeros((1, 8), np.uint64)
    world[0, 1] = sum(1 << card for card in first_cards(position.unseen.mask, 4))

    def by(search):
        def call(seconds):
            deadline = time.perf_counter() + seconds
            return search.values(np.repeat(world, 512, axis=0).tobytes(), deadline=deadline)[1]

        return search, call

    yield by(ResponseSearch(position, unit=60))
    yield by(WorldSearch(position, table_mib=1, unit=60, depths=b"\0"))


def first_cards(mask, count):
    return [card for card in range(52) if mask >> card & 1][:count]


@pytest.mark.parametrize("number", [0, 1])
def test_a_search_of_worlds_ends_by_time_by_its_caller_and_by_another_thread(number):
    """A search of answers says so; one of open cards returns the worlds done, of 512 a few."""
    search, call = list(searches(cc.Position.parse(LONG)))[number]
    begun = time.perf_counter()
    early = {"time", *range(512)}
    assert call(0.05) in early
    search.watch_by(lambda: True)
    assert call(600) in early
    search.watch_by(None)
    search.halt()
    assert call(600) in early
    assert time.perf_counter() - begun < 20  # and not 600


@pytest.mark.parametrize("number", [0, 1])
def test_what_a_caller_raises_ends_a_search_of_worlds(number):
    search, call = list(searches(cc.Position.parse(LONG)))[number]

    def refuse():
        raise RuntimeError("enough")

    search.watch_by(refuse)
    with pytest.raises(RuntimeError, match="enough"):
        call(600)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that raises signals")
@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_ctrl_c_ends_every_search(number):
    position = cc.Position.parse(LONG)
    calls = [
        *(lambda call=call: call(600) for _, call in searches(position)),
        lambda: TreeSearch(1).run(position, seconds=600),
        lambda: cc.Solver(1).solve(cc.Position.start("royal", seed=1), seconds=600),
    ]
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            calls[number]()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_limit_of_visits_ends_a_search_of_answers():
    position = cc.Position.parse(LONG)
    search = ResponseSearch(position, unit=60)
    world = np.zeros((1, 8), np.uint64)
    world[0, 1] = sum(1 << card for card in first_cards(position.unseen.mask, 4))
    assert search.values(world.tobytes(), visits=1)[1] == "visits"


def test_too_many_moves_end_a_search():
    table = "AsAhAdAc2s2h2d2c3s3h3d4s4h4d4c5s5h5d6s6h7s7h8s8h9s9h"
    out = "".join(card for card in CARD_NAMES if card not in table and card not in "KhQsKd")
    position = cc.Position.parse(f"rules=royal table={table} hands=KhQs/Kd out={out} turn=a")
    assert position.count_legal_moves() > 1_000_000
    with pytest.raises(cc.TooManyMovesError):
        cc.solve(position)
