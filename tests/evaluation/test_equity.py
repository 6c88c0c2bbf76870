"""Win chances, against matches that are played round by round from the same rounds."""

import gzip
from importlib import resources
from random import Random

import numpy as np
import pytest

import casino_core as cc
from casino_core.evaluation.equity import _ended
from casino_core.evaluation.round_points import (
    MeasuredRounds,
    measured_presets,
    measured_rounds,
    round_line,
)
from casino_core.game.scoring import step_names

PRESETS = tuple(cc.PRESETS)
MATCHES = 4000


def final_totals(score, first, second, rules):
    """Who has won after a round, with the points counted step by step: a side, "draw" or None."""
    totals = (score[0] + first[-1], score[1] + second[-1])
    if max(totals) < rules.target:
        return None
    if rules.finish == "count_out" and max(score) < rules.target:
        for mine, others in zip(first, second, strict=True):
            there = (score[0] + mine >= rules.target, score[1] + others >= rules.target)
            if any(there) and not all(there):
                return there.index(True)
            if all(there):
                break
    if totals[0] != totals[1]:
        return int(totals[1] > totals[0])
    return "draw" if rules.tie == "draw" else None


def simulated(score, rules, leader, seed):
    """Shares of matches that side a wins and that are drawn, rounds drawn from the table."""
    rng, rounds = Random(seed), measured_rounds(rules.preset)
    first, second = rounds.first.tolist(), rounds.second.tolist()
    ends = []
    for _ in range(MATCHES):
        now, leads, end = list(score), "ab".index(leader), None
        while end is None:
            played = rng.randrange(len(first))
            points = (first[played], second[played])
            mine, others = points if leads == 0 else points[::-1]
            end = final_totals(now, mine, others, rules)
            now = [now[0] + mine[-1], now[1] + others[-1]]
            leads = 1 - leads
        ends.append(end)
    return ends.count(0) / MATCHES, ends.count("draw") / MATCHES


@pytest.mark.parametrize("rules", ["standard", "spade", "hoyle,finish=count_out", "ramapo"])
@pytest.mark.parametrize(("behind", "leader"), [((21, 21), "a"), ((3, 6), "b"), ((1, 1), "b")])
def test_chances_are_those_of_matches_played(rules, behind, leader):
    one = cc.Rules.parse(rules)
    score = tuple(max(one.target - points, 0) for points in behind)
    found = cc.match_equity(score, rules=one, leader=leader)
    won, drawn = simulated(score, one, leader, seed=1)
    assert found.win == pytest.approx(won, abs=4 * (0.25 / MATCHES) ** 0.5)
    assert found.draw == pytest.approx(drawn, abs=4 * (0.25 / MATCHES) ** 0.5)


def test_every_preset_for_two_players_was_measured():
    assert measured_presets() == PRESETS
    assert all(rules.sides == 2 for rules in cc.PRESETS.values())


@pytest.mark.parametrize("rules", PRESETS)
def test_every_preset_has_its_rounds(rules):
    rounds = measured_rounds(rules)
    assert len(rounds.first) >= 1000
    assert rounds.first.shape == (len(rounds.first), len(step_names(cc.Rules.parse(rules))) + 1)
    assert (np.diff(rounds.first, axis=1) >= 0).all()
    without_sweeps = rounds.first[:, -2] + rounds.second[:, -2]
    most = {"standard": 11, "spade": 24}[cc.Rules.parse(rules).scoring]
    assert without_sweeps.max() == most
    assert without_sweeps.min() >= most - 4  # a tie in cards, and in spades


@pytest.mark.parametrize("rules", PRESETS)
def test_sides_may_be_exchanged(rules):
    for score in ((0, 0), (15, 18), (20, 11)):
        one = cc.match_equity(score, rules=rules, leader="a")
        other = cc.match_equity(score[::-1], rules=rules, leader="b")
        assert one.win == pytest.approx(other.loss)
        assert one.draw == pytest.approx(other.draw)
        assert one.win + one.draw + one.loss == pytest.approx(1)


@pytest.mark.parametrize("rules", ["standard", "spade"])
def test_more_points_are_better(rules):
    target = cc.Rules.parse(rules).target
    wins = [cc.match_equity((score, target // 2), rules=rules).win for score in range(target)]
    assert wins == sorted(wins)
    assert wins[0] < 0.3
    assert wins[-1] > 0.8


def test_a_round_beyond_the_target_decides():
    level = cc.match_equity("21/21")
    rounds = measured_rounds("standard")
    ahead = rounds.first[:, -1] - rounds.second[:, -1]
    won, tied = np.mean(ahead > 0), np.mean(ahead == 0)
    other = cc.match_equity("25/25", leader="b")
    assert level.win == pytest.approx(won + tied * other.win)


def test_counting_out_is_by_steps():
    """One round of known steps: the winner at each score is plain to see."""
    rounds = MeasuredRounds(
        first=np.array([[3, 3, 3, 3, 4, 5, 6, 7, 7]], dtype=np.int32),
        second=np.array([[0, 1, 1, 2, 2, 2, 2, 2, 2]], dtype=np.int32),
    )
    assert _ended(rounds, "count_out", 4, 2) == (0.0, 0.0)  # b is there one step before a
    assert _ended(rounds, "count_out", 3, 1) == (1.0, 0.0)
    assert _ended(rounds, "highest", 4, 2) == (1.0, 0.0)
    assert _ended(rounds, "highest", 7, 2) == (0.0, 1.0)
    assert _ended(rounds, "count_out", 9, 9) == (0.0, 0.0)  # the match goes on


def test_the_error_shrinks_with_nothing_but_rounds():
    found = cc.match_equity("18/20")
    assert 0.001 < found.stderr < 0.03
    assert found.stderr == cc.match_equity("18/20").stderr


def test_lines_of_rounds_are_read_as_they_were_played():
    rng = Random(3)
    for rules in ("hoyle", "spade-royal", "ramapo"):
        position = cc.Position.start(rules, seed=rng.getrandbits(32))
        while not position.is_over:
            position = position.play(rng.choice(position.legal_moves()))
        steps, sweeps = round_line(position).split()
        assert len(steps) == len(step_names(position.rules))
        assert sweeps == "/".join(map(str, position.sweeps))


@pytest.mark.parametrize("preset", PRESETS)
def test_tables_name_what_they_are_made_of(preset):
    file = resources.files("casino_core.evaluation").joinpath(f"data/{preset}.txt.gz")
    head = gzip.decompress(file.read_bytes()).decode().splitlines()[0]
    assert head.startswith("# Rounds of hint:")
    assert f"rules {preset}," in head


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"score": "18"}, "score is the points of two sides, such as 18/20, not '18'"),
        ({"score": (1, 2, 3)}, "score is the points of two sides"),
        ({"score": "a/b"}, "not 'a/b'"),
        ({"score": (-1, 5)}, "score of side a is a whole number from 0"),
        ({"score": "21/3"}, "the match is over"),
        ({"score": "0/0", "leader": "c"}, "leader is one of a, b, not 'c'"),
        ({"score": "0/0", "target": 0}, "target is a whole number from 1"),
        ({"score": "0/0", "rules": "standard,players=3"}, "measured for two players"),
        ({"score": "0/0", "rules": "standard,capture=maximal"}, "measured for two players"),
        ({"score": "0/0", "rules": "royal,sweep=3"}, "measured for two players"),
        ({"score": "21/21", "rules": "ramapo"}, "the match is over"),
        ({"score": None}, "score is the points of two sides"),
    ],
)
def test_what_is_refused(arguments, reason):
    with pytest.raises(cc.CasinoError, match=reason):
        cc.match_equity(**arguments)
