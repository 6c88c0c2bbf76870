"""The reader of records: words in, rounds with their notes out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NoReturn, TypeVar

from casino_core.errors import CasinoError, IllegalMoveError, NotationError, quoted
from casino_core.formats.record_parts import (
    AT_THE_END,
    GAME_TAGS,
    ROUND_TAGS,
    VALUE,
    Note,
    RecordedRound,
    ends_match,
    first_deal,
    one_line,
    result_tags,
    score_after,
    tag_name,
)
from casino_core.formats.record_words import Word, words_of
from casino_core.game.match import by_seats
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.rules.options import Rules

__all__ = ["Facts", "read_facts", "words_of_games"]

_Value = TypeVar("_Value")

_STARTS: Final = ("Seed", "Deck", "Position", "Table")
_RULES_FIELD = re.compile(r"(?<!\S)rules\s*=")
_SCORE_FIELD = re.compile(r"(?<!\S)score\s*=")


@dataclass(slots=True)
class Facts:
    """The content of a record.

    Attributes:
        rules: the rule set.
        endless: whether the match has no target.
        tags: tags of the game, without those that follow from its rounds and rules.
        rounds: the rounds in order, the last one up to the error if there is one.
        error: the error at which reading stopped, None without one.
    """

    rules: Rules = field(default_factory=Rules)
    endless: bool = False
    tags: dict[str, str] = field(default_factory=dict)
    rounds: list[RecordedRound] = field(default_factory=list)
    error: CasinoError | None = None


def words_of_games(lines: Iterable[str]) -> Iterator[list[Word]]:
    """The words of each game of a text; a game tag after plays begins the next game.

    Args:
        lines: the lines of the text, taken as they are needed.

    Example:
        >>> text = '[Seed "1"] 3h [Seed "2"] * [Rules "royal"] [Seed "3"]'
        >>> [len(words) for words in words_of_games([text])]
        [4, 2]
    """
    game: list[Word] = []
    header: list[Word] = []
    begun = False  # whether the game has had plays or a position
    for word in words_of(lines):
        if word.kind == "tag" or (header and word.kind == "comment"):
            if _is_of_another(word, header):
                yield from _ended(game, header, begun)
                game, header, begun = [], [], False
            header.append(word)
            continue
        if begun and (word.kind == "position" or any(map(_begins_a_game, header))):
            yield game
            game, begun = [], False
        game += [*header, word]
        begun = begun or word.kind != "comment"
        header = []
    yield from _ended(game, header, begun)


def _ended(game: list[Word], header: list[Word], begun: bool) -> Iterator[list[Word]]:
    """The game before a next one or the end; trailing tags without plays may be a game too."""
    if begun and any(map(_begins_a_game, header)):
        yield game
        game = []
    if any(word.kind != "comment" for word in (*game, *header)):
        yield [*game, *header]


def _is_of_another(word: Word, header: list[Word]) -> bool:
    """Whether a tag belongs to the next game, as the tags of this one are complete."""
    names = [_name(one) for one in header if one.kind == "tag"]
    return _begins_a_game(word) and _name(word) in names and any(n in ROUND_TAGS for n in names)


def _begins_a_game(word: Word) -> bool:
    return word.kind == "tag" and _name(word) in GAME_TAGS and _name(word) not in AT_THE_END


def _name(word: Word) -> str:
    """The canonical name of a tag; an invalid name is returned unchanged."""
    try:
        return tag_name(word.name)
    except CasinoError:
        return word.name


def read_facts(words: list[Word]) -> Facts:
    """The content of one game, up to the first error.

    Args:
        words: the words of the game.

    Example:
        >>> words = next(words_of_games(['[Seed "17"] 1. 7dx7c! 2. 9h?? 3. 9h']))
        >>> facts = read_facts(words)
        >>> facts.rounds[0].note(1).mark, len(facts.rounds[0].round.plays), str(facts.error)[:24]
        ('!', 2, 'line 1, column 34: play ')
    """
    reader = _Reader()
    try:
        for word in words:
            _placed(word, partial(reader.take, word))
        reader.close_header(words)
        reader.close_round()
        reader.check_result()
    except _PlacedError as error:
        reader.facts.error = error.error
        reader.close_round()
        reader.keep_results()
    return reader.facts


class _Reader:
    """A reader that takes the words of one game one after the other."""

    def __init__(self) -> None:
        self.facts = Facts()
        self._header: list[Word] = []  # tags and comments before the moves of a round
        self._results: dict[str, Word] = {}
        self._number = 0
        self._count = 0  # of plays
        self._ended = False  # whether the round has had its *
        self._seed: int | None = None
        self._round: Round | None = None
        self._round_tags: dict[str, str] = {}
        self._marks: dict[int, str] = {}
        self._values: dict[int, float] = {}
        self._comments: dict[int, list[str]] = {}

    # Words

    def take(self, word: Word) -> None:
        """Take the next word."""
        if word.kind == "bad":
            raise NotationError(word.text)
        if word.kind == "tag":
            self._take_tag(word)
        elif word.kind == "comment" and (self._header or self._round is None):
            self._header.append(word)
        elif word.kind == "comment":
            self._comment(word)
        elif word.kind == "position":
            self._header.append(Word("tag", word.text, word.line, word.column, name="Position"))
            self._open(word)
        else:
            if self._header or self._round is None:
                self._open(word)
            if self._ended:
                raise NotationError(f"a tag or the end expected after *, found {quoted(word.text)}")
            self._ended = word.kind == "end"
            if word.kind == "number":
                self._check_number(word)
            elif word.kind == "play":
                self._play(word)

    def _take_tag(self, word: Word) -> None:
        name = tag_name(word.name)
        if name not in AT_THE_END:
            self._header.append(word)
            return
        if name in self._results and self._results[name].text != "*":
            raise NotationError(f"the tag {name} is there twice")
        self._results[name] = word

    def _check_number(self, word: Word) -> None:
        expected = self._count + 1
        if int(word.text) != expected:
            raise NotationError(f"play {expected} expected, found number {word.text}")

    def _play(self, word: Word) -> None:
        assert self._round is not None
        key, colon, value = word.text.partition(":")
        if colon and key.lower() == "owner":
            if not self._count or "+" not in self._round.words[-1][0]:
                raise NotationError(f"{quoted(word.text)} does not stand after a build")
            move = self._round.plays[-1]
            self._round = self._round.undo().play(move, owner=value.lower())
        elif colon and len(key) == 1:
            self._round = self._round.reveal(key.lower(), value)
        else:
            self._round = self._round.play(word.text)
            self._count += 1
            if word.mark:
                self._marks[self._count] = Note(word.mark).mark

    def _comment(self, word: Word) -> None:
        text, play = one_line(word.text), self._count
        if VALUE.fullmatch(text):
            if play in self._values or not play:
                raise NotationError("a value stands once after a play")
            self._values[play] = float(text)
        elif text:
            self._comments.setdefault(play, []).append(text)

    # Rounds

    def close_round(self) -> None:
        """End the current round, if there is one."""
        if self._round is None:
            return
        places = {*self._marks, *self._values, *self._comments}
        notes = {
            play: Note(
                self._marks.get(play, ""),
                self._values.get(play),
                tuple(self._comments.get(play, ())),
            )
            for play in places
        }
        self.facts.rounds.append(
            RecordedRound(
                self._round,
                number=self._number,
                seed=self._seed,
                notes=notes,
                tags=self._round_tags,
            )
        )
        self._round = None

    def close_header(self, words: list[Word]) -> None:
        """End the text: trailing tags start a round, or are a game without rounds."""
        names = [_name(word) for word in self._header if word.kind == "tag"]
        if any(name in ROUND_TAGS for name in names):
            self._open(words[-1])
        elif names and self._round is None and not self.facts.rounds:
            lost = next((word for word in self._header if word.kind == "comment"), None)
            if lost is not None and one_line(lost.text):
                _refuse(lost, "a comment belongs to a round, and the record has none")
            tags = self._sorted(self._header)
            _placed(tags.get("Rules", words[-1]), partial(self._read_rules, tags))
        elif names:
            _refuse(words[-1], "a tag Seed, Deck, Position or Table expected")

    def _open(self, word: Word) -> None:
        """Start a round from the tags before it."""
        self.close_round()
        header, self._header = self._header, []
        self._marks, self._values, self._comments = {}, {}, {}
        self._count, self._ended = 0, False
        tags = self._sorted(header)
        self._number = self._round_number(tags)
        if not self.facts.rounds:
            _placed(tags.get("Rules", word), partial(self._read_rules, tags))
        elif (last := self.facts.rounds[-1]) and ends_match(last, endless=self.facts.endless):
            first = next((one for one in header if one.kind == "tag"), word)
            _refuse(first, f"the match is over after round {last.number}: no round expected")
        self._round = Round(self._start(tags, word))
        for comment in header:
            if comment.kind == "comment":
                _placed(comment, partial(self._comment, comment))

    def _sorted(self, header: list[Word]) -> dict[str, Word]:
        """Sort tags: return those of the round by name, and store those of the game."""
        found: dict[str, Word] = {}
        others: dict[str, str] = {}
        game = not self.facts.rounds
        for word in (word for word in header if word.kind == "tag"):
            name = _name(word)
            if name.lower() in (known.lower() for known in (*found, *others)):
                _refuse(word, f"the tag {name} is there twice")
            found[name] = word
            game = game and name not in ROUND_TAGS
            if name in GAME_TAGS and self.facts.rounds:
                _refuse(word, f"the tag {name} stands before the first round")
            if name in GAME_TAGS or name in ROUND_TAGS:
                if name in GAME_TAGS and name not in ("Rules", "Target"):
                    self.facts.tags[name] = one_line(word.text)
            elif game:
                self.facts.tags[name] = one_line(word.text)
            else:
                others[name] = one_line(word.text)
        self._round_tags = others
        return found

    def _round_number(self, tags: dict[str, Word]) -> int:
        last = self.facts.rounds[-1].number if self.facts.rounds else 0
        word = tags.get("Round")
        if word is None:
            return last + 1
        number = int(word.text) if re.fullmatch("[0-9]{1,6}", word.text.strip()) else 0
        if number <= last:
            _refuse(word, f"Round is a number from {last + 1} on, not {quoted(word.text)}")
        return number

    def _read_rules(self, tags: dict[str, Word]) -> None:
        """Read the rules of the game from its tags or its first position."""
        facts, place = self.facts, tags.get("Position")
        if "Rules" in tags:
            facts.rules = Rules.parse("".join(tags["Rules"].text.split()).lower())
        elif place is not None and _RULES_FIELD.search(place.text):
            facts.rules = _placed(place, partial(Position.parse, place.text)).rules
        target = tags.get("Target")
        if target is None:
            return
        text = target.text.strip().lower()
        facts.endless = text == "none"
        if not facts.endless:
            if not re.fullmatch("[0-9]{1,7}", text):
                _refuse(target, f"Target is a number of points or none, not {quoted(text)}")
            named = "Rules" in tags and "target" in tags["Rules"].text.lower()
            if named and facts.rules.target != int(text):
                _refuse(target, f"Target is {facts.rules.target} by the rules, not {text}")
            facts.rules = _placed(target, partial(facts.rules.replace, target=int(text)))

    def _start(self, tags: dict[str, Word], word: Word) -> Position:
        """The first position of a round."""
        given = [name for name in _STARTS if name in tags]
        if not given:
            _refuse(word, "a tag Seed, Deck, Position or Table expected before the plays")
        if len(given) > 1:
            _refuse(tags[given[1]], f"a round starts from {given[0]} or {given[1]}, not from both")
        score = self._score(tags)
        self._seed = None
        if "Hand" in tags and given[0] != "Table":
            _refuse(tags["Hand"], "a Hand goes with a Table")
        starts: dict[str, Callable[[Word, tuple[int, ...] | None], Position]] = {
            "Seed": self._from_seed,
            "Deck": self._from_deck,
            "Position": self._from_position,
            "Table": partial(self._from_table, tags.get("Hand")),
        }
        return _placed(tags[given[0]], partial(starts[given[0]], tags[given[0]], score))

    def _score(self, tags: dict[str, Word]) -> tuple[int, ...] | None:
        """The match score before the round, by players; None if it is not known."""
        expected = None
        if self.facts.rounds and self._number == self.facts.rounds[-1].number + 1:
            expected = score_after(self.facts.rounds[-1])
        word = tags.get("Score")
        if word is None:
            return expected
        sides = self.facts.rules.sides
        parts = [part.strip() for part in word.text.split("/")]
        if len(parts) != sides or not all(re.fullmatch("[0-9]{1,7}", part) for part in parts):
            what = "/".join(["points"] * sides)
            _refuse(word, f"Score is {what}, side by side, not {quoted(word.text)}")
        found = tuple(map(int, parts))
        if expected not in (None, found):
            assert expected is not None
            _refuse(word, f"Score is {'/'.join(map(str, expected))} after the round before")
        return found

    def _by_seats(self, score: tuple[int, ...] | None) -> tuple[int, ...] | None:
        return None if score is None else by_seats(score, self._number - 1)

    def _from_seed(self, word: Word, score: tuple[int, ...] | None) -> Position:
        if not re.fullmatch("[0-9]{1,20}", word.text.strip()):
            raise NotationError(f"Seed is a whole number, not {quoted(word.text)}")
        seed = self._seed = int(word.text)
        return Position.start(self.facts.rules, seed=seed, score=self._by_seats(score))

    def _from_deck(self, word: Word, score: tuple[int, ...] | None) -> Position:
        deck = "".join(word.text.split())
        return Position.start(self.facts.rules, deck=deck, score=self._by_seats(score))

    def _from_position(self, word: Word, score: tuple[int, ...] | None) -> Position:
        line, seats = word.text, self._by_seats(score)
        if not _RULES_FIELD.search(line):
            line += f" rules={self.facts.rules}"
        if not _SCORE_FIELD.search(line) and seats is not None and any(seats):
            line += f" score={'/'.join(map(str, seats))}"
        position = Position.parse(line)
        if position.rules != self.facts.rules:
            raise NotationError(f"the position is of {position.rules}, not of {self.facts.rules}")
        if seats not in (None, position.match_score):
            found = "/".join(map(str, position.match_score))
            assert seats is not None
            raise NotationError(f"score={'/'.join(map(str, seats))} expected, found score={found}")
        return position

    def _from_table(self, hand: Word | None, word: Word, score: tuple[int, ...] | None) -> Position:
        table = "".join(word.text.split()) or "-"
        if hand is None:
            line = first_deal(self.facts.rules, table, "", "", self._by_seats(score))
            return Position.parse(line)
        seat, colon, cards = "".join(hand.text.split()).partition(":")
        seats = self.facts.rules.seats
        if not colon or len(seat) != 1 or seat.lower() not in seats:
            _refuse(hand, f"Hand is a seat of {seats}, a colon and cards, not {quoted(hand.text)}")
        line = first_deal(self.facts.rules, table, seat.lower(), cards, self._by_seats(score))
        return Position.parse(line)

    # The end

    def check_result(self) -> None:
        """Check the tags Result and Winner against the rounds, and keep those they do not tell."""
        known = self._known_results()
        for name, word in self._results.items():
            text, expected = "".join(word.text.split()), known.get(name, "*")
            if known and text.lower() not in (expected, "*", ""):
                _refuse(word, f"{name} is {expected} by the plays, not {quoted(word.text)}")
        self.keep_results()

    def keep_results(self) -> None:
        """Keep Result and Winner as tags of the game if they do not follow from its rounds."""
        if not self._known_results():
            for name, word in self._results.items():
                if word.text.strip() not in ("*", ""):
                    self.facts.tags[name] = one_line(word.text)

    def _known_results(self) -> dict[str, str]:
        rounds = self.facts.rounds
        return result_tags(rounds[-1], endless=self.facts.endless) if rounds else {}


class _PlacedError(Exception):
    """The same error with the line and column in its message."""

    def __init__(self, error: CasinoError) -> None:
        super().__init__(error)
        self.error = error


def _placed(word: Word, do: Callable[[], _Value]) -> _Value:
    """Call a function; its errors get the line and column of a word."""
    try:
        return do()
    except CasinoError as error:
        text = f"line {word.line}, column {word.column}: {error}"
        if isinstance(error, IllegalMoveError):
            raise _PlacedError(IllegalMoveError(text, error.reason, error.code)) from None
        raise _PlacedError(type(error)(text)) from None


def _refuse(word: Word, reason: str) -> NoReturn:
    raise _PlacedError(NotationError(f"line {word.line}, column {word.column}: {reason}"))
