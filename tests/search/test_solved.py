"""Recorded late deals keep their values: `tools/make_solved_deals.py` says where they come from."""

import json
from collections import Counter
from pathlib import Path

import pytest

import casino_core as cc

DATA = Path(__file__).parents[1] / "data" / "solved_deals.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="ascii").splitlines()]
POSITIONS = [cc.Position.parse(case["position"]) for case in CASES]
#: Cases by rules and cards that are left to play.
SUITES = Counter(
    (str(position.rules), position.stock_count + sum(hand.size for hand in position.hands))
    for position in POSITIONS
)


def suite(rules, cards):
    """The cases of a suite."""
    return [
        (position, case)
        for position, case in zip(POSITIONS, CASES, strict=True)
        if str(position.rules) == rules
        and position.stock_count + sum(hand.size for hand in position.hands) == cards
    ]


def check_value(solver, position, case):
    found = solver.value(position)
    assert found.value == case["value"], case["position"]
    if "moves" in case:
        assert case["moves"][str(found.best)] == case["value"], case["position"]


def test_every_suite_is_there():
    assert SUITES == {
        ("standard", 8): 60,
        ("standard", 16): 30,
        ("standard", 24): 12,
        ("standard", 32): 4,
        ("royal", 8): 60,
        ("royal", 16): 30,
        ("royal", 24): 12,
        ("royal", 32): 4,
        ("spade", 8): 10,
        ("hoyle", 8): 10,
        ("draw", 12): 10,
        ("standard,players=4,partners=yes", 16): 10,
    }


@pytest.mark.parametrize(("rules", "cards"), SUITES)
def test_values_of_one_solver_cold_and_warm(rules, cards):
    """Each with what the ones before have left in the table, and again when all have been seen."""
    solver = cc.Solver(16)
    cases = suite(rules, cards)
    for position, case in cases * 2:
        check_value(solver, position, case)


@pytest.mark.parametrize(("rules", "cards"), SUITES)
def test_values_from_an_empty_table(rules, cards):
    solver = cc.Solver(16)
    for position, case in suite(rules, cards):
        solver.clear()
        check_value(solver, position, case)


def test_all_moves_of_one_deal():
    warm = cc.Solver(1)
    for position, case in zip(POSITIONS, CASES, strict=True):
        if "moves" not in case:
            continue
        for solver in (cc.Solver(1), warm, warm):
            solution = solver.solve(position)
            values = {str(item.move): item.value for item in solution.moves}
            assert values == case["moves"], case["position"]
            assert solution.exact
            assert solution.value == case["value"] == max(values.values())
