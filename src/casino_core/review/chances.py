"""Win chances of a match before and after each of its rounds."""

from __future__ import annotations

from typing import NamedTuple

from casino_core.errors import CasinoError
from casino_core.evaluation.equity import match_equity
from casino_core.formats.record import Game, RecordedRound
from casino_core.formats.record_parts import score_after
from casino_core.game.match import by_players, match_result
from casino_core.play.luck import is_start

__all__ = ["RoundChances", "WinChance", "round_chances"]


class WinChance(NamedTuple):
    """The chances of player a's side in a match, from 0 to 1.

    Attributes:
        win: probability that it wins.
        draw: probability that the match is drawn.
        loss: probability that the other side wins.
        stderr: standard error of `win + draw / 2`; 0 when the match is over.
    """

    win: float
    draw: float
    loss: float
    stderr: float


class RoundChances(NamedTuple):
    """The chances of a match around a round, of equal players, for player a's side.

    Attributes:
        before: chances before the round; None if the record does not have its start.
        after: chances after the round; None if it is not finished, or captured cards are not known.
    """

    before: WinChance | None
    after: WinChance | None


def round_chances(game: Game, one: RecordedRound) -> RoundChances | None:
    """The win chances around a round of a match.

    Args:
        game: the game, with its target.
        one: a round of it.

    Returns:
        The chances; None without a target, and under rules for which they were not measured.

    Example:
        >>> from casino_core.game.position import Position
        >>> from casino_core.game.round import Round
        >>> game = Game([Round(Position.start(seed=17, score=(18, 12)))])
        >>> chances = round_chances(game, game.rounds[0])
        >>> chances.before.win > 0.5, chances.after
        (True, None)
    """
    if game.target is None:
        return None
    try:
        return RoundChances(_before(game, one), _after(game, one))
    except CasinoError:  # rules that were not measured
        return None


def _before(game: Game, one: RecordedRound) -> WinChance | None:
    start = one.round.start
    if not is_start(start):
        return None
    score = by_players(start.match_score, one.number - 1)
    return _chance(game, score, one.number)


def _after(game: Game, one: RecordedRound) -> WinChance | None:
    score = score_after(one)
    if score is None:
        return None
    result = match_result(one.round.position)
    if not result.over:
        return _chance(game, score, one.number + 1)
    if result.winner is None:
        return WinChance(0.0, 1.0, 0.0, 0.0)
    sides = by_players((0, 1), one.number - 1)
    won = sides.index(result.winner) == 0
    return WinChance(float(won), 0.0, float(not won), 0.0)


def _chance(game: Game, score: tuple[int, ...], number: int) -> WinChance:
    """The chances at a score before the round of a number."""
    found = match_equity(score, rules=game.rules, leader=game.seating(number)[0])
    return WinChance(found.win, found.draw, found.loss, found.stderr)
