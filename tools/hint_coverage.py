"""How often the intervals of hints hold the value of many worlds, and what a `chance` means.

    python tools/hint_coverage.py --rules standard --positions 1000 --seeds 20

Positions come from rounds of the careful player, before the last deal, one for each round. Each is
searched once with many worlds, and once for each seed with few. Printed are: the share of moves
whose interval of 95 % holds the value of many worlds; the same for the differences from the best
move; the mean of what few worlds find above many (a bias that more worlds take away); and by the
`chance` of a move how often it is the best, or as good, with many worlds.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from casino_core import Hint, Move, Position, hint
from casino_core.play.sampling import sample_positions
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

_MANY = 4000
_NORMAL = 1.96
_EQUAL = 1e-6
_CLASSES = 10


@dataclass
class Tally:
    """What was found so far."""

    values: list[bool] = field(default_factory=list)
    gaps: list[bool] = field(default_factory=list)
    above: list[float] = field(default_factory=list)
    chances: dict[int, list[tuple[float, bool]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, few: Hint, many: dict[Move, float]) -> None:
        """Compare a hint of few worlds with the values of many."""
        top, best = few.moves[0], max(many.values())
        for item in few.moves:
            value = many[item.move]
            self.above.append(item.value - value)
            if item.stderr:
                self.values.append(abs(item.value - value) <= _NORMAL * item.stderr)
            if item.gap_stderr:
                behind = (top.value - item.value) - (many[top.move] - value)
                self.gaps.append(abs(behind) <= _NORMAL * item.gap_stderr)
            if item.chance is not None:
                group = min(int(_CLASSES * item.chance), _CLASSES - 1)
                self.chances[group].append((item.chance, value >= best - _EQUAL))

    def show(self) -> None:
        """Print the shares."""
        print(f"values within their intervals   {share(self.values):6.1%} of {len(self.values)}")
        print(f"differences within theirs       {share(self.gaps):6.1%} of {len(self.gaps)}")
        print(f"few worlds above many           {sum(self.above) / len(self.above):+6.3f} points")
        for _, found in sorted(self.chances.items()):
            said = sum(chance for chance, _ in found) / len(found)
            print(f"chance {said:4.0%}: best {share([b for _, b in found]):6.1%} of {len(found)}")


def share(found: list[bool]) -> float:
    """The share that is true."""
    return sum(found) / len(found)


def positions(rules: str, count: int, seed: int) -> Iterator[Position]:
    """Positions with a choice, as their movers see them."""
    found: list[Position] = []
    number, chance = 0, Stream(seed, Purpose.WORLDS)
    while number < count:
        if not found:
            found = [
                position.view(position.turn)
                for position in sample_positions(1, rules, seed=seed, agent="careful")
                if position.stock_count and position.count_legal_moves() > 1
            ]
            seed += 1
        yield found[chance.below(len(found))]
        found, number = [], number + 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--method", default="auto")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tally = Tally()
    for number, position in enumerate(
        positions(arguments.rules, arguments.positions, arguments.seed)
    ):
        options = {"method": arguments.method, "measure_all": True}
        many = hint(position, samples=_MANY, seed=number, **options)
        values = {item.move: item.value for item in many.moves}
        for seed in range(arguments.seeds):
            few = hint(position, samples=arguments.samples, seed=10**9 + seed, **options)
            tally.add(few, values)
    tally.show()


if __name__ == "__main__":
    main()
