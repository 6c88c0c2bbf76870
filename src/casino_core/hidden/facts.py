"""Facts and suspicions about hidden hands, as objects and as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from casino_core._arguments import shown
from casino_core._text import plain
from casino_core.errors import CasinoError, NotationError, quoted
from casino_core.game.position import Move, Position
from casino_core.rules.cards import CARD_NAMES, parse_card

__all__ = ["Belief", "SeatBelief", "cards_named", "checked_belief", "checked_history"]

_RANKS = "A23456789TJQK"
_SEATS = "abcd"
_HIGHEST_ODDS = 1_000_000.0
_KEYS = ("holds", "lacks", "odds")
_CARD = re.compile(r"(10|[A2-9TJQK])([shdc♠♥♦♣]?)", re.IGNORECASE)


def cards_named(name: str) -> int:
    """The mask of a card, or of the four cards of a rank.

    Args:
        name: a card (`Td`) or a rank (`9`).

    Example:
        >>> cards_named("As"), cards_named("A")
        (1, 15)
    """
    if len(name) == 2:
        return 1 << CARD_NAMES.index(name)
    return 15 << 4 * _RANKS.index(name)


@dataclass(frozen=True, slots=True)
class SeatBelief:
    """Facts about the hand of one seat. A name is a card (`Td`) or a rank (`9`).

    Attributes:
        seat: the seat's letter.
        holds: cards that are in the hand, and ranks of which at least one card is.
        lacks: cards that are not in the hand, and ranks of which no card is.
        odds: pairs of a name and a weight above 0: the weight of a hand is multiplied by it for
            each such card in the hand.

    Example:
        >>> str(SeatBelief("b", holds=("9", "Td"), odds=(("Qs", 3.0),)))
        'b:holds=9,Td odds=Qs*3'
    """

    seat: str
    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    odds: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        fields = []
        if self.holds:
            fields.append("holds=" + ",".join(self.holds))
        if self.lacks:
            fields.append("lacks=" + ",".join(self.lacks))
        if self.odds:
            fields.append("odds=" + ",".join(f"{name}*{_number(x)}" for name, x in self.odds))
        return f"{self.seat}:" + " ".join(fields)


@dataclass(frozen=True, slots=True)
class Belief:
    """Facts about hidden hands. `str` writes them, `parse` reads them.

    Attributes:
        seats: the facts, seat by seat.

    Example:
        >>> belief = Belief.parse("b:holds=9,10d lacks=A odds=Qs*3; c:lacks=2s")
        >>> str(belief)
        'b:holds=9,Td lacks=A odds=Qs*3; c:lacks=2s'
    """

    seats: tuple[SeatBelief, ...] = ()

    @staticmethod
    def parse(text: str) -> Belief:
        """Read facts: `b:holds=9,Td lacks=A odds=Qs*3`, `;` between seats.

        Args:
            text: the facts; empty for none.

        Raises:
            NotationError: the text has another form, or repeats a seat, a field or a name.

        Example:
            >>> Belief.parse("b:lacks=A").seats[0].lacks
            ('A',)
        """
        if not isinstance(text, str):
            raise NotationError(f"belief: facts are text, not {type(text).__name__}")
        text = plain(text, NotationError, "belief: ")
        seats: dict[str, SeatBelief] = {}
        for part in text.split(";") if text.strip() else ():
            fact = _read_seat(part)
            if fact.seat in seats:
                raise NotationError(f"belief: seat {fact.seat} is given twice")
            seats[fact.seat] = fact
        return Belief(tuple(seats[seat] for seat in sorted(seats)))

    def __str__(self) -> str:
        return "; ".join(map(str, self.seats))


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _read_seat(part: str) -> SeatBelief:
    seat, colon, rest = part.strip().partition(":")
    seat = seat.strip().lower()
    if not colon or len(seat) != 1 or seat not in _SEATS:
        raise NotationError(
            f"belief: {quoted(part.strip())} does not begin with a seat and a colon, like b:holds=9"
        )
    found: dict[str, list[str]] = {}
    for field in rest.split():
        key, equals, value = field.partition("=")
        if not equals or key.lower() not in _KEYS:
            raise NotationError(
                f"belief: {quoted(field)} is not one of holds=..., lacks=..., odds=...*..."
            )
        if key.lower() in found:
            raise NotationError(f"belief: {key.lower()} is given twice for seat {seat}")
        found[key.lower()] = value.split(",")
    if not found:
        raise NotationError(f"belief: there is no fact about seat {seat}")
    odds = [_read_odds(item) for item in found.get("odds", ())]
    names = [_read_names(seat, key, found.get(key, ())) for key in ("holds", "lacks")]
    _read_names(seat, "odds", [name for name, _ in odds])
    return SeatBelief(seat, names[0], names[1], tuple(sorted(odds, key=lambda o: _place(o[0]))))


def _read_names(seat: str, key: str, items: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    names = [_read_name(item) for item in items]
    for name in names:
        if names.count(name) > 1:
            raise NotationError(f"belief: {key} of seat {seat} names {name} twice")
    return tuple(sorted(names, key=_place))


def _place(name: str) -> tuple[int, int]:
    return _RANKS.index(name[0]), 0 if len(name) == 1 else 1 + "shdc".index(name[1])


def _read_name(item: str) -> str:
    match = _CARD.fullmatch(item)
    if match is None:
        raise NotationError(f"belief: {quoted(item)} is neither a card like Td nor a rank like 9")
    if match[2]:
        return CARD_NAMES[parse_card(item)]
    return "T" if match[1] == "10" else match[1].upper()


def _read_odds(item: str) -> tuple[str, float]:
    name, star, weight = item.partition("*")
    try:
        value = float(weight) if star else 0.0
    except ValueError:
        value = 0.0
    if not (isfinite(value) and 1 / _HIGHEST_ODDS <= value <= _HIGHEST_ODDS):
        raise NotationError(
            f"belief: odds are a card or rank, * and a weight from 0.000001 to 1000000, "
            f"like Qs*3, not {quoted(item)}"
        )
    return _read_name(name), value


def checked_belief(belief: object) -> None:
    """Raise an error unless the argument is a `Belief`, its text or None.

    Args:
        belief: the argument.

    Raises:
        CasinoError: it is none of these.
    """
    if belief is not None and not isinstance(belief, str | Belief):
        raise CasinoError(f"belief is a Belief or its text, not {shown(belief)}")


def checked_history(history: object) -> None:
    """Raise an error unless the argument is a list of plays or None.

    Args:
        history: the argument.

    Raises:
        CasinoError: it is neither, or an item is not a position with a move.
    """
    plays = () if history is None else history
    if not isinstance(plays, Sequence) or isinstance(plays, str | bytes):
        raise CasinoError(f"history is a list of plays, not {shown(plays)}")
    for number, play in enumerate(plays, 1):
        if not (
            isinstance(play, tuple | list)
            and len(play) == 2
            and isinstance(play[0], Position)
            and isinstance(play[1], str | Move)
        ):
            raise CasinoError(
                f"history: play {number} is a Position and the move made in it, not {shown(play)}"
            )
