"""Cards as pictures of their own, drawn as in the pictures of positions."""

from __future__ import annotations

from functools import lru_cache

from casino_core.render.card_art import CARD_HEIGHT, CARD_WIDTH, STYLE, card_back, card_face
from casino_core.rules.cards import CARD_NAMES

__all__ = ["card_picture"]

_ROOM = 1  # around the card, for its outline


@lru_cache(maxsize=128)
def card_picture(name: str) -> str | None:
    """A card as an SVG picture.

    Args:
        name: the name of a card; with `-covered` the card as it lies under another one; `back`.

    Returns:
        The text of the picture; None if there is no such card.

    Example:
        >>> "10 of diamonds" in card_picture("Td"), card_picture("1d")
        (True, None)
    """
    card, dash, how = name.partition("-")
    if name == "back":
        drawn = card_back(_ROOM, _ROOM)
    elif card in CARD_NAMES and (not dash or how == "covered"):
        drawn = card_face(card, _ROOM, _ROOM, covered=bool(dash))
    else:
        return None
    width, height = CARD_WIDTH + 2 * _ROOM, CARD_HEIGHT + 2 * _ROOM
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><style>{STYLE}</style>{drawn}</svg>'
    )
