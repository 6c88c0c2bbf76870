"""The reward of a round for each seat."""

from __future__ import annotations

from collections.abc import Sequence

from casino_core.rules.options import Rules

__all__ = ["rewards_of"]


def rewards_of(rules: Rules, points: Sequence[int]) -> tuple[float, ...]:
    """The points of each seat's side minus the mean points of the other sides.

    With two sides that is the difference; the rewards of all seats sum to zero.

    Args:
        rules: the rules.
        points: the points of each side.

    Example:
        >>> rewards_of(Rules.parse("royal,players=3"), (5, 2, 4))
        (2.0, -2.5, 0.5)
    """
    total = sum(points)
    by_side = [(rules.sides * own - total) / (rules.sides - 1) for own in points]
    return tuple(by_side[seat % rules.sides] for seat in range(rules.players))
