"""How fast the core lists moves, counts sequences and plays rounds."""

import common
import pytest

from casino_core import PRESETS
from casino_core.moves.perft import count_all, random_rounds
from casino_core.rules.ruleset import CompiledRules

ROUNDS = 500
PLAYS = 48  # of a round of two players


def test_full_lists(benchmark):
    """Full lists of all recorded positions, in the core alone."""
    positions = list(common.positions("midgame"))
    assert benchmark(count_all, positions, 1) == common.answers()["midgame_moves"]


def test_full_lists_of_preset(benchmark, preset):
    """The same under one rule set, without the change of rules from list to list."""
    positions = list(common.positions("midgame", preset))
    total = benchmark(count_all, positions, 1)
    assert total == sum(position.count_legal_moves() for position in positions)


@pytest.mark.parametrize("name", common.PERFTS)
def test_perft(benchmark, name, preset):
    """Leaves counted in bulk, and leaves that are each played."""
    leaves = benchmark.pedantic(common.perft_total, (name, preset), rounds=5)
    assert leaves == common.answers()["perft"][name][preset]


@pytest.mark.parametrize("rules", PRESETS)
def test_random_rounds(benchmark, rules):
    """Listing, choosing and playing, with every kind of table that chance brings."""
    compiled = CompiledRules(PRESETS[rules])
    first = random_rounds(compiled, ROUNDS, 1)
    played = benchmark(random_rounds, compiled, ROUNDS, 1)
    assert played == first
    assert played["plays"] == PLAYS * ROUNDS
    assert played["moves"] >= played["plays"]
