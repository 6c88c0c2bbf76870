"""What the first seat is worth under each rule set, when both play greedily.

    python examples/first_seat.py --rounds 2000

Seat a leads every deal, seat b deals and plays the last card of the round.
"""

import argparse
from collections.abc import Iterator
from statistics import mean, stdev

import casino_core as cc
from casino_core.sampling import sample_positions


def study(rounds: int, agent: str = "greedy") -> Iterator[tuple[str, float, float]]:
    """(rule set, points of seat a minus seat b, half of the 95 % interval) for each preset."""
    for name, rules in cc.PRESETS.items():
        deal = None if rules.draw else 6
        keep = "all" if rules.draw else "deal-end"
        found = sample_positions(rounds, rules, seed=1, agent=agent, keep=keep, deal=deal)
        if rules.draw:  # one long deal: the last card is played here
            found = (p.play(p.legal_moves()[0]) for p in found if cards_left(p) == 1)
        scores = [item.answer for item in cc.analyze(found, "score", workers=1)]
        leads = [one - other for one, other in scores]
        yield name, mean(leads), 1.96 * stdev(leads) / len(leads) ** 0.5


def cards_left(position: cc.Position) -> int:
    return position.stock_count + sum(hand.size for hand in position.hands)


def main() -> None:
    parser = argparse.ArgumentParser(description="What the first seat is worth.")
    parser.add_argument("--rounds", type=int, default=2000)
    print("| rules | seat a minus seat b | 95 % |\n|---|---|---|")
    for name, lead, half in study(parser.parse_args().rounds):
        print(f"| `{name}` | {lead:+.2f} | ±{half:.2f} |", flush=True)


if __name__ == "__main__":
    main()
