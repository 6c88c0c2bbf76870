"""The end of a match."""

from __future__ import annotations

from dataclasses import dataclass

from .options import Rules
from .rules import RANKS, Cards, State, captured, card_points, score, side_with_most


@dataclass(frozen=True)
class MatchResult:
    """How a match stands after a round: `winner` is a side, None where the match goes on or is
    drawn. `totals` are the scores of the sides with the whole round counted.
    """

    totals: tuple[int, ...]
    over: bool
    winner: int | None


def match_result(state: State) -> MatchResult:
    """How the match stands at the end of a finished round."""
    rules = state.rules
    points = score(state)
    totals = tuple(before + point for before, point in zip(state.before, points, strict=True))
    if max(totals) < rules.target:
        return MatchResult(totals, False, None)
    if rules.finish == "count_out":
        winner = first_to_target(state)
        if winner is not None:
            return MatchResult(totals, True, winner)
    winner = side_with_most(list(totals))
    return MatchResult(totals, winner is not None or rules.tie == "draw", winner)


def first_to_target(state: State) -> int | None:
    """The side that alone reaches the target first as the points are counted one by one.

    None where sweeps, which come last and together, bring more than one side there.
    """
    totals = list(state.before)
    there = sides_at_target(state.rules, totals)
    for side, points in counted_points(state):
        if there:
            break
        totals[side] += points
        there = sides_at_target(state.rules, totals)
    if not there:
        totals = [t + state.rules.sweep * n for t, n in zip(totals, state.sweeps, strict=True)]
        there = sides_at_target(state.rules, totals)
    return there[0] if len(there) == 1 else None


def sides_at_target(rules: Rules, totals: list[int]) -> list[int]:
    return [side for side, total in enumerate(totals) if total >= rules.target]


def counted_points(state: State) -> list[tuple[int, int]]:
    """The points of a round without sweeps, as (side, points), in the order of counting."""
    scoring = state.rules.scoring
    cards = captured(state)
    most_cards = side_with_most([len(pile) for pile in cards])
    most_spades = side_with_most([sum(card[1] == "s" for card in pile) for pile in cards])
    counted = [] if most_cards is None else [(most_cards, 3)]
    if scoring != "standard":
        counted += points_of(cards, [rank + "s" for rank in "A" + RANKS[:0:-1]], scoring)
    if scoring != "spade" and most_spades is not None:
        counted.append((most_spades, 1))
    rest = ["Td", "2s", "As", "Ac", "Ah", "Ad"]
    if scoring != "standard":
        rest = [card for card in rest if card[1] != "s"]
    return counted + points_of(cards, rest, scoring)


def points_of(cards: list[Cards], order: list[str], scoring: str) -> list[tuple[int, int]]:
    """The points of single cards, as (side, points), for the sides that captured them."""
    return [
        (side, card_points(scoring, card))
        for card in order
        for side, pile in enumerate(cards)
        if card in pile
    ]
