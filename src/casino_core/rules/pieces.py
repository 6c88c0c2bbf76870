"""Parts of a position: builds and hands."""

from __future__ import annotations

from typing import NamedTuple, SupportsIndex, overload

from casino_core.errors import NotationError, quoted
from casino_core.rules.cards import CardSet

__all__ = ["Build", "BySeat", "Hand", "PilesOfPartners", "Points"]


class Build(NamedTuple):
    """A build on the table.

    Attributes:
        value: the value of the cards that capture it, 1 to 14.
        owner: letter of the seat that owns it.
        multiple: whether it has two or more groups and so cannot be raised.
        cards: its cards.

    Example:
        >>> str(Build(9, "a", True, CardSet("4h5c9s")))
        '9a*:4h5c9s'
    """

    value: int
    owner: str
    multiple: bool
    cards: CardSet

    def __str__(self) -> str:
        return f"{self.value}{self.owner}{'*' if self.multiple else ''}:{self.cards}"


class Hand(NamedTuple):
    """Cards in a hand or in a pile of captured cards.

    Attributes:
        cards: the known cards.
        hidden: how many more cards are unknown.

    Example:
        >>> str(Hand(CardSet("As"), 2)), Hand(CardSet("As"), 2).size
        ('As??', 3)
    """

    cards: CardSet
    hidden: int

    @property
    def size(self) -> int:
        """Number of cards, known or not."""
        return len(self.cards) + self.hidden

    def __str__(self) -> str:
        return str(self.cards) + "?" * self.hidden or "-"


class BySeat(tuple[Hand, ...]):
    """Hands or piles: a tuple that takes the letter of a seat for an index too.

    Example:
        >>> hands = BySeat([Hand(CardSet("As"), 0), Hand(CardSet(), 1)])
        >>> str(hands["b"]), hands["a"] == hands[0], len(hands)
        ('?', True, 2)
    """

    __slots__ = ()

    @overload
    def __getitem__(self, place: SupportsIndex | str, /) -> Hand: ...
    @overload
    def __getitem__(self, place: slice, /) -> tuple[Hand, ...]: ...
    def __getitem__(self, place: SupportsIndex | str | slice, /) -> Hand | tuple[Hand, ...]:
        if isinstance(place, str):
            place = self._place(place)
        return tuple.__getitem__(self, place)

    def _place(self, seat: str) -> int:
        seats = self._seats()
        if len(seat) != 1 or seat not in seats:
            raise NotationError(f"{quoted(seat)} is not a seat; the seats are {seats}")
        return seats.index(seat) % len(self)

    def _seats(self) -> str:
        return "abcd"[: len(self)]


class PilesOfPartners(BySeat):
    """The two piles of partners: a seat's is that of its side.

    Example:
        >>> piles = PilesOfPartners([Hand(CardSet("As"), 0), Hand(CardSet(), 1)])
        >>> str(piles["c"]), str(piles["d"])
        ('As', '?')
    """

    __slots__ = ()

    def _seats(self) -> str:
        return "abcd"


class Points(NamedTuple):
    """What a side has captured so far, by category.

    Most cards and most spades are decided at the end of the round: until then they are numbers
    of cards, all others are points. Under `scoring=spade` every spade counts: the ace is among
    `aces`, the two is `little_casino`, the others are `other_spades`.

    Attributes:
        cards: number of cards captured, those not remembered included.
        spades: number of spades captured, of those remembered.
        big_casino: points for the ten of diamonds.
        little_casino: points for the two of spades.
        aces: points for aces.
        other_spades: points for all other spades, 0 where they score nothing.
        sweeps: points for sweeps.

    Example:
        >>> Points(20, 6, 2, 0, 3, 0, 1).total
        6
    """

    cards: int
    spades: int
    big_casino: int
    little_casino: int
    aces: int
    other_spades: int
    sweeps: int

    @property
    def total(self) -> int:
        """The points that no later play takes away."""
        return sum(self[2:])
