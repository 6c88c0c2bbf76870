"""Plays matches of `hint` for the match against `hint` for points, from late scores.

    python tools/match_objective.py --rules standard --pairs 1000 20/15 15/20

Each pair of matches has the same cards in every round, and the agents change sides between them, so
that the difference comes from the play alone. Prints the share of matches that the player for the
match wins above one half, with its 95 % interval. The same seed gives the same numbers.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np

from casino_core import Rules
from casino_core.evaluation.match_score import read_score
from casino_core.play.agents import parse_agent
from casino_core.play.matches import play_match


def won(winner: int | None, side: int) -> float:
    """What a side has of a match: 1, 0, or one half of a drawn one."""
    return 0.5 if winner is None else float(winner == side)


def gain_of_pair(
    rules: str, agents: tuple[str, str], score: tuple[int, int], seed: int, number: int
) -> float:
    """The share of two matches that the first agent wins, above one half."""
    first, second = map(parse_agent, agents)
    one = Rules.parse(rules)
    here = play_match(one, (first, second), score=score, seed=seed, number=number)
    there = play_match(one, (second, first), score=score, seed=seed, number=number)
    return (won(here, 0) + won(there, 1)) / 2 - 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scores", nargs="+")
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--agent", default="hint:samples=20", help="plays for points")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    agents = (f"{arguments.agent},objective=match", arguments.agent)
    everything = []
    with ProcessPoolExecutor(arguments.workers) as pool:
        for text in arguments.scores:
            score = read_score(text)
            work = partial(gain_of_pair, arguments.rules, agents, score, arguments.seed)
            gains = list(pool.map(work, range(arguments.pairs), chunksize=10))
            everything += gains
            tell(f"{arguments.rules} {text}", gains)
    if len(arguments.scores) > 1:
        tell(f"{arguments.rules} together", everything)


def tell(what: str, gains: list[float]) -> None:
    """Print a mean with its interval."""
    error = 1.96 * np.std(gains, ddof=1) / len(gains) ** 0.5
    moved = sum(gain != 0 for gain in gains)
    print(
        f"{what}: {100 * np.mean(gains):+.2f} % ± {100 * error:.2f} % of the matches, "
        f"{len(gains)} pairs, {moved} decided by the play",
        flush=True,
    )


if __name__ == "__main__":
    main()
