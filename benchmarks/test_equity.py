"""How fast win chances are computed, and hints that play for the match."""

from pathlib import Path

import common
import pytest

from casino_core import Position, hint, match_equity
from casino_core.evaluation import equity
from casino_core.evaluation.round_points import measured_rounds

ENDING = Position.parse(
    (Path(__file__).resolve().parents[1] / "examples" / "match_ending.txt").read_text("ascii")
)


@pytest.mark.parametrize(
    ("rules", "win"), [("standard", 0.4985460424582881), ("spade", 0.484416037253033)]
)
def test_equity_table(benchmark, rules, win):
    """The chances of every score up to the target, from the measured rounds."""

    def table():
        equity._chances.cache_clear()
        return match_equity("0/0", rules=rules)

    measured_rounds(rules)  # read once
    assert benchmark.pedantic(table, rounds=5).win == pytest.approx(win, abs=1e-9)


def test_reading_of_measured_rounds(benchmark):
    """2,000 rounds from their file."""

    def read():
        measured_rounds.cache_clear()
        return measured_rounds("standard")

    assert len(benchmark.pedantic(read, rounds=5).first) == 2000


@pytest.mark.parametrize("objective", ["points", "match"])
@pytest.mark.parametrize("preset", common.SOLVED_PRESETS)
def test_exact_hints(benchmark, preset, objective):
    """Last deals, each move valued."""
    positions = list(common.positions("last_deal", preset))[:50]

    def hints():
        return [hint(one, samples=1, objective=objective).moves[0].value for one in positions]

    assert benchmark.pedantic(hints, rounds=3) == hints()
    assert hint(ENDING, objective="match").moves[0].value == 1.0


@pytest.mark.parametrize("objective", ["points", "match"])
def test_a_hint_of_worlds(benchmark, objective):
    """100 worlds at the start of a round."""
    start = Position.start(seed=1, score=(18, 20))

    def ask():
        return hint(start, samples=100, measure_all=True, objective=objective)

    found = benchmark.pedantic(ask, rounds=3)
    assert [item.value for item in found.moves] == [item.value for item in ask().moves]
    assert found.samples == 100
