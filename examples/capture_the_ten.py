"""What capturing the ten of diamonds at once is worth, where it lies loose and can be captured.

    python examples/capture_the_ten.py --rounds 4000 --workers 2

Positions of the last two deals, every card known and solved exactly: the best move that takes the
ten, against the best that leaves it.
"""

import argparse
from statistics import mean

import numpy as np

import casino_core as cc

TEN = 1 << 4 * 9 + 2


def study(rounds: int, workers: int | None = None) -> list[tuple[str, int, float]]:
    """(deal, positions, average gain of taking it) for the last deal and the last but one."""
    result = []
    for name, deal in (("last deal", 5), ("last but one", 4)):
        start = cc.PositionArray.random(rounds, seed=1, keep="deal-end", deal=deal)
        lying = start.data["table"] & np.uint64(TEN) != 0
        positions = cc.PositionArray(start.data[lying], start.rules)
        found = cc.analyze(positions, "solve", workers=workers)
        gains = []
        for first, last in zip(found.offsets, found.offsets[1:], strict=False):
            part = found.moves[first:last]
            takes = (part["move"]["loose"] & np.uint64(TEN) != 0) & (part["move"]["kind"] == 1)
            if takes.any() and not takes.all():
                gains.append(int(part["lower"][takes].max() - part["lower"][~takes].max()))
        result.append((name, len(gains), mean(gains) if gains else float("nan")))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="What taking the ten at once is worth.")
    parser.add_argument("--rounds", type=int, default=4000)
    parser.add_argument("--workers", type=int)
    chosen = parser.parse_args()
    print("| positions | number | gain in points |\n|---|---|---|")
    for name, number, gain in study(chosen.rounds, chosen.workers):
        print(f"| {name} | {number} | {gain:+.2f} |")


if __name__ == "__main__":
    main()
