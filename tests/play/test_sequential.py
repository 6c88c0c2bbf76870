"""The sequential test ends, seldom errs, and needs the more results the smaller the difference."""

from statistics import fmean

import numpy as np
import pytest

import casino_core as cc
from casino_core.play.arena import play_arena
from casino_core.play.sequential import SequentialTest


def verdicts(mean, spread=2.0, tests=300, most=5000):
    """Verdicts of tests on normal results, with how many results each took."""
    rng = np.random.default_rng(7)
    found = []
    for _ in range(tests):
        test = SequentialTest(margin=0.5)
        values = rng.normal(mean, spread, most).tolist()
        found.append(next((test.verdict, n) for n, one in enumerate(values, 1) if test.add(one)))
    return found


def test_it_errs_as_seldom_as_it_says():
    for mean, right in ((0.5, "first"), (-0.5, "second")):
        found = verdicts(mean)
        assert {verdict for verdict, _ in found} <= {"first", "second"}
        wrong = fmean(verdict != right for verdict, _ in found)
        assert wrong < 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5


def test_larger_differences_are_decided_sooner():
    small, large = (fmean(number for _, number in verdicts(mean, 6.0)) for mean in (0.5, 2.0))
    assert large < small / 1.5


def test_results_that_are_all_the_same():
    test = SequentialTest()
    assert [test.add(0.0) for _ in range(50)] == [None] * 50
    test = SequentialTest()
    assert [test.add(-1.0) for _ in range(20)] == [None] * 19 + ["second"]


def test_the_arena_stops_when_it_is_decided():
    result = play_arena("careful", "random", rounds=400, seed=1, margin=0.5)
    assert result.verdict == "first"
    assert 20 <= result.decks < 200
    whole = play_arena("careful", "random", rounds=400, seed=1)
    assert [game.points for game in result.games] == [
        game.points for game in whole.games[: result.rounds]
    ]
    assert play_arena("random", "careful", rounds=400, seed=1, margin=0.5).verdict == "second"
    with_luck = play_arena("careful", "random", rounds=400, seed=1, margin=0.5, luck=1)
    assert with_luck.verdict == "first"


def test_workers_change_no_verdict():
    one = play_arena("careful", "random", rounds=200, seed=2, margin=0.5)
    two = play_arena("careful", "random", rounds=200, seed=2, margin=0.5, workers=2)
    assert (one.verdict, one.decks) == (two.verdict, two.decks)


def test_what_is_refused():
    with pytest.raises(cc.CasinoError, match="margin is a number of points more than 0"):
        play_arena("greedy", "greedy", rounds=2, margin=0)
