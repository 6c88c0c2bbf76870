"""`casino-core show`: a picture of a position."""

from __future__ import annotations

import click
from rich.text import Text

import casino_core as cc
from casino_core.cli.common import (
    cards_for_people,
    json_option,
    load_position,
    new_table,
    position_argument,
    print_json,
    screen,
)
from casino_core.formats.answers import hand_names, position_fields
from casino_core.rules.cards import ALL_CARDS, cards_text, parse_cards_mask

__all__ = ["show"]

_SPADES = parse_cards_mask("As2s3s4s5s6s7s8s9sTsJsQsKs")


@click.command()
@position_argument
@json_option
def show(position: str, as_json: bool) -> None:
    """Draw POSITION: table, builds, hands, piles and what is left."""
    p = load_position(position)
    if as_json:
        print_json(position_fields(p))
        return
    console = screen()
    console.print(f"Rules: {p.rules}", markup=False, soft_wrap=True)
    turn = "the round is over" if p.is_over else f"seat {p.turn} to play"
    last = "nobody" if p.last is None else f"seat {p.last}"
    console.print(f"Turn: {turn}; last capture: {last}; {_stock_text(p)}", soft_wrap=True)
    if any(p.match_score):
        console.print(f"Match score: {'/'.join(map(str, p.match_score))}")
    console.print(Text("Loose cards: ") + cards_for_people(p.table, console))
    if p.stock:
        console.print(Text("Stock, next first: ") + cards_for_people(p.stock, console))
    if p.out:
        console.print(Text("Not in the game: ") + cards_for_people(p.out, console))
    _print_builds(p)
    _print_seats(p)
    _print_sides(p)


def _stock_text(p: cc.Position) -> str:
    if not p.stock_count:
        return "no stock"
    order = "order not known" if p.stock is None else "order known"
    return f"{p.stock_count} cards in the stock, {order}"


def _print_builds(p: cc.Position) -> None:
    if not p.builds:
        return
    console = screen()
    table = new_table("build", "owner", "kind", "cards", "may be raised by")
    for build in p.builds:
        table.add_row(
            str(build.value),
            build.owner,
            "multiple" if build.multiple else "single",
            cards_for_people(build.cards, console),
            _raisers(p.rules, build),
        )
    console.print(table)


def _raisers(rules: cc.Rules, build: cc.Build) -> str:
    """The seats that the rules let raise a build, if they have the cards for it."""
    if build.multiple or rules.raising == "none":
        return "nobody"
    owner = rules.seats.index(build.owner)
    barred = {
        "any": [],
        "others": [owner],
        "opponents": [
            seat for seat in range(rules.players) if rules.side_of(seat) == rules.side_of(owner)
        ],
    }[rules.raising]
    return " ".join(name for seat, name in enumerate(rules.seats) if seat not in barred)


def _print_seats(p: cc.Position) -> None:
    console = screen()
    table = new_table("seat", "hand")
    for name, hand in zip(p.rules.seats, p.hands, strict=True):
        marked = f"{name} <" if name == p.turn and not p.is_over else name
        table.add_row(marked, cards_for_people(hand_names(hand), console))
    console.print(table)


def _print_sides(p: cc.Position) -> None:
    console = screen()
    table = new_table("side", "#cards", "#spades", "#sweeps", "#points so far", "captured")
    points = _points_so_far(p)
    for side, pile in enumerate(p.piles):
        members = [s for i, s in enumerate(p.rules.seats) if p.rules.side_of(i) == side]
        table.add_row(
            "+".join(members),
            str(len(pile.cards) + pile.hidden),
            str((pile.cards.mask & _SPADES).bit_count()) + ("+" if pile.hidden else ""),
            str(p.sweeps[side]),
            "?" if points is None else str(points[side]),
            cards_for_people(hand_names(pile), console),
        )
    console.print(table)


def _points_so_far(p: cc.Position) -> tuple[int, ...] | None:
    """What each side would score if the round ended now, the table left to nobody."""
    if any(pile.hidden for pile in p.piles):
        return None
    captured = 0
    for pile in p.piles:
        captured |= pile.cards.mask
    fields = [
        f"rules={p.rules}",
        f"hands={'/'.join('-' for _ in p.hands)}",
        f"piles={'/'.join(str(pile.cards) or '-' for pile in p.piles)}",
        f"sweeps={'/'.join(map(str, p.sweeps))}",
    ]
    if captured != ALL_CARDS:
        fields.append(f"out={cards_text(ALL_CARDS & ~captured)}")
    return tuple(cc.Position.parse(" ".join(fields)).score())
