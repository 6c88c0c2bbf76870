"""How much it is worth to see the other hand: the agent `open` against `pimc`, on duplicate decks.

python examples/seeing_the_other_hand.py --rounds 200 --workers 2
"""

import argparse

from casino_core.arena import play_arena


def study(rounds: int, samples: int = 40, workers: int = 1) -> tuple[float, float]:
    """Points a round of the player who sees all over one who does not, and the standard error."""
    found = play_arena("open", f"pimc:samples={samples}", rounds=rounds, seed=1, workers=workers)
    return found.points, found.stderr


def main() -> None:
    parser = argparse.ArgumentParser(description="What seeing the other hand is worth.")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--workers", type=int, default=1)
    chosen = parser.parse_args()
    points, error = study(chosen.rounds, workers=chosen.workers)
    print(f"{points:+.2f} ± {1.96 * error:.2f} points a round")


if __name__ == "__main__":
    main()
