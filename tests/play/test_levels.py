"""Levels: their names, what they notice, that they see no hidden card and play every rule set."""

import json
import pickle
import random
import re
import runpy
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

import casino_core as cc
from casino_core.cli import main
from casino_core.evaluation.players import greedy_scores
from casino_core.game.substitution import with_forgotten_cards
from casino_core.play.agents import LEVELS, LevelAgent, Turn, parse_agent
from casino_core.play.arena import play_arena, play_game
from casino_core.play.levels import SKILLS, Skill
from casino_core.play.noticing import Eye, noticed_moves
from casino_core.rules.streams import Stream
from helpers.rounds import at_random, middle, play_out, shuffled
from helpers.side_by_side import SEATINGS

ALL = tuple(LEVELS)
QUICK = ALL[:6]
BLIND = Eye(sums=0.0, several=0.0, builds=0.0)


def choice(agent, position, seed=1):
    """What an agent plays in a position."""
    return str(agent.choose(Turn(position, (), Stream(seed, "agent"))))


# ---------------------------------------------------------------- names


def test_there_are_ten_levels():
    assert tuple(f"level-{number}" for number in range(1, 11)) == ALL
    assert len(SKILLS) == 10


@pytest.mark.parametrize("text", ALL)
def test_a_level_is_an_agent_everywhere(text):
    agent = parse_agent(text)
    assert agent is LEVELS[text]
    assert (str(agent), agent.level) == (text, int(text.split("-")[1]))
    assert pickle.loads(pickle.dumps(agent)) == agent == parse_agent(f" {text} ")
    assert not agent.sees_all


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("level-0", "'level-0' is not an agent; the agents are random, greedy"),
        ("level-11", "hint, level-1 to level-10"),
        ("level", "'level' is not an agent"),
        ("level-3:samples=2", "level-3 has no options"),
        ("level-3:", "level-3 has no options"),
    ],
)
def test_a_bad_level_is_refused_in_one_line(text, part):
    with pytest.raises(cc.CasinoError, match="agent") as caught:
        parse_agent(text)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("level", [0, 11, "3", 1.5, None])
def test_a_bad_number_is_refused(level):
    with pytest.raises(cc.CasinoError, match="level is a whole number from 1 to 10"):
        LevelAgent(level)


def test_commands_take_levels():
    arguments = ["tournament", "level-1", "level-2", "greedy", "--rounds", "4", "--json"]
    answer = CliRunner().invoke(main, arguments)
    assert answer.exit_code == 0, answer.output
    assert "level-2" in json.dumps(json.loads(answer.stdout))
    answer = CliRunner().invoke(main, ["sample", "--rounds", "1", "--agent", "level-2"])
    assert len(answer.stdout.splitlines()) == 48


# ---------------------------------------------------------------- what they know


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("rules", ["standard", "spade-royal", "draw", "old-way,players=3"])
def test_hidden_cards_do_not_change_the_move(text, rules):
    agent = parse_agent(text)
    position = middle(rules, 1)
    for seed in range(2):
        first = choice(agent, position, seed)
        assert choice(agent, position.view(position.turn), seed) == first
        assert choice(agent, shuffled(position, seed), seed) == first


@pytest.mark.parametrize("text", ALL)
def test_the_same_seed_gives_the_same_round(text):
    agents = parse_agent(text), parse_agent("level-4")
    rounds = [play_game(agents, cc.Rules(), 7, 0, 0).points for _ in range(2)]
    assert rounds[0] == rounds[1]


def test_chance_decides_what_is_overlooked():
    agent = parse_agent("level-1")
    position = cc.Position.parse("table=2s5h8dKc hands=7c9dJsJh/????")
    assert {choice(agent, position, seed) for seed in range(40)} == {"7cx2s5h", "7c"}


# ---------------------------------------------------------------- what they notice


@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("preset", list(cc.PRESETS))
def test_a_perfect_eye_notices_every_move(preset, seating):
    start = cc.Position.start(preset + seating, seed=2)
    for at in play_out(start, at_random(random.Random(3))).positions[:-1]:
        assert noticed_moves(at, Eye(), 1) == at.some_legal_moves()


@pytest.mark.parametrize("preset", list(cc.PRESETS))
def test_a_blind_eye_sees_matches_and_builds_alone(preset):
    start = cc.Position.start(preset, seed=2)
    for at in play_out(start, at_random(random.Random(3))).positions[:-1]:
        for move in noticed_moves(at, BLIND, 1):
            if move.kind == "capture" and at.legal_moves() != noticed_moves(at, BLIND, 1):
                assert len(move.loose) <= 1 or {card[0] for card in move.loose} == {move.card[0]}


def test_sums_are_noticed_less_often_the_more_cards_they_have():
    at = cc.Position.parse("table=2s3d5h4c hands=TsJs9hKc/????")
    seen = [{str(move) for move in noticed_moves(at, Eye(sums=0.5), key)} for key in range(400)]
    shares = [sum(text in one for one in seen) / 400 for text in ("9hx4c5h", "Tsx2s3d5h")]
    assert shares == [pytest.approx(0.5, abs=0.1), pytest.approx(0.25, abs=0.1)]


def test_two_sums_are_noticed_only_if_each_is():
    at = cc.Position.parse("table=2s8dTdKc hands=TsJs9hKd/????")
    for key in range(100):
        seen = {str(move) for move in noticed_moves(at, Eye(sums=0.5, several=0.5), key)}
        assert "Tsx2s8dTd" not in seen or {"Tsx2s8d", "TsxTd"} <= seen


def test_who_does_not_think_of_building_builds_nothing():
    at = cc.Position.parse("table=2s5h8dKc hands=7c9dJsJh/????")
    builds = [
        any(move.kind == "build" for move in noticed_moves(at, Eye(builds=0.5), key))
        for key in range(200)
    ]
    assert sum(builds) == pytest.approx(100, abs=30)


def test_what_must_be_played_is_found():
    """Who owns a build may not trail, and then sees the plays that were overlooked."""
    at = cc.Position.parse("rules=britannica table=3d6cJdQs hands=9d9h9c9s/????")
    assert noticed_moves(at, BLIND, 1) == at.legal_moves() != []


def test_a_crowded_table_is_looked_at_in_time():
    """With two million legal moves; those that a hint would compare are looked at."""
    table = "As2h3d4c5s6h7d8c9sAh2d3c4s5h6d7c8h9dAdAc2s3h"
    at = cc.Position.parse(f"table={table} hands=TdTc9h8s/???? piles=??????/-")
    assert at.count_legal_moves() > 2_000_000
    assert choice(parse_agent("level-1"), at) in map(str, at.some_legal_moves())


# ---------------------------------------------------------------- what they remember


def test_forgotten_cards_are_counted_but_not_known():
    at = middle("standard", 1, plays=20).view("a")
    taken = at.piles[0].cards
    less = with_forgotten_cards(at, taken)
    assert less.piles[0] == cc.Position.parse(str(less)).piles[0]
    assert (len(less.piles[0].cards), less.piles[0].hidden) == (0, len(taken))
    assert less.piles[1] == at.piles[1]
    assert taken <= less.unseen


def test_scores_of_some_moves():
    at = middle("standard", 1)
    moves = at.legal_moves()
    assert greedy_scores(at, moves=moves[::2]) == greedy_scores(at)[::2]
    build = cc.Position.parse("table=5d6d builds=8a:3s5c hands=8dAsThJh/????")
    captures = [move for move in build.legal_moves() if move.built]
    assert greedy_scores(build, moves=captures)[0] > 0
    with pytest.raises(cc.IllegalMoveError):
        greedy_scores(at, moves=captures)


# ---------------------------------------------------------------- how they play


@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("preset", list(cc.PRESETS))
def test_every_table_is_played_to_the_end(preset, seating):
    rules = cc.Rules.parse(preset + seating)
    for first, second in pairwise(QUICK):
        game = play_game((parse_agent(first), parse_agent(second)), rules, 2, 0, 0)
        assert sum(game.plays) == 48
        assert len(game.points) == rules.sides


@pytest.mark.parametrize("text", ALL[6:])
@pytest.mark.parametrize(
    "rules", ["royal", "draw", "pagat,players=4,partners=yes", "hoyle,players=3"]
)
def test_the_high_levels_play_a_whole_round(text, rules):
    rules = cc.Rules.parse(rules)
    game = play_game((parse_agent(text), parse_agent("level-5")), rules, 1, 0, 0)
    assert sum(game.plays) == 48


def test_the_top_is_a_hint():
    assert SKILLS[-1] == Skill(thinking=1.0, infers=True)
    position = middle("standard", 1)
    turn = Turn(position.view(position.turn), (), Stream(1, "agent"))
    assert parse_agent("level-10").choose(turn) in position.legal_moves()


def test_low_levels_are_far_apart():
    assert play_arena("level-3", "level-1", rounds=100, seed=1).points > 1
    assert play_arena("level-5", "level-3", rounds=100, seed=1).points > 0.5


# ---------------------------------------------------------------- what they are worth

ROOT = Path(__file__).resolve().parents[2]
MEASURED = json.loads((ROOT / "benchmarks" / "data" / "levels.json").read_text(encoding="utf-8"))


def test_the_page_has_what_was_measured(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    tool = runpy.run_path(str(ROOT / "tools" / "measure_levels.py"))
    page = (ROOT / "docs" / "levels.md").read_text(encoding="utf-8")
    assert tool["page_with_tables"](page) == page
    assert set(tool["tables"]()) == set(re.findall("<!-- end of (.*) -->", page))


def test_each_level_beats_the_one_below():
    steps = MEASURED["standard"]
    assert [(one["against"], one["level"]) for one in steps] == list(pairwise(ALL))
    assert all(one["low"] > 0.3 for one in steps)


@pytest.mark.slow
@pytest.mark.parametrize("step", MEASURED["standard"][:6], ids=lambda step: step["level"])
def test_a_few_decks_agree_with_the_table(step):
    """Other decks than those of the table; the bounds are four standard errors of both."""
    found = play_arena(step["level"], step["against"], rounds=600, seed=99)
    error = (found.stderr**2 + ((step["high"] - step["low"]) / 3.92) ** 2) ** 0.5
    assert abs(found.points - step["points"]) < 4 * error
    assert found.points > 0
