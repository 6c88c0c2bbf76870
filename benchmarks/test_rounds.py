"""How fast whole rounds are solved, and the deal before the last over all last deals.

Whole rounds take seconds each and memory for their table, so they run only where
CASINO_CORE_FULL_ROUNDS is set.
"""

import os

import common
import pytest

from casino_core import Solver

FULL_ROUNDS = [
    pytest.param(position, value, id=f"{preset}-{place}")
    for preset in common.SOLVED_PRESETS
    for place, position, value in common.full_rounds(preset)
]


@pytest.mark.skipif(
    not os.environ.get("CASINO_CORE_FULL_ROUNDS"), reason="CASINO_CORE_FULL_ROUNDS is not set"
)
@pytest.mark.parametrize(("position", "value"), FULL_ROUNDS)
def test_full_round(benchmark, position, value):
    """Value and best first play of a round of 48 plays, the stock being known."""
    found = benchmark.pedantic(
        lambda solver: solver.value(position),
        setup=lambda: ((Solver(common.FULL_ROUND_MIB),), {}),
        rounds=1,
    )
    benchmark.extra_info["nodes"] = found.nodes
    assert found.value == value
    assert position.is_legal(found.best)


def test_last_boundary(benchmark, preset):
    """All moves at the start of the deal before the last, both hands known, over 70 splits."""
    positions = common.boundaries(preset)
    found = benchmark.pedantic(
        lambda solver: [solver.solve(position, stock="unknown") for position in positions],
        setup=lambda: ((Solver(table_mib=16),), {}),
        rounds=1,
    )
    benchmark.extra_info["nodes"] = sum(solution.nodes for solution in found)
    expected = [value / common.SPLITS for value in common.values("last_boundary", preset)]
    assert [solution.value for solution in found] == pytest.approx(expected, abs=1e-9)
    assert all(solution.exact for solution in found)
