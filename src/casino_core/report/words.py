"""Texts of a report: numbers, names, moves, all escaped for HTML."""

from __future__ import annotations

import re
from html import escape

from casino_core.formats.record import Game, Note
from casino_core.game.position import Move
from casino_core.rules.cards import SUITS

__all__ = ["Names", "attribute", "move_signs", "number", "signed", "tag"]

_SIGNS = dict(zip(SUITS, "♠♥♦♣", strict=True))
_CARD = re.compile(r"\[\d+[abcd]|([A2-9TJQK])([shdc])")  # the owner of a build is not a suit


def tag(name: str, *parts: str, **attributes: str) -> str:
    """An element with its content, which is HTML already.

    Args:
        name: the name of the element.
        parts: its content.
        attributes: its attributes as plain text; `class_` stands for `class`, and an underline
            for a dash.

    Example:
        >>> tag("p", "a &lt; b", class_="x")
        '<p class="x">a &lt; b</p>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{attribute(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{given}>{''.join(parts)}</{name}>"


def attribute(text: str) -> str:
    """A text as the value of an attribute.

    Args:
        text: any text.

    Example:
        >>> attribute('"a" & b')
        '&quot;a&quot; &amp; b'
    """
    return escape(text, quote=True)


def number(value: float, digits: int = 2) -> str:
    """A number without the sign of a zero.

    Args:
        value: the number.
        digits: digits after the point.

    Example:
        >>> number(-0.001), number(-1.5)
        ('0.00', '−1.50')
    """
    text = f"{value:.{digits}f}"
    if not text.strip("-0."):
        text = text.lstrip("-")
    return text.replace("-", "−")


def signed(value: float, digits: int = 2) -> str:
    """A number with its sign.

    Args:
        value: the number.
        digits: digits after the point.

    Example:
        >>> signed(0.5), signed(-0.001), signed(-3, 0)
        ('+0.50', '0.00', '−3')
    """
    text = number(value, digits)
    return text if text[0] == "−" or not text.strip("0.") else f"+{text}"


def move_signs(move: Move | str) -> str:
    """A move with the signs of the suits, red ones in an element of the class `red`.

    Args:
        move: the move, or its text.

    Example:
        >>> move_signs("7cx2s5h")
        '7♣×2♠<span class="red">5♥</span>'
    """

    def drawn(found: re.Match[str]) -> str:
        rank, suit = found.groups()
        if rank is None:
            return found[0]
        card = rank.replace("T", "10") + _SIGNS[suit]
        return tag("span", card, class_="red") if suit in "hd" else card

    return _CARD.sub(drawn, escape(str(move))).replace("x", "×")


class Names:
    """Names of the players, sides and seats of a game as plain text, and the notes of its record.

    Players are named by their seats in the first round; in later rounds they sit elsewhere.

    Args:
        game: the record of the game.

    Example:
        >>> names = Names(Game.parse('[PlayerA "Anna"] [Seed 17] 7dx7c! {takes a seven}'))
        >>> names.player("a"), names.of_seat("a", 2), names.side(1), names.note(1, 1).mark
        ('Anna', 'Player b', 'Player b', '!')
    """

    def __init__(self, game: Game) -> None:
        self._rules = game.rules
        self._players = game.players
        self._rounds = {one.number: one for one in game.rounds}

    def note(self, number: int, play: int) -> Note:
        """The note of the record on a play.

        Args:
            number: the number of the round.
            play: the number of the play.
        """
        return self._rounds[number].note(play)

    def player(self, letter: str) -> str:
        """The name of a player.

        Args:
            letter: the seat of the player in the first round.
        """
        return self._players.get(letter) or f"Player {letter}"

    def of_seat(self, seat: str, number: int) -> str:
        """The name of the player in a seat.

        Args:
            seat: the letter of the seat.
            number: the number of the round, from 1.
        """
        return self.player(self._player(seat, number))

    def side(self, side: int) -> str:
        """The names of the players of a side.

        Args:
            side: index of the side, that of player a first.
        """
        members = [
            self.player(seat)
            for index, seat in enumerate(self._rules.seats)
            if self._rules.side_of(index) == side
        ]
        return " and ".join(members)

    def sides(self) -> list[str]:
        """The names of all sides, that of player a first."""
        return [self.side(side) for side in range(self._rules.sides)]

    def side_of_seat(self, seat: str, number: int) -> int:
        """The side of the player in a seat.

        Args:
            seat: the letter of the seat.
            number: the number of the round, from 1.
        """
        return self._rules.side_of(self._rules.seats.index(self._player(seat, number)))

    def side_in(self, number: int, side: int = 0) -> int:
        """The number of a side of the game within a round.

        Args:
            number: the number of the round, from 1.
            side: the side, that of player a first.
        """
        rules = self._rules
        seats = (seat for seat in rules.seats if self.side_of_seat(seat, number) == side)
        return rules.side_of(rules.seats.index(next(seats)))

    def _player(self, seat: str, number: int) -> str:
        seats = self._rules.seats
        return seats[(seats.index(seat) + number - 1) % len(seats)]
