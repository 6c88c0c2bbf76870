"""The plots of a report: the course of a round, and the win chances of a match."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby, pairwise

from casino_core.report.course import Point, course, given_away
from casino_core.report.plays import address
from casino_core.report.plot import Band, Frame, Line, Mark, plot
from casino_core.report.words import Names, signed, tag
from casino_core.review.review import PlayReview, Review, RoundReview

__all__ = ["chances_figure", "course_figure"]

_WIDE = (960, 330)
_NARROW = (340, 300)
_PARTS = (
    ("rest", "the rest", "what nobody could know, mostly the other hand; found after each deal"),
    ("mistakes", "mistakes", "what was given away by what could be known"),
    ("luck", "luck of the deals", "what the cards dealt were worth more than others"),
)
_NO_LUCK = "Luck is not known, as hands are hidden; the plot shows what each seat gave away."

Marked = Sequence[tuple[int, PlayReview]]


def course_figure(one: RoundReview, names: Names, marks: Marked) -> str:
    """The course of a round as a plot with its legend.

    Args:
        one: the round.
        names: the names of the players.
        marks: costly plays of the round with their numbers.
    """
    if one.luck.reason is not None:
        return _costs_figure(one, names, marks)
    sides = len(names.sides())
    if sides == 2:
        return _side_figure(one, names, marks, 0, f"r{one.number}")
    figures = (
        tag("h3", escape(names.side(side)))
        + _side_figure(one, names, marks, side, f"r{one.number}-{side}")
        for side in range(sides)
    )
    return "".join(figures)


def _side_figure(one: RoundReview, names: Names, marks: Marked, side: int, key: str) -> str:
    """The course of a round for a side of the game."""
    points = course(one, names.side_in(one.number, side))
    assert points is not None
    name, sides = names.side(side), names.sides()
    lines = [_line(part, points) for part in ("rest", "mistakes", "luck", "total")]
    at = {point.play: point for point in points}
    frame = Frame(
        f"The course of the round, for {name}",
        _described(points, name, finished=one.round.is_over),
        f"{name} ahead",
        f"{sides[1 - side]} ahead" if len(sides) == 2 else "others ahead",
        _bands(one),
        tuple(_mark(one, names, at[p.number].mistakes, place, p) for place, p in marks),
        tuple(_tooltip(one, names, play, at[play], name) for play in sorted(at)),
    )
    start = one.luck.starts[names.side_in(one.number, side)]
    return _figure(lines, frame, key, _legend(points, one, name, start))


def _line(key: str, points: Sequence[Point]) -> Line:
    values = tuple((point.play, getattr(point, key)) for point in points)
    name = {key: name for key, name, _ in _PARTS}.get(key, "result so far")
    return Line(key, name, values)


def _figure(lines: Sequence[Line], frame: Frame, key: str, legend: str) -> str:
    """The plot for wide and for narrow screens, of which one is shown."""
    wide = plot(lines, frame, width=_WIDE[0], height=_WIDE[1], key=f"{key}-wide")
    narrow = plot(lines, frame, width=_NARROW[0], height=_NARROW[1], key=f"{key}-narrow")
    return tag(
        "figure",
        tag("div", wide, class_="wide"),
        tag("div", narrow, class_="narrow"),
        tag("figcaption", legend),
        class_="course",
        data_round=key.split("-")[0],
    )


def _bands(one: RoundReview) -> tuple[Band, ...]:
    """The deals of the round."""
    starts = [next(plays).number - 1 for _, plays in groupby(one.plays, key=lambda play: play.deal)]
    numbers = sorted({play.deal for play in one.plays})
    edges = [*starts, len(one.plays)]
    return tuple(
        Band(left, right, f"deal {deal}" if deal == numbers[0] else str(deal))
        for deal, (left, right) in zip(numbers, pairwise(edges), strict=True)
    )


def _mark(one: RoundReview, names: Names, y: float, place: int, play: PlayReview) -> Mark:
    who = names.of_seat(play.seat, one.number)
    title = f"play {play.number}, {who}: {play.move} gave away {play.cost or 0:.2f}"
    return Mark(play.number, y, str(place), f"#{address(one, play)}", title)


def _tooltip(one: RoundReview, names: Names, play: int, point: Point, name: str) -> str:
    if play == 0:
        what = "before the first play"
    else:
        made = one.plays[play - 1]
        what = f"play {play}, {names.of_seat(made.seat, one.number)}: {made.move}"
    return (
        f"{what}: {signed(point.total)} for {name} (luck {signed(point.luck)}, "
        f"mistakes {signed(point.mistakes)}, the rest {signed(point.rest)})"
    )


def _described(points: Sequence[Point], name: str, *, finished: bool) -> str:
    last = points[-1]
    what = "The result is" if finished else "The round is not finished; so far it is"
    return (
        f"{what} {signed(last.total)} for {name}: {signed(last.luck)} by the luck of the "
        f"deals, {signed(last.mistakes)} by mistakes, {signed(last.rest)} by the rest, which "
        "nobody could know."
    )


def _legend(points: Sequence[Point], one: RoundReview, name: str, start: float) -> str:
    last = points[-1]
    whole = "Result" if one.round.is_over else "So far"
    others = "ahead" if one.round.start.rules.sides == 2 else "more than the mean of the others"
    rows = [_entry("total", whole, last.total, f"points of {escape(name)} {others}")]
    if start:
        rows.append(_entry("start", "as the record begins", start, "value of the first position"))
    for key, part, meaning in reversed(_PARTS):
        rows.append(_entry(key, part, getattr(last, key), meaning))
    return tag("ul", *rows, class_="legend")


def _entry(key: str, name: str, value: float, meaning: str) -> str:
    path = f'<path class="line {key}" d="M0 5H30"/>'
    swatch = f'<svg class="swatch" viewBox="0 0 30 10" aria-hidden="true">{path}</svg>'
    shown = tag("b", signed(value, 0 if key == "total" and value == int(value) else 2))
    small = tag("small", meaning)
    return tag("li", swatch, f" {name} ", shown, " ", small, data_part=key, data_value=repr(value))


def _costs_figure(one: RoundReview, names: Names, marks: Marked) -> str:
    """What each seat gave away, where luck is not measured."""
    seats = one.round.start.rules.seats
    sums = {seat: given_away(one, seat) for seat in seats}
    lines = [Line(f"seat-{seat}", seat, points) for seat, points in sums.items()]
    told = ", ".join(f"{names.of_seat(s, one.number)} {sums[s][-1][1]:.2f}" for s in seats)
    frame = Frame(
        "Points given away, play by play",
        f"Points given away by what could be known: {told}.",
        "points given away",
        "",
        _bands(one),
        tuple(_mark(one, names, sums[p.seat][p.number][1], place, p) for place, p in marks),
        tuple(
            "before the first play"
            if play == 0
            else f"play {play}, {names.of_seat(one.plays[play - 1].seat, one.number)}"
            for play in range(len(one.plays) + 1)
        ),
    )
    rows = [
        _entry(f"seat-{seat}", escape(names.of_seat(seat, one.number)), points[-1][1], "given away")
        for seat, points in sums.items()
    ]
    reason = tag("p", _NO_LUCK)
    return _figure(lines, frame, f"r{one.number}", reason + tag("ul", *rows, class_="legend"))


def chances_figure(review: Review, names: Names) -> str:
    """The win chances of a match after each round; empty if they are not known.

    Args:
        review: the review of a match.
        names: the names of the players.
    """
    known = [one for one in review.rounds if one.chances is not None]
    points: list[tuple[float, float]] = []
    for one in known:
        assert one.chances is not None
        for place, chance in zip((one.number - 1, one.number), one.chances, strict=True):
            if chance is not None and (not points or points[-1][0] < place):
                points.append((place, chance.win + chance.draw / 2))
    if len(points) < 2:
        return ""
    first = points[0][0]
    moved = tuple((x - first, y) for x, y in points)
    told = ", ".join(f"{y:.0%} after round {x:g}" if x else f"{y:.0%} at first" for x, y in points)
    bands = tuple(
        Band(one.number - 1 - first, one.number - first, f"round {one.number}") for one in known
    )
    who = names.side(0)
    frame = Frame(
        f"Chances of {who} to win the match", told, f"{who} wins", "", bands, percent=True
    )
    line = Line("total", "win chance", moved, stairs=False)
    note = f"Win chances of {escape(who)} between equal players, before and after each round."
    return _figure([line], frame, "match", tag("p", note))
