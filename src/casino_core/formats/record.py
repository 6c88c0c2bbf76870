"""Records of games by people and agents: text that is easy to type and checked when it is read.

The format is described in `docs/record.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from casino_core._arguments import instance_of, shown
from casino_core._text import decoded
from casino_core.errors import CasinoError, NotationError
from casino_core.formats.record_json import (
    check_made,
    field_of,
    object_of,
    round_fields,
    round_of,
    text_of,
)
from casino_core.formats.record_parts import (
    AT_THE_END,
    ROUND_TAGS,
    Note,
    RecordedRound,
    RecordedTags,
    ends_match,
    result_tags,
    score_after,
    tags_of,
)
from casino_core.formats.record_reading import Facts, read_facts, words_of_games
from casino_core.formats.record_writing import rules_text, written
from casino_core.game.match import Match, by_players, by_seats
from casino_core.game.round import Round
from casino_core.game.scoring import highest, side_names
from casino_core.rules.options import Rules

__all__ = ["Game", "Note", "RecordedRound", "SeveralGamesError"]

_FROM_RULES = ("Rules", "Target")


class SeveralGamesError(NotationError):
    """Text of several games where one is expected."""


@dataclass(frozen=True, slots=True, init=False)
class Game:
    """The record of a game: rounds with notes, and tags. Immutable.

    Args:
        rounds: the rounds in order; a `Round` has no notes.
        rules: the rules of the game; None for the rules of the first round.
        target: points that win the match, "none" for no target; None for the target of the rules.
        tags: tags such as Event, Date and PlayerA; other names are allowed.

    Attributes:
        rules: the rule set.
        target: points that win the match, None for no target.
        rounds: the rounds in order, each with its notes.
        error: the error at which reading stopped, None without one.

    Raises:
        CasinoError: rounds that do not follow from each other, or a tag that they contradict.

    Example:
        >>> game = Game.parse('[PlayerA "Anna"] [Seed 17] 1. 7dx7c! {the king} 2. 9h')
        >>> game.players, game.rounds[0].note(1).comments, game.round_at(2).position.turn
        ({'a': 'Anna'}, ('the king',), 'b')
    """

    rules: Rules
    target: int | None
    rounds: tuple[RecordedRound, ...]
    _tags: RecordedTags
    error: CasinoError | None = field(compare=False)

    def __init__(
        self,
        rounds: Iterable[Round | RecordedRound] = (),
        *,
        rules: str | Rules | None = None,
        target: int | Literal["none"] | None = None,
        tags: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        found = _numbered(rounds)
        if rules is None:
            rules = found[0].round.start.rules if found else Rules()
        known = Match(rules, target=target)
        self._set(known.rules, known.target, found, (), None)
        self._check_rounds()
        object.__setattr__(self, "_tags", self._keep_tags(tags_of(tags)))

    def _set(
        self,
        rules: Rules,
        target: int | None,
        rounds: tuple[RecordedRound, ...],
        tags: RecordedTags,
        error: CasinoError | None,
    ) -> None:
        put = object.__setattr__
        put(self, "rules", rules)
        put(self, "target", target)
        put(self, "rounds", rounds)
        put(self, "_tags", tags)
        put(self, "error", error)

    def _check_rounds(self) -> None:
        last: RecordedRound | None = None
        for one in self.rounds:
            start, name = one.round.start, f"round {one.number}"
            if start.rules != self.rules:
                raise CasinoError(f"{name} is of {start.rules}, the game of {self.rules}")
            if last is not None:
                if ends_match(last, endless=self.target is None):
                    raise CasinoError(f"{name}: the match is over after round {last.number}")
                _check_order(last, one)
            last = one

    def _keep_tags(self, given: RecordedTags) -> RecordedTags:
        """The tags that do not follow from the rounds."""
        kept, known = [], {}
        if self.rounds:
            known = result_tags(self.rounds[-1], endless=self.target is None)
        for name, text in given:
            if name in _FROM_RULES or name in ROUND_TAGS:
                raise CasinoError(f"the tag {name} is made from the rounds and the rules")
            if name not in AT_THE_END or not (known or text == "*"):
                kept.append((name, text))
            elif text not in (known.get(name, "*"), "*"):
                raise CasinoError(f"{name} is {known.get(name, '*')} by the plays, not {text}")
        return tuple(kept)

    @staticmethod
    def _of(facts: Facts) -> Game:
        """The game of facts that the reader has checked."""
        game = Game.__new__(Game)
        target = None if facts.endless else facts.rules.target
        game._set(facts.rules, target, tuple(facts.rounds), tags_of(facts.tags), facts.error)
        return game

    # Text

    @staticmethod
    def parse(text: str | bytes) -> Game:
        """Read the record of one game.

        Args:
            text: as docs/record.md has it; bytes are UTF-8, or UTF-16 with its byte-order mark.

        Raises:
            NotationError: the text cannot be read; the message has the line and column, and the
                words found and expected.
            IllegalMoveError: a play that is not legal where it stands.

        Example:
            >>> Game.parse('[Seed "17"] 1. 7dx7c 2. 9hx8d')
            Traceback (most recent call last):
            ...
            casino_core.errors.IllegalMoveError: line 1, column 25: play 2: 9hx8d is not legal: \
8d is not loose on the table
        """
        if not isinstance(text, str | bytes):
            raise NotationError(f"a record is read from text, not from {type(text).__name__}")
        text = decoded(text) if isinstance(text, bytes) else text
        games = words_of_games(text.splitlines())
        first, second = next(games, None), next(games, None)
        if first is None:
            raise NotationError("the text is empty: the record of a game expected")
        facts = read_facts(first)
        if facts.error is not None:
            raise facts.error
        if second is not None:
            place = f"line {second[0].line}, column {second[0].column}"
            raise SeveralGamesError(f"{place}: one game expected, another begins here")
        return Game._of(facts)

    def __str__(self) -> str:
        """The record in its canonical form; `parse` of it gives an equal game."""
        return written(self.rounds, self.rules, endless=self.target is None, tags=dict(self._tags))

    def __repr__(self) -> str:
        return f"Game.parse({str(self)!r})"

    @staticmethod
    def of(match: Match, *, tags: Mapping[str, str] = MappingProxyType({})) -> Game:
        """The record of a match.

        Args:
            match: the match.
            tags: Event, Date, PlayerA and so on.
        """
        target: int | Literal["none"] = "none" if match.target is None else match.target
        return Game(match.rounds, rules=match.rules, target=target, tags=tags)

    def to_json(self) -> dict[str, Any]:
        """The game as plain values for JSON; docs/record.md describes the fields.

        Example:
            >>> fields = Game.parse('[A "Anna"] [Seed 17] 7dx7c').to_json()
            >>> fields["players"], fields["rounds"][0]["plays"]
            ({'a': 'Anna'}, [{'play': 1, 'seat': 'a', 'move': '7dx7c'}])
        """
        names, result, winner = side_names(self.rules), self.result, self.winner
        named = [f"Player{seat.upper()}" for seat in self.rules.seats]
        return {
            "players": self.players,
            "rules": rules_text(self.rules, endless=self.target is None),
            "target": self.target,
            "result": None if result is None else dict(zip(names, result, strict=True)),
            "winner": winner,
            "leader": self.leader,
            "tags": {name: text for name, text in self._tags if name not in named},
            "rounds": [round_fields(one) for one in self.rounds],
            "error": None if self.error is None else str(self.error),
        }

    @staticmethod
    def from_json(fields: object) -> Game:
        """The game from the plain values of `to_json`.

        Args:
            fields: the fields; `rounds` is required, each with its `start` and `plays`.

        Raises:
            CasinoError: a missing or invalid field, one that the plays contradict, or an illegal
                play.

        Example:
            >>> game = Game.parse('[A "Anna"] [Seed 17] 7dx7c')
            >>> Game.from_json(game.to_json()) == game
            True
        """
        given = object_of("a game", fields)
        rounds = field_of("the game", given, "rounds", list)
        rules = Rules.parse(given["rules"]) if "rules" in given else None
        target: Any = "none" if given.get("target", 0) is None else given.get("target")
        if rules is not None and target not in (None, "none"):
            rules = rules.replace(target=target)
        found: list[RecordedRound] = []
        for place, one in enumerate(rounds, start=1):
            found.append(_round_of(place, one, rules, found[-1].number + 1 if found else 1))
        tags = dict(object_of("tags", given.get("tags", {})))
        players = object_of("players", given.get("players", {}))
        tags |= {f"Player{seat}": name for seat, name in players.items()}
        game = Game(found, rules=rules, target=target, tags=tags)
        check_made("", given, game.to_json(), ("result", "winner", "leader"))
        if (error := given.get("error")) is not None:
            object.__setattr__(game, "error", NotationError(text_of("error", error)))
        return game

    # Contents

    @property
    def tags(self) -> dict[str, str]:
        """Tags that do not follow from the rounds and the rules, as a new dictionary."""
        return dict(self._tags)

    @property
    def players(self) -> dict[str, str]:
        """Known names of the players, by their seats in the first round."""
        tags = self.tags
        named = {seat: tags.get(f"Player{seat.upper()}") for seat in self.rules.seats}
        return {seat: name for seat, name in named.items() if name is not None}

    @property
    def _names(self) -> dict[str, str]:
        """The names by which one player can be told from the others."""
        names = list(self.players.values())
        return {seat: name for seat, name in self.players.items() if name and names.count(name) < 2}

    @property
    def result(self) -> tuple[int, ...] | None:
        """The score after the last round, player a's side first.

        None if the last round is not finished, or captured cards are not known.
        """
        return score_after(self.rounds[-1]) if self.rounds else None

    @property
    def winner(self) -> str | None:
        """The letters of the winning side, such as `a` or `a+c`; `draw`; None before the end."""
        if not self.rounds:
            return None
        return result_tags(self.rounds[-1], endless=self.target is None).get("Winner")

    @property
    def leader(self) -> str | None:
        """The player who leads the next round; None in an unfinished round, or after the match.

        Example:
            >>> Game().leader, Game.parse('[Seed 17] 7dx7c').leader
            ('a', None)
        """
        if not self.rounds:
            return self.rules.seats[0]
        if self.result is None or self.winner is not None:
            return None
        return self.seating(self.rounds[-1].number + 1)[0]

    @property
    def match(self) -> Match:
        """The match of these rounds.

        Raises:
            CasinoError: a round is missing or not finished.
        """
        target: int | Literal["none"] = "none" if self.target is None else self.target
        rounds = [one.round for one in self.rounds]
        score = rounds[0].start.match_score if rounds and self.rounds[0].number == 1 else None
        return Match(self.rules, target=target, rounds=rounds, score=score)

    def seating(self, number: int) -> str:
        """The players of a round in the order of its seats.

        Args:
            number: the number of the round, from 1.
        """
        return "".join(by_seats(tuple(self.rules.seats), number - 1))

    def seat_name(self, seat: str, number: int) -> str:
        """The player in a seat of a round, in words that are clear in the whole game.

        Args:
            seat: the letter of the seat in that round.
            number: the number of the round.

        Example:
            >>> Game.parse('[A "Anna"]').seat_name("a", 1), Game().seat_name("a", 1)
            ('Anna', 'seat a')
            >>> Game().seat_name("a", 2)
            'player b (seat a of round 2)'
        """
        player = self.seating(number)[self.rules.seats.index(seat)]
        if player in self._names:
            return self._names[player]
        return f"seat {seat}" if number == 1 else f"player {player} (seat {seat} of round {number})"

    def player_name(self, player: str) -> str:
        """The name of a player, or its letter if it has none of its own.

        Args:
            player: the letter of its seat in the first round.

        Example:
            >>> Game.parse('[A "Anna"]').player_name("a"), Game().player_name("a")
            ('Anna', 'player a')
        """
        return self._names.get(player, f"player {player}")

    def side_name(self, side: int, number: int) -> str:
        """The players of a side of a round, in words that are clear in the whole game.

        Args:
            side: the number of the side in that round.
            number: the number of the round.

        Example:
            >>> Game.parse('[A "Anna"]').side_name(0, 1), Game().side_name(0, 1)
            ('Anna', 'side a')
            >>> Game(rules="standard,players=4,partners=yes").side_name(0, 2)
            'players b+d (side a+c of round 2)'
        """
        name, seats = side_names(self.rules)[side], self.rules.seats
        players = [self.seating(number)[seats.index(seat)] for seat in name.split("+")]
        if all(player in self._names for player in players):
            return " and ".join(self._names[player] for player in players)
        many = "s" * (len(players) > 1)
        there = f"player{many} {'+'.join(sorted(players))} (side {name} of round {number})"
        return f"side {name}" if number == 1 else there

    def seats_text(self, number: int) -> str:
        """The players in the seats of a round; empty if they follow from the letters.

        Args:
            number: the number of the round.

        Example:
            >>> Game.parse('[A "Anna"]').seats_text(2), Game().seats_text(1)
            ('seat a player b, seat b Anna', '')
        """
        found = {}
        for seat, player in zip(self.rules.seats, self.seating(number), strict=True):
            if player in self._names or number > 1:
                found[seat] = self.player_name(player)
        return ", ".join(f"seat {seat} {name}" for seat, name in found.items())

    def why_over_before(self, one: RecordedRound) -> str:
        """Why a round could not be played by its score: a side has won before; empty if it could.

        Args:
            one: a round of the game.

        Example:
            >>> game = Game.parse("[Target 11] [Score 12/3] [Seed 17] *")
            >>> game.why_over_before(game.rounds[0])
            'round 1 starts at a score of 12/3, at which the match to 11 is over'
        """
        score = one.round.start.match_score
        if self.target is None or max(score) < self.target:
            return ""
        if highest(score) is None and self.rules.tie == "another":
            return ""
        found = "/".join(map(str, by_players(score, one.number - 1)))
        return (
            f"round {one.number} starts at a score of {found}, at which the match to {self.target} "
            "is over"
        )

    def round_at(self, at: int | str | None = None) -> Round:
        """The round as it stands before a play.

        Args:
            at: the number of the play, or one more than the last for the end; with several rounds,
                round and play with a dot between, as 2.12. None for the end of the record.

        Raises:
            CasinoError: there is no such play.

        Example:
            >>> Game.parse('[Seed "17"] 1. 7dx7c 2. 9h').round_at(2).position.turn
            'b'
        """
        return self._at(at).round

    def up_to(self, at: int | str | None = None) -> Game:
        """The game as it stands before a play, without the rounds and notes that follow.

        The end of the record is the whole game. Before it, Result and Winner are left out too.

        Args:
            at: as `round_at` takes it.

        Raises:
            CasinoError: there is no such play.

        Example:
            >>> print(Game.parse('[Seed 17] 7dx7c 9h').up_to(2).rounds[0].round.plays)
            (Move('7dx7c'),)
        """
        last = self._at(at)
        if last == self.rounds[-1]:
            return self
        before = [one for one in self.rounds if one.number < last.number]
        tags = {name: text for name, text in self._tags if name not in AT_THE_END}
        target: int | Literal["none"] | None = "none" if self.target is None else None
        return Game([*before, last], rules=self.rules, target=target, tags=tags)

    def _at(self, at: int | str | None) -> RecordedRound:
        """The round of a place, with the plays before it."""
        if not self.rounds:
            raise CasinoError("the record has no round")
        if at is None:
            return self.rounds[-1]
        number, play = _place(at)
        if number is None and len(self.rounds) > 1:
            what = f"the record has {len(self.rounds)} rounds, so a round, a dot and a play"
            raise CasinoError(f"at: {what} are needed, as in 2.{play}")
        for one in self.rounds:
            if number is None or number == one.number:
                count = len(one.round.plays)
                if not 1 <= play <= count + 1:
                    raise CasinoError(f"at: plays are 1 to {count + 1} (the end), not {play}")
                return one.first(play - 1)
        raise CasinoError(f"at: the record has no round {number}")


def _round_of(place: int, fields: object, rules: Rules | None, number: int) -> RecordedRound:
    try:
        return round_of(fields, rules, number)
    except CasinoError as error:
        raise type(error)(f"round {place}: {error}") from None


def _place(at: object) -> tuple[int | None, int]:
    """Numbers of a round, if there is one, and of a play."""
    text = str(at) if isinstance(at, int | str) and not isinstance(at, bool) else ""
    before, dot, after = text.strip().rpartition(".")
    parts = [before, after] if dot else [after]
    if not all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
        raise CasinoError(f"at is the number of a play, as 12, or 2.12 in round 2, not {shown(at)}")
    return (int(before) if dot else None), int(after)


def _numbered(rounds: Iterable[Round | RecordedRound]) -> tuple[RecordedRound, ...]:
    if not isinstance(rounds, Iterable):
        raise CasinoError(f"rounds is a list of rounds, not {shown(rounds)}")
    found: list[RecordedRound] = []
    for one in rounds:
        if isinstance(one, RecordedRound):
            found.append(one)
        else:
            number = found[-1].number + 1 if found else 1
            found.append(RecordedRound(instance_of(Round)("a round", one), number=number))
    return tuple(found)


def _check_order(last: RecordedRound, one: RecordedRound) -> None:
    if one.number <= last.number:
        raise CasinoError(f"round {one.number} comes after round {last.number}")
    score = score_after(last)
    if one.number != last.number + 1 or score is None:
        return
    expected = by_seats(score, one.number - 1)
    if one.round.start.match_score != expected:
        found, right = ("/".join(map(str, s)) for s in (one.round.start.match_score, expected))
        raise CasinoError(f"round {one.number} starts at a score of {found}, not of {right}")
