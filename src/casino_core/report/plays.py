"""The plays of a report: a line for each, with its picture, the best play and the reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby

from casino_core.formats.record import Note
from casino_core.game.position import Move
from casino_core.game.wording import card_words, move_words
from casino_core.render.svg import table_svg
from casino_core.report.words import Names, move_signs, number, signed, tag
from casino_core.review.grades import Grade
from casino_core.review.review import PlayReview, RoundReview

__all__ = ["MARKS", "NO_HINDSIGHT", "UNJUDGED", "address", "play_panel", "plays_section"]

#: The mark of each grade, as in records.
MARKS: dict[Grade | None, str] = {
    None: "",
    "good": "",
    "inaccuracy": "?!",
    "mistake": "?",
    "blunder": "??",
}
#: Why a play has no cost by what could be known.
UNJUDGED = {
    "hidden": "not judged: the hand of the seat is hidden",
    "many": "not judged: too many moves to compare",
}
#: Why a play has no cost in hindsight, as HTML.
NO_HINDSIGHT = {
    "early": "not solved so early in the round (<code>--deep</code> solves it)",
    "hidden": "not known, as cards are hidden",
    "stock": "not known, as the order of the stock is not known",
    "limit": "the limit was reached before the exact value was found",
}
_LIKELY = 6  # most cards shown of another hand
_SEAT = re.compile(r"\b([a-d])(?='s build| may hold | can take | probably lacks | lacks | holds )")


@dataclass(frozen=True, slots=True)
class _Told:
    """A play and what surrounds it.

    Attributes:
        play: the play.
        one: its round.
        names: the names of the players.
    """

    play: PlayReview
    one: RoundReview
    names: Names

    @property
    def who(self) -> str:
        return self.name(self.play.seat)

    @property
    def note(self) -> Note:
        return self.names.note(self.one.number, self.play.number)

    def name(self, seat: str) -> str:
        """The name of a seat, escaped."""
        return escape(self.names.of_seat(seat, self.one.number))

    def named(self, reason: str) -> str:
        """A reason with names in place of letters."""
        return _SEAT.sub(lambda found: self.name(found[1]), escape(reason, quote=False))

    def words(self, move: Move) -> str:
        """A move in words, escaped."""
        return self.named(move_words(self.play.position, move))


def address(one: RoundReview, play: PlayReview) -> str:
    """The name of the place of a play in the page.

    Args:
        one: its round.
        play: the play.
    """
    return f"r{one.number}-p{play.number}"


def plays_section(one: RoundReview, names: Names, shown: PlayReview | None) -> str:
    """Every play of a round, by deals.

    Args:
        one: the round.
        names: the names of the players.
        shown: the play that is open at first.
    """
    parts = []
    draws = one.round.start.rules.draw
    for deal, plays in groupby(one.plays, key=lambda play: 0 if draws else play.deal):
        if deal:
            parts.append(tag("h3", f"Deal {deal}", *_dealt(deal, one, names)))
        group = list(plays)
        items = (_item(_Told(play, one, names), open_=play is shown) for play in group)
        parts.append(tag("ol", *items, start=str(group[0].number)))
    return tag("div", tag("div", *parts, class_="list"), class_="plays")


def _dealt(deal: int, one: RoundReview, names: Names) -> Iterator[str]:
    """The side that had most luck in a deal."""
    for found in one.luck.deals:
        if found.deal == deal:
            sides = range(one.round.start.rules.sides)
            luck, side = max((found.luck_of(side), side) for side in sides)
            lucky = names.side(_side_of_game(one, names, side))
            yield tag("span", f"luck {signed(luck)} for {escape(lucky)}", class_="dealt")


def _side_of_game(one: RoundReview, names: Names, side: int) -> int:
    """The number in the game of a side of the round."""
    sides = range(one.round.start.rules.sides)
    return next(other for other in sides if names.side_in(one.number, other) == side)


def _item(told: _Told, *, open_: bool) -> str:
    play = told.play
    summary = tag("summary", *_summary(told))
    opened = " open" if open_ else ""
    inside = f"<details{opened}>{summary}{play_panel(play, told.one, told.names)}</details>"
    kind = "play" if play.known is None else f"play {play.grade}"
    name = address(told.one, play)
    return f'<li class="{kind}" id="{name}" data-at="{play.number}">{inside}</li>'


def _summary(told: _Told) -> Iterator[str]:
    play, known = told.play, told.play.known
    yield tag("span", str(play.number), class_="no")
    yield tag("span", told.who, class_="who")
    words = tag("span", told.words(play.move), class_="spoken")
    yield tag("span", tag("span", move_signs(play.move), aria_hidden="true"), words, class_="move")
    if known is None:
        yield tag("span", "not judged", class_="grade")
        return
    mark = tag("b", MARKS[play.grade], aria_hidden="true")
    yield tag("span", mark, "" if play.grade == "good" else f" {play.grade}", class_="grade")
    spoken = tag("span", "gave away ", class_="spoken")
    yield tag("span", spoken, number(play.cost or 0.0), class_="cost")
    if play.cost:
        reasons = told.named(", ".join(known.best_reasons))
        because = f": {reasons}" if reasons else ""
        yield tag("span", f"better {move_signs(known.best)}{because}", class_="tip")


def play_panel(play: PlayReview, one: RoundReview, names: Names) -> str:
    """A play with its picture, its costs, the best play and the reasons.

    Args:
        play: the play.
        one: its round.
        names: the names of the players.
    """
    told = _Told(play, one, names)
    better = play.known.best if play.known is not None and play.cost else None
    full = play.hindsight.position
    picture = table_svg(
        play.position,
        open_hands=full,
        played=play.move,
        best=better,
        names={seat: names.of_seat(seat, one.number) for seat in full.rules.seats},
    )
    facts = "".join((*_played(told), *_best(told, better), *_costs(told), *_expected(told)))
    told_as = tag("p", *_comments(told.note), class_="note") if told.note else ""
    figure = tag("figure", picture)
    return tag("div", figure, tag("div", told_as, tag("dl", facts), class_="facts"), class_="panel")


def _fact(name: str, *content: str, kind: str = "") -> str:
    return tag("dt", name) + tag("dd", *content, **({"class_": kind} if kind else {}))


def _reasons(told: _Told, reasons: tuple[str, ...]) -> str:
    if not reasons:
        return ""
    return tag("ul", *(tag("li", told.named(reason)) for reason in reasons), class_="reasons")


def _played(told: _Told) -> Iterator[str]:
    play, known = told.play, told.play.known
    mark = tag("b", f" {MARKS[play.grade]}") if known is not None and play.grade != "good" else ""
    move = tag("strong", move_signs(play.move), class_="move played") + mark
    words = tag("span", told.words(play.move), class_="words")
    reasons = () if known is None else known.reasons
    yield _fact(f"{told.who} played", move, words, _reasons(told, reasons))


def _best(told: _Told, better: Move | None) -> Iterator[str]:
    known = told.play.known
    if known is None:
        return
    if better is None:
        worth = f"worth {signed(known.value)} points at this moment"
        yield _fact("Best play", "no other play is surely better", tag("small", f" ({worth})"))
        return
    move = tag("strong", move_signs(better), class_="move better")
    words = tag("span", told.words(better), class_="words")
    worth = tag("small", f"worth {signed(known.value)} points at this moment")
    yield _fact("Best play", move, words, _reasons(told, known.best_reasons), worth)


def _costs(told: _Told) -> Iterator[str]:
    play, known = told.play, told.play.known
    if known is None:
        yield _fact("Cost", UNJUDGED[play.reason or "hidden"])
    else:
        cost = f"{number(known.cost)} ± {number(known.stderr)} points"
        grade = "" if play.grade == "good" else f", {play.grade}"
        if known.exact:
            cost = f"{number(known.cost)} points, exact"
        elif known.cost and not play.cost:
            grade = ", which may be chance and does not count"
        yield _fact("Cost by what could be known", cost, grade)
    yield from _hindsight(told)


def _hindsight(told: _Told) -> Iterator[str]:
    seen = told.play.hindsight
    if seen.cost is None:
        yield _fact("With all cards open", NO_HINDSIGHT[seen.reason or "hidden"])
        return
    text = "nothing given away"
    if seen.cost and seen.best is not None:
        points = "point" if seen.cost == 1 else "points"
        text = f"{seen.cost} {points} given away; best {move_signs(seen.best)}"
    yield _fact("With all cards open", text)


def _expected(told: _Told) -> Iterator[str]:
    known = told.play.known
    for seat, cards in ({} if known is None else known.chances).items():
        likely = sorted(cards.items(), key=lambda item: (-item[1], item[0]))[:_LIKELY]
        shown = [
            tag("span", f"{move_signs(card)} {chance:.0%}", title=card_words(card))
            for card, chance in likely
            if chance >= 0.005
        ]
        if shown:
            yield _fact(f"{told.name(seat)} could be expected to hold", ", ".join(shown))


def _comments(note: Note) -> Iterator[str]:
    """Mark, value and comments of the record."""
    if note.mark:
        yield tag("b", escape(note.mark)) + " "
    if note.value is not None:
        yield f"({signed(note.value)}) "
    yield " ".join(map(escape, note.comments))
