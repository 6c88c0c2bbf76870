"""Matches: rounds until a side reaches the target, who leads next, and who has won."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from casino_core._arguments import instance_of, shown
from casino_core.errors import CasinoError
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.game.scoring import ScoreStep, highest, score_steps
from casino_core.rules.options import Rules

__all__ = ["Match", "MatchResult", "by_players", "by_seats", "match_result"]

_ROUND = instance_of(Round)
_Item = TypeVar("_Item")


def by_seats(of_players: tuple[_Item, ...], rounds: int) -> tuple[_Item, ...]:
    """What belongs to players or sides, in the order of the seats of a round.

    Args:
        of_players: an item for each, in the order of the seats of the first round.
        rounds: how many have been played before.

    Example:
        >>> by_seats(("Anna", "Ben", "Cleo"), 1)
        ('Ben', 'Cleo', 'Anna')
    """
    first = rounds % len(of_players)
    return of_players[first:] + of_players[:first]


def by_players(of_seats: tuple[_Item, ...], rounds: int) -> tuple[_Item, ...]:
    """What belongs to the seats of a round, in the order of the seats of the first round.

    Args:
        of_seats: an item for each.
        rounds: how many have been played before.

    Example:
        >>> by_players((3, 8), 1)
        (8, 3)
    """
    return by_seats(of_seats, -rounds)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The state of a match at the end of a round.

    Attributes:
        totals: score of each side, this round included.
        over: whether the match has ended; else another round is played.
        winner: index of the side that has won; None if nobody has yet, and in a drawn match.
    """

    totals: tuple[int, ...]
    over: bool
    winner: int | None


def match_result(position: Position) -> MatchResult:
    """The state of the match at the end of a round.

    The position's `match_score` is the score before the round. Under `finish=highest` the
    highest total at or over the target wins. Under `count_out` the points are counted one by
    one and the first side to reach the target wins; the order is that of the handbook text on
    Casino: cards, spades, big casino, little casino, aces, sweeps.

    Args:
        position: a finished round with every captured card known.

    Raises:
        CasinoError: the round is not finished.
        HiddenCardError: captured cards are not known.

    Example:
        >>> position = Position.start("standard", seed=1, score=(20, 0))
        >>> while not position.is_over:
        ...     position = position.play(next(position.iter_legal_moves()))
        >>> position.score()
        (6, 5)
        >>> match_result(position)
        MatchResult(totals=(26, 5), over=True, winner=0)
    """
    rules = instance_of(Position)("position", position).rules
    points = position.score()
    totals = tuple(
        before + round_points
        for before, round_points in zip(position.match_score, points, strict=True)
    )
    if max(totals) < rules.target:
        return MatchResult(totals, False, None)
    winner = _first_there(position) if rules.finish == "count_out" else None
    if winner is None:
        winner = highest(totals)
    return MatchResult(totals, winner is not None or rules.tie == "draw", winner)


def _first_there(position: Position) -> int | None:
    """The side that alone reaches the target first; None if sweeps bring several sides there."""
    target = position.rules.target
    totals = list(position.match_score)
    for step in score_steps(position):
        if step.name == "sweeps" or max(totals) >= target:
            break
        if step.side is not None:
            totals[step.side] += step.points
    if max(totals) < target:  # sweeps come last, those of all sides at once
        for side, sweeps in enumerate(position.sweeps):
            totals[side] += position.rules.sweep * sweeps
    there = [side for side, total in enumerate(totals) if total >= target]
    return there[0] if len(there) == 1 else None


@dataclass(frozen=True, slots=True, init=False)
class Match:
    """Rounds until a side reaches the target. Immutable; a round played gives another match.

    Players are named by their seats in the first round, and sides numbered by them. The deal
    passes to the left: who led a round deals the next, and the player on the left leads. So seats
    change from round to round, players and sides do not.

    Args:
        rules: the rule set of every round.
        target: points that win the match, "none" for a match that goes on until the players stop;
            None for the target of the rules.
        rounds: the finished rounds, in order.
        score: the points of each side before the first round, that of player a first; None for
            zeros.

    Attributes:
        rules: the rule set, with the target.
        target: points that win the match; None for a match that goes on until the players stop.
        rounds: the finished rounds, in order.
        first_score: the points of each side before the first round. A record has it with the
            first round.

    Raises:
        CasinoError: a round that does not continue the match, or a score at which it is over.

    Example:
        >>> match = Match("royal", target=11)
        >>> while not match.is_over:
        ...     round = Round(match.next_start(seed=len(match.rounds)))
        ...     while not round.is_over:
        ...         round = round.play(round.position.legal_moves()[-1])
        ...     match = match.play_round(round)
        >>> len(match.rounds), match.score, match.winner
        (2, (17, 5), 0)
    """

    rules: Rules
    target: int | None
    rounds: tuple[Round, ...]
    first_score: tuple[int, ...]

    def __init__(
        self,
        rules: str | Rules = "standard",
        *,
        target: int | Literal["none"] | None = None,
        rounds: Iterable[Round] = (),
        score: Sequence[int] | None = None,
    ) -> None:
        if not isinstance(rules, str | Rules):
            raise CasinoError(f"rules is a Rules or its text, not {shown(rules)}")
        found = Rules.parse(rules) if isinstance(rules, str) else rules
        if target not in (None, "none"):
            found = found.replace(target=target)
        played: tuple[Round, ...] = ()
        object.__setattr__(self, "rules", found)
        object.__setattr__(self, "target", None if target == "none" else found.target)
        object.__setattr__(self, "rounds", played)
        object.__setattr__(self, "first_score", self._begun(score))
        for one in rounds:
            played = (*played, self._checked(one))
            object.__setattr__(self, "rounds", played)

    def _begun(self, score: Sequence[int] | None) -> tuple[int, ...]:
        """The score before the first round."""
        if score is None:
            return (0,) * self.rules.sides
        found = Position.start(self.rules, seed=0, score=score).match_score
        if self.target is not None and max(found) >= self.target:
            raise CasinoError(f"score: the match is over at {_slashed(found)}")
        return found

    def _checked(self, played: Round) -> Round:
        """The round, if it continues the match."""
        number = f"round {len(self.rounds) + 1}"
        if self.is_over:
            raise CasinoError(f"{number}: the match is over")
        if not _ROUND(number, played).is_over:
            raise CasinoError(f"{number} is not finished")
        if played.start.rules != self.rules:
            raise CasinoError(f"{number} is of {played.start.rules}, the match of {self.rules}")
        before = by_seats(self.score, len(self.rounds))
        if played.start.match_score != before:
            raise CasinoError(
                f"{number} starts at a match score of {_slashed(played.start.match_score)}, the "
                f"match stands at {_slashed(before)} in the order of its seats"
            )
        return played

    @property
    def _last(self) -> MatchResult | None:
        return match_result(self.rounds[-1].position) if self.rounds else None

    @property
    def score(self) -> tuple[int, ...]:
        """The points of each side, that of player a first."""
        last = self._last
        if last is None:
            return self.first_score
        return by_players(last.totals, len(self.rounds) - 1)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self._last is not None and self._last.over and self.target is not None

    @property
    def winner(self) -> int | None:
        """Number of the side that has won; None if nobody has yet, and in a drawn match."""
        last = self._last
        if last is None or last.winner is None or self.target is None:
            return None
        return (last.winner + len(self.rounds) - 1) % self.rules.sides

    @property
    def steps(self) -> tuple[tuple[ScoreStep, ...], ...]:
        """The points of each round by category, the sides numbered as those of the match.

        Example:
            >>> Match().steps
            ()
        """
        return tuple(self._steps(number) for number in range(len(self.rounds)))

    def _steps(self, number: int) -> tuple[ScoreStep, ...]:
        """The points of a round, the sides numbered as those of the match."""
        sides = by_seats((*range(self.rules.sides),), number)
        return tuple(
            step if step.side is None else step._replace(side=sides[step.side])
            for step in score_steps(self.rounds[number].position)
        )

    # Text

    @staticmethod
    def parse(text: str) -> Match:
        """Read the record of a match; docs/record.md has the format.

        Args:
            text: the whole record. Names and comments are checked and dropped: `Game` keeps them.

        Raises:
            NotationError: what cannot be read, with its line and column.
            IllegalMoveError: a play that is not legal.
            CasinoError: a round that is missing or not finished.

        Example:
            >>> Match.parse('[Rules "royal"] [Target "11"]').rules.target
            11
        """
        from casino_core.formats.record import Game  # which builds on matches

        return Game.parse(text).match

    def __str__(self) -> str:
        """The record of the match; `parse` of it gives an equal one."""
        from casino_core.formats.record import Game

        return str(Game.of(self))

    @property
    def seating(self) -> str:
        """The players of the next round in the order of its seats; the first of them leads.

        Example:
            >>> Match("standard,players=3").seating
            'abc'
        """
        first = len(self.rounds) % self.rules.players
        return self.rules.seats[first:] + self.rules.seats[:first]

    @property
    def leader(self) -> str:
        """The player who leads the next round; the one on its right deals."""
        return self.seating[0]

    def next_start(
        self, seed: int | None = None, *, deck: str | Sequence[str] | None = None
    ) -> Position:
        """The first position of the next round.

        Args:
            seed: seed of the shuffle.
            deck: the pack in the order of dealing, instead of a seed; see `Position.start`.

        Raises:
            CasinoError: the match is over.

        Example:
            >>> Match(target=11).next_start(seed=1).rules.target
            11
        """
        if self.is_over:
            raise CasinoError("the match is over, so there is no next round")
        score = by_seats(self.score, len(self.rounds))
        return Position.start(self.rules, seed=seed, deck=deck, score=score)

    def play_round(self, played: Round) -> Match:
        """The match with one more round.

        Args:
            played: a finished round that starts from `next_start`, or with the same match score.

        Raises:
            CasinoError: the round is not finished, or does not continue the match.
            HiddenCardError: captured cards are not known.
        """
        self._checked(played)
        endless = self.target is None
        found = Match(self.rules, target="none" if endless else None, score=self.first_score)
        object.__setattr__(found, "rounds", (*self.rounds, played))
        found.score  # noqa: B018 - raises if the round cannot be counted
        return found


def _slashed(numbers: tuple[int, ...]) -> str:
    return "/".join(map(str, numbers))
