"""What capturing the ten of diamonds at once is worth, where it lies loose and can be captured.

    python examples/capture_the_ten.py --rounds 40000 --workers 2

Positions at the beginning of the last deals of random rounds, every card known and solved exactly:
the best move that takes the ten, against the best that leaves it. 20,000 rounds gave -1.19 ± 0.22
points in the last deal: one who knows all cards is better off to wait, on average.
"""

import argparse
from statistics import mean

import numpy as np
from pictures import draw

import casino_core as cc
from casino_core.play.intervals import half_width

TEN = 1 << 4 * 9 + 2
DEALS = (("last deal", 5), ("last but one", 4), ("last but two", 3))


def gains(rounds: int, deal: int, workers: int | None = None) -> list[int]:
    """What taking the ten gains, for each position after a deal in which one may choose to."""
    start = cc.PositionArray.random(rounds, seed=1, keep="deal-end", deal=deal)
    lying = start.data["table"] & np.uint64(TEN) != 0
    positions = cc.PositionArray(start.data[lying], start.rules)
    found = cc.analyze(positions, "solve", workers=workers)
    result = []
    for first, last in zip(found.offsets, found.offsets[1:], strict=False):
        part = found.moves[first:last]
        takes = (part["move"]["loose"] & np.uint64(TEN) != 0) & (part["move"]["kind"] == 1)
        if takes.any() and not takes.all():
            result.append(int(part["lower"][takes].max() - part["lower"][~takes].max()))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="What taking the ten at once is worth.")
    parser.add_argument("--rounds", type=int, default=40_000)
    parser.add_argument(
        "--deals", type=int, default=2, choices=(1, 2, 3), help="how many, from the last"
    )
    parser.add_argument("--workers", type=int)
    parser.add_argument("--picture", metavar="FILE", help="draw it too; needs matplotlib")
    chosen = parser.parse_args()
    print(
        "| positions | number | gain in points | better | same | worse |\n|---|---|---|---|---|---|"
    )
    rows = []
    for name, deal in DEALS[: chosen.deals]:
        found = gains(chosen.rounds, deal, chosen.workers)
        if not found:
            print(f"| {name} | 0 | | | | |")
            continue
        half = half_width(found)
        rows.append((name, mean(found), half))
        better, worse = sum(gain > 0 for gain in found), sum(gain < 0 for gain in found)
        print(
            f"| {name} | {len(found)} | {mean(found):+.2f} ± {half or 0:.2f} | {better} "
            f"| {len(found) - better - worse} | {worse} |",
            flush=True,
        )
    if chosen.picture and rows:
        draw(chosen.picture, {"gain": rows}, "points gained by taking the ten at once")


if __name__ == "__main__":
    main()
