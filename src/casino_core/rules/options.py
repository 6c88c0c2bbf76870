"""Rule sets: the options of the game, and the named sets of them.

A rule set is written as the name of a preset followed by the options that differ from it, as in
`royal,sweep=0,players=4,partners=yes`. `OPTIONS` is the single table behind reading, checking
and documentation; `PRESETS` holds the named sets.

The presets come from an old encyclopaedia text on Royal Casino (1911): `royal-1911` and
`old-way`; a games handbook (Hoyle style): `hoyle`, `royal`, `spade`, `spade-royal`, `draw`
and `draw-royal`; a short rules text for the standard game: `standard`.  `pagat`,
`pagat-royal` and `britannica` follow common modern practice, `ramapo` a version often used
in programming courses.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal

from casino_core._text import plain
from casino_core.errors import RulesError, quoted

__all__ = ["OPTIONS", "PRESETS", "Option", "Rules"]

_SEATS = "abcd"


@dataclasses.dataclass(frozen=True, slots=True)
class Option:
    """The values that one option of a rule set may have.

    Attributes:
        kind: `choice` (one of `values`), `switch` (yes or no) or `number` (`least` to `most`).
        meaning: one line that explains the option.
        values: the words of a choice, the default first.
        least: the smallest number.
        most: the largest number.
    """

    kind: Literal["choice", "switch", "number"]
    meaning: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 0

    def allowed(self) -> str:
        """The values in words.

        Example:
            >>> OPTIONS["draw"].allowed(), OPTIONS["players"].allowed()
            ('yes or no', 'a number from 2 to 4')
        """
        if self.kind == "switch":
            return "yes or no"
        if self.kind == "choice":
            return "one of " + ", ".join(self.values)
        return f"a number from {self.least} to {self.most}"

    def accepts(self, value: object) -> bool:
        """Whether a Python value is one of the option's.

        Args:
            value: a bool for a switch, an int for a number, a str for a choice.

        Example:
            >>> OPTIONS["sweep"].accepts(1), OPTIONS["sweep"].accepts("1")
            (True, False)
        """
        if self.kind == "switch":
            return isinstance(value, bool)
        if self.kind == "choice":
            return isinstance(value, str) and value in self.values
        # to Python True is an int, but nobody means it as a number
        return type(value) is int and self.least <= value <= self.most

    def read(self, text: str) -> bool | int | str | None:
        """Read the value that a text stands for.

        Args:
            text: what follows the sign in `sweep=1`.

        Returns:
            The value, or None if the option has no such value.

        Example:
            >>> OPTIONS["draw"].read("yes"), OPTIONS["sweep"].read("-1")
            (True, None)
        """
        if self.kind == "switch":
            return {"yes": True, "no": False}.get(text)
        if self.kind == "choice":
            return text if text in self.values else None
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            return None
        number = int(text)
        return number if self.least <= number <= self.most else None


def _choice(meaning: str, *values: str) -> Option:
    return Option("choice", meaning, values=values)


def _switch(meaning: str) -> Option:
    return Option("switch", meaning)


def _number(meaning: str, least: int, most: int) -> Option:
    return Option("number", meaning, least=least, most=most)


#: Every option: its values and its meaning, in the order in which rules are written.
OPTIONS: Final[Mapping[str, Option]] = MappingProxyType(
    {
        "players": _number("players at the table", 2, 4),
        "partners": _switch("four players in two partnerships, seats a and c against b and d"),
        "court": _choice(
            "values of jack, queen, king: none, 11 12 13, or 10 each", "pair", "numbered", "ten"
        ),
        "ace": _choice("an ace counts 1, or by itself 1 or 14", "low", "low_or_high"),
        "court_capture": _choice(
            "how many cards of its rank a court card without a value captures",
            "one",
            "one_or_three",
            "any",
            "all",
        ),
        "capture": _choice(
            "what a card with a value captures: any legal set, at least all loose cards of its "
            "rank, or as much as possible",
            "any",
            "matching",
            "maximal",
        ),
        "trail": _choice(
            "what may be trailed: any card, a card whose rank is not loose on the table, a card "
            "that can capture nothing, or any card when no capture or build is possible",
            "free",
            "not_matching",
            "not_capturing",
            "last_resort",
        ),
        "multiple": _switch("builds of more than one group"),
        "raising": _choice(
            "whose single builds may be raised: all, those of other players, of the other "
            "side, none",
            "any",
            "others",
            "opponents",
            "none",
        ),
        "raise_own_needs_both": _switch(
            "whoever raises their own build must still hold a card of the old value"
        ),
        "raise_table_cards": _switch("loose cards may help to raise"),
        "raise_absorb": _switch("a raise may take in loose cards of the new value"),
        "add_to": _choice("whose builds may be added to: all, one's own", "any", "own"),
        "max_builds": _number("builds that a player may own, 0 for no limit", 0, 52),
        "same_value": _choice(
            "two builds of one value become one, or may stand side by side", "merge", "separate"
        ),
        "owner_turn": _choice(
            "the owner of a build may not trail, must capture, or is free",
            "no_trail",
            "capture",
            "free",
        ),
        "partner_builds": _choice(
            "a player may build a value that their partner has declared", "none", "declared"
        ),
        "sweep": _number("points for a sweep", 0, 100),
        "scoring": _choice(
            "points of the cards: 11 in all, or the spades' 24, 26 or 27",
            "standard",
            "spade",
            "spade26",
            "spade27",
        ),
        "draw": _switch("after each play the player draws the top card of the stock"),
        "target": _number("points that win the match", 1, 1_000_000),
        "finish": _choice(
            "the match goes to the highest total, or to the first who counts out",
            "highest",
            "count_out",
        ),
        "tie": _choice("equal totals: another round, or a drawn match", "another", "draw"),
    }
)


@dataclasses.dataclass(frozen=True, slots=True)
class Rules:
    """A rule set: one value for every option of the game. Immutable.

    Two rule sets are equal, with the same hash, when all their options are equal, whatever
    preset they were written from; `preset` matters only for the text.

    Args:
        preset: the preset from which the text lists the differences. It sets no option here;
            use `Rules.parse("royal")` or `PRESETS["royal"]` for that.
        players: like the arguments that follow, an option explained in `OPTIONS`.

    Raises:
        RulesError: a value that an option does not have, or options that contradict
            each other.

    Example:
        >>> rules = Rules.parse("royal,sweep=0,players=4,partners=yes")
        >>> rules.court, rules.ace, rules.sweep, rules.sides
        ('numbered', 'low_or_high', 0, 2)
        >>> str(rules)
        'royal,players=4,partners=yes,sweep=0'
        >>> Rules.parse("standard,sweep=1,raise_own_needs_both=yes") == Rules.parse("hoyle")
        True
    """

    players: int = 2
    partners: bool = False
    court: str = "pair"
    ace: str = "low"
    court_capture: str = "one"
    capture: str = "any"
    trail: str = "free"
    multiple: bool = True
    raising: str = "any"
    raise_own_needs_both: bool = False
    raise_table_cards: bool = False
    raise_absorb: bool = True
    add_to: str = "any"
    max_builds: int = 0
    same_value: str = "merge"
    owner_turn: str = "no_trail"
    partner_builds: str = "none"
    sweep: int = 0
    scoring: str = "standard"
    draw: bool = False
    target: int = 21
    finish: str = "highest"
    tie: str = "another"
    preset: str = dataclasses.field(default="standard", compare=False)

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            value = getattr(self, name)
            if not option.accepts(value):
                raise RulesError(f"rules: {name} is {option.allowed()}, not {quoted(value)}")
        if self.partners and self.players != 4:
            raise RulesError(f"rules: partners=yes needs players=4, not players={self.players}")
        if self.preset not in _PRESET_OPTIONS:
            raise RulesError(f"rules: there is no preset {quoted(self.preset)}")

    @staticmethod
    def parse(text: str) -> Rules:
        """Read a rule set.

        Args:
            text: a preset, then options, with commas between; blanks around them do not count.

        Raises:
            RulesError: an unknown preset, option or value, an option twice, or options
                that contradict each other; one line that names the option.

        Example:
            >>> Rules.parse("spade,players=3").target
            61
            >>> Rules.parse("royal,players=3,partners=yes")
            Traceback (most recent call last):
            casino_core.errors.RulesError: rules: partners=yes needs players=4, not players=3
        """
        if not isinstance(text, str):
            raise RulesError(f"rules are read from text, not from {type(text).__name__}")
        preset = _PRESETS.get(text)
        return _parse_with_options(text) if preset is None else preset

    @staticmethod
    def preset_names() -> tuple[str, ...]:
        """The names of the presets.

        Example:
            >>> Rules.preset_names()[:3]
            ('standard', 'hoyle', 'royal')
        """
        return tuple(_PRESETS)

    def replace(self, **options: Any) -> Rules:
        """The same rules with some options changed.

        Args:
            options: new values, as Python has them: `sweep=1`, `partners=True`.

        Raises:
            RulesError: an unknown option or value, or options that contradict each other.

        Example:
            >>> str(PRESETS["royal"].replace(players=3, sweep=0))
            'royal,players=3,sweep=0'
        """
        for name in options:
            if name not in OPTIONS:
                raise RulesError(f"rules: there is no option {quoted(name)}")
        return dataclasses.replace(self, **options)

    def __str__(self) -> str:
        base = _PRESETS[self.preset]
        if self == base:
            return self.preset
        parts = [self.preset]
        for name, option in OPTIONS.items():
            value = getattr(self, name)
            if value != getattr(base, name):
                shown = ("yes" if value else "no") if option.kind == "switch" else value
                parts.append(f"{name}={shown}")
        return ",".join(parts)

    def __repr__(self) -> str:
        return f"Rules.parse({str(self)!r})"

    @property
    def sides(self) -> int:
        """How many sides score: two in partnership, else one for each player."""
        return 2 if self.partners else self.players

    @property
    def seats(self) -> str:
        """The letters of the seats, `a` (who leads) first: `ab`, `abc` or `abcd`."""
        return _SEATS[: self.players]

    def side_of(self, seat_index: int) -> int:
        """The side for which a seat plays.

        Args:
            seat_index: 0 for seat `a`, and so on.

        Raises:
            RulesError: there is no such seat.

        Example:
            >>> four = Rules.parse("standard,players=4,partners=yes")
            >>> [four.side_of(seat) for seat in range(4)]
            [0, 1, 0, 1]
        """
        if not 0 <= seat_index < self.players:
            raise RulesError(f"rules: players={self.players} has no seat {quoted(seat_index)}")
        return seat_index % self.sides


_HOYLE: dict[str, Any] = {"raise_own_needs_both": True, "sweep": 1}
_ROYAL: dict[str, Any] = {**_HOYLE, "court": "numbered", "ace": "low_or_high"}
_BOOK_1911: dict[str, Any] = {
    "raising": "others",
    "max_builds": 1,
    "owner_turn": "capture",
    "partner_builds": "declared",
}
_SPADES: dict[str, Any] = {"scoring": "spade", "target": 61, "finish": "count_out"}

# What each preset changes in the defaults.
_PRESET_OPTIONS: dict[str, dict[str, Any]] = {
    "standard": {},
    "hoyle": _HOYLE,
    "royal": _ROYAL,
    "royal-1911": {"court": "numbered", "ace": "low_or_high", **_BOOK_1911},
    "old-way": {"court": "ten", **_BOOK_1911},
    "spade": {**_HOYLE, **_SPADES},
    "spade-royal": {**_ROYAL, **_SPADES},
    "draw": {**_HOYLE, "draw": True},
    "draw-royal": {**_ROYAL, "draw": True},
    "pagat": {"same_value": "separate"},
    "pagat-royal": {
        "same_value": "separate",
        "court": "numbered",
        "ace": "low_or_high",
        "finish": "count_out",
    },
    "ramapo": {
        "court": "numbered",
        "ace": "low_or_high",
        "capture": "matching",
        "trail": "not_matching",
        "raising": "opponents",
        "raise_absorb": False,
        "add_to": "own",
        "same_value": "separate",
        "tie": "draw",
    },
    "britannica": {
        "court_capture": "all",
        "trail": "not_capturing",
        "raising": "others",
        "raise_absorb": False,
        "sweep": 1,
    },
}

_PRESETS: dict[str, Rules] = {
    name: Rules(preset=name, **options) for name, options in _PRESET_OPTIONS.items()
}

#: The named rule sets.
PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(_PRESETS)


# Files repeat a few rule sets on many lines, so the most recent ones are cached.
@lru_cache(maxsize=128)
def _parse_with_options(text: str) -> Rules:
    name, *parts = (part.strip() for part in plain(text, RulesError, "rules: ").split(","))
    base = _PRESETS.get(name)
    if base is None:
        known = ", ".join(_PRESETS)
        raise RulesError(f"rules: there is no preset {quoted(name)}; the presets are {known}")
    options: dict[str, Any] = {}
    for part in parts:
        key, sign, written = (piece.strip() for piece in part.partition("="))
        option = OPTIONS.get(key)
        if option is None:
            raise RulesError(f"rules: there is no option {quoted(key)}")
        if key in options:
            raise RulesError(f"rules: option {key} is there twice")
        value = option.read(written) if sign else None
        if value is None:
            raise RulesError(f"rules: {key} is {option.allowed()}, not {quoted(written)}")
        options[key] = value
    return dataclasses.replace(base, **options)
