"""Hints that play for the match, against the reference: every play of the rest tried out."""

import json
import random
from functools import cache
from itertools import combinations

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import casino_core as cc
from casino_core.cli import main
from casino_core.engine.engine import Engine
from casino_core.evaluation.equity import round_chances
from casino_core.hints.options import METHODS
from casino_core.play.agents import Turn, parse_agent
from casino_core.rules.streams import Stream
from helpers.rounds import in_last_deal, play_out
from helpers.side_by_side import PRESET_NAMES, examples, random_position, shuffle_unseen
from reference.matches import match_result
from reference.notation import move_to_text, parse_state, to_text
from reference.rules import legal_moves, play

MIDDLE = cc.Position.parse("table=QsQh5d8c hands=QdAsThJh/????")

#: Last deals with every card known, counted out: most cards comes first. (position, best play for
#: points and its points, best play for the match.)
COUNTED_OUT = (
    (
        "rules=spade table=Ad3h4sTs hands=Ah2s4d/3d4hQs piles=Ac2h2d3s5h5d5c6s6d6c7d8s8d9s9h9d9cTc"
        "JsQhQcKsKd/As2c3c4c5s6h7s7h7c8h8cThTdJhJdJcQdKhKc turn=a last=b score=59/59",
        ("Ah+Ad=2", 3),
        "4dxAd3h4s",
    ),
    (
        "rules=spade table=Ah5hTs hands=Ac3h8c/3d4c9s piles=AsAd2s2h2c3c4h4d5c6h6d6c7s7d8dTcJsJhJc"
        "QcKsKhKc/2d3s4s5s5d6s7h7c8s8h9h9d9cThTdJdQsQhQdKd turn=a last=a score=60/60",
        ("AcxAh", -2),
        "3h+5h=8",
    ),
    (
        "rules=spade table=Ah3h4c9s hands=Ac7dQc/2s5hTc piles=AsAd2h2d2c3c5d6s6h6d8s8h8d9dThJhJdJc"
        "QsQhQdKsKc/3s3d4s4h4d5s5c6c7s7h7c8c9h9cTsTdJsKhKd turn=a last=b score=58/60",
        ("AcxAh", -6),
        "7dx3h4c",
    ),
)
#: Last deals in which b's captured cards are not all remembered, so that its hand is not known.
FORGOTTEN = (
    # 20:20, the two of spades lies open. A build may bring more; to capture it is sure to win.
    (
        "table=2s3c hands=2c4d/?? piles=AhAc2d3h4s4c6s6d7d7c8s9s9h9cTdJhJcQsQcKsKc/AsAd3s3d4h5s5h"
        "5d5c6h7h8h8d8c9dTsTcJsJdQhQdKhKd?? turn=a last=a score=20/20",
        "2c+2s=4",
        "2cx2s",
    ),
    # 20:20: not to take the fours costs a little and wins more often.
    (
        "table=3c4c9c hands=4hJs/?? piles=Ah2s2h2d3h3d4d5s5h5c6s6d6c7h7c9hThTcJhJcQhKhKdKc/Ad2c3s4s"
        "5d6h7s8s8h8d8c9dTsTdJdQsQdQcKs?? turn=a last=a score=20/20",
        "4hx4c",
        "Js",
    ),
    # 20:15: five points behind in the round are enough.
    (
        "table=2s8h hands=Ac8s/?? piles=AsAh2h3c4h4c5s5d6s6h6d7s7h8d9h9cTsThQhQdKsKc/2d2c3s3h3d4s"
        "4d5h5c7d7c9s9dTdTcJsJhJdJcQsQcKhKd? turn=a last=a score=20/15",
        "Ac",
        "8sx8h",
    ),
    # 11:20, far behind: the play that may win nearly all of the points.
    (
        "table=2c4sKsKh hands=4d5c/?? piles=Ad2s2h3s3h3d3c4h5d6d7h7c8s8c9dTsTdTcJsJhJdJcKd/As2d4c5s"
        "5h6s6h6c7s7d8h8d9s9hThQsQhQdQcKc? turn=a last=b score=11/20",
        "4dx4s",
        "4d",
    ),
)


def chance_at_end(state):
    """Side a's chance to win the match after a finished round, a drawn match counting half."""
    result = match_result(state)
    if result.over:
        return 0.5 if result.winner is None else float(result.winner == 0)
    rules = cc.Position.parse(to_text(state)).rules
    after = cc.match_equity(result.totals, rules=rules, leader="b")
    return after.win + after.draw / 2


def chance_of_a(state, known):
    """Side a's chance when both play best for it."""
    if state.is_over:
        return chance_at_end(state)
    if state not in known:
        choose = max if state.turn == 0 else min
        known[state] = choose(chance_of_a(play(state, move), known) for move in legal_moves(state))
    return known[state]


@cache
def chances(text):
    """The mover's chance after each move of a position, with best play of both."""
    state, known = parse_state(text), {}
    found = {
        move_to_text(state, move): chance_of_a(play(state, move), known)
        for move in legal_moves(state)
    }
    return {move: 1 - value if state.turn else value for move, value in found.items()}


def valued(found):
    return {str(item.move): item.value for item in found.moves}


@pytest.mark.parametrize("preset", PRESET_NAMES)
@examples(0.2)
@given(
    seed=st.integers(0, 2**32),
    behind=st.tuples(st.integers(1, 12), st.integers(1, 12)),
    change=st.sampled_from(("", ",finish=count_out", ",tie=draw")),
)
def test_a_last_deal_is_exact(preset, seed, behind, change):
    rules = cc.Rules.parse(preset + change)
    score = tuple(rules.target - points for points in behind)
    start = cc.Position.start(rules, seed=seed, score=score)
    rng = random.Random(seed)
    position = play_out(
        start,
        lambda now: now.legal_moves()[-1 if rng.random() < 0.7 else 0],
        until=in_last_deal(4),
    ).position
    if position.is_over or len(position.table) > 8:
        return
    found = cc.hint(position, objective="match")
    assert (found.objective, found.unit, found.exact) == ("match", "probability", True)
    assert valued(found) == pytest.approx(chances(str(position)), abs=2e-9)


@pytest.mark.parametrize(("line", "for_points", "for_match"), COUNTED_OUT)
def test_counting_out_changes_the_play(line, for_points, for_match):
    position = cc.Position.parse(line)
    points, match = cc.hint(position), cc.hint(position, objective="match")
    assert (str(points.best), points.moves[0].value) == for_points
    assert valued(match) == pytest.approx(chances(line))
    assert (str(match.best), match.moves[0].value) == (for_match, 1.0)
    assert valued(match)[for_points[0]] == 0
    assert match.exact
    assert match.moves[1].value < 1


def worlds_of(line):
    """Every way to fill b's hand and captured cards."""
    position = cc.Position.parse(line)
    hidden = position.hands[1].hidden
    for hand in combinations(position.unseen, hidden):
        rest = [card for card in position.unseen if card not in hand]
        before, after = line.replace("/" + "?" * hidden + " ", f"/{''.join(hand)} ", 1).split(
            " turn"
        )
        yield before.rstrip("?") + "".join(rest) + " turn" + after


@pytest.mark.parametrize(("line", "for_points", "for_match"), FORGOTTEN)
def test_hidden_hands_change_the_play(line, for_points, for_match):
    position = cc.Position.parse(line)
    options = {"samples": 600, "method": "pimc", "measure_all": True, "seed": 3}
    points = cc.hint(position, **options)
    match = cc.hint(position, objective="match", **options)
    each = [chances(world) for world in worlds_of(line)]
    for item in match.moves:
        mean = sum(world[str(item.move)] for world in each) / len(each)
        assert item.value == pytest.approx(mean, abs=4 * item.stderr + 1e-9)
    assert (str(points.best), str(match.best)) == (for_points, for_match)


@pytest.mark.parametrize("method", METHODS)
def test_before_the_last_deal_a_chance_is_expected(method):
    """The mean over deals is near the chance of the score, and a better score is better."""
    means = []
    for score in ("12/20", "20/20", "20/12"):
        values = [
            cc.hint(start, samples=20, method=method, objective="match", score=score).moves[0].value
            for start in (cc.Position.start(seed=seed) for seed in range(12))
        ]
        means.append(sum(values) / len(values))
        assert all(0 <= value <= 1 for value in values)
        assert means[-1] == pytest.approx(cc.match_equity(score).win, abs=0.15)
    assert means == sorted(means)


@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_no_hidden_card_changes_the_answer(preset):
    for seed in range(2):
        position = random_position(preset, seed)
        asked = {"samples": 3, "seed": seed, "objective": "match", "score": "9/11"}
        first = valued(cc.hint(position, **asked))
        assert valued(cc.hint(shuffle_unseen(position, 1), **asked)) == first
        assert valued(cc.hint(position, threads=2, **asked)) == first
        assert all(0 <= value <= 1 for value in first.values())


@pytest.mark.parametrize("rules", PRESET_NAMES)
@pytest.mark.parametrize("change", [{}, {"finish": "count_out"}, {"tie": "draw"}])
def test_more_points_never_hurt(rules, change):
    """The search cuts by it."""
    one = cc.PRESETS[rules].replace(**change)
    for needs in ((1, 1), (3, 8), (11, 2), (7, 7)):
        found = round_chances(one, needs, 30)
        assert (found[1:] - found[:-1]).min() > -1e-9
        assert (found[:, 1:] - found[:, :-1]).max() < 1e-9


def test_the_score_is_that_of_the_position_or_as_given():
    level = cc.Position.start(seed=4, score=(20, 20))
    asked = {"samples": 5, "objective": "match"}
    given_ = valued(cc.hint(cc.Position.start(seed=4), score=[20, 20], **asked))
    assert valued(cc.hint(level, **asked)) == given_
    assert valued(cc.hint(level, score="0/0", **asked)) != given_
    assert valued(cc.hint(level, score="30/30", target=31, **asked)) == given_
    assert valued(cc.hint(level.view("a"), **asked)) == given_


def test_a_drawn_round_at_the_target_is_decided_by_the_next():
    line = FORGOTTEN[0][0].replace("score=20/20", "score=23/23")
    found = cc.hint(cc.Position.parse(line), samples=100, method="pimc", objective="match")
    assert 0 <= found.moves[-1].value <= found.moves[0].value <= 1


def test_an_agent_plays_for_the_match_at_the_running_score():
    agent = parse_agent("hint:samples=300,method=pimc,objective=match")
    assert str(agent) == "hint:samples=300,method=pimc,objective=match"
    turn = Turn(cc.Position.parse(FORGOTTEN[0][0]), (), Stream(1, "agent"))
    assert str(agent.choose(turn)) == FORGOTTEN[0][2]


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"score": "18/20"}, "score is for the objective match"),
        ({"target": 21}, "target is for the objective match"),
        ({"objective": "win"}, "objective is one of points, match, not 'win'"),
        ({"objective": "match", "score": "21/3"}, "score: a side has 21 points: the match is over"),
        ({"objective": "match", "score": "18"}, "score is the points of two sides, such as 18/20"),
        ({"objective": "match", "score": 18}, "score is the points of two sides, such as 18/20"),
        ({"objective": "match", "target": 0}, "target is a whole number from 1"),
    ],
)
def test_what_is_refused(asked, reason):
    with pytest.raises(cc.CasinoError, match=reason):
        cc.hint(MIDDLE, samples=2, **asked)


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("standard,players=3", "objective match is for two sides"),
        ("standard,players=4", "objective match is for two sides"),
        ("standard,players=4,partners=yes", "measured for two players under the presets"),
        ("standard,capture=maximal", "measured for two players under the presets"),
    ],
)
def test_rules_without_chances_are_refused(rules, reason):
    with pytest.raises(cc.CasinoError, match=reason):
        cc.hint(cc.Position.start(rules, seed=1), samples=2, objective="match")


def test_commands_engine_and_batch_say_that_it_is_a_probability(tmp_path):
    line = COUNTED_OUT[0][0]
    asked = ["hint", line, "--objective", "match", "--score", "59/59", "--target", "61"]
    answer = json.loads(CliRunner().invoke(main, [*asked, "--json"]).stdout)
    assert (answer["objective"], answer["unit"]) == ("match", "probability")
    assert answer["moves"][0]["value"] == 1.0
    assert answer["moves"][0]["gap_stderr"] == 0.0
    shown = CliRunner().invoke(main, asked).stdout
    assert "100.0%" in shown
    got = []
    engine = Engine(got.append)
    request = {"command": "hint", "position": line, "objective": "match", "score": [59, 59]}
    engine.take(json.dumps(request).encode())
    engine.close()
    engine.work()
    same = json.loads(got[0])
    assert [same[name] for name in ("moves", "unit")] == [answer["moves"], "probability"]
    (item,) = cc.analyze([line], "hint", objective="match", score="59/59")
    assert item.answer.moves[0].value == 1.0
    refused = CliRunner().invoke(main, ["hint", line, "--score", "59/59"])
    assert refused.exit_code == 2
    assert "score is for the objective match" in refused.stderr
