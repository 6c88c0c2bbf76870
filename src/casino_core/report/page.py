"""The page of a report: one HTML file with its style, script, plots and pictures inside."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files

from casino_core._arguments import instance_of
from casino_core.formats.record import Game
from casino_core.render.card_art import card_definitions
from casino_core.render.svg import PICTURE_STYLE, table_svg
from casino_core.report.charts import chances_figure, course_figure
from casino_core.report.plays import address, play_panel, plays_section
from casino_core.report.totals import (
    accuracy_text,
    category_table,
    deal_table,
    match_table,
    points_of,
    seat_table,
)
from casino_core.report.words import Names, move_signs, number, tag
from casino_core.review.review import PlayReview, Review, RoundReview

__all__ = ["report_html"]

_FACTS = ("Event", "Date")
_COSTLIEST = ("The costliest play", "The second costliest", "The third costliest")


def report_html(review: Review) -> str:
    """A review as one HTML page, which needs no other file and no network.

    Args:
        review: the result of `review_game`.

    Returns:
        The text of the file.

    Raises:
        CasinoError: the argument is not a review.

    Example:
        >>> from casino_core import Game, review_game
        >>> game = Game.parse('[PlayerA "<b>Anna"] [Seed 17] 1. 7dx7c 2. 9h')
        >>> page = report_html(review_game(game, samples=5, deals=2))
        >>> page.startswith("<!doctype html>"), "&lt;b&gt;Anna" in page, "<b>Anna" in page
        (True, True, False)
    """
    instance_of(Review)("review", review)
    names = Names(review.game)
    title = " – ".join(names.sides())
    main = tag("main", *_sections(review, names), id="main")
    body = f"{_header(review, names)}{main}{_footer(review)}"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}: review</title>\n"
        f"<style>\n{_static('report.css')}{PICTURE_STYLE}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#main">To the review</a>\n{card_definitions(body)}\n{body}\n'
        f"<script>\n{_static('report.js')}</script>\n</body>\n</html>\n"
    )


@cache
def _static(name: str) -> str:
    """The text of a file of this package."""
    return files("casino_core.report").joinpath("static", name).read_text(encoding="utf-8")


def _header(review: Review, names: Names) -> str:
    game = review.game
    facts = [escape(game.tags[name]) for name in _FACTS if name in game.tags]
    facts.append(f"rules {escape(str(game.rules))}")
    if game.target is not None and len(review.rounds) > 1:
        facts.append(f"match to {game.target}")
    title = tag("h1", " – ".join(map(escape, names.sides())))
    result = tag("p", _result(review, names), class_="result")
    return tag("header", title, result, tag("p", " · ".join(facts), class_="facts"))


def _result(review: Review, names: Names) -> str:
    """The result in a sentence."""
    game, last = review.game, review.rounds[-1] if review.rounds else None
    points = None if last is None else points_of(last)
    if last is None or points is None:
        return "Not finished"
    score = points if len(review.rounds) == 1 else game.result or points
    shown = tag("b", " : ".join(map(str, score)))
    winner = _winner(game, names)
    if winner is not None:
        return f"{escape(winner)} {shown}"
    best = max(score)
    if score.count(best) > 1:
        return f"A tie {shown}"
    what = "won the round" if len(review.rounds) == 1 else "leads"
    return f"{escape(names.side(score.index(best)))} {what} {shown}"


def _winner(game: Game, names: Names) -> str | None:
    if game.winner is None or len(game.rounds) == 1:
        return None
    if game.winner == "draw":
        return "The match is drawn"
    return f"{' and '.join(map(names.player, game.winner.split('+')))} won the match"


def _sections(review: Review, names: Names) -> Iterator[str]:
    several = len(review.rounds) > 1
    if several:
        figure = chances_figure(review, names)
        yield _section("The match", "match", match_table(review, names), figure)
        yield from _costliest(review, names)
    for one in review.rounds:
        if not one.plays:
            yield _position(review, one, names)
            continue
        yield _course(review, one, names)
        if not several:
            yield from _costliest(review, names)
        yield from _round(review, one, names)
    if not review.rounds:
        yield tag("p", "The record has no round.")


def _section(title: str, name: str, *parts: str) -> str:
    heading = tag("h2", title, id=f"{name}-title")
    return tag("section", heading, *parts, aria_labelledby=f"{name}-title", id=name)


def _round_of(review: Review, play: PlayReview) -> RoundReview:
    return next(one for one in review.rounds if any(play is other for other in one.plays))


def _costliest(review: Review, names: Names) -> Iterator[str]:
    cards = []
    for place, play in enumerate(review.costliest):
        one = _round_of(review, play)
        name = address(one, play)
        where = f"play {play.number}" if len(review.rounds) == 1 else f"{one.number}.{play.number}"
        head = (
            f'<span class="place">{place + 1}</span> {escape(names.of_seat(play.seat, one.number))}'
            f": {move_signs(play.move)}, gave away {number(play.cost or 0.0)} "
            f'<a href="#{name}">{where}</a>'
        )
        heading = tag("h3", head, title=_COSTLIEST[place])
        cards.append(tag("article", heading, play_panel(play, one, names)))
    few = "The costliest play" if len(cards) == 1 else "The costliest plays"
    if cards:
        yield _section(few, "costliest", tag("div", *cards, class_="cards"))


def _of_round(review: Review, one: RoundReview) -> str:
    return f" of round {one.number}" if len(review.rounds) > 1 else ""


def _marks(review: Review, one: RoundReview) -> list[tuple[int, PlayReview]]:
    """The costliest plays that are in a round, with their places."""
    numbered = enumerate(review.costliest, 1)
    return [(place, play) for place, play in numbered if _round_of(review, play) is one]


def _course(review: Review, one: RoundReview, names: Names) -> str:
    title = f"The course{_of_round(review, one) or ' of the round'}"
    figure = course_figure(one, names, _marks(review, one))
    return _section(title, f"r{one.number}-course", figure)


def _position(review: Review, one: RoundReview, names: Names) -> str:
    """The position of a round of which no play is recorded."""
    of_seats = {seat: names.of_seat(seat, one.number) for seat in one.round.start.rules.seats}
    picture = table_svg(one.round.start, names=of_seats)
    said = tag("p", "The record has no play to review.")
    title = f"The position{_of_round(review, one)}"
    return _section(title, f"r{one.number}-position", said, picture)


def _round(review: Review, one: RoundReview, names: Names) -> Iterator[str]:
    of_round, key, marks = _of_round(review, one), f"r{one.number}", _marks(review, one)
    given = tag("div", seat_table(one, names), deal_table(one, names))
    tables = [given, category_table(one, names)]
    people = tag("div", *_people(one, names), class_="people")
    grid = tag("div", *tables, class_="tables")
    yield _section(f"The players{of_round}", f"{key}-players", people, grid)
    shown = marks[0][1] if marks else one.plays[0]
    plays = plays_section(one, names, shown)
    yield _section(f"Every play{of_round}", f"{key}-plays", _toolbar(key), plays)


def _people(one: RoundReview, names: Names) -> Iterator[str]:
    """A card for each seat: its accuracy and what it gave away."""
    for seat in one.seats:
        faults = [
            f"{count} {few if count == 1 else many}"
            for count, few, many in (
                (seat.blunders, "blunder", "blunders"),
                (seat.mistakes, "mistake", "mistakes"),
                (seat.inaccuracies, "inaccuracy", "inaccuracies"),
            )
            if count
        ]
        judged = ", ".join(faults) or "no fault" if seat.plays else "not judged"
        yield tag(
            "div",
            tag("h3", escape(names.of_seat(seat.seat, one.number))),
            tag("p", tag("b", accuracy_text(seat)), " accuracy", class_="big"),
            tag("p", judged),
            class_="person",
        )


def _toolbar(key: str) -> str:
    """Buttons to step through the plays; the script shows them."""
    buttons = "".join(
        f'<button type="button" data-go="{go}">{label}</button>'
        for go, label in (("-1", "◀ back"), ("1", "next ▶"), ("fault", "next fault"))
    )
    veil = f'<label><input type="checkbox" data-veil="{key}"> show all hands</label>'
    note = tag("span", "Arrow keys move from play to play.", class_="keys")
    return tag("div", buttons, veil, note, class_="toolbar", hidden="hidden")


def _footer(review: Review) -> str:
    work = [f"{review.samples} worlds a play"] if review.samples is not None else []
    if review.seconds is not None:
        work.append(f"{review.seconds:g} seconds a play")
    text = (
        f"Costs are expected points of the round, by what the seat could know ({', '.join(work)}, "
        f"seed {review.seed}); ± is one standard error. A cost within two standard errors may be "
        "chance and does not count. In hindsight all cards are open. From "
        "0.2 points a play is an inaccuracy (?!), from 0.5 a mistake (?), from 1 a blunder (??). "
        "Accuracy is 100 % for the best plays and 0 % for random ones."
    )
    return tag("footer", tag("p", text), tag("p", "Made by casino-core."))
