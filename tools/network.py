"""Small networks of three layers: fitted by Adam (D. P. Kingma, J. Ba 2015), written as integers.

`evaluation/network.h` reads them; see there for the units of the integers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casino_core.rules.cards import CARD_NAMES

__all__ = [
    "POINTERS",
    "RANKS",
    "Network",
    "counted",
    "fit",
    "has_card",
    "marked",
    "sums_of",
    "written",
]

FIRST, SECOND = 32, 16  # nodes of the layers
BATCH, RATE = 512, 0.002
SCALES = 128, 256, 256  # of the integers of the three layers
WITHIN_GROUP, OF_GROUP = 4.0, 0.3  # weights of errors, where groups are compared
RANKS = 13
POINTERS = ("Td", "2s", "As", "Js")  # single cards with points, under one scoring or another

Floats = NDArray[np.float32]
Counts = NDArray[np.int64]


# Inputs


def has_card(masks: NDArray[np.uint64]) -> Counts:
    """A column for each card: 1 where it is in the set."""
    return ((masks[:, None] >> np.arange(len(CARD_NAMES), dtype=np.uint64)) & 1).astype(np.int64)


def marked(values: Counts, least: int, most: int) -> Floats:
    """A column for each value: 1 where it is the value; values beyond the ends count as these."""
    return (np.clip(values, least, most)[:, None] == np.arange(least, most + 1)).astype(np.float32)


def counted(numbers: Counts, most: int) -> Floats:
    """A column for each number from 1; larger ones count as the most, 0 has none."""
    return marked(numbers, 1, most) * (numbers[:, None] > 0)


def sums_of(on_table: Counts, numbered: bool) -> NDArray[np.uint32]:
    """The sums that loose cards can make, as bits; `on_table` has the number of each rank."""
    sums = np.ones(len(on_table), dtype=np.uint32)
    for rank in range(RANKS if numbered else 10):
        for count in range(1, 5):
            more = sums | sums << np.uint32(rank + 1)
            sums = np.where(on_table[:, rank] >= count, more, sums)
    return sums


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


def slopes(network: Network, states: Floats, error: Floats) -> list[Floats]:
    """How the error to be made small changes with each weight; `error` is its slope by value."""
    one, two, _ = network.layers(states)
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


def error_of(found: Floats, values: Floats, lengths: Counts | None) -> Floats:
    """The slope of the squared error. With groups the differences inside of one weigh most."""
    error = found - values
    if lengths is not None:
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        mean = np.repeat(np.add.reduceat(error, starts) / lengths, lengths)
        error = WITHIN_GROUP * (error - mean) + OF_GROUP * error
    return (error * np.float32(2 / len(values))).astype(np.float32)


def fit(
    states: Floats, values: Floats, epochs: int, groups: Counts | None = None
) -> tuple[Network, float]:
    """A network, and its root mean square error for the last tenth of the states, in points.

    Args:
        states: the inputs, a row for each state.
        values: in points.
        epochs: how often each state is looked at.
        groups: for each state the number of its group, ascending; None without groups.
    """
    rng = np.random.default_rng(1)
    each = np.arange(len(values)) if groups is None else groups
    starts = np.flatnonzero(np.append(True, each[1:] != each[:-1]))
    ends = np.append(starts[1:], len(values))
    kept = len(starts) * 9 // 10
    batch = BATCH if groups is None else BATCH // 4
    network = started(states.shape[1], rng)
    means = [np.zeros_like(weights) for weights in network]
    squares = [np.zeros_like(weights) for weights in network]
    step = 0
    for epoch in range(epochs):
        rate = RATE * 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 1e-5
        order = rng.permutation(kept)
        for begin in range(0, kept - batch, batch):
            taken = order[begin : begin + batch]
            lengths = ends[taken] - starts[taken]
            rows = np.repeat(starts[taken] + lengths - lengths.cumsum(), lengths)
            rows += np.arange(len(rows))
            error = error_of(
                network.layers(states[rows])[2], values[rows], None if groups is None else lengths
            )
            step += 1
            found = slopes(network, states[rows], error)
            for weights, slope, mean, square in zip(network, found, means, squares, strict=True):
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                size = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                weights -= (rate * mean / (1 - 0.9**step) / size).astype(np.float32)
    last = starts[kept]
    error = network.layers(states[last:])[2] - values[last:]
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


def written(name: str, networks: dict[str, Network], tool: str) -> str:
    """The text of a header with networks.

    Args:
        name: of the array of networks, in capitals.
        networks: by their names.
        tool: the script that writes it.
    """
    one, two, three = SCALES
    arrays, rows, names = [], [], []
    for own, net in networks.items():
        label = f"CC_{own.upper().replace('-', '_')}"
        names.append(label)
        array = f"{name}_ROWS_{len(names)}"
        size = len(net.first)
        first = braced(whole(net.first, one))
        arrays.append(f"static const int16_t {array}[{size}][CC_FIRST] = {first};\n")
        fields = [
            braced(whole(net.first_bias, one)),
            braced(whole(net.second.T, two)),
            braced(whole(net.second_bias, one * two)),
            braced(whole(net.last, three)),
            str(whole(net.last_bias, one * three)[0]),
        ]
        rows.append(f"    {{{array},\n" + ",\n".join(fields) + "}")
    guard = f"{name}_WEIGHTS_H".replace("CC_", "CASINO_CORE_")
    lines = [
        f"/* Written by {tool}. */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        '#include "network.h"',
        "",
        f"enum {{ {', '.join(names)} }};" if len(names) > 1 else "",
        "",
        *arrays,
        f"static const cc_network {name}[{len(names)}] = {{",
        ",\n".join(rows),
        "};",
        "",
        "#endif",
        "",
    ]
    return "\n".join(lines)
