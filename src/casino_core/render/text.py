"""Tables, moves and positions for a terminal: cards in the colours of suits, lines of its width."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TextIO

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from casino_core.formats.answers import can_be_counted, hand_names
from casino_core.game.match import match_result
from casino_core.game.position import Move, Position
from casino_core.game.scoring import score_steps, side_names
from casino_core.rules.cards import ALL_CARDS, SUITS, cards_text
from casino_core.rules.options import Rules
from casino_core.rules.pieces import Build

__all__ = [
    "MOST_ROWS",
    "Column",
    "Folded",
    "card_text",
    "cards_line",
    "move_text",
    "print_cards",
    "print_line",
    "print_moves",
    "print_position",
    "print_ranking",
    "print_table",
    "screen",
]

#: Most rows of a table of moves: thousands may be legal on a crowded table.
MOST_ROWS = 30

_PIPE_WIDTH = 120  # width without a terminal
_USUAL_WIDTH = 80  # width for a terminal of unknown width
_LEGIBLE = 24  # least width of the last column; other columns are dropped to keep it
_GAP = 3  # spaces between columns
_BEST = ">"
_SIDE_COLUMNS = (("cards", 1), ("spades", 2), ("sweeps", 3), ("points", 0))
_CATEGORIES = {"cards": "most cards", "spades": "most spades"}
_HIDDEN = "??"
_SIGNS = str.maketrans(SUITS, "\u2660\u2665\u2666\u2663")
_RED = "hd"
_CARD = re.compile(r"\[\d+[a-d]|([A2-9TJQK][shdc])")  # a card, unless it begins a build
#: Places to break a long word: before a card or a build, and after a comma.
_BREAKS = re.compile(r"(?=\[)|(?<![\[:\d])(?=[A2-9TJQK][shdc\u2660\u2665\u2666\u2663])|(?<=,)")


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        title: its heading.
        numbers: whether it holds numbers, which are aligned to the right.
        drop: order in which columns are dropped from a table that is too wide, the highest first;
            0 for never.
    """

    title: str
    numbers: bool = False
    drop: int = 0


class Folded:
    """A text in lines of whole words; a word longer than a line is broken between two cards.

    Args:
        text: the text.
    """

    def __init__(self, text: Text) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.lines(options.max_width)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widest = max((line.cell_len for line in self.text.split()), default=0)
        pieces = max((len(piece) for piece in _pieces(self.text.plain)), default=0)
        return Measurement(min(pieces, options.max_width), min(widest, options.max_width))

    def lines(self, width: int) -> Iterator[Text]:
        """The lines of the text for a given width.

        Args:
            width: most characters in a line.
        """
        for line in self.text.split(allow_blank=True):
            for first, last in _spans(line.plain, max(width, 1)):
                yield line[first:last]


def _pieces(text: str) -> list[str]:
    return [piece for word in text.split() for piece in _BREAKS.split(word)]


def _spans(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Start and end of each line."""
    first = last = 0
    for place, end in _units(text, width):
        if end - first > width and last > first:
            yield first, last
            first = place
        last = end
    yield first, last


def _units(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Unbreakable parts: words, and pieces of words longer than a line."""
    for word in re.finditer(r"^ +\S+|\S+", text):
        place = word.start()
        for piece in _BREAKS.split(word[0]) if len(word[0]) > width else [word[0]]:
            while len(piece) > width:
                yield place, place + width
                piece, place = piece[width:], place + width
            yield place, place + len(piece)
            place += len(piece)


def screen(*, errors: bool = False) -> Console:
    """Standard output or standard error, with the width of the terminal; wide without one.

    Args:
        errors: whether to return standard error.
    """
    return Console(
        stderr=errors, width=_width(sys.stderr if errors else sys.stdout), highlight=False
    )


def _width(stream: TextIO) -> int:
    """Characters in a line, from `COLUMNS` or the terminal, or None."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return int(given)
    try:
        return os.get_terminal_size(stream.fileno()).columns or _USUAL_WIDTH
    except (OSError, ValueError):
        return _PIPE_WIDTH


def has_signs(console: Console) -> bool:
    """Whether to show suit symbols: only on terminals that can."""
    return console.is_terminal and not console.options.ascii_only


def card_text(name: str, console: Console) -> Text:
    """A card in the colour of its suit.

    Args:
        name: the name of the card, `?` for an unknown one.
        console: the console to print on.

    Example:
        >>> card_text("9h", Console()).plain
        '9h'
    """
    if name == "?":
        return Text(_HIDDEN, style="dim")
    shown = name[0] + (name[1].translate(_SIGNS) if has_signs(console) else name[1])
    return Text(shown, style="red" if name[1] in _RED else "")


def cards_line(names: Iterable[str], console: Console) -> Text:
    """Cards with spaces between, `-` if there are none.

    Args:
        names: the names of the cards, `?` for an unknown one.
        console: the console to print on.

    Example:
        >>> cards_line(["9h", "?"], Console()).plain
        '9h ??'
    """
    cards = Text(" ").join(card_text(name, console) for name in names)
    return cards if cards else Text("-", style="dim")


def move_text(move: Move | str, console: Console) -> Text:
    """A move with its cards in the colours of their suits.

    Args:
        move: the move, or a text with moves in it.
        console: the console to print on.

    Example:
        >>> move_text("7cx2s5h[9d]", Console()).plain
        '7cx2s5h[9d]'
    """
    shown, text, end = Text(), str(move), 0
    for found in _CARD.finditer(text):
        if found[1]:
            shown.append(text[end : found.start()]).append_text(card_text(found[1], console))
            end = found.end()
    return shown.append(text[end:])


def print_line(console: Console, *parts: str | Text) -> None:
    """Print one sentence in lines of whole words.

    Args:
        console: the console to print on.
        *parts: parts of the sentence, joined without spaces.
    """
    for line in Folded(Text.assemble(*parts)).lines(console.width):
        console.print(line, no_wrap=True, overflow="ignore", crop=False)


def print_table(
    console: Console,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str | Text]],
    *,
    best: int | None = None,
) -> None:
    """Print a table that fits the width: columns are dropped, and then the last one is wrapped.

    Args:
        console: the console to print on.
        columns: the columns; the last one gets the rest of the width.
        rows: their cells.
        best: the row with the best move, which is marked; None for no mark.
    """
    cells = [[Text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    if best is not None:
        columns = (Column(""), *columns)
        cells = [[Text(_BEST if row == best else ""), *line] for row, line in enumerate(cells)]
    kept = _kept(columns, cells, console.width)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for place in kept:
        column = columns[place]
        table.add_column(
            column.title,
            justify="right" if column.numbers else "left",
            no_wrap=place != kept[-1],
            overflow="fold",
        )
    for row, line in enumerate(cells):
        style = "bold" if row == best else ""
        table.add_row(*(Folded(line[place]) for place in kept), style=style)
    console.print(table)


def _kept(columns: Sequence[Column], cells: list[list[Text]], width: int) -> list[int]:
    """The columns that fit the width."""
    widths = [
        max([len(column.title), *(_widest(line[place]) for line in cells)])
        for place, column in enumerate(columns)
    ]
    kept = list(range(len(columns)))
    for place in sorted(kept, key=lambda place: -columns[place].drop):
        last = min(widths[kept[-1]], _LEGIBLE)
        if not columns[place].drop or sum(widths[i] + _GAP for i in kept[:-1]) + last <= width:
            break
        kept.remove(place)
    return kept


def _widest(text: Text) -> int:
    return max(map(len, text.plain.split("\n")))


def print_ranking(
    console: Console,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str | Text]],
    *,
    show_all: bool,
) -> None:
    """Print a table of moves with the best one marked; only the first rows unless `show_all`.

    Args:
        console: the console to print on.
        columns: the columns, the last one for the moves.
        rows: their cells, the best move first.
        show_all: whether to print every row.
    """
    shown = rows if show_all else rows[:MOST_ROWS]
    print_table(console, columns, shown, best=0)
    if len(rows) > len(shown):
        print_line(console, f"and {len(rows) - len(shown)} more (--all shows them)")


def print_moves(console: Console, moves: Iterable[Move | str]) -> None:
    """Print moves, one below the other.

    Args:
        console: the console to print on.
        moves: the moves, in order.
    """
    for move in moves:
        print_line(console, "  ", move_text(move, console))


def print_position(console: Console, position: Position, *, outcome: str | None = None) -> None:
    """Print the picture of a position as it lies on a table.

    The other hands are above the loose cards and builds, the hand of the seat to play is below
    them; captured cards are listed.

    Args:
        console: the console to print on.
        position: any position.
        outcome: a line about the end of the match below the score of a finished round; empty for
            none. By default the line names the side by its seats in this round.
    """
    for line in _heading(position):
        print_line(console, line)
    print_line(console)
    own = position.rules.seats.index(position.turn)
    for seat in range(own + 1, own + position.rules.players):
        _print_hand(console, position, seat % position.rules.players)
    _print_loose(console, position)
    _print_builds(console, position)
    print_line(console)
    _print_hand(console, position, own)
    _print_sides(console, position)
    if can_be_counted(position):
        print_line(console)
        _print_score(console, position)
        if line := _outcome(position) if outcome is None else outcome:
            print_line(console, line)
    for title, cards in (("Stock, next first", position.stock), ("Not in the game", position.out)):
        if cards:
            print_line(console, f"{title}: ", cards_line(cards, console))


def _heading(position: Position) -> Iterator[str]:
    yield f"Rules: {position.rules}"
    turn = "the round is over" if position.is_over else f"seat {position.turn} to play"
    last = "nobody" if position.last is None else f"seat {position.last}"
    yield f"Turn: {turn}; last capture: {last}; {_stock_text(position)}"
    if any(position.match_score):
        yield f"Match score: {'/'.join(map(str, position.match_score))}"


def _stock_text(position: Position) -> str:
    if not position.stock_count:
        return "no stock"
    order = "order not known" if position.stock is None else "order known"
    return f"{position.stock_count} cards in the stock, {order}"


def _drawn(names: Sequence[str], console: Console, *, overlap: bool = False) -> Text:
    """Cards side by side as three lines; with `overlap` each covers part of the one before it."""
    ascii_only = console.options.ascii_only
    between = "" if overlap else " "
    side = "|" if ascii_only else "│"
    top, bottom = ("+--+", "+--+") if ascii_only else ("╭──╮", "╰──╯")
    faces = [card_text(name, console) for name in names]
    lines = [Text(top) for _ in names], [Text(side) + face + side for face in faces]
    drawn = (*lines, [Text(bottom) for _ in names])
    covered = 3 if overlap else 4
    return Text("\n").join(
        Text(between).join([*(card[:covered] for card in line[:-1]), line[-1]]) for line in drawn
    )


def print_cards(console: Console, names: Sequence[str], *, overlap: bool = False) -> None:
    """Print the drawings of cards, in as many rows as the width requires.

    Args:
        console: the console to print on.
        names: the names of the cards, `?` for an unknown one.
        overlap: whether each card covers part of the one before it, as in a build.
    """
    each_line = (console.width - 1) // 3 if overlap else (console.width + 1) // 5
    for first in range(0, len(names), max(1, each_line)):
        row = names[first : first + max(1, each_line)]
        print_line(console, _drawn(row, console, overlap=overlap))


def _print_loose(console: Console, position: Position) -> None:
    names = list(position.table)
    print_line(console, "Loose cards:", "" if names else " none")
    print_cards(console, names)


def _print_builds(console: Console, position: Position) -> None:
    for build in position.builds:
        kind = ", multiple" if build.multiple else ""
        print_line(
            console,
            f"Build of {build.value}{kind}, owned by {build.owner}; "
            f"may be raised by {_raisers(position.rules, build)}:",
        )
        print_cards(console, list(build.cards), overlap=True)


def _raisers(rules: Rules, build: Build) -> str:
    """The seats that may raise a build by the rules, if they have the cards for it."""
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
    return ", ".join(name for seat, name in enumerate(rules.seats) if seat not in barred)


def _print_hand(console: Console, position: Position, seat: int) -> None:
    """Print the hand of a seat; nothing for all hands of a finished round."""
    if position.is_over:
        return
    name, cards = position.rules.seats[seat], hand_names(position.hands[seat])
    mark = ", to play" if name == position.turn else ""
    print_line(console, f"Seat {name}{mark}:", "" if cards else " no cards")
    print_cards(console, cards)
    print_line(console)


def _print_sides(console: Console, position: Position) -> None:
    points = _points_so_far(position)
    rows: list[tuple[str | Text, ...]] = []
    for side, pile in enumerate(position.piles):
        spades = position.points[side].spades
        rows.append(
            (
                "+".join(_members(position.rules, side)),
                str(pile.size),
                f"{spades}+" if pile.hidden else str(spades),
                str(position.sweeps[side]),
                "?" if points is None else str(points[side]),
                cards_line(hand_names(pile), console),
            )
        )
    numbers = [Column(title, numbers=True, drop=drop) for title, drop in _SIDE_COLUMNS]
    print_table(console, (Column("side"), *numbers, Column("captured")), rows)


def _print_score(console: Console, position: Position) -> None:
    """The points of a finished round by category, and the match score with them."""
    names, result = side_names(position.rules), match_result(position)
    rows = [
        (_CATEGORIES.get(step.name, step.name), *_cells(step.side, step.points, len(names)))
        for step in score_steps(position)
        if step.name != "sweeps"
    ]
    sweeps = [position.rules.sweep * count for count in position.sweeps]
    rows.append(("sweeps", *map(str, sweeps)))
    rows.append(("this round", *map(str, position.score())))
    rows.append(("match", *map(str, result.totals)))
    columns = [Column("points"), *(Column(name, numbers=True) for name in names)]
    print_table(console, columns, rows)


def _outcome(position: Position) -> str:
    """The end of the match in words; empty if it goes on."""
    names, result = side_names(position.rules), match_result(position)
    if not result.over:
        return ""
    won = "The match is drawn" if result.winner is None else f"{names[result.winner]} wins"
    return f"{won}: the target is {position.rules.target}"


def _cells(side: int | None, points: int, sides: int) -> list[str]:
    return [str(points if side == place else 0) for place in range(sides)]


def _members(rules: Rules, side: int) -> list[str]:
    return [name for seat, name in enumerate(rules.seats) if rules.side_of(seat) == side]


def _points_so_far(position: Position) -> tuple[int, ...] | None:
    """The score of each side if the round ended now and nobody got the table."""
    if any(pile.hidden for pile in position.piles):
        return None
    captured = 0
    for pile in position.piles:
        captured |= pile.cards.mask
    fields = [
        f"rules={position.rules}",
        f"hands={'/'.join('-' for _ in position.hands)}",
        f"piles={'/'.join(str(pile.cards) or '-' for pile in position.piles)}",
        f"sweeps={'/'.join(map(str, position.sweeps))}",
    ]
    if captured != ALL_CARDS:
        fields.append(f"out={cards_text(ALL_CARDS & ~captured)}")
    return tuple(Position.parse(" ".join(fields)).score())
