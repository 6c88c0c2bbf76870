"""Calibration of the posterior over a hidden hand: the log score of the true hand.

    python tools/calibration.py --rounds 40 --seed 1 --temperature 1 --chance 0.2

Rounds are played by players other than the model of the posterior. Before each play of seat `a` the
probability that its beliefs give to the true hand of seat `b` is taken, and that which they give
without the plays. Printed is the mean gain of its logarithm, in nats a decision, with its standard
error over rounds, by player and by the number of plays of `b` seen.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator
from math import log, sqrt
from random import Random

import player

from casino_core import Move, Position, hint
from casino_core.hidden.posterior import CHANCE, TEMPERATURE, Beliefs

Player = Callable[[Position, Random], Move]


def mixture(position: Position, rng: Random) -> Move:
    """Half sensible, half random plays."""
    moves = position.legal_moves()
    if rng.random() < 0.5:
        return moves[int(rng.random() * len(moves))]
    return player.pick(position, rng)


def adviser(position: Position, rng: Random) -> Move:
    """The best move of `hint` with few samples."""
    return hint(position, samples=8, seed=rng.getrandbits(32)).best


PLAYERS: dict[str, Player] = {"greedy": player.pick, "mixture": mixture, "hint": adviser}


def decisions(rules: str, seed: int, play: Player) -> Iterator[tuple[list, Position]]:
    """Histories of the deal and positions before the plays of seat a that follow one of b."""
    rng = Random(seed)
    position = Position.start(rules, seed=seed)
    history: list[tuple[Position, Move]] = []
    while not position.is_over:
        if history and history[-1][0].stock_count != position.stock_count:
            history = []
        if position.turn == "a" and history and position.hands[1].size and position.stock_count:
            yield list(history), position
        move = play(position, rng)
        history.append((position.view("a"), move))
        position = position.play(move)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--players", default="greedy,mixture,hint")
    parser.add_argument("--temperature", type=float, nargs="+", default=[TEMPERATURE])
    parser.add_argument("--chance", type=float, nargs="+", default=[CHANCE])
    args = parser.parse_args()
    settings = [(t, c) for t in args.temperature for c in args.chance]
    for name in args.players.split(","):
        gains: dict[tuple, list[list[float]]] = {s: [] for s in settings}
        seen: dict[tuple, dict[int, list[float]]] = {s: defaultdict(list) for s in settings}
        for number in range(args.rounds):
            for setting in settings:
                gains[setting].append([])
            for history, position in decisions(args.rules, args.seed + number, PLAYERS[name]):
                mask = position.hands[1].cards.mask
                view = position.view("a")
                plain = Beliefs(view).probability("b", mask)
                for setting in settings:
                    t, c = setting
                    told = Beliefs(view, None, history, temperature=t, chance=c)
                    gain = log(told.probability("b", mask) / plain)
                    gains[setting][-1].append(gain)
                    seen[setting][4 - position.hands[1].size].append(gain)
        for t, c in settings:
            rounds = [sum(g) / len(g) for g in gains[t, c] if g]
            mean = sum(rounds) / len(rounds)
            spread = sqrt(sum((x - mean) ** 2 for x in rounds) / (len(rounds) - 1) / len(rounds))
            parts = [f"{k} seen {sum(g) / len(g):+.3f}" for k, g in sorted(seen[t, c].items())]
            print(f"{name:8} T {t:<5} chance {c:<5} {mean:+.3f} ± {spread:.3f}  {'  '.join(parts)}")


if __name__ == "__main__":
    main()
