"""The course of a round: luck, mistakes and the rest, summed up play by play to the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from casino_core.play.luck import leads_of
from casino_core.review.review import RoundReview

__all__ = ["Point", "course", "given_away"]


class Point(NamedTuple):
    """The parts of the result so far for a side, in points more than the mean of the others.

    Attributes:
        play: number of plays made.
        luck: luck of the deals so far.
        mistakes: what the other sides gave away so far, on average, less what this side gave away.
        rest: what nobody could know, up to the last deal; at the end of the round all of it.
        total: the sum, with the value where the record begins; right after a deal the value of
            its open hands, at the end the result.
    """

    play: int
    luck: float
    mistakes: float
    rest: float
    total: float


def course(one: RoundReview, side: int) -> tuple[Point, ...] | None:
    """The points of the course of a round, from the first deal on.

    The rest of a deal is found at its end: what the mean of the next deals, or the result, differs
    from the value of the open hands after this deal, less the mistakes.

    Args:
        one: the review of the round.
        side: number of the side in that round.

    Returns:
        The points in order; None if luck was not measured.
    """
    return None if one.luck.reason is not None else tuple(_course(one, side))


def _course(one: RoundReview, side: int) -> Iterator[Point]:
    rules = one.round.start.rules
    deals = {deal.plays: deal for deal in one.luck.deals}
    luck = mistakes = rest = 0.0
    start = one.luck.starts[side]

    def at(play: int) -> Point:
        return Point(play, luck, mistakes, rest, start + luck + mistakes + rest)

    if 0 not in deals:
        yield at(0)
    for play in range(len(one.plays) + 1):
        if play:
            made = one.plays[play - 1]
            own = rules.side_of(rules.seats.index(made.seat)) == side
            mistakes += (made.cost or 0.0) * (-1 if own else 1 / (rules.sides - 1))
            yield at(play)
        if play in deals:
            deal = deals[play]
            rest = deal.means[side] - start - luck - mistakes
            if play:
                yield at(play)
            luck += deal.luck_of(side)
            yield at(play)
    if one.round.is_over:
        rest = leads_of(one.round.score())[side] - start - luck - mistakes
        yield at(len(one.plays))


def given_away(one: RoundReview, seat: str) -> tuple[tuple[int, float], ...]:
    """The points that a seat gave away, summed up after each play of the round.

    Args:
        one: the review of the round.
        seat: the letter of the seat.
    """
    total, found = 0.0, [(0, 0.0)]
    for place, play in enumerate(one.plays, 1):
        total += (play.cost or 0.0) if play.seat == seat else 0.0
        found.append((place, total))
    return tuple(found)
