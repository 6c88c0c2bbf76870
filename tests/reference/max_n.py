"""Solving for more than two sides by trying everything."""

from __future__ import annotations

from .notation import move_to_text
from .rules import UNKNOWN, State, legal_moves, play, score

Points = tuple[int, ...]


def lead(points: Points, side: int) -> int:
    """The points of a side minus those of the best other."""
    return points[side] - max(points[:side] + points[side + 1 :])


def wish(points: Points, side: int) -> tuple[int, ...]:
    """The larger, the more a side likes the points that all end with: its lead, then its own
    points, then few points for the side that plays next, then for the one after it.
    """
    others = points[side + 1 :] + points[:side]
    return lead(points, side), points[side], *(-other for other in others)


def outcome(state: State, known: dict[State, Points]) -> Points:
    """The points that all sides end with when each plays for itself. `known` remembers."""
    if state.is_over:
        return tuple(score(state))
    if state not in known:
        side = state.rules.side_of(state.turn)
        known[state] = max(
            (outcome(play(state, move), known) for move in legal_moves(state)),
            key=lambda points: wish(points, side),
        )
    return known[state]


def solve(state: State) -> tuple[Points, dict[str, Points]]:
    """What all sides end with from a position in which every card is known, and from each of
    its legal moves.
    """
    if any(UNKNOWN in hand for hand in state.hands) or UNKNOWN in state.stock:
        raise ValueError("a value needs every card")
    known: dict[State, Points] = {}
    moves = {
        move_to_text(state, move): outcome(play(state, move), known) for move in legal_moves(state)
    }
    return outcome(state, known), moves
