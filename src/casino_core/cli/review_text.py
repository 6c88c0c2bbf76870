"""Printing of reviews on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from casino_core.formats.record import Game
from casino_core.game.position import Move
from casino_core.game.scoring import side_names
from casino_core.play.luck import DealLuck
from casino_core.render.text import Column, move_text, print_line, print_table, screen
from casino_core.review.analysis import ReviewedPlay
from casino_core.review.chances import WinChance
from casino_core.review.luck import Parts
from casino_core.review.review import PlayReview, Review, RoundReview, SeatTotals

__all__ = ["print_hindsight", "print_review"]

_LIKELY = 6  # most cards shown of another hand
_NO_LUCK = "Luck is not known, as hands are hidden."

_HINDSIGHT = (
    Column("play", numbers=True),
    Column("seat"),
    Column("before", numbers=True, drop=1),
    Column("after", numbers=True, drop=2),
    Column("cost", numbers=True),
    Column("move"),
)
_PLAYS = (
    Column("play", numbers=True),
    Column("seat"),
    Column("cost", numbers=True),
    Column("error", numbers=True, drop=2),
    Column("hindsight", numbers=True, drop=1),
    Column("grade"),
    Column("move"),
)
_TOTALS = (
    Column("seat"),
    Column("deal", numbers=True),
    Column("cost", numbers=True),
    Column("hindsight", numbers=True, drop=1),
    Column("inaccuracies", numbers=True, drop=3),
    Column("mistakes", numbers=True, drop=2),
    Column("blunders", numbers=True, drop=2),
    Column("accuracy", numbers=True),
)
_DEALS = (
    Column("deal", numbers=True),
    Column("worth to a", numbers=True, drop=1),
    Column("mean", numbers=True, drop=1),
    Column("error", numbers=True, drop=2),
    Column("luck of a", numbers=True),
)


def print_hindsight(plays: Sequence[ReviewedPlay]) -> None:
    """Print the exact values before and after each play.

    Args:
        plays: the plays of a record.
    """
    console = screen()
    rows = [
        (
            str(number),
            item.position.turn,
            _signed(item.before),
            _signed(item.after),
            _hindsight_cost(item),
            _moves(console, item.move, item.best if item.cost else None),
        )
        for number, item in enumerate(plays, 1)
    ]
    print_table(console, _HINDSIGHT, rows)


def print_review(review: Review) -> None:
    """Print a review: plays, totals, luck, and the costliest plays with reasons.

    Args:
        review: the review.
    """
    console = screen()
    for one in review.rounds:
        if title := _title(review.game, one.number):
            print_line(console, title)
        if not one.plays:
            print_line(console, "The record has no play to review.")
            continue
        print_table(console, _PLAYS, [_play_row(console, play) for play in one.plays])
        console.print()
        print_table(console, _TOTALS, [_totals_row(seat) for seat in (*one.seats, *one.deals)])
        console.print()
        _print_luck(console, one, review.game)
        _print_chances(console, review, one)
    if review.costliest:
        one_or_more = "play" if len(review.costliest) == 1 else "plays"
        print_line(console, f"The costliest {one_or_more}:")
    for play in review.costliest:
        _print_play(console, play, review.game)


def _title(game: Game, number: int) -> str:
    """The number of a round of several, and who sits where."""
    parts = [f"Round {number}"] if len(game.rounds) > 1 or number > 1 else []
    if seats := game.seats_text(number):
        parts.append(seats)
    return ": ".join(parts)


def _points(value: float) -> str:
    """Points with their sign; there is no minus zero."""
    text = f"{value:+.2f}"
    return "+0.00" if text == "-0.00" else text


def _signed(value: int | None) -> str:
    return "-" if value is None else f"{value:+d}"


def _hindsight_cost(item: ReviewedPlay) -> str:
    return item.reason or "-" if item.cost is None else str(item.cost)


def _moves(console: Console, move: Move, better: Move | None) -> Text:
    """The text of a play, with the best play below it if there is a better one."""
    moves = move_text(move, console)
    if better is not None:
        moves.append("\nbest: ").append_text(move_text(better, console))
    return moves


def _play_row(console: Console, play: PlayReview) -> tuple[str | Text, ...]:
    known = play.known
    grade = "" if play.grade == "good" else play.grade or play.reason or "-"
    return (
        str(play.number),
        play.seat,
        "-" if known is None else f"{known.cost:.2f}",
        "-" if known is None else f"{known.stderr:.2f}",
        _hindsight_cost(play.hindsight),
        grade,
        _moves(console, play.move, known.best if known is not None and known.cost else None),
    )


def _totals_row(seat: SeatTotals) -> tuple[str, ...]:
    return (
        seat.seat,
        "all" if seat.deal is None else str(seat.deal),
        "-" if seat.cost is None else f"{seat.cost:.2f}",
        *(
            "-" if count is None else str(count)
            for count in (seat.hindsight, seat.inaccuracies, seat.mistakes, seat.blunders)
        ),
        "-" if seat.accuracy is None else f"{seat.accuracy:.1f} %",
    )


def _print_luck(console: Console, one: RoundReview, game: Game) -> None:
    if one.luck.reason is not None:
        print_line(console, _NO_LUCK)
        return
    names = side_names(game.rules)
    if game.rules.draw or len(names) > 2:
        _print_luck_of_sides(console, one.luck.deals, names)
    else:
        rows = [
            (
                str(deal.deal),
                _points(deal.value),
                _points(deal.mean),
                f"{deal.stderr:.2f}",
                _points(deal.luck),
            )
            for deal in one.luck.deals
        ]
        if rows:
            print_table(console, _DEALS, rows)
            console.print()
    for side in range(1 if len(names) == 2 else len(names)):
        if (parts := one.parts_of(side)) is not None:
            _print_parts(console, parts, game.side_name(side, one.number))


def _print_luck_of_sides(console: Console, deals: Sequence[DealLuck], names: Sequence[str]) -> None:
    """Print the luck of each side; in draw casino the draws of a seat are one row."""
    found: dict[str, list[DealLuck]] = {}
    for deal in deals:
        title = f"deal {deal.deal}" if deal.seat is None else f"drawn by {deal.seat}"
        found.setdefault(title, []).append(deal)
    rows = [
        (title, *(_points(sum(d.luck_of(side) for d in some)) for side in range(len(names))))
        for title, some in sorted(found.items())
    ]
    if rows:
        print_line(console, "Luck of the deals for each side:")
        columns = [Column("cards"), *(Column(name, numbers=True) for name in names)]
        print_table(console, columns, rows)
        console.print()


def _print_chances(console: Console, review: Review, one: RoundReview) -> None:
    """The win chances of player a's side, as far as they are known."""
    if one.chances is None:
        return
    known = zip(one.chances, ("before the round", "after it"), strict=True)
    shown = [f"{_percent(chance)} {when}" for chance, when in known if chance is not None]
    if shown:
        name = review.game.player_name("a")
        told = f"Chances of {name} to win the match to {review.game.target}: {', '.join(shown)}"
        print_line(console, told)


def _percent(chance: WinChance) -> str:
    drawn = f" (drawn: {chance.draw:.1%})" if chance.draw else ""
    return f"{chance.win:.1%}{drawn}"


def _print_parts(console: Console, parts: Parts, name: str) -> None:
    start = f"{_points(parts.start)} as the record begins, " if parts.start else ""
    result = f"{parts.result:+.1f}".removesuffix(".0")
    print_line(
        console,
        f"Result for {name}: {result} = {start}{_points(parts.luck)} luck of the "
        f"deals, {_points(parts.mistakes)} mistakes, {_points(parts.rest)} that nobody could know",
    )


def _print_play(console: Console, play: PlayReview, game: Game) -> None:
    known = play.known
    assert known is not None
    where = f"Round {play.round_number}, play" if len(game.rounds) > 1 else "Play"
    print_line(
        console,
        f"{where} {play.number}, {game.seat_name(play.seat, play.round_number)}: ",
        move_text(play.move, console),
        f"{_because(known.reasons)} gave away {known.cost:.2f}; better ",
        move_text(known.best, console),
        _because(known.best_reasons),
    )
    for seat, cards in known.chances.items():
        likely = sorted(cards.items(), key=lambda item: (-item[1], item[0]))[:_LIKELY]
        if likely:
            shown = ", ".join(f"{card} {chance:.0%}" for card, chance in likely)
            print_line(console, f"  Seat {seat} could be expected to hold: {shown}")


def _because(reasons: tuple[str, ...]) -> str:
    return f" ({', '.join(reasons)})" if reasons else ""
