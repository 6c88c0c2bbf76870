"""How fast a round is reviewed, and what luck costs in the arena."""

from pathlib import Path

import pytest

from casino_core import Round, review_game
from casino_core.play.arena import play_arena
from casino_core.review.luck import round_luck

ROUND = Round.parse(
    (Path(__file__).resolve().parents[1] / "examples" / "round.txt").read_text(encoding="ascii")
)


def test_review_of_a_round(benchmark):
    """48 plays, 200 worlds each, the last 24 in hindsight, and luck."""
    first = review_game(ROUND)
    found = benchmark.pedantic(lambda: review_game(ROUND), rounds=3)
    assert found == first
    parts = found.rounds[0].parts
    assert parts.luck + parts.mistakes + parts.rest == pytest.approx(parts.result)


def test_luck_of_a_round(benchmark):
    """48 other deals each, all 70 before the last."""
    first = round_luck(ROUND)
    assert benchmark.pedantic(lambda: round_luck(ROUND), rounds=5) == first
    assert len(first.deals) == 6


@pytest.mark.parametrize("luck", [False, True], ids=["plain", "luck"])
def test_arena(benchmark, luck):
    """20 rounds of fast players."""

    def play():
        return play_arena("careful", "greedy", rounds=20, seed=1, luck=luck)

    found = benchmark.pedantic(play, rounds=3)
    assert found.points == play_arena("careful", "greedy", rounds=20, seed=1).points
    assert (found.adjusted is None) == (not luck)
