"""Whole matches between agents, and the win chances they are simulated against."""

from collections import Counter
from functools import cache

import pytest

import casino_core as cc
from casino_core.evaluation import equity
from casino_core.evaluation.round_points import _read, round_line
from casino_core.play.agents import parse_agent
from casino_core.play.arena import deck_start
from casino_core.play.matches import play_match
from casino_core.play.table import play_round
from casino_core.rules.streams import Stream

CAREFUL = [parse_agent("careful")] * 2
ROUNDS = 500
MATCHES = 400


@pytest.fixture
def careful_rounds(monkeypatch):
    """Win chances from rounds of the careful player, measured here."""

    @cache
    def measured(preset):
        rules = cc.Rules.parse(preset)
        lines = []
        for deck in range(ROUNDS):
            plays = play_round(
                deck_start(rules, 1, deck), CAREFUL, lambda ply: Stream(1, "careful", ply)
            )
            *_, last = plays
            lines.append(round_line(last.round.position))
        return _read(rules, lines)

    monkeypatch.setattr(equity, "measured_rounds", measured)
    equity._chances.cache_clear()
    yield
    equity._chances.cache_clear()


@pytest.mark.parametrize(
    ("rules", "scores"),
    [("standard", ((18, 20), (15, 15), (20, 20))), ("pagat-royal", ((19, 20), (13, 12)))],
)
def test_chances_are_those_of_matches_played(careful_rounds, rules, scores):
    """With a table of the players who play, whole matches end as expected."""
    one = cc.Rules.parse(rules)
    for score in scores:
        ends = Counter(
            play_match(one, CAREFUL, score=score, seed=2, number=number)
            for number in range(MATCHES)
        )
        found = cc.match_equity(score, rules=one)
        error = (0.25 / MATCHES + found.stderr**2) ** 0.5
        assert ends[0] / MATCHES == pytest.approx(found.win, abs=4 * error)


def test_a_match_is_the_same_each_time_and_its_sides_may_be_exchanged():
    rules = cc.Rules()
    agents = [parse_agent("careful"), parse_agent("random")]
    ends = [play_match(rules, agents, score=(12, 15), seed=1, number=n) for n in range(20)]
    again = [play_match(rules, agents, score=(12, 15), seed=1, number=n) for n in range(20)]
    assert ends == again
    assert ends.count(0) > 12
    swapped = [play_match(rules, agents[::-1], score=(15, 12), seed=1, number=n) for n in range(20)]
    assert swapped.count(1) > 12


def test_a_match_may_be_drawn():
    rules = cc.Rules.parse("ramapo,target=3")
    ends = {play_match(rules, CAREFUL, score=(0, 0), seed=1, number=n) for n in range(80)}
    assert ends <= {0, 1, None}
    assert {0, 1} <= ends
