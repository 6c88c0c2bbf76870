"""The environment of PettingZoo, by its own tests."""

import sys

import numpy as np
import pytest

import casino_core as cc
from casino_core.learning.steps import Choice
from casino_core.learning.tensor import information_tensor

pettingzoo = pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402

from casino_core.adapters.pettingzoo import RENDER_MODES, env, raw_env  # noqa: E402

#: PettingZoo advises against a dict as an observation, and takes it for its own games with masks.
pytestmark = pytest.mark.filterwarnings("ignore:Observation (space for each|is not a NumPy)")

RULES = ("standard", "royal-1911,players=4,partners=yes", "pagat-royal,players=3", "draw")


@pytest.mark.parametrize("rules", RULES)
def test_api(rules):
    api_test(env(rules), num_cycles=300)


@pytest.mark.parametrize("rules", RULES)
def test_seeds(rules):
    seed_test(lambda: env(rules), num_cycles=60)


def test_renders(capsys):
    svg = {"svg": lambda text: text.startswith("<svg ")}
    render_test(lambda **given: env("royal", **given), custom_tests=svg)
    assert "Rules: royal" in capsys.readouterr().out


def play_out(game, seed):
    """Random steps to the end of a round; the environment's rewards."""
    game.reset(seed=seed)
    game.action_space("seat_0").seed(seed)
    total = dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        seen, reward, ended, cut, _ = game.last()
        total[agent] += reward
        if ended or cut:
            game.step(None)
            continue
        assert seen["observation"].shape == game.observation_space(agent)["observation"].shape
        game.step(game.action_space("seat_0").sample(seen["action_mask"]))
    return total


@pytest.mark.parametrize("rules", RULES)
def test_rewards_are_the_points_over_those_of_the_others(rules):
    game = env(rules)
    for seed in range(3):
        total = play_out(game, seed)
        points = game.unwrapped.round.score()
        assert sum(total.values()) == pytest.approx(0)
        if len(points) == 2:
            assert total["seat_0"] == points[0] - points[1] == -total["seat_1"]


def test_observations_and_masks_are_those_of_the_seat():
    game = raw_env("royal")
    game.reset(seed=5)
    start = cc.Position.start("royal", seed=5)
    seen = game.observe("seat_0")
    assert np.array_equal(seen["observation"], information_tensor(cc.Round(start), "a"))
    assert tuple(np.flatnonzero(seen["action_mask"])) == Choice(start).legal
    other = game.observe("seat_1")
    assert not other["action_mask"].any()
    assert np.array_equal(other["observation"], information_tensor(cc.Round(start), "b"))


def test_seeds_go_on():
    game = raw_env("royal")
    game.reset(seed=2**64 - 1)
    game.reset()
    assert game.round.start == cc.Position.start("royal", seed=0)


def test_a_step_that_is_not_offered_changes_nothing():
    game = env("royal")
    game.reset(seed=1)
    before = game.unwrapped.round, game.unwrapped.choice
    with pytest.raises(cc.IllegalMoveError, match="step 120"):
        game.step(120)
    assert (game.unwrapped.round, game.unwrapped.choice) == before


def test_a_round_from_a_position():
    line = (
        "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
        "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
    )
    game = env()
    game.reset(options={"position": line})
    assert game.unwrapped.round.start == cc.Position.parse(line)
    for wrong, words in (
        ({"position": "rules=royal " + line}, "the rules are royal"),
        ({"position": "table=2s5hJdKc hands=7c8dAs9h/????"}, "every hand"),
    ):
        with pytest.raises(cc.CasinoError, match=words):
            game.reset(options=wrong)


def test_pictures_show_what_a_seat_sees():
    for mode in RENDER_MODES[1:]:
        hidden, everything = (
            raw_env("royal", render_mode=mode, seen_by=seat) for seat in ("a", None)
        )
        for game in (hidden, everything):
            game.reset(seed=1)
        assert hidden.render() != everything.render()
    assert raw_env().render_mode is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"rules": "casino"}, "casino"),
        ({"rules": 5}, "rules is a str"),
        ({"render_mode": "rgb_array"}, "render_mode is"),
        ({"seen_by": "c"}, "seen_by is"),
    ],
)
def test_wrong_arguments_are_refused_in_words(given, words):
    with pytest.raises(cc.CasinoError, match=words):
        env(**given)


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(cc.CasinoError, match=r"pip install 'casino-core\[pettingzoo\]'"):
        env()
