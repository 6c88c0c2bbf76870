"""How many steps a second thousands of games take in arrays: bare, with masks, with tensors."""

import json
import zlib
from statistics import median
from time import perf_counter

import pytest

from casino_core.learning.games import Games

GAMES = 4096
STEPS = 200
#: Rounds that end in the steps of a run, the points of the first side in them, and a checksum of
#: the tensors after the last step.
ANSWERS = {"standard": (4096, 20827, 3342852250), "royal": (4096, 21782, 2167778254)}


def run(games, times):
    """Random steps; the time of each goes to `times`. Returns what ANSWERS has."""
    rounds = points = 0
    games.reset(seed=1)
    for _ in range(STEPS):
        steps = games.sample()
        start = perf_counter()
        games.step(steps)
        times.append(perf_counter() - start)
        rounds += int(games.done.sum())
        points += int(games.points[:, 0].sum())
    return rounds, points, zlib.crc32(games.tensor.astype("<i2"))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("filled", ["bare", "mask", "tensor"])
def test_steps(benchmark, filled, threads, preset):
    """4,096 games; `steps a second` leaves out the drawing of steps, which a policy would do."""
    whole = {"mask": filled != "bare", "tensor": filled == "tensor"}
    games = Games(preset, GAMES, threads=threads, **whole)
    times = []
    found = benchmark.pedantic(run, args=(games, times), rounds=5)
    benchmark.extra_info["steps a second"] = round(GAMES / median(times))
    print(json.dumps(benchmark.extra_info))
    expected = ANSWERS[preset]
    assert found[: 2 + whole["tensor"]] == expected[: 2 + whole["tensor"]]
