"""Card names, card numbers and sets of cards.

A card has a name such as `As` or `Td`, and a number, rank index * 4 + suit index, from 0 (`As`)
to 51 (`Kc`).  A set of cards is an int whose bit n stands for card n; `CardSet` wraps one.

Each name has one written form. When reading, letter case does not matter, `10` stands for `T`,
suit symbols may replace the letters, and there may be spaces between cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn

from casino_core._text import plain
from casino_core.errors import NotationError, quoted

__all__ = [
    "ALL_CARDS",
    "CARD_NAMES",
    "RANKS",
    "SUITS",
    "CardSet",
    "card_name",
    "cards_of_pack",
    "cards_text",
    "parse_card",
    "parse_cards_mask",
]

RANKS = "A23456789TJQK"
SUITS = "shdc"

#: The name of each card, by its number.
CARD_NAMES: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)

#: The mask of the whole pack.
ALL_CARDS = (1 << len(CARD_NAMES)) - 1

# Two letters in any case, which need no pattern.
_BITS = {
    spelling: 1 << number
    for number, name in enumerate(CARD_NAMES)
    for spelling in (name, name.lower(), name.upper(), name[0].lower() + name[1].upper())
}

# Letters are listed one by one: ignoring case would let in look-alikes such as the Kelvin sign.
_CARD = re.compile("(10|[Aa2-9TtJjQqKk])([SsHhDdCc\u2660\u2665\u2666\u2663])[\ufe0e\ufe0f]?")
_SUIT_LETTERS = str.maketrans("\u2660\u2665\u2666\u2663", SUITS)


def parse_card(text: str) -> int:
    """The number of the card that a text names.

    Args:
        text: one card, in any of the forms that are read.

    Raises:
        NotationError: the text is not exactly one card.

    Example:
        >>> parse_card("As"), parse_card("10D"), parse_card("k\u2663")
        (0, 38, 51)
    """
    bit = _BITS.get(text)
    if bit is not None:
        return bit.bit_length() - 1
    found = _CARD.fullmatch(plain(text).strip())
    if found is None:
        raise NotationError(f"{quoted(text)} is not a card")
    return _number(found)


def parse_cards_mask(text: str) -> int:
    """The mask of the cards that a text names, in any order.

    Args:
        text: cards in a row, with or without spaces; empty or `-` for no cards.

    Raises:
        NotationError: part of the text is not a card, or a card is there twice.

    Example:
        >>> parse_cards_mask("As2s") == 0b10001
        True
        >>> parse_cards_mask("2s 10\u2666") == parse_cards_mask("Td2s")
        True
        >>> parse_cards_mask("As2sAs")
        Traceback (most recent call last):
        casino_core.errors.NotationError: card As is there twice in 'As2sAs'
    """
    mask = 0
    bits = _BITS
    for start in range(0, len(text), 2):
        bit = bits.get(text[start : start + 2], 0)
        if not bit or mask & bit:
            return _parse_any_form(text)
        mask |= bit
    return mask


def _parse_any_form(text: str) -> int:
    """Parse cards in any form, and raise the errors of `parse_cards_mask`."""
    text = plain(text)
    if text.strip() == "-":
        return 0
    mask = 0
    for number in _numbers(text):
        bit = 1 << number
        if mask & bit:
            raise NotationError(f"card {card_name(number)} is there twice in {quoted(text)}")
        mask |= bit
    return mask


def _numbers(text: str) -> Iterator[int]:
    """The numbers of the cards that a text names, in its order."""
    place, end = 0, len(text)
    while place < end:
        if text[place].isspace():
            place += 1
            continue
        found = _CARD.match(text, place)
        if found is None:
            _refuse(text, place)
        yield _number(found)
        place = found.end()


def cards_of_pack(deck: object) -> list[int]:
    """The numbers of the cards of a whole pack, in its order.

    Args:
        deck: the text of 52 cards, or a sequence of their names.

    Raises:
        NotationError: it is neither; a card is missing or there twice.

    Example:
        >>> cards_of_pack(CARD_NAMES[::-1])[:3]
        [51, 50, 49]
    """
    if isinstance(deck, str):
        cards = list(_numbers(plain(deck)))
    elif isinstance(deck, Sequence) and all(isinstance(card, str) for card in deck):
        cards = [parse_card(card) for card in deck]
    else:
        raise NotationError("deck is the text of 52 cards or a list of their names")
    twice = {card for card in cards if cards.count(card) > 1}
    if twice:
        raise NotationError(f"deck: {card_name(min(twice))} is there twice")
    missing = CardSet(ALL_CARDS & ~sum(1 << card for card in cards))
    if missing:
        are = "is" if len(missing) == 1 else "are"
        raise NotationError(f"deck: a whole pack is needed, and {missing} {are} missing")
    return cards


def _refuse(text: str, place: int) -> NoReturn:
    part = text[place : place + 2].rstrip()
    where = "" if part == text.strip() else f" in {quoted(text)}"
    raise NotationError(f"{quoted(part)} is not a card{where}")


def _number(found: re.Match[str]) -> int:
    rank, suit = found.groups()
    rank = "T" if rank == "10" else rank.upper()
    return RANKS.index(rank) * 4 + SUITS.index(suit.translate(_SUIT_LETTERS).lower())


def card_name(number: int) -> str:
    """The name of a card.

    Args:
        number: 0 to 51.

    Raises:
        NotationError: there is no such number.

    Example:
        >>> card_name(38)
        'Td'
    """
    if not 0 <= number < len(CARD_NAMES):
        raise NotationError(f"{number} is not the number of a card (0 to 51)")
    return CARD_NAMES[number]


def cards_text(mask: int) -> str:
    """The names of the cards of a mask, sorted by rank, then suit, without spaces.

    Args:
        mask: a 52-bit mask; 0 gives empty text.

    Raises:
        NotationError: the mask has bits beyond the 52 cards.

    Example:
        >>> cards_text(1 << 38 | 1)
        'AsTd'
    """
    return "".join(_names(_checked_mask(mask)))


def _names(mask: int) -> Iterator[str]:
    while mask:
        low = mask & -mask
        yield CARD_NAMES[low.bit_length() - 1]
        mask ^= low


def _checked_mask(mask: int) -> int:
    if mask < 0 or mask > ALL_CARDS:
        raise NotationError(f"{quoted(hex(mask))} is not a mask of 52 cards")
    return mask


class CardSet:
    """An immutable set of cards.

    It supports the set operators (`|`, `&`, `-`, `^`, `<=` and the other comparisons), `len`, `in`
    with the name of a card, and iteration over the card names, sorted by rank, then suit.

    Args:
        cards: text as `parse_cards_mask` reads it, an iterable of card names, another
            `CardSet`, or a mask.

    Raises:
        NotationError: something in `cards` is not a card, or a card is there twice.

    Attributes:
        mask: the set as a 52-bit int.

    Example:
        >>> table = CardSet("Td 2s5h")
        >>> table
        CardSet('2s5hTd')
        >>> list(table - CardSet(["5h"])), "td" in table, len(table)
        (['2s', 'Td'], True, 3)
    """

    __slots__ = ("mask",)

    mask: int

    def __init__(self, cards: str | Iterable[str] | CardSet | int = 0) -> None:
        if isinstance(cards, int):
            mask = _checked_mask(cards)
        elif isinstance(cards, str):
            mask = parse_cards_mask(cards)
        elif isinstance(cards, CardSet):
            mask = cards.mask
        else:
            mask = _mask_of_names(cards)
        object.__setattr__(self, "mask", mask)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a CardSet cannot be changed: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a CardSet cannot be changed: {name}")

    def __reduce__(self) -> tuple[type[CardSet], tuple[int]]:
        return CardSet, (self.mask,)

    def __repr__(self) -> str:
        return f"CardSet({str(self)!r})"

    def __str__(self) -> str:
        return "".join(_names(self.mask))

    def __hash__(self) -> int:
        return hash((CardSet, self.mask))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CardSet):
            return NotImplemented
        return self.mask == other.mask

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __iter__(self) -> Iterator[str]:
        return _names(self.mask)

    def __contains__(self, card: object) -> bool:
        """Whether the named card is in the set.

        Raises:
            NotationError: `card` is not the name of a card, so that a typing error does not
                pass for a missing card.
        """
        if not isinstance(card, str):
            raise NotationError(f"{quoted(card)} is not the name of a card")
        return bool(self.mask >> parse_card(card) & 1)

    def __or__(self, other: CardSet) -> CardSet:
        if not isinstance(other, CardSet):
            return NotImplemented
        return CardSet(self.mask | other.mask)

    def __and__(self, other: CardSet) -> CardSet:
        if not isinstance(other, CardSet):
            return NotImplemented
        return CardSet(self.mask & other.mask)

    def __sub__(self, other: CardSet) -> CardSet:
        if not isinstance(other, CardSet):
            return NotImplemented
        return CardSet(self.mask & ~other.mask)

    def __xor__(self, other: CardSet) -> CardSet:
        if not isinstance(other, CardSet):
            return NotImplemented
        return CardSet(self.mask ^ other.mask)

    def __le__(self, other: CardSet) -> bool:
        if not isinstance(other, CardSet):
            return NotImplemented
        return self.mask & ~other.mask == 0

    def __lt__(self, other: CardSet) -> bool:
        if not isinstance(other, CardSet):
            return NotImplemented
        return self.mask != other.mask and self.mask & ~other.mask == 0

    def __ge__(self, other: CardSet) -> bool:
        if not isinstance(other, CardSet):
            return NotImplemented
        return other.mask & ~self.mask == 0

    def __gt__(self, other: CardSet) -> bool:
        if not isinstance(other, CardSet):
            return NotImplemented
        return self.mask != other.mask and other.mask & ~self.mask == 0

    def isdisjoint(self, other: CardSet) -> bool:
        """Whether the two sets share no card.

        Args:
            other: another set.

        Example:
            >>> CardSet("As").isdisjoint(CardSet("Ah"))
            True
        """
        return not self.mask & other.mask


def _mask_of_names(names: Iterable[str]) -> int:
    mask = 0
    for name in names:
        if not isinstance(name, str):
            raise NotationError(f"{quoted(name)} is not the name of a card")
        bit = 1 << parse_card(name)
        if mask & bit:
            raise NotationError(f"card {card_name(bit.bit_length() - 1)} is there twice")
        mask |= bit
    return mask
