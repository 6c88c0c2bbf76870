"""Who has won: matches of several rounds."""

from __future__ import annotations

from dataclasses import dataclass

from casino_core._arguments import instance_of
from casino_core.game.position import Position
from casino_core.game.scoring import highest, score_steps

__all__ = ["MatchResult", "match_result"]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match stands at the end of a round.

    Attributes:
        totals: score of each side with this round.
        over: whether the match has ended; else another round is played.
        winner: index of the side that has won, None while nobody has, and in a drawn match.
    """

    totals: tuple[int, ...]
    over: bool
    winner: int | None


def match_result(position: Position) -> MatchResult:
    """How the match stands at the end of a finished round.

    The position's `match_score` is the score before the round. Under `finish=highest` the
    highest total at or over the target wins. Under `count_out` the points are counted one by
    one and the first side there wins; the order is that of the handbook text on Casino: cards,
    spades, big casino, little casino, aces, sweeps.

    Args:
        position: a finished round with every captured card known.

    Raises:
        CasinoError: the round is not finished.
        HiddenCardError: captured cards are not known.

    Example:
        >>> position = Position.start("standard", seed=1, score=(20, 0))
        >>> while not position.is_over:
        ...     position = position.play(next(position.iter_legal_moves()))
        >>> position.score()
        (6, 5)
        >>> match_result(position)
        MatchResult(totals=(26, 5), over=True, winner=0)
    """
    rules = instance_of(Position)("position", position).rules
    points = position.score()
    totals = tuple(
        before + round_points
        for before, round_points in zip(position.match_score, points, strict=True)
    )
    if max(totals) < rules.target:
        return MatchResult(totals, False, None)
    winner = _first_there(position) if rules.finish == "count_out" else None
    if winner is None:
        winner = highest(totals)
    return MatchResult(totals, winner is not None or rules.tie == "draw", winner)


def _first_there(position: Position) -> int | None:
    """The side that alone reaches the target first; None where sweeps bring several there."""
    target = position.rules.target
    totals = list(position.match_score)
    for step in score_steps(position):
        if step.name == "sweeps" or max(totals) >= target:
            break
        if step.side is not None:
            totals[step.side] += step.points
    if max(totals) < target:  # sweeps come last, those of all sides at once
        for side, sweeps in enumerate(position.sweeps):
            totals[side] += position.rules.sweep * sweeps
    there = [side for side, total in enumerate(totals) if total >= target]
    return there[0] if len(there) == 1 else None
