"""Results without the luck of the deals: unbiased, and less spread."""

from math import hypot, sqrt
from statistics import fmean, stdev

import numpy as np
import pytest

import casino_core as cc
from casino_core.play.adjustment import Adjuster, adjusted
from casino_core.play.arena import play_arena


def test_factors_are_found_and_the_mean_stays():
    rng = np.random.default_rng(1)
    luck = rng.normal(size=(4000, 2)) * (3, 1)
    results = 0.3 + luck @ (0.5, 1.5) + rng.normal(size=4000)
    adjuster = Adjuster(2)
    left = [adjuster.adjust(*pair) for pair in zip(results.tolist(), luck.tolist(), strict=True)]
    assert adjuster.factors == pytest.approx([0.5, 1.5], abs=0.08)
    assert stdev(left) < 1.1
    assert abs(fmean(left) - 0.3) < 4 * stdev(left) / sqrt(4000)


def test_a_result_is_adjusted_by_factors_of_those_before_it():
    """Whatever comes later, and its own luck, changes no factor that it is adjusted by."""
    one, other = Adjuster(1), Adjuster(1)
    for result, luck in ((1.0, 2.0), (-3.0, 0.5)):
        one.adjust(result, [luck])
        other.adjust(result, [luck])
    factor = one.factors[0]
    assert one.adjust(5.0, [1.0]) == pytest.approx(5 - factor)
    assert other.adjust(5.0, [-7.0]) == pytest.approx(5 + 7 * factor)


def test_no_luck_leaves_a_result_as_it_is():
    found = adjusted([[1.0, 2.0], [3.0, 4.0]], [[(0.0, 0.0)] * 2] * 2)
    assert (found.points, found.decks) == (2.5, (1.5, 3.5))
    assert found.ratio == found.round_ratio == 1
    assert adjusted([[1.0, 2.0]], [[(0.0, 0.0)] * 2]).interval is None


def test_the_arena_measures_luck():
    plain = play_arena("careful", "greedy", rounds=60, seed=2)
    result = play_arena("careful", "greedy", rounds=60, seed=2, luck=4)
    assert plain.adjusted is None
    assert [game.points for game in result.games] == [game.points for game in plain.games]
    found = result.adjusted
    assert result.deck_points == found.decks
    assert found.points == pytest.approx(fmean(found.decks))
    low, high = found.interval
    assert low < found.points < high
    assert plain.deck_points == tuple(
        (first.difference + second.difference) / 2
        for first, second in zip(plain.games[::2], plain.games[1::2], strict=True)
    )


def test_workers_change_no_luck():
    one = play_arena("careful", "greedy", rounds=12, seed=3, luck=2)
    two = play_arena("careful", "greedy", rounds=12, seed=3, luck=2, workers=2)
    assert [game.luck for game in one.games] == [game.luck for game in two.games]


def check_means(rounds, rules="standard"):
    result = play_arena("careful", "greedy", rounds=rounds, rules=rules, seed=5, luck=2)
    found = result.adjusted
    removed = [
        before - left
        for before, left in zip(
            play_arena("careful", "greedy", rounds=rounds, rules=rules, seed=5).deck_points,
            found.decks,
            strict=True,
        )
    ]
    assert abs(fmean(removed)) < 3 * stdev(removed) / sqrt(len(removed))
    assert abs(found.points - result.points) < 3 * hypot(found.stderr, result.stderr)
    return found.stderr, result.stderr


def test_both_means_agree():
    with_luck, without = check_means(600)
    assert with_luck < without


@pytest.mark.parametrize("rules", ["standard,players=3", "draw"])
def test_both_means_agree_in_draw_casino_and_with_many_sides(rules):
    check_means(200, rules)


@pytest.mark.slow
def test_both_means_agree_over_20000_rounds():
    with_luck, without = check_means(20_000)
    assert with_luck < without


def test_what_is_refused():
    with pytest.raises(cc.CasinoError, match="luck is a whole number"):
        play_arena("greedy", "greedy", rounds=2, luck=0)
