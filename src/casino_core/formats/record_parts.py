"""Parts of the record of a game: rounds with their notes, and the names of tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType
from typing import Final

from casino_core._arguments import SEED, instance_of, shown, whole
from casino_core._text import spaced
from casino_core.errors import CasinoError, quoted
from casino_core.game.match import by_players, by_seats, match_result
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.game.scoring import side_names
from casino_core.rules.options import Rules

__all__ = [
    "AT_THE_END",
    "GAME_TAGS",
    "MARKS",
    "ROUND_TAGS",
    "VALUE",
    "Note",
    "RecordedRound",
    "RecordedTags",
    "ends_match",
    "first_deal",
    "one_line",
    "result_tags",
    "score_after",
    "tag_name",
    "tags_of",
]

#: Marks after a play: good, mistake, and so on.
MARKS: Final = ("!", "?", "!!", "??", "!?", "?!")
#: The pattern of a comment that is the value of a play.
VALUE: Final = re.compile(r"[+-]\d{1,6}(\.\d{1,9})?")

_PLAYERS: Final = ("PlayerA", "PlayerB", "PlayerC", "PlayerD")
#: Tags of the whole game, in the order in which they are written.
GAME_TAGS: Final = ("Event", "Date", *_PLAYERS, "Rules", "Target", "Result", "Winner")
#: Tags about the end of the game; they may also follow the last play.
AT_THE_END: Final = ("Result", "Winner")
#: Tags of one round, in the order in which they are written.
ROUND_TAGS: Final = ("Round", "Score", "Seed", "Deck", "Position", "Table", "Hand")
_NUMBER: Final = whole(1, 1_000_000)
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_KNOWN: Final = MappingProxyType(
    {name.lower(): name for name in (*GAME_TAGS, *ROUND_TAGS)}
    | {letter.lower(): f"Player{letter}" for letter in "ABCD"}
)

RecordedTags = tuple[tuple[str, str], ...]


def tag_name(name: str) -> str:
    """The canonical name of a tag; unknown names are kept as they are.

    Args:
        name: the name as typed; blanks, dashes and underscores do not count.

    Raises:
        CasinoError: the text is not a name.

    Example:
        >>> tag_name("player_a"), tag_name("A"), tag_name("Site")
        ('PlayerA', 'PlayerA', 'Site')
    """
    plain = re.sub(r"[\s_-]", "", name)
    if not _NAME.fullmatch(plain):
        raise CasinoError(f"the name of a tag is letters and digits, not {quoted(name)}")
    return _KNOWN.get(plain.lower(), plain)


def tags_of(given: Mapping[str, object]) -> RecordedTags:
    """Tags in canonical form: known ones first, in their order, then the others by name.

    Args:
        given: values by name.

    Raises:
        CasinoError: an invalid name, a name that occurs twice, or a value that is not text.

    Example:
        >>> tags_of({"site": "at home", "b": "Ben", "DATE": "2026.12.01"})
        (('Date', '2026.12.01'), ('PlayerB', 'Ben'), ('site', 'at home'))
    """
    if not isinstance(given, Mapping):
        raise CasinoError(f"tags are a dictionary of texts, not {shown(given)}")
    found: dict[str, str] = {}
    for name, value in given.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise CasinoError(f"a tag is a name and a text, not {shown(name)} and {shown(value)}")
        found.setdefault(tag_name(name), one_line(value))
    if len({name.lower() for name in found}) < len(given):
        raise CasinoError("a tag is there twice")
    order = [*GAME_TAGS, *ROUND_TAGS]
    known = [(name, found.pop(name)) for name in order if name in found]
    return (*known, *sorted(found.items()))


def one_line(text: str) -> str:
    """A text with single spaces in place of all blanks and line ends.

    Args:
        text: any text.

    Raises:
        CasinoError: it has half a character (a surrogate), which no file can hold.

    Example:
        >>> one_line("  a good\\n play ")
        'a good play'
    """
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise CasinoError(f"{quoted(text)} has half a character")
    return " ".join(spaced(text).split())


@dataclass(frozen=True, slots=True)
class Note:
    """Mark, value and comments of a play.

    Attributes:
        mark: one of `!`, `?`, `!!`, `??`, `!?`, `?!`; empty for none.
        value: the value of the play for the side that made it, to four decimals; None for none.
        comments: texts, in order.

    Raises:
        CasinoError: another mark, a value that is not finite or beyond 999999, an empty comment, or
            one that is a value.

    Example:
        >>> Note("!", 1.25, ("the only  play",)).comments
        ('the only play',)
    """

    mark: str = ""
    value: float | None = None
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.mark and self.mark not in MARKS:
            raise CasinoError(f"a mark is one of {' '.join(MARKS)}, not {shown(self.mark)}")
        object.__setattr__(self, "value", _rounded(self.value))
        object.__setattr__(self, "comments", _comments(self.comments))

    def __bool__(self) -> bool:
        return bool(self.mark or self.comments) or self.value is not None


def _rounded(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CasinoError(f"value is a number, not {shown(value)}")
    if not isfinite(value) or abs(value) > 999_999:
        raise CasinoError(f"value is a number from -999999 to 999999, not {shown(value)}")
    return round(float(value), 4) + 0.0  # without the sign of a zero


def _comments(given: object) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise CasinoError(f"comments are a list of texts, not {shown(given)}")
    found = []
    for comment in given:
        if not isinstance(comment, str):
            raise CasinoError(f"a comment is a text, not {shown(comment)}")
        found.append(one_line(comment))
        if not found[-1]:
            raise CasinoError("a comment is empty")
        if VALUE.fullmatch(found[-1]):
            raise CasinoError(f"the comment {quoted(found[-1])} is a value: give it as one")
    return tuple(found)


@dataclass(frozen=True, slots=True, init=False)
class RecordedRound:
    """A round with its notes and tags.

    Args:
        round: the start and the plays.
        number: the number of the round in its game, from 1. As the lead moves to the left from
            round to round, the number determines the seats of the players.
        seed: the seed of the shuffle, if it is known.
        notes: notes by the number of the play, from 1; 0 is for comments before the first play.
        tags: tags without a meaning of their own in records.

    Attributes:
        round: the start and the plays.
        number: the number of the round in its game.
        seed: the seed of the shuffle, None if it is not known.

    Raises:
        CasinoError: a note on a play that does not exist, or a seed that deals another start.

    Example:
        >>> from casino_core import Position
        >>> played = Round(Position.start(seed=17), ["7dx7c"])
        >>> RecordedRound(played, seed=17, notes={1: Note("!")}).note(1).mark
        '!'
    """

    round: Round
    number: int
    seed: int | None
    _notes: tuple[tuple[int, Note], ...]
    _tags: RecordedTags

    def __init__(
        self,
        round: Round,  # noqa: A002 - the attribute's name
        *,
        number: int = 1,
        seed: int | None = None,
        notes: Mapping[int, Note] = MappingProxyType({}),
        tags: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        put = object.__setattr__
        put(self, "round", instance_of(Round)("round", round))
        put(self, "number", _NUMBER("number", number))
        put(self, "seed", SEED.if_given("seed", seed))
        put(self, "_notes", _checked_notes(notes, len(round.plays)))
        put(self, "_tags", tags_of(tags))
        known = [name for name, _ in self._tags if name in (*GAME_TAGS, *ROUND_TAGS)]
        if known:
            raise CasinoError(f"the tag {known[0]} is not one of those that a round keeps")
        if self.seed is not None and _dealt(round, self.seed) != round.start:
            raise CasinoError(f"seed {self.seed} does not deal the start of the round")

    @property
    def notes(self) -> dict[int, Note]:
        """The notes by number of the play, as a new dictionary."""
        return dict(self._notes)

    @property
    def tags(self) -> dict[str, str]:
        """The tags that have no meaning of their own, as a new dictionary."""
        return dict(self._tags)

    def note(self, play: int) -> Note:
        """Mark, value and comments of a play.

        Args:
            play: the number of the play, from 1; 0 for comments before the first play.
        """
        return self.notes.get(play, Note())

    def first(self, plays: int) -> RecordedRound:
        """The round up to a play, with the notes up to there.

        Args:
            plays: number of plays to keep.
        """
        return RecordedRound(
            self.round.first(plays),
            number=self.number,
            seed=self.seed,
            notes={play: note for play, note in self._notes if play <= plays},
            tags=self.tags,
        )


def _dealt(played: Round, seed: int) -> Position:
    return Position.start(played.start.rules, seed=seed, score=played.start.match_score)


def _checked_notes(given: Mapping[int, Note], plays: int) -> tuple[tuple[int, Note], ...]:
    """The notes that are not empty, in order."""
    if not isinstance(given, Mapping):
        raise CasinoError(f"notes are a dictionary of Notes, not {shown(given)}")
    kind, found = whole(0, plays), {}
    for play, note in given.items():
        place = kind("the number of a play with a note", play)
        found[place] = instance_of(Note)(f"the note on play {place}", note)
    if 0 in found and (found[0].mark or found[0].value is not None):
        raise CasinoError("before the first play there are comments only")
    return tuple((place, note) for place, note in sorted(found.items()) if note)


def score_after(recorded: RecordedRound) -> tuple[int, ...] | None:
    """The match score after a round, player a's side first.

    Args:
        recorded: any round.

    Returns:
        The score; None if the round is not finished, or captured cards are not known.

    Example:
        >>> score_after(RecordedRound(Round(Position.start(seed=17))))
    """
    position = recorded.round.position
    if not position.is_over or any(pile.hidden for pile in position.piles):
        return None
    return by_players(match_result(position).totals, recorded.number - 1)


def result_tags(recorded: RecordedRound, *, endless: bool) -> dict[str, str]:
    """The tags for the score after the last round.

    Args:
        recorded: the last round.
        endless: whether the match has no target.

    Returns:
        `Result`, and `Winner` if the match is over; no tags if the round is not finished.

    Example:
        >>> result_tags(RecordedRound(Round(Position.start(seed=17))), endless=False)
        {}
    """
    score = score_after(recorded)
    if score is None:
        return {}
    found = {"Result": "/".join(map(str, score))}
    last = match_result(recorded.round.position)
    if last.over and not endless:
        names = by_seats(side_names(recorded.round.start.rules), recorded.number - 1)
        found["Winner"] = "draw" if last.winner is None else names[last.winner]
    return found


def ends_match(recorded: RecordedRound, *, endless: bool) -> bool:
    """Whether the match is over after a round.

    Args:
        recorded: any round.
        endless: whether the match has no target.

    Example:
        >>> ends_match(RecordedRound(Round(Position.start(seed=17))), endless=False)
        False
    """
    return "Winner" in result_tags(recorded, endless=endless)


def first_deal(
    rules: Rules, table: object, seat: str, cards: object, score: Iterable[int] | None
) -> str:
    """The position line of a first deal as one seat sees it.

    Args:
        rules: the rules of the round.
        table: the cards on the table.
        seat: the letter of the seat; empty for an onlooker, who sees no hand.
        cards: the cards of its hand.
        score: the match score before the round, by seats; None for none.

    Example:
        >>> first_deal(Rules(), "2s5h8dKc", "a", "As7c9hTd", None)
        'rules=standard table=2s5h8dKc hands=As7c9hTd/???? turn=a'
    """
    hands = "/".join(str(cards) if one == seat else "????" for one in rules.seats)
    points = tuple(score or ())
    tail = f" score={'/'.join(map(str, points))}" if any(points) else ""
    return f"rules={rules} table={table} hands={hands} turn=a{tail}"
