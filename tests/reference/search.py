"""Counting and solving by trying everything."""

from __future__ import annotations

from .notation import move_to_text
from .rules import UNKNOWN, State, legal_moves, play, score


def unknown_cards(state: State) -> int:
    """How many cards in the hands are not known."""
    return sum(hand.count(UNKNOWN) for hand in state.hands)


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` plays.

    A sequence that ends with the round, or with a card that comes to a hand and is not known,
    counts once.
    """
    if depth == 0 or state.is_over:
        return 1
    return sum(divide(state, depth).values())


def divide(state: State, depth: int) -> dict[str, int]:
    """`perft` for each legal move: move text to number of sequences."""
    counts = {}
    for move in legal_moves(state):
        after = play(state, move)
        ends = unknown_cards(after) > unknown_cards(state)
        counts[move_to_text(state, move)] = 1 if ends else perft(after, depth - 1)
    return counts


def solve(state: State) -> tuple[int, dict[str, int]]:
    """The value of a position in which every card is known, and that of every legal move.

    A value is the final points of the round of the mover's side minus those of the other side,
    where both sides play best. There must be two sides.
    """
    if state.rules.sides != 2:
        raise ValueError("a value needs two sides")
    if unknown_cards(state) or UNKNOWN in state.stock:
        raise ValueError("a value needs every card")
    sign = sign_of_mover(state)
    known: dict[State, int] = {}
    moves = {
        move_to_text(state, move): sign * lead_of_a(play(state, move), known)
        for move in legal_moves(state)
    }
    return sign * lead_of_a(state, known), moves


def sign_of_mover(state: State) -> int:
    """1 where the side of seat a is to play, else -1."""
    return 1 if state.rules.side_of(state.turn) == 0 else -1


def lead_of_a(state: State, known: dict[State, int]) -> int:
    """The points of seat a's side minus the other's when both play best. `known` remembers."""
    if state.is_over:
        points = score(state)
        return points[0] - points[1]
    if state not in known:
        choose = max if sign_of_mover(state) == 1 else min
        known[state] = choose(lead_of_a(play(state, move), known) for move in legal_moves(state))
    return known[state]
