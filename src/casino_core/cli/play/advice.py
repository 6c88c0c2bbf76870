"""Advice during a game, from what a player sees: a hint, and what the plays so far gave away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from casino_core.cli.play.screen import Screen
from casino_core.cli.play.words import counted, does
from casino_core.game.position import Move
from casino_core.game.round import Round
from casino_core.hints.answer import Hint
from casino_core.hints.hint import hint
from casino_core.play.session import Player, Session
from casino_core.review.judgement import Judgement, judged

__all__ = ["Adviser"]

_SAMPLES = 200  # worlds of a hint
_SECONDS = 10.0  # the longest time of a hint, for crowded tables
_REVIEW_SAMPLES = 100  # worlds for each play of a review
_COSTLIEST = 3  # plays that a review shows


@dataclass(frozen=True, slots=True)
class _Judged:
    """A play with its number and its judgement; None if it cannot be judged."""

    number: int
    move: Move
    found: Judgement | None


class Adviser:
    """Hints and reviews, which see what the player sees and nothing else.

    Judgements are kept, so that a second review takes no time.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[Round, Move], Judgement | None] = {}

    def hint(self, session: Session, player: Player) -> Hint:
        """The best play of a player whose turn it is.

        Args:
            session: the game.
            player: the player.
        """
        seen = session.seen_by(player)
        return hint(seen, samples=_SAMPLES, seconds=_SECONDS, seed=session.seed)

    def review(self, session: Session, viewer: Player, screen: Screen) -> None:
        """Print what plays gave away: a player's own ones, after the round those of everybody.

        Args:
            session: the game.
            viewer: the player.
            screen: where to print.
        """
        players = session.players if session.round.is_over else (viewer,)
        for player in players:
            plays = list(self._plays(session, player))
            if not plays:
                screen.say(f"{does(player.name, 'has')} not played in this round yet.")
                continue
            self._print(plays, player, screen)

    def _plays(self, session: Session, player: Player) -> Iterator[_Judged]:
        """The plays of a player in the present round, judged by what it saw."""
        seen, own = session.seen_by(player), session.seat_of(player)
        moves = seen.plays
        for number, move in enumerate(moves, 1):
            before = seen.first(number - 1)
            if before.position.turn == own:
                yield _Judged(number, move, self._judged(before, move, session.seed))

    def _judged(self, before: Round, move: Move, seed: int) -> Judgement | None:
        key = (before, move)
        if key not in self._kept:
            self._kept[key] = judged(
                before, move, samples=_REVIEW_SAMPLES, seconds=_SECONDS, seed=seed
            )
        return self._kept[key]

    def _print(self, plays: list[_Judged], player: Player, screen: Screen) -> None:
        costs = [(one.found.counted, one) for one in plays if one.found is not None]
        total = sum(cost for cost, _ in costs)
        screen.say(
            f"{player.name}: {counted(len(plays), 'play')}, {total:.2f} points given away, by what "
            "could be known."
        )
        worst = sorted((c for c in costs if c[0]), key=lambda c: (-c[0], c[1].number))
        for cost, one in worst[:_COSTLIEST]:
            assert one.found is not None
            reasons = ", ".join(one.found.best_reasons)
            screen.say(
                f"Play {one.number}, ",
                screen.move(one.move),
                f", gave away {cost:.2f}{_grade(one.found)}; better ",
                screen.move(one.found.best),
                f" ({reasons})." if reasons else ".",
            )


def _grade(found: Judgement) -> str:
    return "" if found.grade == "good" else f" ({found.grade})"
