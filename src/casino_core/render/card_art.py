"""Playing cards as SVG: rank and suit, legible in small pictures.

The shapes of the suits are drawn here, of circles and curves around the point 0, 0.
"""

from __future__ import annotations

from collections.abc import Iterable

from casino_core.rules.cards import CARD_NAMES

__all__ = [
    "CARD_HEIGHT",
    "CARD_WIDTH",
    "STYLE",
    "card_back",
    "card_definitions",
    "card_face",
    "card_reference",
    "card_words",
    "number",
]

CARD_WIDTH = 36
CARD_HEIGHT = 50

_SUIT_SHAPES = {
    "s": (
        "M0-10C3-5 10-2 10 3.5C10 7 7.4 8.6 5 8.6C3.2 8.6 1.8 7.6 1 6L2.6 10.5H-2.6"
        "L-1 6C-1.8 7.6-3.2 8.6-5 8.6C-7.4 8.6-10 7-10 3.5C-10-2-3-5 0-10Z"
    ),
    "h": (
        "M0 10C-3.5 5.5-10 1.5-10-4C-10-8-7.4-10-5-10C-2.6-10-.8-8.6 0-6.4"
        "C.8-8.6 2.6-10 5-10C7.4-10 10-8 10-4C10 1.5 3.5 5.5 0 10Z"
    ),
    "d": "M0-10.5C2-6.5 4.6-3 7.8 0C4.6 3 2 6.5 0 10.5C-2 6.5-4.6 3-7.8 0C-4.6-3-2-6.5 0-10.5Z",
    "c": (
        "M0-10.5A5 5 0 0 1 4.3-2.9A5 5 0 1 1 1 5.2L2.6 10.5H-2.6L-1 5.2A5 5 0 1 1-4.3-2.9"
        "A5 5 0 0 1 0-10.5Z"
    ),
}
_SUIT_WORDS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
_RANK_WORDS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}

#: Colours and fonts of the parts of a picture. Class names begin with `cc-`, as a style in an SVG
#: applies to the whole page around it.
STYLE = """
.cc-card{fill:#fffefa;stroke:#8a8a86;stroke-width:1}
.cc-back{fill:#3d5a80;stroke:#29405f;stroke-width:1}
.cc-lines{fill:none;stroke:#98b4d4;stroke-width:1.5}
.cc-black{fill:#16181d}.cc-red{fill:#b3131f}
.cc-rank{font:700 23px 'DejaVu Sans',Verdana,Arial,sans-serif;text-anchor:middle}
.cc-corner{font-size:17px}
.cc-mark,.cc-better{fill:none;stroke:#e08a00;stroke-width:3}
.cc-better{stroke:#1f8f4d;stroke-dasharray:5 4}
.cc-open{display:none}.cc-all .cc-open{display:inline}.cc-all .cc-shut{display:none}
"""


def number(value: float) -> str:
    """A coordinate with at most two decimals.

    Args:
        value: the coordinate, in units of the picture.

    Example:
        >>> number(4.0), number(1 / 3)
        ('4', '0.33')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def card_words(name: str) -> str:
    """A card in words, for screen readers.

    Args:
        name: the name of the card, such as `Td`.

    Example:
        >>> card_words("Td"), card_words("As")
        ('10 of diamonds', 'ace of spades')
    """
    return f"{_RANK_WORDS.get(name[0], name[0])} of {_SUIT_WORDS[name[1]]}"


def card_face(
    name: str, x: float, y: float, *, frames: Iterable[str] = (), covered: bool = False
) -> str:
    """A card that lies face up.

    Args:
        name: the name of the card, such as `Td`.
        x: position of its left edge, in units of the picture.
        y: position of its upper edge.
        frames: classes of frames around it, such as `cc-mark` of the card just played.
        covered: whether the next card covers its right half; rank and suit are then in the upper
            left corner.

    Raises:
        ValueError: there is no such card.

    Example:
        >>> card_face("Td", 0, 0).count("<path"), ">10<" in card_face("Td", 0, 0)
        (1, True)
    """
    CARD_NAMES.index(name)
    return _placed(name, x, y, _face(name, covered), frames)


def card_reference(
    name: str, x: float, y: float, *, frames: Iterable[str] = (), covered: bool = False
) -> str:
    """A card that lies face up, drawn by reference to `card_definitions`.

    Args:
        name: the name of the card.
        x: position of its left edge.
        y: position of its upper edge.
        frames: classes of frames around it.
        covered: whether the next card covers its right half.

    Example:
        >>> '<use href="#cc-Td"/>' in card_reference("Td", 0, 0)
        True
    """
    return _placed(name, x, y, f'<use href="#{_place_of(name, covered)}"/>', frames)


def card_definitions(text: str) -> str:
    """An invisible picture with the cards that others refer to; a page has it once.

    Args:
        text: the text of these pictures.

    Example:
        >>> card_definitions(card_reference("Td", 0, 0)).count("<g id=")
        1
    """
    drawn = "".join(
        f'<g id="{_place_of(name, covered)}">{_face(name, covered)}</g>'
        for name in CARD_NAMES
        for covered in (False, True)
        if f'"#{_place_of(name, covered)}"' in text
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true" '
        f'style="position:absolute"><defs>{drawn}</defs></svg>'
    )


def _place_of(name: str, covered: bool) -> str:
    return f"cc-{name}{'-covered' if covered else ''}"


def _placed(name: str, x: float, y: float, drawn: str, frames: Iterable[str]) -> str:
    around = "".join(_frame(kind, -1.5) for kind in frames)
    return (
        f'<g transform="translate({number(x)} {number(y)})"><title>{card_words(name)}</title>'
        f"{drawn}{around}</g>"
    )


def _face(name: str, covered: bool) -> str:
    """The face of a card at the point 0, 0."""
    colour = "cc-red" if name[1] in "hd" else "cc-black"
    rank = "10" if name[0] == "T" else name[0]
    kind, place = (
        ("cc-rank cc-corner", 'x="10" y="18"') if covered else ("cc-rank", 'x="18" y="23"')
    )
    suit_place = "translate(10 29) scale(.7)" if covered else "translate(18 36)"
    return (
        f'{_frame("cc-card", 0)}<text class="{kind} {colour}" {place}>{rank}</text>'
        f'<path class="{colour}" transform="{suit_place}" d="{_SUIT_SHAPES[name[1]]}"/>'
    )


def card_back(x: float, y: float) -> str:
    """A card that lies face down.

    Args:
        x: position of its left edge, in units of the picture.
        y: position of its upper edge.

    Example:
        >>> "a hidden card" in card_back(0, 0)
        True
    """
    return (
        f'<g transform="translate({number(x)} {number(y)})"><title>a hidden card</title>'
        f"{_frame('cc-back', 0)}"
        '<path class="cc-lines" d="M6 14L14 6M6 28L28 6M6 42L30 18M14 44L30 28"/>'
        "</g>"
    )


def _frame(kind: str, inset: float) -> str:
    """The outline of a card, or a larger frame around it."""
    width, height = CARD_WIDTH - 2 * inset, CARD_HEIGHT - 2 * inset
    return (
        f'<rect class="{kind}" x="{number(inset)}" y="{number(inset)}" width="{number(width)}"'
        f' height="{number(height)}" rx="4"/>'
    )
