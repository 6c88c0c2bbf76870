"""Helpers of the benchmarks: recorded positions and answers, medians."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from click.testing import CliRunner
from numpy.typing import NDArray

from casino_core import Position, PositionArray, Solver, perft
from casino_core.batch.arrays import ANSWER_DTYPE, as_bytes
from casino_core.batch.loops import TASKS, BatchSearch, StopSign
from casino_core.cli import main
from casino_core.evaluation.players import greedy_move

DATA = Path(__file__).parent / "data"
ANSWERS = DATA / "values.json"

#: The presets of which last deals and whole rounds are recorded.
SOLVED_PRESETS = ("standard", "royal")
#: Files of positions with all cards known, by deals that are left to play.
SOLVED_FILES = ("last_deal", "two_deals", "three_deals", "four_deals")

#: Table for a whole round, the size that `solve` would choose for it.
FULL_ROUND_MIB = 256
#: Starts of the deal before the last that are solved over all last deals.
BOUNDARIES = {"standard": 10, "royal": 5}
#: Ways in which eight cards fall into two hands of four.
SPLITS = 70

#: Perfts of last deals: depth, number of positions. A perft counts the moves of its last play
#: without making them; where it goes one play beyond the end of the round, it makes every one.
PERFTS = {"bulk": (5, 40), "deep": (9, 20)}


@cache
def lines(name: str, preset: str | None = None) -> tuple[str, ...]:
    """Recorded position lines, in the order of the file.

    Args:
        name: of the file, without its ending.
        preset: only those under these rules.
    """
    text = gzip.decompress((DATA / f"{name}.txt.gz").read_bytes()).decode("ascii")
    wanted = text.splitlines()
    if preset is None:
        return tuple(wanted)
    return tuple(line for line in wanted if line.startswith(f"rules={preset} "))


@cache
def positions(name: str, preset: str | None = None) -> tuple[Position, ...]:
    """The recorded positions, read."""
    return tuple(Position.parse(line) for line in lines(name, preset))


@cache
def answers() -> dict[str, Any]:
    """The recorded answers; README.md says how they were made."""
    recorded: dict[str, Any] = json.loads(ANSWERS.read_text(encoding="ascii"))
    return recorded


def values(name: str, preset: str) -> list[int]:
    """Recorded values of the positions of a file, in their order."""
    recorded: list[int] = answers()[name][preset]
    return recorded


def perft_total(name: str, preset: str) -> int:
    """Leaves of a perft of PERFTS, over its positions."""
    depth, number = PERFTS[name]
    return sum(perft(position, depth) for position in positions("last_deal", preset)[:number])


def boundaries(preset: str) -> tuple[Position, ...]:
    """Positions right before the last deal, to be solved over all its splits."""
    return positions("two_deals", preset)[: BOUNDARIES[preset]]


def boundary_sum(solver: Solver, position: Position) -> int:
    """Value over all splits of the last deal, times their number: a whole number."""
    value = solver.solve(position, stock="unknown").value
    if value is None or abs(value * SPLITS - round(value * SPLITS)) > 1e-6:
        raise ValueError(f"{value} is no mean over {SPLITS} splits: {position}")
    return round(value * SPLITS)


def full_rounds(preset: str) -> list[tuple[int, Position, int]]:
    """Whole rounds with a recorded value: index in the file, position, value."""
    recorded: list[int | None] = answers()["full_rounds"][preset]
    rows = enumerate(zip(positions("full_rounds", preset), recorded, strict=True))
    return [(place, position, value) for place, (position, value) in rows if value is not None]


def last_play(preset: str) -> Position:
    """A position in which one card is left to play, and one move is legal."""
    for position in positions("last_deal", preset):
        while sum(hand.size for hand in position.hands) > 1:
            position = position.play(position.legal_moves()[-1])
        if position.count_legal_moves() == 1:
            return position
    raise LookupError("every recorded deal ends with a choice")


def middle_positions(preset: str, number: int) -> list[Position]:
    """Positions with two deals or three to come, as the player on turn sees them.

    All captured cards are known, as they are to who has watched, so that a hint takes the way that
    it takes as a rule.
    """
    found = [*positions("three_deals", preset), *positions("four_deals", preset)]
    return [position.view(position.turn) for position in found[:number]]


def deal_positions(preset: str, number: int) -> list[Position]:
    """Positions in the third deal from the end, one for each number of cards still held there.

    Each begins with another recorded deal, of which as many plays as wanted are made by the careful
    player; the one of the last card is left out, as little is to be decided there.
    """
    found = []
    for start in positions("three_deals", preset)[:number]:
        position = start
        for _ in range(6):
            found.append(position.view(position.turn))
            position = position.play(greedy_move(position, careful=True))
    return found


@cache
def batch_array(task: str, preset: str) -> PositionArray:
    """Positions for a task over many: last deals, as the mover sees them for hints, or round ends.

    Args:
        task: of a batch.
        preset: their rules.
    """
    if task == "score":
        return PositionArray.random(1000, preset, seed=1, keep="deal-end", deal=6)
    found = positions("last_deal", preset)
    if task == "hint":
        return PositionArray.from_texts([position.view(position.turn) for position in found[:100]])
    return PositionArray.from_texts(found[: 300 if task == "solve" else 1000])


def _mixed(preset: str) -> list[tuple[Position, int]]:
    """Positions of one deal to four, the hardest last, with their values."""
    return [
        pair
        for name, number in zip(SOLVED_FILES, (60, 20, 8, 2), strict=True)
        for pair in zip(positions(name, preset)[:number], values(name, preset), strict=False)
    ]


@cache
def mixed_array(preset: str) -> PositionArray:
    """Positions that take very different times, the hardest last."""
    return PositionArray.from_texts([position for position, _ in _mixed(preset)])


def mixed_values(preset: str) -> list[int]:
    """The values of the positions of `mixed`."""
    return [value for _, value in _mixed(preset)]


def bare_loop(task: str, array: PositionArray) -> NDArray[Any]:
    """Answers by one call of the core, to measure the overhead of `analyze`."""
    answers = np.zeros(len(array), ANSWER_DTYPE)
    search = BatchSearch(32.0, StopSign())
    search.answer(TASKS[task], as_bytes(array.data), array.compiled, as_bytes(answers))
    return answers


def run_batch(source: Path, task: str, out: Path, options: Sequence[str] = ()) -> None:
    """`casino-core batch` with one thread, in this process.

    Args:
        source: the input.
        task: of the batch.
        out: the output; what is there is removed.
        options: more of them.
    """
    out.unlink(missing_ok=True)
    command = ["batch", str(source), "--task", task, "--out", str(out), "--workers", "1", *options]
    result = CliRunner().invoke(main, command)
    if result.exit_code:
        raise RuntimeError(result.output)


def seconds(call: Callable[[], object], runs: int = 5) -> float:
    """Median processor time of a call over several runs: a shared machine disturbs it less."""
    times = []
    for _ in range(runs):
        start = process_time()
        call()
        times.append(process_time() - start)
    return median(times)
