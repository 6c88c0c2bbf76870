"""Machine instructions of the core for each position, counted by valgrind: a figure without noise.

    python tools/instructions.py             last deals, values of 50 positions
    python tools/instructions.py --all       the other tasks as well

Callgrind counts only within the functions of the core that a task names, so that Python does not
disturb the figure. It is a package of its own in most distributions (`valgrind`). It counts each
byte that the processor fills at once as an instruction, so clearing memory looks dearer than it is.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from folders import common

from casino_core import Position, Solver
from casino_core.moves.perft import count_all


def solve_values(positions: list[Position]) -> None:
    solver = Solver(table_mib=1)
    for position in positions:
        solver.value(position)


def solve_all_moves(positions: list[Position]) -> None:
    solver = Solver(table_mib=1)
    for position in positions:
        solver.solve(position)


def list_moves(positions: list[Position]) -> None:
    count_all(positions, 1)


def parse_and_list(positions: list[Position]) -> None:
    for line in [str(position) for position in positions]:
        Position.parse(line).legal_moves()


class Task(NamedTuple):
    """What is counted: positions, what is done with them, and within which functions."""

    name: str
    most: int
    work: Callable[[list[Position]], None]
    functions: tuple[str, ...]


SEARCH = ("search.alphabeta.move_value", "search.alphabeta.tests_above")
LISTS = ("moves.workspace.push_moves",)
TEXTS = ("game.notation.parse_layout", "game.movelist.sorted_moves")
TASKS = {
    "last deal, value": Task("last_deal", 50, solve_values, SEARCH),
    "last deal, all moves": Task("last_deal", 50, solve_all_moves, SEARCH),
    "full list": Task("midgame", 2000, list_moves, LISTS),
    "text, parse and moves": Task("midgame", 500, parse_and_list, TEXTS),
}
FIRST = "last deal, value"


def symbol(function: str) -> str:
    """The name in C of a function of the core, given with its module."""
    *modules, name = ["casino_core", *function.split(".")]
    module = "_".join(f"{len(part)}{part}" for part in modules)
    return f"__pyx_f_{module}_{name}"


def run(task: str, preset: str) -> None:
    """The work of a run under callgrind."""
    name, most, work, _ = TASKS[task]
    work(list(common.positions(name, preset)[:most]))


def instructions(task: str, preset: str) -> float:
    """Instructions a position."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={Path(folder, 'out')}"]
        command += ["--collect-atstart=no"]
        command += [f"--toggle-collect={symbol(name)}" for name in TASKS[task].functions]
        command += [sys.executable, __file__, "--run", task, preset]
        environment = os.environ | {"PYTHONHASHSEED": "0"}
        done = subprocess.run(
            command, env=environment, stderr=subprocess.PIPE, text=True, check=True
        )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None or found.group(1) == "0":
        raise RuntimeError(f"valgrind has counted nothing: {done.stderr[-500:]}")
    return int(found.group(1)) / TASKS[task].most


def main() -> None:
    parser = argparse.ArgumentParser(description="Instructions a position, by callgrind.")
    parser.add_argument("--all", action="store_true", help="all tasks")
    parser.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.run:
        run(*chosen.run)
        return
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is not on the path")
    for task in TASKS if chosen.all else [FIRST]:
        for preset in common.SOLVED_PRESETS:
            print(f"{task}, {preset}: {instructions(task, preset):,.0f}", flush=True)


if __name__ == "__main__":
    main()
