"""Many positions: each task from an array and from text to JSON lines; threads; overhead."""

import json

import common
import numpy as np
import pytest

import casino_core as cc
from casino_core.batch.loops import TASKS

HINT = {"samples": 10, "seed": 1}


def expected(task, preset):
    """What is asserted of each answer: its value, the moves of its list, or its points."""
    array = common.batch_array(task, preset)
    if task == "moves":
        return [position.count_legal_moves() for position in array]
    if task == "score":
        return [list(position.score()) for position in array]
    return common.values("last_deal", preset)[: len(array)]


@pytest.mark.parametrize("task", TASKS)
def test_array(benchmark, task, preset):
    """From an array to arrays, one thread."""
    array = common.batch_array(task, preset)
    found = benchmark(lambda: cc.analyze(array, task, workers=1))
    answers = {"moves": found.answers["moves"], "score": found.points[:, :2]}
    assert answers.get(task, found.value).tolist() == expected(task, preset)


def test_array_of_hints(benchmark, preset):
    """Objects, with what the mover sees of last deals."""
    array = common.batch_array("hint", preset)
    found = benchmark(lambda: list(cc.analyze(array, "hint", workers=1, **HINT)))
    assert [item.answer.moves[0].value for item in found] == expected("hint", preset)


@pytest.mark.parametrize("task", [*TASKS, "hint"])
def test_text_to_json_lines(benchmark, task, preset, tmp_path):
    """`casino-core batch`, from a file of lines to JSON lines, one thread."""
    source, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
    source.write_text("\n".join(common.batch_array(task, preset).texts()), encoding="ascii")
    options = [f"--{name}={value}" for name, value in HINT.items() if task == "hint"]
    benchmark(common.run_batch, source, task, out, options)
    rows = [json.loads(line) for line in out.read_text(encoding="ascii").splitlines()]
    names = {"moves": "count", "score": "points"}
    answers = [
        row["moves"][0]["value"] if task == "hint" else row[names.get(task, "value")]
        for row in rows
    ]
    assert answers == expected(task, preset)


@pytest.mark.parametrize("workers", [1, 2])
def test_threads(benchmark, workers, preset):
    """Values of 4,000 last deals: compare the times of one thread and of two by the clock."""
    array = common.batch_array("value", preset)
    repeated = cc.PositionArray(np.concatenate([array.data] * 4), array.rules)
    found = benchmark.pedantic(
        lambda: cc.analyze(repeated, "value", workers=workers), rounds=3, warmup_rounds=1
    )
    assert found.value.tolist() == common.values("last_deal", preset) * 4


@pytest.mark.parametrize("bare", [True, False], ids=["bare", "analyze"])
def test_overhead(benchmark, bare, preset):
    """100,000 scores, the cheapest answers: the loop of the core alone, and `analyze` around it."""
    array = common.batch_array("score", preset)
    repeated = cc.PositionArray(np.concatenate([array.data] * 100), array.rules)
    if bare:
        answers = benchmark(common.bare_loop, "score", repeated)
    else:
        answers = benchmark(lambda: cc.analyze(repeated, "score", workers=1)).answers
    assert answers["points"][:, :2].tolist() == expected("score", preset) * 100


@pytest.mark.parametrize("as_array", [False, True], ids=["iterable", "array"])
def test_hardest_last(benchmark, as_array, preset):
    """Deals of one to four, two threads: only an array is worked on hardest first."""
    array = common.mixed_array(preset)

    def run():
        if as_array:
            return cc.analyze(array, "value", workers=2).value.tolist()
        return [item.answer.value for item in cc.analyze(iter(array), "value", workers=2)]

    assert benchmark.pedantic(run, rounds=2) == common.mixed_values(preset)
