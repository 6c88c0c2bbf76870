"""Fits the network that values a last deal before its hands are known, and writes its weights.

    python tools/fit_last_deal.py make PRESET FILE.npz [--rounds N] [--seed S]
    python tools/fit_last_deal.py fit PRESET=FILE.npz[,FILE.npz] ... [--write]

`make` plays rounds with the careful player and some plays by chance up to the end of the deal
before the last, in up to eight ways each, and notes the exact mean of the last deal over its
splits. About 5 states a round, a millisecond each. The weights in the package were fitted to
170,000 rounds of `standard`, 60,000 of `royal` and 40,000 each of `hoyle` and `spade`.

`fit` fits one network for each preset by Adam (D. P. Kingma, J. Ba 2015) to nine tenths of the
states and prints the error for the others. Inputs are zeros and ones: the leads in cards and in
spades; for each rank how many cards lie on the table, how many come that could capture something
there, and how many that could not; the last capturer; spades and single cards with points on the
table and to come; the number of cards on the table. They are equal for cards that count the same.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from folders import ROOT
from numpy.typing import NDArray

from casino_core import Position, Rules
from casino_core.evaluation.players import greedy_move
from casino_core.game.counting import points_of_cards
from casino_core.rules.cards import CARD_NAMES
from casino_core.search.root import SearchContext

WEIGHTS = ROOT / "src" / "casino_core" / "evaluation" / "last_deal_weights.h"
FIRST, SECOND = 32, 16  # nodes of the layers
EPOCHS, BATCH, RATE = 40, 512, 0.002
SCALES = 128, 256, 256  # of the integers of the three layers
RANKS = 13
WAYS = 8  # in which a round is played on to the end of the deal
BY_CHANCE = (0.05, 0.15, 0.4)  # share of plays by chance up to there
BY_CHANCE_THEN = 0.7

Floats = NDArray[np.float32]
Counts = NDArray[np.int64]


# States and their values


def make(rules: Rules, rounds: int, seed: int) -> tuple[NDArray[np.uint64], Floats]:
    """States at the end of the deal before the last: masks of the table and of both piles, and the
    side of the last capturer; and what seat a still gains on average."""
    context = SearchContext(4.0)
    rows: list[tuple[int, int, int, int]] = []
    values: list[float] = []
    for number in range(seed, seed + rounds):
        rng = Random(number)
        at = Position.start(rules, seed=number)
        share = rng.choice(BY_CHANCE)
        while at.stock_count != 8 or in_hands(at) != 4:
            at = next_position(at, rng, share)
        ways = {play_out(at, rng, BY_CHANCE_THEN if way else 0) for way in range(WAYS)}
        for last in sorted(ways, key=str):
            sign = 1 if last.turn == "a" else -1
            for move, value, _ in context.values(last, expect=True):
                after = last.play(move)
                a, b = (pile.cards for pile in after.piles)
                rows.append((after.table.mask, a.mask, b.mask, int(after.last != "a")))
                values.append(sign * value / context.unit - lead_so_far(after))
    return np.array(rows, dtype=np.uint64), np.array(values, dtype=np.float32)


def in_hands(position: Position) -> int:
    return sum(hand.size for hand in position.hands)


def next_position(position: Position, rng: Random, by_chance: float) -> Position:
    if rng.random() < by_chance:
        return position.play(rng.choice(position.some_legal_moves()))
    return position.play(greedy_move(position, careful=True))


def play_out(position: Position, rng: Random, by_chance: float) -> Position:
    """The position before the last play of the deal."""
    while in_hands(position) > 1:
        position = next_position(position, rng, by_chance)
    return position


def lead_so_far(position: Position) -> int:
    """Points of seat a less those of seat b, without majorities."""
    points = [
        points_of_cards(position._compiled, pile.cards) + position.rules.sweep * sweeps
        for pile, sweeps in zip(position.piles, position.sweeps, strict=True)
    ]
    return points[0] - points[1]


# Inputs


def has_card(masks: NDArray[np.uint64]) -> Counts:
    """A column for each card: 1 where it is in the set."""
    return ((masks[:, None] >> np.arange(len(CARD_NAMES), dtype=np.uint64)) & 1).astype(np.int64)


def marked(values: Counts, least: int, most: int) -> Floats:
    """A column for each value: 1 where it is the value; values beyond the ends count as these."""
    return (np.clip(values, least, most)[:, None] == np.arange(least, most + 1)).astype(np.float32)


def capturable(on_table: Counts, numbered: bool) -> NDArray[np.bool_]:
    """For each rank whether one of its cards could capture something of the table."""
    ranks = RANKS if numbered else 10
    sums = np.ones(len(on_table), dtype=np.uint32)
    for rank in range(ranks):
        for count in range(1, 5):
            more = sums | sums << np.uint32(rank + 1)
            sums = np.where(on_table[:, rank] >= count, more, sums)
    found = on_table > 0
    for rank in range(ranks):
        found[:, rank] |= (sums >> np.uint32(rank + 1) & 1).astype(bool)
    return found


def inputs(rows: NDArray[np.uint64], rules: Rules) -> Floats:
    """The inputs of states, in the order of `evaluation/last_deal.h`."""
    table, a, b = (has_card(rows[:, column]) for column in range(3))
    stock = 1 - (table | a | b)
    spade = np.array([name[1] == "s" for name in CARD_NAMES])
    lying, coming = (cards.reshape(-1, RANKS, 4).sum(axis=2) for cards in (table, stock))
    takes = capturable(lying, rules.court == "numbered")
    columns = [
        marked(a.sum(axis=1) - b.sum(axis=1), -20, 20),
        marked(a[:, spade].sum(axis=1) - b[:, spade].sum(axis=1), -7, 7),
    ]
    for rank in range(RANKS):
        taking = takes[:, rank, None]
        columns.append(marked(lying[:, rank], 1, 4) * (lying[:, rank, None] > 0))
        here = marked(coming[:, rank], 1, 4) * (coming[:, rank, None] > 0)
        columns += [here * ~taking, here * taking]
    columns.append((rows[:, 3, None] != 0).astype(np.float32))
    for cards, most in ((table, 5), (stock, 6)):
        number = cards[:, spade].sum(axis=1)
        columns.append(marked(number, 1, most) * (number[:, None] > 0))
    for name in ("Td", "2s", "As", "Js"):
        card = CARD_NAMES.index(name)
        columns += [cards[:, card, None].astype(np.float32) for cards in (table, stock)]
    size = table.sum(axis=1)
    columns.append(marked(size, 1, 10) * (size[:, None] > 0))
    return np.concatenate(columns, axis=1).astype(np.float32)


# The network


class Network(NamedTuple):
    """Weights and biases of three layers; the first two give what is above zero."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    last: Floats
    last_bias: Floats

    def layers(self, states: Floats) -> tuple[Floats, Floats, Floats]:
        one = np.maximum(states @ self.first + self.first_bias, 0)
        two = np.maximum(one @ self.second + self.second_bias, 0)
        return one, two, two @ self.last + self.last_bias[0]


def started(size: int, rng: np.random.Generator) -> Network:
    def drawn(rows: int, columns: int, spread: float) -> Floats:
        return (rng.standard_normal((rows, columns)) * spread).astype(np.float32)

    zeros = np.zeros(FIRST, np.float32), np.zeros(SECOND, np.float32), np.zeros(1, np.float32)
    first = drawn(size, FIRST, 2.5 * (2 / size) ** 0.5)
    second = drawn(FIRST, SECOND, (2 / FIRST) ** 0.5)
    last = drawn(SECOND, 1, (2 / SECOND) ** 0.5)[:, 0]
    return Network(first, zeros[0], second, zeros[1], last, zeros[2])


def slopes(network: Network, states: Floats, values: Floats) -> list[Floats]:
    """How the mean squared error changes with each weight."""
    one, two, found = network.layers(states)
    error = (found - values) * np.float32(2 / len(values))
    into_two = np.outer(error, network.last) * (two > 0)
    into_one = (into_two @ network.second.T) * (one > 0)
    return [
        states.T @ into_one,
        into_one.sum(axis=0),
        one.T @ into_two,
        into_two.sum(axis=0),
        two.T @ error,
        error.sum(keepdims=True),
    ]


def fit(states: Floats, values: Floats) -> tuple[Network, float]:
    """A network, and its root mean square error for the last tenth of the states, in points."""
    rng = np.random.default_rng(1)
    kept = len(values) * 9 // 10
    network = started(states.shape[1], rng)
    means = [np.zeros_like(weights) for weights in network]
    squares = [np.zeros_like(weights) for weights in network]
    step = 0
    for epoch in range(EPOCHS):
        rate = RATE * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS)) + 1e-5
        order = rng.permutation(kept)
        for begin in range(0, kept - BATCH, BATCH):
            chosen = order[begin : begin + BATCH]
            step += 1
            found = slopes(network, states[chosen], values[chosen])
            for weights, slope, mean, square in zip(network, found, means, squares, strict=True):
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                size = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                weights -= (rate * mean / (1 - 0.9**step) / size).astype(np.float32)
    error = network.layers(states[kept:])[2] - values[kept:]
    return network, float(np.sqrt((error**2).mean()))


# The weights as integers


def whole(values: Floats, scale: int) -> NDArray[np.int64]:
    found = np.rint(values * np.float64(scale)).astype(np.int64)
    if scale < 1000 and abs(found).max() > 32767:
        raise SystemExit("a weight is too large for its integer")
    return found


def braced(values: NDArray[np.int64]) -> str:
    if values.ndim > 1:
        return "{" + ",\n".join(map(braced, values)) + "}"
    return "{" + ",".join(map(str, values)) + "}"


def written(networks: dict[str, Network]) -> str:
    """The text of the header."""
    one, two, three = SCALES
    parts = []
    for name, net in networks.items():
        fields = [
            braced(whole(net.first, one)),
            braced(whole(net.first_bias, one)),
            braced(whole(net.second.T, two)),
            braced(whole(net.second_bias, one * two)),
            braced(whole(net.last, three)),
            str(whole(net.last_bias, one * three)[0]),
        ]
        parts.append(f"    /* {name} */\n{{" + ",\n".join(fields) + "}")
    names = ", ".join("CC_" + name.upper().replace("-", "_") for name in networks)
    body = ",\n".join(parts)
    size = len(next(iter(networks.values())).first)
    return f"""/* Written by tools/fit_last_deal.py. */
#ifndef CASINO_CORE_LAST_DEAL_WEIGHTS_H
#define CASINO_CORE_LAST_DEAL_WEIGHTS_H

#include <stdint.h>

enum {{ {names} }};

enum {{
    CC_NET_INPUTS = {size},
    CC_NET_FIRST = {FIRST},
    CC_NET_SECOND = {SECOND},
    CC_NETS = {len(networks)}
}};

typedef struct {{
    int16_t first[CC_NET_INPUTS][CC_NET_FIRST];  /* 1 / {one} */
    int16_t first_bias[CC_NET_FIRST];
    int16_t second[CC_NET_SECOND][CC_NET_FIRST]; /* 1 / {two} */
    int32_t second_bias[CC_NET_SECOND];          /* 1 / {one * two} */
    int16_t last[CC_NET_SECOND];                 /* 1 / {three} */
    int32_t last_bias;                           /* 1 / {one * three} */
}} cc_last_deal_net;

static const cc_last_deal_net CC_LAST_DEAL_NETS[CC_NETS] = {{
{body}
}};

#endif
"""


def loaded(files: str) -> tuple[NDArray[np.uint64], Floats]:
    parts = [np.load(file) for file in files.split(",")]
    return (
        np.concatenate([part["rows"] for part in parts]),
        np.concatenate([part["values"] for part in parts]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("preset")
    making.add_argument("file", type=Path)
    making.add_argument("--rounds", type=int, default=60_000)
    making.add_argument("--seed", type=int, default=1_000_000)
    fitting = commands.add_parser("fit")
    fitting.add_argument("data", nargs="+", metavar="PRESET=FILE.npz[,FILE.npz]")
    fitting.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.command == "make":
        rows, values = make(Rules.parse(given.preset), given.rounds, given.seed)
        np.savez_compressed(given.file, rows=rows, values=values)
        return
    networks = {}
    for item in given.data:
        preset, files = item.split("=", 1)
        rows, values = loaded(files)
        networks[preset], error = fit(inputs(rows, Rules.parse(preset)), values)
        print(
            f"{preset}: {len(values)} states, values vary by {values.std():.2f}, error {error:.3f}"
        )
    if given.write:
        WEIGHTS.write_text(written(networks))


if __name__ == "__main__":
    main()
