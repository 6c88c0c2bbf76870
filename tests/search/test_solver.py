"""The exact solver against plain minimax of the reference, and what a solver object promises."""

import random
import threading

import pytest

import casino_core as cc
from helpers.rounds import in_last_deal, random_round
from helpers.side_by_side import small_positions
from reference.random_positions import random_rules
from reference.search import solve as slow_solve

PACK = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"]


def with_piles(line):
    """The line with all cards that it does not name in two piles."""
    fields = line.split()
    named = "".join(
        field.partition("=")[2].replace("14", "").replace("10", "")
        for field in fields
        if field.startswith(("table=", "builds=", "hands="))
    )
    rest = [card for card in PACK if card not in named]
    half = len(rest) // 2
    return f"{line} piles={''.join(rest[:half])}/{''.join(rest[half:])}"


def check(solver, state, position):
    value, values = slow_solve(state)
    solution = solver.solve(position)
    assert {str(item.move): item.value for item in solution.moves} == values, str(position)
    assert solution.value == value
    found = solver.value(position)
    assert found.value == value
    assert values[str(found.best)] == value


@pytest.mark.parametrize("preset", list(cc.PRESETS))
def test_small_positions_of_every_preset(preset):
    solver = cc.Solver(1)
    for rules in (preset, f"{preset},players=4,partners=yes"):
        for seed in range(6):
            for state, position in small_positions(rules, random.Random(seed), 5, 12):
                check(solver, state, position)


def test_small_positions_of_random_rules():
    rng = random.Random(7)
    solver = cc.Solver(0.1)
    checked = 0
    while checked < 600:
        rules = random_rules(rng)
        if cc.Rules.parse(rules).sides == 2:
            for state, position in small_positions(rules, rng, 5, 12):
                check(solver, state, position)
                checked += 1


@pytest.mark.parametrize("table", ["3s", "3sKc", "Ad"])
@pytest.mark.parametrize("hands", ["Ac/2sKd", "2sKd/Ac", "Ac/2s", "2s/Ac"])
def test_one_ace_for_builds_of_1_and_14_captures_nothing(table, hands):
    owner = "a" if hands.startswith("Ac") else "b"
    for turn in "ab":
        line = with_piles(
            f"rules=royal,sweep=0,owner_turn=free table={table} "
            f"builds=1{owner}*:AsAh,14{owner}:5s9s hands={hands} turn={turn} last=b"
        )
        position = cc.Position.parse(line)

        def minimax(p):
            if p.is_over:
                score = p.score()
                return score[0] - score[1]
            values = [minimax(p.play(move)) for move in p.legal_moves()]
            return max(values) if p.turn == "a" else min(values)

        sign = 1 if turn == "a" else -1
        for item in cc.solve(position).moves:
            assert item.value == sign * minimax(position.play(item.move))


def test_values_do_not_depend_on_the_table():
    warm = cc.Solver(4)
    for seed in range(6):
        position = random_round("standard", seed, until=in_last_deal(7)).position
        first = warm.solve(position)
        tiny = cc.Solver(0.001).solve(position)
        assert first.moves == tiny.moves == warm.solve(position).moves
        assert first.pv == tiny.pv
        warm.clear()
        assert warm.solve(position).moves == first.moves


def test_two_calls_at_once_are_refused_or_right():
    positions = []
    for seed in range(8):
        position = random_round("standard", seed, until=lambda at: not at.stock_count).position
        positions.append((position, cc.solve(position).value))
    shared = cc.Solver(1)
    wrong = []

    def work():
        for position, value in positions * 20:
            try:
                found = shared.value(position).value
            except cc.CasinoError:
                continue
            if found != value:
                wrong.append((position, found))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_each_thread_with_its_own_solver():
    positions = []
    for seed in range(6):
        position = random_round("royal", seed, until=lambda at: not at.stock_count).position
        positions.append(position)
    alone = [cc.solve(position).moves for position in positions]
    found = [[] for _ in range(3)]

    def work(index):
        solver = cc.Solver(1)
        found[index] = [solver.solve(position).moves for position in positions]

    threads = [threading.Thread(target=work, args=(index,)) for index in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 3


def test_a_second_call_while_one_is_under_way_is_refused():
    position = random_round("royal", 3, until=lambda at: not at.stock_count).position
    solver = cc.Solver(1)
    refusals = []

    def again(_):
        for call in (solver.clear, lambda: solver.value(position), lambda: solver.line(position)):
            with pytest.raises(cc.CasinoError, match="one call at a time") as refusal:
                call()
            refusals.append(refusal)

    found = solver.solve(position, progress=again)
    assert refusals
    assert found.moves == solver.solve(position).moves == cc.solve(position).moves
