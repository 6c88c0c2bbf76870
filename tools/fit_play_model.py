"""Fits how a strong player values its moves before the last deal, and writes the weights.

    python tools/fit_play_model.py make FILE.npz [--rounds N] [--seed S]
    python tools/fit_play_model.py fit FILE.npz [--write]

`make` plays rounds of `standard`: with the careful player and some plays by chance up to the deal
before the last, then by hints of 24 worlds, a fifth of the plays by chance. It notes the value that
a hint gives to each legal move, less what has been captured by then. About 30 values and 60
milliseconds a round. The weights in the package were fitted to 18,000 rounds.

`fit` fits a network (`network.py`) to nine tenths of the decisions. Errors in the differences
between the moves of a decision count most. Printed is what the best-looking move of the others
loses to that of the hint, in points a decision.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

import numpy as np
from folders import ROOT
from network import POINTERS, RANKS, Network, counted, fit, has_card, marked, sums_of, written
from numpy.typing import NDArray

from casino_core import Position, hint
from casino_core.evaluation.players import greedy_move
from casino_core.game.counting import points_of_cards
from casino_core.rules.cards import CARD_NAMES, CardSet

WEIGHTS = ROOT / "src" / "casino_core" / "evaluation" / "play_model_weights.h"
EPOCHS = 25
WORLDS = 24
BY_CHANCE = (0.05, 0.15, 0.4)  # share of plays by chance up to the deal before the last
BY_CHANCE_THEN = 0.2
LAST_STOCK = 8
MOST_BUILDS = 4
CARDS = np.uint64((1 << 52) - 1)

Floats = NDArray[np.float32]
Counts = NDArray[np.int64]


# Decisions


def make(rounds: int, seed: int) -> dict[str, NDArray[np.generic]]:
    """States after each legal move of decisions, with the values of a hint.

    Returns:
        `rows`: masks of the table, the own hand, both piles and four builds, these with value and
        owner above the cards; `ints`: numbers of cards of both hands, the seat, the last capturer
        (0 none, 1 it, 2 the other) and the points gained; `v`: points still gained after that;
        `g`: numbers of the decisions.
    """
    rows: list[list[int]] = []
    ints: list[list[int]] = []
    values: list[float] = []
    decisions: list[int] = []
    for number in range(seed, seed + rounds):
        rng = Random(number)
        at = Position.start(seed=number)
        share = rng.choice(BY_CHANCE)
        while at.stock_count > LAST_STOCK:
            careful = rng.random() >= share
            at = at.play(
                greedy_move(at, careful=True) if careful else rng.choice(at.some_legal_moves())
            )
        while at.stock_count == LAST_STOCK:
            seen = at.view(at.turn)
            best = seen.legal_moves()[0]
            if len(seen.legal_moves()) > 1:
                found = hint(seen, samples=WORLDS, seed=number, measure_all=True)
                best = found.best
                decision = decisions[-1] + 1 if decisions else 0
                for one in found.moves:
                    row, facts, lead = described(seen, seen.play(one.move))
                    rows.append(row)
                    ints.append(facts)
                    values.append(one.value - lead)
                    decisions.append(decision)
            by_chance = rng.random() < BY_CHANCE_THEN
            at = at.play(rng.choice(at.legal_moves()) if by_chance else best)
    return {
        "rows": np.array(rows, dtype=np.uint64),
        "ints": np.array(ints),
        "v": np.array(values, dtype=np.float32),
        "g": np.array(decisions),
    }


def lead_of(position: Position, seat: int) -> int:
    """Points that a seat has captured, less those of the other."""
    points = [points_of_cards(position._compiled, pile.cards) for pile in position.piles]
    return points[seat] - points[1 - seat]


def described(seen: Position, after: Position) -> tuple[list[int], list[int], int]:
    """The row and the facts of a state, and the lead in it."""
    seats = seen.rules.seats
    seat = seats.index(seen.turn)
    is_dealt = after.stock_count != seen.stock_count
    own, other = after.hands[seat], after.hands[1 - seat]
    builds = [0] * MOST_BUILDS
    for place, build in enumerate(after.builds[:MOST_BUILDS]):
        is_own = seats.index(build.owner) == seat
        builds[place] = build.cards.mask | build.value << 52 | is_own << 60
    row = [
        after.table.mask,
        0 if is_dealt else own.cards.mask,
        after.piles[seat].cards.mask,
        after.piles[1 - seat].cards.mask,
        *builds,
    ]
    last = 0 if after.last is None else 1 + (after.last != seen.turn)
    hands = [0, 0] if is_dealt else [own.size, other.size]
    lead = lead_of(after, seat)
    return row, [*hands, seat, last, lead - lead_of(seen, seat)], lead


# Inputs


def inputs(rows: NDArray[np.uint64], ints: Counts) -> Floats:
    """The inputs of states, in the order of `evaluation/play_model.pyx`."""
    table, own, mine, others = (has_card(rows[:, column]) for column in range(4))
    builds = rows[:, 4:]
    in_builds = [has_card(builds[:, place] & CARDS) for place in range(MOST_BUILDS)]
    value = (builds >> np.uint64(52) & np.uint64(15)).astype(np.int64)
    is_own = (builds >> np.uint64(60) & np.uint64(1)).astype(bool)
    unseen = 1 - (table | own | mine | others | sum(in_builds))
    spade = np.array([name[1] == "s" for name in CARD_NAMES])
    lying, held, hidden = (
        cards.reshape(-1, RANKS, 4).sum(axis=2) for cards in (table, own, unseen)
    )
    sums = sums_of(lying, numbered=False)
    columns = [
        marked(mine.sum(axis=1) - others.sum(axis=1), -20, 20),
        marked(mine[:, spade].sum(axis=1) - others[:, spade].sum(axis=1), -7, 7),
    ]
    for rank in range(RANKS):
        takes = lying[:, rank] > 0
        if rank < 10:
            takes |= (sums >> np.uint32(rank + 1) & 1).astype(bool)
            takes |= (value == rank + 1).any(axis=1)
        columns.append(counted(lying[:, rank], 4))
        for numbers, most in ((held[:, rank], 3), (hidden[:, rank], 4)):
            here = counted(numbers, most)
            columns += [here * ~takes[:, None], here * takes[:, None]]
    points = np.array([points_in(name) for name in CARD_NAMES])
    for side in (True, False):
        chosen = (is_own == side) & (value > 0)
        values = [(chosen & (value == one)).sum(axis=1)[:, None] for one in range(1, 15)]
        cards = sum(found * chosen[:, place, None] for place, found in enumerate(in_builds))
        columns += [
            *values,
            counted(cards.sum(axis=1), 6),
            counted((cards * points).sum(axis=1), 4),
        ]
    columns.append(marked(ints[:, 0] * 5 + ints[:, 1], 0, 19))
    columns.append((ints[:, 2] == 0)[:, None])
    columns.append(counted(ints[:, 3], 2))
    for name in POINTERS:
        card = CARD_NAMES.index(name)
        columns += [cards[:, card, None] for cards in (table, own, unseen)]
    columns.append(counted(table.sum(axis=1), 10))
    for cards, most in ((table, 5), (unseen, 8), (own, 3)):
        columns.append(counted(cards[:, spade].sum(axis=1), most))
    return np.concatenate(columns, axis=1).astype(np.float32)


def points_in(name: str) -> int:
    return points_of_cards(Position.start()._compiled, CardSet(name))


# The fit


def lost(network: Network, states: Floats, data: dict[str, NDArray[np.generic]]) -> float:
    """Mean loss of the best-looking move of the last tenth of the decisions."""
    decision = data["g"]
    from_here = decision >= decision[-1] * 0.9
    gained = data["ints"][from_here, 4]
    looks = network.layers(states[from_here])[2] + gained
    is_worth = data["v"][from_here] + gained
    starts = np.flatnonzero(np.append(True, np.diff(decision[from_here]) != 0))
    losses = [
        worth.max() - worth[look.argmax()]
        for look, worth in zip(
            np.split(looks, starts[1:]), np.split(is_worth, starts[1:]), strict=True
        )
    ]
    return float(np.mean(losses))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("file", type=Path)
    making.add_argument("--rounds", type=int, default=18_000)
    making.add_argument("--seed", type=int, default=7_000_000)
    fitting = commands.add_parser("fit")
    fitting.add_argument("file", type=Path)
    fitting.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.command == "make":
        np.savez_compressed(given.file, **make(given.rounds, given.seed))
        return
    data = dict(np.load(given.file))
    states = inputs(data["rows"], data["ints"].astype(np.int64))
    network, error = fit(states, data["v"], EPOCHS, data["g"])
    print(f"{len(states)} values, error {error:.3f}, loss {lost(network, states, data):.4f}")
    if given.write:
        text = written("CC_PLAY_MODEL", {"strong": network}, "tools/fit_play_model.py")
        WEIGHTS.write_text(text)


if __name__ == "__main__":
    main()
