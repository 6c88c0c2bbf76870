"""How fast deals are solved exactly. Every run starts with an empty table."""

import common
import pytest

from casino_core import Solver, solve


def fresh():
    """Arguments of one run: a solver that has seen nothing."""
    return (Solver(table_mib=16),), {}


def test_last_deal_value(benchmark, preset):
    """Value and best move of 1,000 last deals."""
    positions = common.positions("last_deal", preset)
    found = benchmark.pedantic(
        lambda solver: [solver.value(position).value for position in positions],
        setup=fresh,
        rounds=5,
    )
    assert found == common.values("last_deal", preset)


def test_last_deal_all_moves(benchmark, preset):
    """Exact values of all moves, and best play, of 300 last deals."""
    positions = common.positions("last_deal", preset)[:300]
    found = benchmark.pedantic(
        lambda solver: [solver.solve(position) for position in positions], setup=fresh, rounds=5
    )
    assert [solution.value for solution in found] == common.values("last_deal", preset)[:300]
    for position, solution in zip(positions, found, strict=True):
        assert solution.moves[0].value == solution.value
        assert sorted(str(item.move) for item in solution.moves) == [
            str(move) for move in position.legal_moves()
        ]


def test_last_deal_alone(benchmark, preset):
    """`solve` for one position after the other: each call makes its own table."""
    positions = common.positions("last_deal", preset)[:50]
    found = benchmark(lambda: [solve(position).value for position in positions])
    assert found == common.values("last_deal", preset)[:50]


@pytest.mark.parametrize(
    ("name", "number"), [("two_deals", 50), ("three_deals", 10), ("four_deals", 3)]
)
def test_more_deals(benchmark, name, number, preset):
    """Values of earlier deals, the stock being known."""
    positions = common.positions(name, preset)[:number]
    found = benchmark.pedantic(
        lambda solver: [solver.value(position).value for position in positions],
        setup=fresh,
        rounds=2,
    )
    assert found == common.values(name, preset)[:number]


def test_warm_table(benchmark, preset):
    """Last deals that the table has seen before: what it is worth to keep a solver."""
    positions = common.positions("last_deal", preset)[:200]
    solver = Solver(table_mib=16)
    cold = [solver.value(position).value for position in positions]
    warm = benchmark(lambda: [solver.value(position).value for position in positions])
    assert warm == cold == common.values("last_deal", preset)[:200]
