"""Measure afresh and print the table of README.md.

    python benchmarks/report.py                   a minute or two
    python benchmarks/report.py --instructions    with callgrind's counts, some minutes more
    python benchmarks/report.py --quick           fewer positions and runs
    python benchmarks/report.py --only batch      a part of it

Every time is the median of several runs, in processor time. Times for a deal are taken position
by position, each run with an empty table; mean, median and 99 % are over the positions.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import common
import numpy as np

from casino_core import PRESETS, Position, PositionArray, Solver, analyze, hint, solve
from casino_core.hints.tree.hint import tree_hint
from casino_core.moves.perft import count_all, random_rounds
from casino_core.rules.ruleset import CompiledRules

Row = tuple[str, str, str]  # what, under which rules, the figure

#: Name in the table, file, number of positions, in a quick run, unit and how many make a second.
DEALS = (
    ("last deal, value", "last_deal", 1000, 200, "µs", 1e6),
    ("two deals, value", "two_deals", 100, 20, "ms", 1e3),
    ("three deals, value", "three_deals", 40, 5, "ms", 1e3),
    ("four deals, value", "four_deals", 20, 2, "ms", 1e3),
)
PARTS = ("generation", "python", "search", "calls", "batch", "threads")
LISTS = 20  # how often a call makes each list
ROUNDS = 2000
HINT_OPTIONS = ("--samples", "10", "--seed", "1")


def generation(runs: int) -> Iterator[Row]:
    """Lists, leaves and plays of the core alone."""
    size = len(common.positions("midgame")[0]._state()[0])
    yield "state", "", f"{size} bytes"
    for preset in (None, *common.SOLVED_PRESETS):
        positions = list(common.positions("midgame", preset))
        time = common.seconds(lambda found=positions: count_all(found, LISTS), runs)
        moves = count_all(positions, 1) / len(positions)
        figure = f"{time / LISTS / len(positions) * 1e9:.0f} ns a position ({moves:.1f} moves)"
        yield "full list", preset or "recorded mix", figure
    for name, words in (("bulk", "perft, last play counted"), ("deep", "perft, all plays made")):
        for preset in common.SOLVED_PRESETS:
            leaves = common.answers()["perft"][name][preset]
            time = common.seconds(lambda n=name, p=preset: common.perft_total(n, p), runs)
            yield words, preset, f"{leaves / time / 1e6:.1f} million leaves/s"
    for preset in PRESETS:
        compiled = CompiledRules(PRESETS[preset])
        plays = random_rounds(compiled, ROUNDS, 1)["plays"]
        time = common.seconds(lambda rules=compiled: random_rounds(rules, ROUNDS, 1), runs)
        yield "random rounds", preset, f"{plays / time / 1e6:.2f} million plays/s"


def python(runs: int) -> Iterator[Row]:
    """What passes through Python, for one position."""
    lines = common.lines("midgame")
    positions = common.positions("midgame")
    last = common.last_play("standard")
    solver = Solver(table_mib=1)
    moves = [(position, position.legal_moves()[0]) for position in positions]
    calls: dict[str, Callable[[], object]] = {
        "parse": lambda: [Position.parse(line) for line in lines],
        "text": lambda: [str(position) for position in positions],
        "parse and moves": lambda: [Position.parse(line).legal_moves() for line in lines],
        "play": lambda: [position.play(move) for position, move in moves],
        "smallest value call": lambda: [solver.value(last) for _ in lines],
    }
    for name, call in calls.items():
        yield name, "", f"{common.seconds(call, runs) / len(lines) * 1e6:.2f} µs"


def solved(
    positions: tuple[Position, ...], solve: Callable[[Solver, Position], int], runs: int
) -> tuple[list[float], float]:
    """Median processor time of each position, and the mean of nodes."""
    times: list[list[float]] = [[] for _ in positions]
    nodes = 0.0
    for _ in range(runs):
        solver = Solver(table_mib=16)
        solver.value(positions[-1])  # touches the table and the code
        solver.clear()
        found = []
        for position, taken in zip(positions, times, strict=True):
            start = process_time()
            found.append(solve(solver, position))
            taken.append(process_time() - start)
        nodes = mean(found)
    return [median(taken) for taken in times], nodes


def spread(times: list[float], nodes: float, unit: str, per_second: float) -> str:
    """The figures of a suite of positions."""
    ranked = sorted(times)
    far = ranked[min(len(ranked) - 1, int(len(ranked) * 0.99))]
    shown = [
        f"{time * per_second:.0f}" if time * per_second >= 100 else f"{time * per_second:.1f}"
        for time in (mean(times), median(times), far)
    ]
    return f"{shown[0]} / {shown[1]} / {shown[2]} {unit}, {nodes:,.0f} nodes"


def search(runs: int, quick: bool) -> Iterator[Row]:
    """Exact values; mean, median and 99 % over positions, mean of nodes."""
    for words, name, number, fewer, unit, per_second in DEALS:
        again = runs if name in ("last_deal", "two_deals") else 1  # long ones are steady
        for preset in common.SOLVED_PRESETS:
            positions = common.positions(name, preset)[: fewer if quick else number]
            times, nodes = solved(positions, lambda s, p: s.value(p).nodes, again)
            yield words, preset, spread(times, nodes, unit, per_second)
            if name == "last_deal":
                times, nodes = solved(positions, lambda s, p: s.solve(p).nodes, again)
                yield "last deal, all moves", preset, spread(times, nodes, unit, per_second)


def single_calls(runs: int, quick: bool) -> Iterator[Row]:
    """Functions that make their own table, for one position."""
    for preset in common.SOLVED_PRESETS:
        middle = common.middle_positions(preset, 5 if quick else 20)
        time = common.seconds(
            lambda found=middle: [hint(position, samples=100, seed=1) for position in found],
            min(runs, 3),
        )
        yield "hint, 100 worlds, at deal starts", preset, f"{time / len(middle) * 1e3:.0f} ms"
        deal = common.deal_positions(preset, 5 if quick else 20)
        for method in ("pimc", "response", "blend"):
            time = common.seconds(
                lambda found=deal, how=method: [
                    hint(position, samples=160, seed=1, method=how) for position in found
                ],
                min(runs, 3),
            )
            yield f"hint, 160 worlds, {method}", preset, f"{time / len(deal) * 1e3:.1f} ms"
        time = common.seconds(
            lambda found=deal: [tree_hint(position, iterations=20_000) for position in found],
            min(runs, 3),
        )
        rate = 20_000 * len(deal) / time
        yield "tree search, 20,000 rounds", preset, f"{rate:,.0f} rounds/s"
        last = common.positions("last_deal", preset)[:100]
        time = common.seconds(lambda found=last: [hint(position) for position in found], runs)
        yield "hint, last deal", preset, f"{time / len(last) * 1e6:.0f} µs"
        time = common.seconds(lambda found=last: [solve(position) for position in found], runs)
        yield "solve, last deal", preset, f"{time / len(last) * 1e6:.0f} µs"


def batch(runs: int) -> Iterator[Row]:
    """Many positions, one thread: from arrays, from text to JSON lines, and what that adds."""
    with TemporaryDirectory() as folder:
        source, out = Path(folder, "in.txt"), Path(folder, "out.jsonl")
        for preset in common.SOLVED_PRESETS:
            for task, again in (("value", 8), ("solve", 8), ("moves", 20), ("score", 50)):
                array = common.batch_array(task, preset)
                array = PositionArray(np.concatenate([array.data] * again), array.rules)
                source.write_text("\n".join(array.texts()), encoding="ascii")
                time = common.seconds(lambda a=array, t=task: analyze(a, t, workers=1), runs)
                text = common.seconds(lambda t=task: common.run_batch(source, t, out), runs)
                figure = (
                    f"{len(array) / time:,.0f}/s; text to JSON lines {len(array) / text:,.0f}/s"
                )
                yield f"batch, {task}", preset, figure
                if task == "score":
                    bare = common.seconds(lambda a=array: common.bare_loop("score", a), runs)
                    figure = f"{(time - bare) / len(array) * 1e9:.0f} ns an item"
                    yield "batch, around the core", preset, figure
            source.write_text("\n".join(common.batch_array("hint", preset).texts()), "ascii")
            time = common.seconds(lambda: common.run_batch(source, "hint", out, HINT_OPTIONS), runs)
            rate = len(common.batch_array("hint", preset)) / time
            yield "batch, hint, last deal", preset, f"text to JSON lines {rate:,.0f}/s"


def threads(runs: int) -> Iterator[Row]:
    """Two threads against one, by the clock, turn by turn: true only on a machine that is idle."""
    for preset in common.SOLVED_PRESETS:
        array = common.batch_array("value", preset)
        array = PositionArray(np.concatenate([array.data] * 8), array.rules)
        times: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(2 * runs + 1):
            for workers, taken in times.items():
                start = perf_counter()
                analyze(array, "value", workers=workers)
                taken.append(perf_counter() - start)
        ratio = median(times[1]) / median(times[2])
        yield "batch, value, two threads to one", preset, f"{ratio:.2f} times"


def counts() -> Iterator[Row]:
    """Instructions by callgrind."""
    sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))
    import instructions

    for task in instructions.TASKS:
        for preset in common.SOLVED_PRESETS:
            figure = instructions.instructions(task, preset)
            yield task, preset, f"{figure:,.0f} instructions a position"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure, and print a table in Markdown.")
    parser.add_argument("--instructions", action="store_true", help="count them with valgrind")
    parser.add_argument("--quick", action="store_true", help="fewer positions and runs")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="these parts of the table")
    chosen = parser.parse_args()
    runs = 3 if chosen.quick else 5
    print("| what | rules | measured |\n|---|---|---|")
    parts = {
        "generation": generation(runs),
        "python": python(runs),
        "search": search(runs, chosen.quick),
        "calls": single_calls(runs, chosen.quick),
        "batch": batch(runs),
        "threads": threads(runs),
    }
    if chosen.instructions:
        parts["instructions"] = counts()
    for part in chosen.only or parts:
        for row in parts[part]:
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
