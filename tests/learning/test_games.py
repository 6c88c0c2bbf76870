"""Many games in arrays: the same as the games of Python objects, on any number of threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import casino_core as cc
from casino_core.errors import IllegalMoveError
from casino_core.learning.block import GameBlock
from casino_core.learning.games import Games
from casino_core.learning.steps import STEP_COUNT, Choice
from casino_core.learning.tensor import information_tensor
from casino_core.rules.ruleset import CompiledRules
from helpers.side_by_side import PRESET_NAMES, SEATINGS

#: Of more legal moves some are offered.
MOST_OFFERED = 1 << 16
ARRAYS = ("seats", "mask", "tensor", "rewards", "points", "done")


class Beside:
    """One game, followed with Python objects."""

    def __init__(self, rules, seed):
        self.round = cc.Round(cc.Position.start(rules, seed=seed))
        self.choice = Choice(self.round.position)

    def step(self, step):
        """Whether the round has ended."""
        self.choice = self.choice.step(step)
        if not self.choice.complete:
            return False
        self.round = self.round.play(self.choice.move)
        if self.round.is_over:
            return True
        self.choice = Choice(self.round.position)
        return False


def rewards_of(rules, points):
    """What each seat has over the mean of the other sides."""
    sides = [i % 2 if rules.partners else i for i in range(rules.players)]
    others = [np.mean([one for other, one in enumerate(points) if other != side]) for side in sides]
    return [points[side] - mean for side, mean in zip(sides, others, strict=True)]


@pytest.mark.parametrize("preset", PRESET_NAMES)
@pytest.mark.parametrize("seating", SEATINGS)
def test_games_are_those_of_python_objects(preset, seating):
    games = Games(preset + seating, 2, mask=True, tensor=True)
    games.reset(seed=17)
    beside = [Beside(games.rules, 17 + i) for i in range(2)]
    over = [False, False]
    while not all(over):
        steps = games.sample().copy()
        for i, one in enumerate(beside):
            if over[i]:
                continue
            seat = one.round.position.turn
            assert games.seats[i] == "abcd".index(seat)
            offered = tuple(np.flatnonzero(games.mask[i]))
            if one.round.position.count_legal_moves() <= MOST_OFFERED:
                assert offered == one.choice.legal
            else:
                assert set(offered) <= set(one.choice.legal)
            wanted = information_tensor(one.round, seat, one.choice)
            assert np.array_equal(games.tensor[i], wanted)
            assert games.position(i) == one.round.position
        games.step(steps)
        for i, one in enumerate(beside):
            if over[i]:
                continue
            over[i] = one.step(steps[i])
            assert games.done[i] == over[i]
            if over[i]:
                assert tuple(games.points[i]) == one.round.score()
                wanted = rewards_of(games.rules, one.round.score())
                assert games.rewards[i] == pytest.approx(wanted, abs=1e-5)
            else:
                assert not games.points[i].any()
                assert not games.rewards[i].any()


def run(threads, steps=400, count=37):
    games = Games("royal-1911,players=4,partners=yes", count, threads=threads)
    games.reset(seed=2**64 - 5)
    found = []
    for _ in range(steps):
        games.step(games.sample())
        found.append(tuple(getattr(games, name).tobytes() for name in ARRAYS))
    assert any(any(one[-1]) for one in found)
    return found


def test_threads_give_the_same_bytes():
    assert run(1) == run(2) == run(5)


def test_a_reset_begins_again():
    games = Games("draw", 5)
    runs = []
    for seed in (3, 3, np.arange(3, 8), 4):
        games.reset(seed)
        assert not games.done.any()
        found = []
        for _ in range(300):
            games.step(games.sample())
            found.append(games.tensor.tobytes())
        runs.append(found)
    assert runs[0] == runs[1] == runs[2] != runs[3]


def test_a_game_does_not_depend_on_the_others():
    many, alone = Games("standard", 8), Games("standard", 1)
    many.reset(40)
    alone.reset(43)
    for _ in range(300):
        many.step(many.sample())
        alone.step(alone.sample())
        assert np.array_equal(many.tensor[3], alone.tensor[0])


@pytest.mark.parametrize("threads", [1, 3])
def test_a_step_that_is_not_offered_changes_nothing(threads):
    games = Games("standard", 6, threads=threads)
    games.reset(1)
    before = [getattr(games, name).copy() for name in ARRAYS]
    for wrong in (-1, STEP_COUNT, 2**40, 120, 104):
        steps = games.sample().copy()
        steps[4] = wrong
        with pytest.raises(IllegalMoveError, match=rf"step {wrong}.* is not offered in game 4"):
            games.step(steps)
    for name, old in zip(ARRAYS, before, strict=True):
        assert np.array_equal(getattr(games, name), old)
    games.step(games.sample())


def test_what_is_not_wanted_is_left_out():
    games = Games("standard", 3, mask=False, tensor=False)
    for _ in range(100):
        games.step(games.sample())
    assert not games.mask.any()
    assert not games.tensor.any()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Games("casino"), "casino"),
        (lambda: Games(count=0), "count is a whole number"),
        (lambda: Games(threads=0), "threads is a whole number"),
        (lambda: Games(mask=2), "mask is True or False"),
        (lambda: Games().reset(-1), "seed is a whole number"),
        (lambda: Games(count=2).reset([1, 2, 3]), "2 seeds expected"),
        (lambda: Games(count=2).step([1]), "2 whole numbers expected"),
        (lambda: Games(count=1).step([1.0]), "1 whole numbers expected"),
        (lambda: Games().position(1), "game is a whole number"),
        (lambda: GameBlock(CompiledRules(cc.Rules()), 0), "a block has 1 to"),
        (lambda: GameBlock(CompiledRules(cc.Rules()), 1).position(3), "not one of number 3"),
    ],
)
def test_wrong_arguments_are_refused_in_words(make, words):
    with pytest.raises(cc.CasinoError, match=words):
        make()


def test_one_call_at_a_time():
    """Calls of several threads at once take turns or are refused; none breaks the games."""
    games = Games("royal", 500)

    refused = []

    def run(_):
        for _ in range(200):
            try:
                games.step(games.sample().copy())
            except cc.CasinoError as error:
                refused.append(str(error))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, range(4)))
    words = ("one call at a time", "is not offered")
    assert all(any(one in text for one in words) for text in refused)
    with games._one_at_a_time(), pytest.raises(cc.CasinoError, match="one call at a time"):
        games.reset(1)
    games.reset(1)
    games.step(games.sample())


def test_a_fresh_block_offers_nothing():
    """Before its first reset it has no games, and does not crash."""
    block = GameBlock(CompiledRules(cc.Rules()), 2)
    assert block.first_refused(np.zeros(2, np.int64)) == 0
