"""Make `solved_deals.jsonl`: starts of late deals in sensible play, with their exact values.

Run it from anywhere with the package installed, and look at what has changed before keeping it:

    python tools/make_solved_deals.py

`player.py` plays the rounds, so the positions depend on SEED, the deals and that
player alone. The values are the package's own: they guard against change, and the reference
judges what is small enough for it (`tests/search/test_solver.py`). A position is kept when its
search takes no more than NODES nodes, which is well under a second; nodes, unlike times, are the
same on every machine.
"""

import json
from collections.abc import Iterator
from itertools import count

import player
from folders import TEST_DATA

from casino_core import Position, Solver

SEED = 2024
NODES = 1_500_000
TABLE_MIB = 16

#: Rules, plays that are left, number of positions. A deal of two hands is eight plays; in draw
#: casino hands are full to the last, so the last plays of the stock are counted instead.
SUITES = (
    ("standard", 8, 60),
    ("standard", 16, 30),
    ("standard", 24, 12),
    ("standard", 32, 4),
    ("royal", 8, 60),
    ("royal", 16, 30),
    ("royal", 24, 12),
    ("royal", 32, 4),
    ("spade", 8, 10),
    ("hoyle", 8, 10),
    ("draw", 12, 10),
    ("standard,players=4,partners=yes", 16, 10),
)


def starts(rules: str, plays: int, seed: int) -> Iterator[Position]:
    """The position of each round of sensible play with `plays` plays to come."""
    for start in count(seed):
        for position in player.play_round(rules, start):
            if position.stock_count + sum(hand.size for hand in position.hands) == plays:
                yield position


def solved(position: Position, *, all_moves: bool) -> dict[str, object] | None:
    """A line of the file, None where the search is too long for a test."""
    solver = Solver(TABLE_MIB)
    found = solver.value(position, nodes=NODES)
    if found.value is None:
        return None
    line: dict[str, object] = {"position": str(position), "value": found.value}
    if all_moves:
        line["moves"] = {str(item.move): item.value for item in solver.solve(position).moves}
    return line


def main() -> None:
    lines = []
    for place, (rules, plays, number) in enumerate(SUITES):
        wanted = number
        for position in starts(rules, plays, SEED + 10_000 * place):
            # the smallest searches have all moves: they cost little more than the value
            line = solved(position, all_moves=plays <= 8)
            if line is not None:
                lines.append(json.dumps(line, separators=(",", ":")))
                wanted -= 1
            if not wanted:
                break
    target = TEST_DATA / "solved_deals.jsonl"
    target.write_text("\n".join(lines) + "\n", encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
