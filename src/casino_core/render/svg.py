"""Pictures of positions as SVG: self-contained, without scripts, network or fonts of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
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
    card_reference,
    number,
)
from casino_core.rules.pieces import Build, Hand

__all__ = ["PICTURE_STYLE", "position_svg", "table_svg"]

_WIDTH = 328
_MARGIN = 6
_GAP = 4
_STEP = CARD_WIDTH + _GAP
_LINE = 20  # height of a line of text
_FAN = 21  # distance between overlapping cards of a build; less in a long build
_LONGEST_FAN = _WIDTH - 2 * _MARGIN - 4 * _GAP - CARD_WIDTH
_BADGE = 20  # height of the label above a build
_LONGEST_NAME = 34  # letters of a name in a line of a picture

#: Colours and fonts of a picture; a page that shows many pictures has them once.
PICTURE_STYLE = (
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


@dataclass(frozen=True, slots=True)
class _Look:
    """How cards and seats are drawn.

    Attributes:
        frames: classes of the frames around a card, by its name.
        open_hands: the position with all hands known, which lie under those that are face down.
        names: names of the seats; without one a seat has its letter.
        refers: whether cards are references to `card_definitions`.
    """

    frames: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    open_hands: Position | None = None
    names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    refers: bool = False

    def card(self, name: str, x: float, y: float, *, covered: bool = False) -> str:
        """A card; `?` is one face down."""
        if name == "?":
            return card_back(x, y)
        draw = card_reference if self.refers else card_face
        return draw(name, x, y, frames=self.frames.get(name, ()), covered=covered)


class _Canvas:
    """The elements drawn so far, from top to bottom."""

    def __init__(self, look: _Look) -> None:
        self.look = look
        self.parts: list[str] = []
        self.y: float = _MARGIN

    def text(self, words: str, *, strong: bool = False) -> None:
        """Write a line."""
        kind = "cc-text cc-strong" if strong else "cc-text"
        y = number(self.y + 0.72 * _LINE)
        self.parts.append(f'<text class="{kind}" x="{_MARGIN}" y="{y}">{escape(words)}</text>')
        self.y += _LINE

    def cards(self, names: Sequence[str], left: float) -> None:
        """Draw cards side by side in one or more rows.

        `?` is a card face down; after it stands the name of the card if that may be shown.
        """
        each_row = int((_WIDTH - _MARGIN - left + _GAP) // _STEP)
        for place, name in enumerate(names):
            x = left + place % each_row * _STEP
            y = self.y + place // each_row * (CARD_HEIGHT + _GAP)
            drawn = self.look.card(name[0] if name[0] == "?" else name, x, y)
            if name[0] == "?" and name != "?":
                below = self.look.card(name[1:], x, y)
                drawn = f'<g class="cc-shut">{drawn}</g><g class="cc-open">{below}</g>'
            self.parts.append(drawn)
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
    lines = [_headline(position)]
    frames: dict[str, tuple[str, ...]] = {}
    if before is not None and move is not None:
        lines.append(f"{before.turn} played {move}")
        frames[move.card] = ("cc-mark",)
    return _picture(position, _Look(frames), lines, style=True)


def table_svg(
    position: Position,
    *,
    open_hands: Position | None = None,
    played: Move | None = None,
    best: Move | None = None,
    names: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """A picture of a position for a page that has `PICTURE_STYLE` and `card_definitions` once.

    Args:
        position: the position as a seat sees it.
        open_hands: the position with all hands known. Its cards are drawn too, in place of those
            face down, and shown only inside an element of the class `cc-all`.
        played: the play that was made here; its cards have a solid frame.
        best: another play; its cards have a dashed frame.
        names: the names of the seats, by letter.

    Returns:
        The text of an `<svg>` element.

    Example:
        >>> position = Position.parse("table=2s5h8dKc hands=As7c9hTd/????")
        >>> picture = table_svg(position, played=position.move("7cx2s5h"), names={"a": "Anna"})
        >>> picture.count("cc-mark"), "Anna" in picture, "style>" in picture
        (3, True, False)
    """
    frames: dict[str, tuple[str, ...]] = {}
    for move, kind in ((played, "cc-mark"), (best, "cc-better")):
        for card in () if move is None else (move.card, *move.loose, *move.built):
            frames[card] = (*frames.get(card, ()), kind)
    return _picture(position, _Look(frames, open_hands, names, True), [], style=False)


def _picture(position: Position, look: _Look, lines: Iterable[str], *, style: bool) -> str:
    """The lines, the hands around the table, and the captured cards in numbers."""
    canvas = _Canvas(look)
    for place, line in enumerate(lines):
        canvas.text(line, strong=place == 0)
    seats = _seats_from_top(position)
    for seat in seats[:-1]:
        _draw_hand(canvas, position, seat)
    _draw_table(canvas, position)
    _draw_hand(canvas, position, seats[-1])
    for line in _side_lines(position, look.names):
        canvas.text(line)
    height = number(canvas.y + _MARGIN)
    label = escape(_description(position, look.names), {'"': "&quot;"})
    rules = f"<style>{PICTURE_STYLE}</style>" if style else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{label}" style="max-width:{_WIDTH}px;width:100%">'
        f"{rules}{''.join(canvas.parts)}</svg>"
    )


def _headline(position: Position, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """The seat to play and the cards left in the stock."""
    if position.is_over:
        return "The round is over"
    return f"{names.get(position.turn, position.turn)} to play, stock {position.stock_count}"


def _description(position: Position, names: Mapping[str, str]) -> str:
    """The picture in words."""
    loose = str(position.table) or "no loose card"
    builds = ", ".join(map(str, position.builds)) or "none"
    hands = ""
    if names:
        shown = zip(position.rules.seats, position.hands, strict=True)
        held = [f" {names.get(seat, seat)} has {hand}." for seat, hand in shown if hand.size]
        hands = "".join(held)
    return f"Casino. {_headline(position, names)}. Table: {loose}. Builds: {builds}.{hands}"


def _seats_from_top(position: Position) -> list[int]:
    """Seats in the order of drawing, the seat to play last."""
    count = position.rules.players
    turn = position.rules.seats.index(position.turn)
    return [(turn + step) % count for step in range(1, count + 1)]


def _draw_hand(canvas: _Canvas, position: Position, seat: int) -> None:
    """A seat's letter, or its name in a line of its own, and its cards."""
    hand: Hand = position.hands[seat]
    letter = position.rules.seats[seat]
    cards = [*hand.cards, *_face_down(canvas.look, hand, seat)]
    left: float = _MARGIN
    if (name := canvas.look.names.get(letter)) is not None:
        plays = " to play" if letter == position.turn and not position.is_over else ""
        canvas.text(f"{_short(name)}{plays}", strong=True)
        canvas.y += _GAP
    else:
        y = number(canvas.y + CARD_HEIGHT / 2 + 6 if cards else canvas.y + 0.72 * _LINE)
        kind = "cc-text cc-strong"
        canvas.parts.append(f'<text class="{kind}" x="{_MARGIN}" y="{y}">{letter}</text>')
        left = 26
    if cards:
        canvas.cards(cards, left)
        return
    y = number(canvas.y + 0.72 * _LINE)
    canvas.parts.append(f'<text class="cc-text" x="{number(left)}" y="{y}">no card</text>')
    canvas.y += _LINE


def _face_down(look: _Look, hand: Hand, seat: int) -> list[str]:
    """The hidden cards of a hand, with their names where those may be shown."""
    known = None if look.open_hands is None else look.open_hands.hands[seat]
    if known is None or known.hidden:
        return ["?"] * hand.hidden
    return [f"?{name}" for name in known.cards - hand.cards]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _draw_table(canvas: _Canvas, position: Position) -> None:
    """The table: loose cards, then builds, on one background."""
    place = len(canvas.parts)
    top = canvas.y
    canvas.y += _GAP
    loose = list(position.table)
    if loose:
        canvas.cards(loose, _MARGIN + _GAP)
    if position.builds:
        _draw_builds(canvas, position.builds)
    if not loose and not position.builds:
        canvas.text("   the table is empty")
    canvas.y += _GAP
    ground = (
        f'<rect class="cc-felt" x="2" y="{number(top)}" width="{_WIDTH - 4}" '
        f'height="{number(canvas.y - top)}" rx="6"/>'
    )
    canvas.parts.insert(place, ground)
    canvas.y += _GAP


def _draw_builds(canvas: _Canvas, builds: Iterable[Build]) -> None:
    """Builds from left to right, each a fan of cards under its value and owner."""
    x: float = _MARGIN + _GAP
    row = 0.0
    for build in builds:
        fan = min(_FAN, _LONGEST_FAN / (len(build.cards) - 1))
        width = CARD_WIDTH + fan * (len(build.cards) - 1) + 2 * _GAP
        if x + width > _WIDTH - _MARGIN and row:
            x = _MARGIN + _GAP
            canvas.y += row
        canvas.parts.append(_build(canvas.look, build, x, canvas.y, fan, width))
        x += width + _GAP
        row = CARD_HEIGHT + _BADGE + 2 * _GAP
    canvas.y += row


def _build(look: _Look, build: Build, x: float, y: float, fan: float, width: float) -> str:
    """One build."""
    owner = escape(look.names.get(build.owner, build.owner))
    words = f"{build.value} of {owner}" + (", multiple" if build.multiple else "")
    short = f"{build.value}{build.owner}{'*' if build.multiple else ''}"
    names = list(build.cards)
    cards = "".join(
        look.card(name, x + _GAP + fan * index, y + _BADGE, covered=name != names[-1])
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


def _side_lines(position: Position, names: Mapping[str, str]) -> list[str]:
    """The captured cards of each side, in numbers."""
    lines = []
    for side, pile in enumerate(position.piles):
        members = [
            _short(names.get(letter, letter))
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
