"""Round robins and their ratings."""

import json
from statistics import fmean

import pytest
from click.testing import CliRunner

import casino_core as cc
from casino_core.cli import main
from casino_core.play.arena import play_arena
from casino_core.play.tournament import play_tournament

AGENTS = ["random", "greedy", "careful"]


def test_ratings_are_means_over_the_pairs():
    result = play_tournament(AGENTS, rounds=30, seed=1)
    assert [one.agent for one in result.ratings] == ["careful", "greedy", "random"]
    points = {one.agent: one.points for one in result.ratings}
    assert sum(points.values()) == pytest.approx(0)
    pairs = {(first, second): one.points for first, second, one in result.pairs}
    assert pairs[0, 1] == play_arena("random", "greedy", rounds=30, seed=1).points
    assert points["random"] == pytest.approx(fmean([pairs[0, 1], pairs[0, 2]]))
    assert points["careful"] == pytest.approx(fmean([-pairs[0, 2], -pairs[1, 2]]))
    for one in result.ratings:
        low, high = one.interval
        assert low < one.points < high
        assert 0 <= one.won <= 1


def test_two_agents_are_rated_as_in_the_arena():
    result = play_tournament(["careful", "greedy"], rounds=40, seed=2)
    arena = play_arena("careful", "greedy", rounds=40, seed=2)
    best = result.ratings[0]
    assert (best.points, best.stderr) == pytest.approx((arena.points, arena.stderr))
    assert best.won == arena.won


def test_luck_is_left_out():
    result = play_tournament(["careful", "greedy"], rounds=40, seed=2, luck=2)
    arena = play_arena("careful", "greedy", rounds=40, seed=2, luck=2)
    assert result.ratings[0].points == pytest.approx(arena.adjusted.points)


def test_progress_counts_all_pairs():
    told = []
    play_tournament(
        AGENTS, rounds=4, seed=1, progress=lambda done, of_all: told.append((done, of_all))
    )
    assert told[-1] == (6, 6)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.parametrize(
    ("agents", "rules", "message"),
    [
        (["greedy"], "standard", "two or more agents"),
        (["greedy", "greedy"], "standard", "all different"),
        ("greedy", "standard", "list of agents"),
        (["greedy", "careful"], "standard,players=3", "two sides, not 3"),
    ],
)
def test_what_is_refused(agents, rules, message):
    with pytest.raises(cc.CasinoError, match=message):
        play_tournament(agents, rules=rules, rounds=2)


def test_commands():
    run = CliRunner().invoke
    answer = run(main, ["tournament", "greedy", "careful", "--rounds", "4", "--luck"])
    assert answer.exit_code == 0, answer.output
    assert answer.stdout.count(" against ") == 1
    fields = json.loads(run(main, ["tournament", *AGENTS, "--rounds", "10", "--json"]).stdout)
    assert [one["agent"] for one in fields["ratings"]] == ["careful", "greedy", "random"]
    arena = ["arena", "careful", "greedy", "--rounds", "12", "--luck"]
    assert "Without the luck of the deals" in run(main, arena).stdout
    assert json.loads(run(main, [*arena, "--json"]).stdout)["adjusted"]["ratio"] > 0
    arena = ["arena", "careful", "random", "--rounds", "200", "--stop-when-decided"]
    assert "Decided: careful is better" in run(main, arena).stdout
    assert json.loads(run(main, [*arena, "--json"]).stdout)["verdict"] == "first"
