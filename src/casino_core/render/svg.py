"""Pictures of positions as SVG: self-contained, without scripts, network or fonts of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from casino_core._arguments import instance_of
from casino_core.errors import CasinoError
from casino_core.game.position import Move, Position
from casino_core.render.card_art import (
    CARD_HEIGHT,
    CARD_WIDTH,
    STYLE,
    card_back,
    card_face,
    number,
)
from casino_core.rules.pieces import Build, Hand

__all__ = ["position_svg"]

_WIDTH = 328
_MARGIN = 6
_GAP = 4
_STEP = CARD_WIDTH + _GAP
_LINE = 20  # height of a line of text
_FAN = 21  # distance between overlapping cards of a build; less in a long build
_LONGEST_FAN = _WIDTH - 2 * _MARGIN - 4 * _GAP - CARD_WIDTH
_BADGE = 20  # height of the label above a build

_STYLE = (
    STYLE
    + """
.cc-text{font:15px 'DejaVu Sans',Verdana,Arial,sans-serif;fill:#1c1f24}
.cc-strong{font-weight:700}
.cc-felt{fill:#dfeee2;stroke:#9dbfa4}
.cc-build{fill:#fff4d6;stroke:#c08a1e}
@media (prefers-color-scheme:dark){.cc-text{fill:#e8e8e4}.cc-felt{fill:#21402c;stroke:#3d6b4c}
.cc-build{fill:#4a3a12;stroke:#c08a1e}}
"""
)


class _Canvas:
    """The elements drawn so far, from top to bottom."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.y: float = _MARGIN

    def text(self, words: str, *, strong: bool = False) -> None:
        """Write a line."""
        kind = "cc-text cc-strong" if strong else "cc-text"
        y = number(self.y + 0.72 * _LINE)
        self.parts.append(f'<text class="{kind}" x="{_MARGIN}" y="{y}">{escape(words)}</text>')
        self.y += _LINE

    def cards(self, names: Sequence[str], marked: frozenset[str], left: float) -> None:
        """Draw cards side by side in one or more rows; `?` is a card face down."""
        each_row = int((_WIDTH - _MARGIN - left + _GAP) // _STEP)
        for place, name in enumerate(names):
            x = left + place % each_row * _STEP
            y = self.y + place // each_row * (CARD_HEIGHT + _GAP)
            self.parts.append(_card(name, x, y, marked))
        self.y += -(-len(names) // each_row) * (CARD_HEIGHT + _GAP)


def position_svg(
    position: Position, *, before: Position | None = None, move: Move | None = None
) -> str:
    """A picture of a position and, if given, of the play that led to it.

    The seat to play sits at the bottom, the others above it in the order of play. The picture is
    328 units wide, and its height depends on the cards; it is legible at a width of 200 pixels.

    Args:
        position: the position; unknown cards lie face down.
        before: the position in which `move` was played.
        move: the last play; the card played is framed if it is still on the table.

    Returns:
        The text of an `<svg>` element.

    Raises:
        CasinoError: an argument of another type; only one of `before` and `move`.

    Example:
        >>> position = Position.parse("table=2s5h8dKc hands=As7c9hTd/????")
        >>> picture = position_svg(position)
        >>> picture.startswith("<svg "), picture.count("a hidden card"), "10 of diamonds" in picture
        (True, 4, True)
    """
    instance_of(Position)("position", position)
    instance_of(Position).if_given("before", before)
    instance_of(Move).if_given("move", move)
    if (before is None) != (move is None):
        raise CasinoError("before and move go together: the last play, and where it was made")
    canvas = _Canvas()
    canvas.text(_headline(position), strong=True)
    marked: frozenset[str] = frozenset()
    if before is not None and move is not None:
        canvas.text(f"{before.turn} played {move}")
        marked = frozenset((str(move).split("x")[0].split("+")[0],))
    seats = _seats_from_top(position)
    for seat in seats[:-1]:
        _draw_hand(canvas, position, seat)
    _draw_table(canvas, position, marked)
    _draw_hand(canvas, position, seats[-1])
    for line in _side_lines(position):
        canvas.text(line)
    height = number(canvas.y + _MARGIN)
    label = escape(_description(position), {'"': "&quot;"})
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{label}" style="max-width:{_WIDTH}px;width:100%">'
        f"<style>{_STYLE}</style>{''.join(canvas.parts)}</svg>"
    )


def _headline(position: Position) -> str:
    """The seat to play and the cards left in the stock."""
    if position.is_over:
        return "The round is over"
    return f"{position.turn} to play, stock {position.stock_count}"


def _description(position: Position) -> str:
    """The picture in words."""
    loose = str(position.table) or "no loose card"
    builds = ", ".join(map(str, position.builds)) or "none"
    return f"Casino. {_headline(position)}. Table: {loose}. Builds: {builds}."


def _seats_from_top(position: Position) -> list[int]:
    """Seats in the order of drawing, the seat to play last."""
    count = position.rules.players
    turn = position.rules.seats.index(position.turn)
    return [(turn + step) % count for step in range(1, count + 1)]


def _card(name: str, x: float, y: float, marked: frozenset[str]) -> str:
    return card_back(x, y) if name == "?" else card_face(name, x, y, marked=name in marked)


def _draw_hand(canvas: _Canvas, position: Position, seat: int) -> None:
    """A seat's letter and its cards."""
    hand: Hand = position.hands[seat]
    names = [*hand.cards, *["?"] * hand.hidden]
    y = number(canvas.y + CARD_HEIGHT / 2 + 6 if names else canvas.y + 0.72 * _LINE)
    letter = position.rules.seats[seat]
    canvas.parts.append(f'<text class="cc-text cc-strong" x="{_MARGIN}" y="{y}">{letter}</text>')
    if names:
        canvas.cards(names, frozenset(), 26)
        return
    canvas.parts.append(f'<text class="cc-text" x="26" y="{y}">no card</text>')
    canvas.y += _LINE


def _draw_table(canvas: _Canvas, position: Position, marked: frozenset[str]) -> None:
    """The table: loose cards, then builds, on one background."""
    place = len(canvas.parts)
    top = canvas.y
    canvas.y += _GAP
    loose = list(position.table)
    if loose:
        canvas.cards(loose, marked, _MARGIN + _GAP)
    if position.builds:
        _draw_builds(canvas, position.builds, marked)
    if not loose and not position.builds:
        canvas.text("   the table is empty")
    canvas.y += _GAP
    ground = (
        f'<rect class="cc-felt" x="2" y="{number(top)}" width="{_WIDTH - 4}" '
        f'height="{number(canvas.y - top)}" rx="6"/>'
    )
    canvas.parts.insert(place, ground)
    canvas.y += _GAP


def _draw_builds(canvas: _Canvas, builds: Iterable[Build], marked: frozenset[str]) -> None:
    """Builds from left to right, each a fan of cards under its value and owner."""
    x: float = _MARGIN + _GAP
    row = 0.0
    for build in builds:
        fan = min(_FAN, _LONGEST_FAN / (len(build.cards) - 1))
        width = CARD_WIDTH + fan * (len(build.cards) - 1) + 2 * _GAP
        if x + width > _WIDTH - _MARGIN and row:
            x = _MARGIN + _GAP
            canvas.y += row
        canvas.parts.append(_build(build, x, canvas.y, fan, width, marked))
        x += width + _GAP
        row = CARD_HEIGHT + _BADGE + 2 * _GAP
    canvas.y += row


def _build(
    build: Build, x: float, y: float, fan: float, width: float, marked: frozenset[str]
) -> str:
    """One build."""
    words = f"{build.value} of {build.owner}" + (", multiple" if build.multiple else "")
    short = f"{build.value}{build.owner}{'*' if build.multiple else ''}"
    names = list(build.cards)
    cards = "".join(
        card_face(
            name,
            x + _GAP + fan * index,
            y + _BADGE,
            marked=name in marked,
            covered=name != names[-1],
        )
        for index, name in enumerate(names)
    )
    return (
        f"<g><title>build of {words}</title>"
        f'<rect class="cc-build" x="{number(x)}" y="{number(y)}" width="{number(width)}" '
        f'height="{number(CARD_HEIGHT + _BADGE + _GAP)}" rx="5"/>'
        f'<text class="cc-text cc-strong" x="{number(x + _GAP + 1)}" y="{number(y + 15.5)}">'
        f"{short}</text>"
        f"{cards}</g>"
    )


def _side_lines(position: Position) -> list[str]:
    """The captured cards of each side, in numbers."""
    lines = []
    for side, pile in enumerate(position.piles):
        members = [
            letter
            for seat, letter in enumerate(position.rules.seats)
            if position.rules.side_of(seat) == side
        ]
        spades = sum(name.endswith("s") for name in pile.cards)
        more = "+" if pile.hidden else ""
        counts = [f"{pile.size} cards", f"{spades}{more} spades"]
        if position.sweeps[side]:
            counts.append(f"{position.sweeps[side]} sweeps")
        singular = [count[:-1] if count.startswith("1 ") else count for count in counts]
        lines.append(f"{'+'.join(members)}: {', '.join(singular)}")
    return lines
