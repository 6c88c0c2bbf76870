"""The tables of a report: points by category, totals of seats and deals, the match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from casino_core.game.match import by_players
from casino_core.game.points import captured_cards
from casino_core.game.scoring import ScoreStep, score_steps
from casino_core.report.words import Names, number, signed, tag
from casino_core.review.chances import WinChance
from casino_core.review.review import Review, RoundReview, SeatTotals

__all__ = ["category_table", "chance_text", "deal_table", "match_table", "points_of", "seat_table"]

_NAMES = {"cards": "Most cards", "spades": "Most spades", "sweeps": "Sweeps"}
_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_ACES = ("As", "Ac", "Ah", "Ad")


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], key: str = "") -> str:
    """A table whose first column has the heads of the rows; the cells are HTML already."""
    head = "".join(f'<th scope="col">{cell}</th>' for cell in heads)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
        for first, *rest in rows
    )
    table = f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead>"
    return tag("div", f"{table}<tbody>{body}</tbody></table>", class_=f"table {key}".strip())


def points_of(one: RoundReview) -> tuple[int, ...] | None:
    """The points of a finished round, player a's side first; None if they are not known.

    Args:
        one: the round.
    """
    position = one.round.position
    if not position.is_over or any(pile.hidden for pile in position.piles):
        return None
    return by_players(position.score(), one.number - 1)


def category_table(one: RoundReview, names: Names) -> str:
    """The points of a finished round by category; empty if they are not known.

    Args:
        one: the round.
        names: the names of the players.
    """
    points = points_of(one)
    if points is None:
        return ""
    steps = score_steps(one.round.position)
    rows = [*_steps(one, steps), ["Points of the round", *map(_bold, points)]]
    return _table("Points by category", ["", *map(escape, names.sides())], rows, "points")


def _bold(value: int) -> str:
    return tag("b", str(value))


def _steps(one: RoundReview, steps: Sequence[ScoreStep]) -> Iterator[list[str]]:
    """Rows of the categories; the aces and the sweeps in one row each."""
    sides = one.round.start.rules.sides
    groups: dict[str, list[ScoreStep]] = {}
    for step in steps:
        groups.setdefault("aces" if step.name in _ACES else step.name, []).append(step)
    for name, group in groups.items():
        totals = [sum(s.points for s in group if s.side == side) for side in range(sides)]
        if name != "sweeps" or any(totals):
            ordered = by_players(tuple(totals), one.number - 1)
            yield [_category(one, name), *(str(value) if value else "–" for value in ordered)]


def _category(one: RoundReview, name: str) -> str:
    if name in _NAMES:
        return f"{_NAMES[name]}{_counts(one, name)}"
    if name == "aces":
        return "Aces"
    sign = _SUITS[name[1]]
    words = {"Td": "Big casino, 10♦", "2s": "Little casino, 2♠"}
    return words.get(name, f"{name[0].replace('T', '10')}{sign}")


def _counts(one: RoundReview, name: str) -> str:
    """How many cards or spades each side took."""
    if name == "sweeps":
        return ""
    piles = by_players(captured_cards(one.round.position), one.number - 1)
    counts = (sum(name == "cards" or card[1] == "s" for card in pile) for pile in piles)
    return tag("small", f" ({' : '.join(map(str, counts))})")


def seat_table(one: RoundReview, names: Names) -> str:
    """Totals of each seat over a round.

    Args:
        one: the round.
        names: the names of the players.
    """
    heads = ["", "cost", "hindsight", "?!", "?", "??", "accuracy"]
    signs = {
        "cost": "points given away by what could be known",
        "hindsight": "points given away with all cards open, as far as that is known",
        "?!": "inaccuracies",
        "?": "mistakes",
        "??": "blunders",
    }
    shown = [
        f'<abbr title="{signs[head]}">{head}</abbr>' if head in signs else head for head in heads
    ]
    rows = [
        [
            escape(names.of_seat(seat.seat, one.number)),
            _cost(seat.cost),
            "–" if seat.hindsight is None else str(seat.hindsight),
            *map(_count, (seat.inaccuracies, seat.mistakes, seat.blunders)),
            accuracy_text(seat),
        ]
        for seat in one.seats
    ]
    return _table("Points given away", shown, rows, "seats")


def _cost(cost: float | None) -> str:
    return "–" if cost is None else number(cost)


def _count(value: int | None) -> str:
    return str(value) if value else "–"


def accuracy_text(seat: SeatTotals) -> str:
    """The accuracy of a seat in percent, or a dash.

    Args:
        seat: the totals of the seat.
    """
    return "–" if seat.accuracy is None else f"{number(seat.accuracy, 1)} %"


def deal_table(one: RoundReview, names: Names) -> str:
    """What each seat gave away in each deal, and the luck of the deals.

    Args:
        one: the round.
        names: the names of the players.
    """
    if one.round.start.rules.draw:  # where each card drawn is a deal
        return ""
    seats = one.round.start.rules.seats
    lucks = {deal.deal: deal for deal in one.luck.deals}
    own = names.side_in(one.number)
    rows: dict[int, list[str]] = {}
    for total in one.deals:
        deal = total.deal or 0
        rows.setdefault(deal, [str(deal)]).append(_cost(total.cost))
    heads = ["deal", *(escape(names.of_seat(seat, one.number)) for seat in seats)]
    if lucks:
        heads.append(f"luck of {escape(names.side(0))}")
        for deal, cells in rows.items():
            luck = lucks.get(deal)
            cells.append("–" if luck is None else _luck(luck.luck_of(own), luck.stderrs[own]))
    return _table("Points given away by deal", heads, rows.values(), "deals")


def _luck(luck: float, stderr: float) -> str:
    return f"{signed(luck)} ± {number(stderr)}" if stderr else f"{signed(luck)} exact"


def match_table(review: Review, names: Names) -> str:
    """The score of a match after each round, with its win chances.

    Args:
        review: the review.
        names: the names of the players.
    """
    has_chances = any(one.chances is not None for one in review.rounds)
    who = escape(names.side(0))
    heads = ["round", "leads", *map(escape, names.sides()), "score after it"]
    if has_chances:
        heads += [f"{who} wins, before", "after"]
    rows = []
    for one in review.rounds:
        points = points_of(one)
        cells = [str(one.number), escape(names.of_seat("a", one.number))]
        cells += ["–"] * len(names.sides()) if points is None else map(str, points)
        cells.append(_score_after(one, points))
        if has_chances:
            cells += map(chance_text, one.chances or (None, None))
        rows.append(cells)
    return _table("Rounds", heads, rows, "match")


def _score_after(one: RoundReview, points: tuple[int, ...] | None) -> str:
    before = by_players(one.round.start.match_score, one.number - 1)
    if points is None:
        return "–"
    return " : ".join(str(a + b) for a, b in zip(before, points, strict=True))


def chance_text(chance: WinChance | None) -> str:
    """A win chance in percent, or a dash.

    Args:
        chance: the chance, None if it is not known.
    """
    if chance is None:
        return "–"
    drawn = f", drawn {number(100 * chance.draw, 1)} %" if chance.draw else ""
    return f"{number(100 * chance.win, 1)} %{drawn}"
