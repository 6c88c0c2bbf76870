"""Machine instructions for each position, counted by valgrind: a figure without noise.

    python tools/instructions.py             last deals, values of 50 positions
    python tools/instructions.py --all       the other tasks as well

A task runs twice under callgrind, once over its positions and once over none of them; the
difference is theirs alone. Starting Python and reading the positions are in both.
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


#: Task: the file of its positions, how many of a preset, what is done with them.
TASKS: dict[str, tuple[str, int, Callable[[list[Position]], None]]] = {
    "last deal, value": ("last_deal", 50, solve_values),
    "last deal, all moves": ("last_deal", 50, solve_all_moves),
    "full list": ("midgame", 2000, list_moves),
    "text, parse and moves": ("midgame", 500, parse_and_list),
}
FIRST = "last deal, value"


def run(task: str, preset: str, number: int) -> None:
    """The work of a run under callgrind."""
    name, most, work = TASKS[task]
    # one more than is counted: first calls, which set things up, are in both runs
    positions = list(common.positions(name, preset)[: most + 1])
    work(positions[:1])
    work(positions[1 : 1 + number])


def counted(task: str, preset: str, number: int) -> int:
    """Instructions of a run."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={Path(folder, 'out')}"]
        command += [sys.executable, __file__, "--run", task, preset, str(number)]
        environment = os.environ | {"PYTHONHASHSEED": "0"}
        done = subprocess.run(
            command, env=environment, stderr=subprocess.PIPE, text=True, check=True
        )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        raise RuntimeError(f"valgrind did not say what it collected: {done.stderr[-500:]}")
    return int(found.group(1))


def instructions(task: str, preset: str) -> float:
    """Instructions a position."""
    number = TASKS[task][1]
    return (counted(task, preset, number) - counted(task, preset, 0)) / number


def main() -> None:
    parser = argparse.ArgumentParser(description="Instructions a position, by callgrind.")
    parser.add_argument("--all", action="store_true", help="all tasks")
    parser.add_argument("--run", nargs=3, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.run:
        run(chosen.run[0], chosen.run[1], int(chosen.run[2]))
        return
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is not on the path")
    for task in TASKS if chosen.all else [FIRST]:
        for preset in common.SOLVED_PRESETS:
            print(f"{task}, {preset}: {instructions(task, preset):,.0f}", flush=True)


if __name__ == "__main__":
    main()
