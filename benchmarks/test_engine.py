"""What a second thread of the engine gains: hints a second, side by side."""

import json
from statistics import median
from time import perf_counter

import common
import pytest

from casino_core import hint
from casino_core.engine.client import EngineClient

HINTS = 20
SAMPLES = 100
ROUNDS = 5


def asked(engine, positions):
    """The best moves of hints that are asked for at once, and the seconds of all."""
    begun = perf_counter()
    sent = [
        engine.send("hint", position=str(position), samples=SAMPLES, fields=["best"])
        for position in positions
    ]
    return [one.result(600)["best"] for one in sent], perf_counter() - begun


def test_threads(benchmark, preset):
    """Hints of positions in the middle of the round, with one thread and with two."""
    positions = common.middle_positions(preset, HINTS)
    expected = [str(hint(position, samples=SAMPLES).best) for position in positions]
    seconds = {1: [], 2: []}
    with EngineClient(threads=1) as one, EngineClient(threads=2) as two:
        for engine in (one, two):  # its start, and the first imports
            asked(engine, positions[:2])

        def side_by_side():
            for threads, engine in ((1, one), (2, two)):
                found, time = asked(engine, positions)
                assert found == expected
                seconds[threads].append(time)

        benchmark.pedantic(side_by_side, rounds=ROUNDS)
    rates = {threads: HINTS / median(times) for threads, times in seconds.items()}
    benchmark.extra_info |= {f"hints a second, {n} threads": round(r) for n, r in rates.items()}
    benchmark.extra_info["ratio"] = round(rates[2] / rates[1], 2)
    print(json.dumps(benchmark.extra_info))


@pytest.mark.parametrize("command", ["moves", "view", "play"])
def test_quick_requests(benchmark, command):
    """The time of a request that searches nothing, through the pipe and back."""
    with EngineClient() as engine:
        record = engine.ask("deal", seed=17)["record"]
        fields = {"move": "7dx7c"} if command == "play" else {}
        first = engine.ask(command, position=record, **fields)
        found = benchmark(lambda: engine.ask(command, position=record, **fields))
    assert found | {"id": 0} == first | {"id": 0}
