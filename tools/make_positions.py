"""Record the positions that the benchmarks replay, and their answers.

    python tools/make_positions.py                 positions and answers
    python tools/make_positions.py --answers       answers only, of the positions there are
    python tools/make_positions.py --full-rounds   answers of whole rounds only: minutes

The positions come from rounds that `player.py` plays with itself, and are the same each time:
deals and play depend on SEED alone. The answers are the package's own, made by its exact solver
and its generator: they guard against change. README.md says what was checked otherwise.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterator
from random import Random
from time import perf_counter, process_time
from typing import Any

import player
from folders import common

from casino_core import PRESETS, Position, Solver

SEED = 1911
PER_ROUND = 8  # positions kept of one round, so that neighbours do not repeat each other

#: Positions of `midgame` by rules; the other presets get OTHERS each.
MIDGAME = {"standard": 3900, "royal": 3500}
OTHERS = 200
SEATINGS = {"standard,players=3": 100, "royal,players=3": 100} | {
    "standard,players=4,partners=yes": 100,
    "royal,players=4,partners=yes": 100,
}

#: Positions by number of cards in the stock at the start of a deal: file, number of each preset.
DEALS = {
    0: ("last_deal", {"standard": 1000, "royal": 1000}),
    8: ("two_deals", {"standard": 100, "royal": 100}),
    16: ("three_deals", {"standard": 40, "royal": 40}),
    24: ("four_deals", {"standard": 20, "royal": 20}),
    40: ("full_rounds", {"standard": 10, "royal": 5}),
}

TABLE_MIB = 64

#: Node limit of a whole round; a round that needs more gets no value.
FULL_ROUND_NODES = 100_000_000
#: What is recorded of a whole round, each a list in the order of the positions. Nodes and the
#: processor time are notes: nothing compares them.
FULL_ROUND_ANSWERS = ("full_rounds", "full_rounds_nodes", "full_rounds_seconds")


def as_seen(position: Position) -> str:
    """A line with what the seat to play sees; captured cards are not remembered."""
    text = str(position.view(position.turn))
    return re.sub(
        r"(?<=piles=)\S+", lambda found: re.sub(r"[A-Z0-9][shdc]", "?", found.group()), text
    )


def midgame(rules: str, number: int, seed: int) -> Iterator[str]:
    """Lines of positions after the first two plays of a round."""
    rng = Random(seed)
    while number:
        plays = list(player.play_round(rules, seed))[2:]
        seed += 1
        for _ in range(min(PER_ROUND, number)):
            yield as_seen(plays.pop(int(rng.random() * len(plays))))
            number -= 1


def deal_starts(rules: str, stock: int, number: int, seed: int) -> Iterator[str]:
    """Lines of first positions of a deal, with all cards known and `stock` in the stock."""
    for start in range(seed, seed + number):
        yield next(
            str(position)
            for position in player.play_round(rules, start)
            if position.stock_count == stock
        )


def write(name: str, found: list[str]) -> None:
    """Write lines compressed."""
    text = "".join(f"{line}\n" for line in found).encode("ascii")
    (common.DATA / f"{name}.txt.gz").write_bytes(gzip.compress(text, 9, mtime=0))
    print(f"{name}: {len(found)} positions")


def record_positions() -> None:
    """Write every file of positions."""
    counts = dict(MIDGAME)
    counts |= {name: OTHERS for name in PRESETS if name not in MIDGAME}
    counts |= SEATINGS
    found: list[str] = []
    for place, (rules, number) in enumerate(counts.items()):
        found += midgame(rules, number, SEED + 10_000 * place)
    write("midgame", found)
    for stock, (name, presets) in DEALS.items():
        found = []
        for place, (rules, number) in enumerate(presets.items()):
            found += deal_starts(
                rules, stock, number, SEED + 1_000_000 * (stock + 1) + 10_000 * place
            )
        write(name, found)


def record_answers() -> None:
    """Write values of the deals, numbers of moves and perfts."""
    common.lines.cache_clear()
    common.positions.cache_clear()
    recorded = common.answers() if common.ANSWERS.exists() else {}
    kept = {name: recorded[name] for name in FULL_ROUND_ANSWERS if name in recorded}
    found: dict[str, Any] = {
        "midgame_moves": sum(len(p.legal_moves()) for p in common.positions("midgame")),
        "perft": {
            name: {preset: common.perft_total(name, preset) for preset in common.SOLVED_PRESETS}
            for name in common.PERFTS
        },
    }
    for name in common.SOLVED_FILES:
        found[name] = {}
        for preset in common.SOLVED_PRESETS:
            start = perf_counter()
            solver = Solver(TABLE_MIB)
            found[name][preset] = [solver.value(p).value for p in common.positions(name, preset)]
            print(f"{name} {preset}: {perf_counter() - start:.1f} s", flush=True)
    found["last_boundary"] = {
        preset: [common.boundary_sum(Solver(TABLE_MIB), p) for p in common.boundaries(preset)]
        for preset in common.SOLVED_PRESETS
    }
    write_answers(found | kept)


def record_full_rounds() -> None:
    """Write values, nodes and times of whole rounds, beside the answers that are there."""
    found: dict[str, Any] = {name: {} for name in FULL_ROUND_ANSWERS}
    for preset in common.SOLVED_PRESETS:
        rows = []
        for position in common.positions("full_rounds", preset):
            solver = Solver(common.FULL_ROUND_MIB)
            start = process_time()
            answer = solver.value(position, nodes=FULL_ROUND_NODES)
            rows.append((answer.value, answer.nodes, round(process_time() - start, 1)))
            print(f"full round {preset}: {rows[-1]}", flush=True)
        for name, column in zip(FULL_ROUND_ANSWERS, zip(*rows, strict=True), strict=True):
            found[name][preset] = list(column)
    write_answers(common.answers() | found)


def write_answers(found: dict[str, Any]) -> None:
    """Write `values.json`."""
    text = json.dumps(found, indent=1)
    # one line for each list of numbers
    text = re.sub(r"\[[^][{}]*\]", lambda array: " ".join(array.group().split()), text)
    common.ANSWERS.write_text(text + "\n", encoding="ascii")
    common.answers.cache_clear()


def main() -> None:
    parser = argparse.ArgumentParser(description="Record positions and answers for benchmarks.")
    parser.add_argument("--answers", action="store_true", help="of the positions there are")
    parser.add_argument("--full-rounds", action="store_true", help="of whole rounds only")
    chosen = parser.parse_args()
    if chosen.full_rounds:
        record_full_rounds()
        return
    if not chosen.answers:
        common.DATA.mkdir(exist_ok=True)
        record_positions()
    record_answers()


if __name__ == "__main__":
    main()
