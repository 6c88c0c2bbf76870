"""Plays whole matches from several scores and compares them with the win chances.

    python tools/simulate_matches.py --rules standard --matches 2000 18/20 15/15 20/20

Prints for each score the share of matches that side a has won, a drawn one counting half, with its
95 % interval, and what `match_equity` says. The same seed gives the same numbers.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from casino_core import Rules, match_equity
from casino_core.evaluation.match_score import read_score
from casino_core.play.agents import parse_agent
from casino_core.play.matches import play_match


def result(rules: str, agent: str, score: tuple[int, int], seed: int, number: int) -> float:
    """What side a has of a match: 1, 0, or one half."""
    player = parse_agent(agent)
    winner = play_match(Rules.parse(rules), (player, player), score=score, seed=seed, number=number)
    return 0.5 if winner is None else float(winner == 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scores", nargs="+")
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--agent", default="hint:samples=20")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.workers) as pool:
        for text in arguments.scores:
            score = read_score(text)
            work = partial(result, arguments.rules, arguments.agent, score, arguments.seed)
            results = list(pool.map(work, range(arguments.matches), chunksize=10))
            tell(text, arguments.rules, results)


def tell(score: str, rules: str, results: list[float]) -> None:
    """Print a share of matches beside the win chance."""
    share = sum(results) / len(results)
    error = 1.96 * (share * (1 - share) / len(results)) ** 0.5
    expected = match_equity(score, rules=rules)
    print(
        f"{rules} {score}: {share:.1%} ± {error:.1%} of {len(results)} matches; "
        f"expected {expected.win + expected.draw / 2:.1%} (standard error {expected.stderr:.1%})",
        flush=True,
    )


if __name__ == "__main__":
    main()
