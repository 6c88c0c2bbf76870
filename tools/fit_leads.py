"""Fits what a deal's end is worth, and writes `evaluation/leads.h`.

    python tools/fit_leads.py [--rounds N] [--seed S] [--write]

The careful player plays rounds of `standard`, now and then by chance among plays that look good.

A lead in cards or spades: at each deal's end the lead and what is left outside the piles are noted,
and at the end who has the majority: +1, 0 or -1. Its mean is taken to be
erf(lead / (spread * sqrt(2 * left))), that of a sum of many small steps, and the spread with the
least squared error is looked for in steps of 0.01.

The table: what seat a, which leads in the next deal, gains in the end on the points so far and the
majorities as just fitted is taken to be a + b * takers^2 + c * points on the table, by least
squares. Takers are the ranks of which a card could capture something there.
"""

from __future__ import annotations

import argparse
from math import erf, exp, sqrt
from random import Random
from typing import NamedTuple

import numpy as np
from folders import ROOT

from casino_core import Position
from casino_core.evaluation.players import greedy_move, greedy_scores
from casino_core.game.counting import card_values, points_of_cards

HEADER = ROOT / "src" / "casino_core" / "evaluation" / "leads.h"
DECK = 52
SPADES = 13
SCALE = 32767

RANKS = "A23456789TJQK"
MOST_CARDS, MOST_SPADES = 3, 1

BY_CHANCE = 0.15  # share of the plays that are drawn
Notes = dict[tuple[int, int], list[int]]  # by lead and cards left: majorities in the end


class DealEnd(NamedTuple):
    """A position at the end of a deal, and the final lead of seat a in points."""

    counts: tuple[int, int, int, int]
    points: int  # lead of seat a so far
    takers: int
    on_table: int  # points
    last: bool  # the last deal comes
    outcome: int


def play_rounds(rounds: int, seed: int) -> tuple[Notes, Notes, list[DealEnd]]:
    """Plays rounds, and returns the notes of cards, of spades and of all deals' ends."""
    rng = Random(seed)
    cards: Notes = {}
    spades: Notes = {}
    tables: list[DealEnd] = []
    for number in range(rounds):
        position = Position.start("standard", seed=seed * 1_000_003 + number)
        ends = []
        while not position.is_over:
            stock = position.stock_count
            position = position.play(choose(position, rng))
            if position.stock_count != stock:
                ends.append(position)
        last_cards, last_spades, _, _ = counts(position)
        outcome = position.score()[0] - position.score()[1]
        for end in ends:
            lead, spade_lead, left, spades_left = counts(end)
            tables.append(
                DealEnd(
                    counts(end),
                    points(end),
                    takers(end),
                    points_of_cards(end._compiled, end.table),
                    not end.stock_count,
                    outcome,
                )
            )
            cards.setdefault((lead, left), []).append(sign(last_cards))
            spades.setdefault((spade_lead, spades_left), []).append(sign(last_spades))
    return cards, spades, tables


def points(position: Position) -> int:
    """The lead of seat a in captured points and sweeps."""
    one, other = (points_of_cards(position._compiled, pile.cards) for pile in position.piles)
    return one - other + position.sweeps[0] - position.sweeps[1]


def takers(position: Position) -> int:
    """Ranks of which a card could capture loose cards."""
    reach = 1  # bit s: some loose cards sum to s
    for card in position.table:
        reach |= reach << min(card_values(position._compiled, card), default=0)
    there = {card[0] for card in position.table}
    return sum(
        rank in there
        or any(reach >> value & 1 for value in card_values(position._compiled, rank + "s"))
        for rank in RANKS
    )


def fit_table(ends: list[DealEnd], spreads: tuple[float, float]) -> tuple[list[int], float, float]:
    """Thousandths of a point for the lead, takers squared, points; squared errors before, after."""
    gained = []
    for end in ends:
        lead, spade_lead, left, spades_left = end.counts
        majorities = MOST_CARDS * expected(lead, left, spreads[0])
        majorities += MOST_SPADES * expected(spade_lead, spades_left, spreads[1])
        gained.append(end.outcome - end.points - majorities)
    known = np.array([(1, end.takers**2, end.on_table) for end in ends], dtype=float)
    found = np.array(gained)
    weights = np.linalg.lstsq(known, found, rcond=None)[0]
    left_over = found - known @ weights
    return (
        [round(1000 * float(weight)) for weight in weights],
        float(np.mean(found**2)),
        float(np.mean(left_over**2)),
    )


def choose(position: Position, rng: Random):
    if rng.random() >= BY_CHANCE:
        return greedy_move(position, careful=True)
    moves = position.legal_moves()
    weights = [exp(1.5 * score) for score in greedy_scores(position, careful=True)]
    return rng.choices(moves, weights)[0]


def counts(position: Position) -> tuple[int, int, int, int]:
    """Leads of the first side in cards and spades, and how many are left of both."""
    first, second = (pile.cards for pile in position.piles)
    if position.is_over and position.last is not None:  # who captured last takes what is left
        left = position.table
        for build in position.builds:
            left |= build.cards
        first, second = (first | left, second) if position.last == "a" else (first, second | left)
    one, other = (sum(card[1] == "s" for card in pile) for pile in (first, second))
    return (
        len(first) - len(second),
        one - other,
        DECK - len(first) - len(second),
        SPADES - one - other,
    )


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def expected(lead: int, left: int, spread: float) -> float:
    if abs(lead) > left:
        return float(sign(lead))
    return erf(lead / (spread * sqrt(2 * left))) if left else 0.0


def squared_error(notes: Notes, spread: float | None) -> float:
    """Mean squared error; with no spread, of the plain proportion."""
    total = number = 0.0
    for (lead, left), ends in notes.items():
        if spread is None:
            guess = max(-1.0, min(1.0, 2 * lead / (left + 1)))
        else:
            guess = expected(lead, left, spread)
        total += sum((end - guess) ** 2 for end in ends)
        number += len(ends)
    return total / number


def best_spread(notes: Notes) -> float:
    return min((step / 100 for step in range(50, 250)), key=lambda s: squared_error(notes, s))


def array(name: str, spread: float) -> str:
    numbers = [
        round(SCALE * expected(lead, left, spread))
        for left in range(DECK + 1)
        for lead in range(left + 1)
    ]
    lines = [f"/* spread {spread:.2f} */", f"static const int16_t {name}[{len(numbers)}] = {{"]
    line = "   "
    for number in numbers:
        if len(line) > 100:
            lines.append(line)
            line = "   "
        line += f" {number},"
    return "\n".join([*lines, line, "};", ""])


def header(cards: float, spades: float, tables: list[list[int]]) -> str:
    return "\n".join(
        [
            "/* What a lead in cards or spades is worth before the end.",
            "   Made by tools/fit_leads.py --write: do not edit.",
            "   At [left * (left + 1) / 2 + lead]: the mean of +1 for the majority in the end and",
            f"   -1 against it, in parts of {SCALE}, with a lead that can still be lost. */",
            "#ifndef CASINO_CORE_LEADS_H",
            "#define CASINO_CORE_LEADS_H",
            "",
            "#include <stdint.h>",
            "",
            array("CC_CARDS_LEAD", cards),
            array("CC_SPADES_LEAD", spades),
            "/* What the table at a deal's end is worth to whoever leads in the next deal, in",
            "   thousandths of a point: for the lead itself, for the square of how many ranks",
            "   could capture something, for each point there; then where the last deal comes. */",
            *(
                f"#define {name} ({weight})"
                for suffix, weights in zip(("", "_LAST"), tables, strict=True)
                for name, weight in zip(
                    (f"CC_LEADER{suffix}", f"CC_TAKERS_SQUARED{suffix}", f"CC_LIES_OPEN{suffix}"),
                    weights,
                    strict=True,
                )
            ),
            "",
            "#endif",
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write evaluation/leads.h")
    options = parser.parse_args()
    cards, spades, ends = play_rounds(options.rounds, options.seed)
    spreads = []
    for name, notes in (("cards", cards), ("spades", spades)):
        spreads.append(best_spread(notes))
        plain, fitted = squared_error(notes, None), squared_error(notes, spreads[-1])
        print(f"{name}: spread {spreads[-1]:.2f}, error {fitted:.3f}, in proportion {plain:.3f}")
    tables = []
    for last in (False, True):
        weights, before, after = fit_table(
            [end for end in ends if end.last is last], (spreads[0], spreads[1])
        )
        tables.append(weights)
        # The search takes a table without takers and points for the least that one is worth.
        assert weights[1] >= 0
        assert weights[2] >= 0
        when = "last deal" if last else "earlier"
        print(f"table, {when}: {weights}, error {after:.3f}, without {before:.3f}")
    if options.write:
        HEADER.write_text(header(spreads[0], spreads[1], tables), encoding="utf-8")


if __name__ == "__main__":
    main()
