"""Measures what a round brings to either side: rounds of an agent against itself, one line each.

    python tools/measure_round_points.py --rounds 4000 --agent hint:samples=20 standard royal

writes `src/casino_core/evaluation/data/PRESET.txt.gz` for each preset named, or for all. From these
tables come the win chances of `casino_core.match_equity`. The same seed gives the same tables.
"""

from __future__ import annotations

import argparse
import gzip
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from casino_core import PRESETS, Rules
from casino_core.evaluation.round_points import round_line
from casino_core.play.agents import parse_agent
from casino_core.play.arena import deck_start
from casino_core.play.table import play_round
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

FOLDER = Path(__file__).resolve().parents[1] / "src" / "casino_core" / "evaluation" / "data"


def measured_round(preset: str, agent: str, seed: int, deck: int) -> str:
    """The line of one round."""
    start = deck_start(Rules.parse(preset), seed, deck)
    *_, last = play_round(
        start, [parse_agent(agent)] * 2, lambda ply: Stream(seed, Purpose.AGENT, deck, ply)
    )
    return round_line(last.round.position)


def write(preset: str, lines: list[str], arguments: argparse.Namespace) -> None:
    """Write a table; the file is the same to the byte for the same lines."""
    head = (
        f"# Rounds of {arguments.agent} against itself, rules {preset}, seed {arguments.seed}.\n"
        "# A line is a round: who scores each step of counting (0: the side that led), then the\n"
        "# sweeps of both sides.\n"
    )
    text = head + "\n".join(lines) + "\n"
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{preset}.txt.gz").write_bytes(gzip.compress(text.encode("ascii"), 9, mtime=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("presets", nargs="*", default=list(PRESETS))
    parser.add_argument("--rounds", type=int, default=4000)
    parser.add_argument("--agent", default="hint:samples=20")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    for preset in arguments.presets:
        work = partial(measured_round, preset, arguments.agent, arguments.seed)
        with ProcessPoolExecutor(arguments.workers) as pool:
            lines = list(pool.map(work, range(arguments.rounds), chunksize=20))
        write(preset, lines, arguments)
        print(preset, len(lines), flush=True)


if __name__ == "__main__":
    main()
