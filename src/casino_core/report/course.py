"""The course of a round: luck, mistakes and the rest, summed up play by play to the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from casino_core.report.words import Names
from casino_core.review.review import RoundReview

__all__ = ["Point", "course", "given_away"]


class Point(NamedTuple):
    """The parts of the result so far, in points of player a's side.

    Attributes:
        play: number of plays made.
        luck: luck of the deals so far.
        mistakes: what the other side gave away so far, less what this side gave away.
        rest: what nobody could know, up to the last deal; at the end of the round all of it.
        total: the sum, with the value where the record begins; right after a deal the value of
            its open hands, at the end the result.
    """

    play: int
    luck: float
    mistakes: float
    rest: float
    total: float


def course(one: RoundReview, names: Names) -> tuple[Point, ...] | None:
    """The points of the course of a round, from the first deal on.

    The rest of a deal is found at its end: what the mean of the next deals, or the result, differs
    from the value of the open hands after this deal, less the mistakes.

    Args:
        one: the review of the round.
        names: the names of its seats.

    Returns:
        The points in order; None if luck was not measured between two sides.
    """
    if one.luck.reason is not None or one.round.start.rules.sides != 2:
        return None
    sign = 1 if names.side_of_seat("a", one.number) == 0 else -1
    return tuple(
        Point(play, sign * luck, sign * mistakes, sign * rest, sign * total)
        for play, luck, mistakes, rest, total in _course(one)
    )


def _course(one: RoundReview) -> Iterator[Point]:
    """The points of side a of the round."""
    rules = one.round.start.rules
    deals = {deal.plays: deal for deal in one.luck.deals}
    luck = mistakes = rest = 0.0
    start = one.luck.start

    def at(play: int) -> Point:
        return Point(play, luck, mistakes, rest, start + luck + mistakes + rest)

    if 0 not in deals:
        yield at(0)
    for play in range(len(one.plays) + 1):
        if play:
            made = one.plays[play - 1]
            side = rules.side_of(rules.seats.index(made.seat))
            mistakes += made.cost if side else -made.cost
            yield at(play)
        if play in deals:
            deal = deals[play]
            rest = deal.mean - start - luck - mistakes
            if play:
                yield at(play)
            luck += deal.luck
            yield at(play)
    if one.round.is_over:
        points = one.round.score()
        rest = points[0] - points[1] - start - luck - mistakes
        yield at(len(one.plays))


def given_away(one: RoundReview, seat: str) -> tuple[tuple[int, float], ...]:
    """The points that a seat gave away, summed up after each play of the round.

    Args:
        one: the review of the round.
        seat: the letter of the seat.
    """
    total, found = 0.0, [(0, 0.0)]
    for place, play in enumerate(one.plays, 1):
        total += play.cost if play.seat == seat else 0.0
        found.append((place, total))
    return tuple(found)
