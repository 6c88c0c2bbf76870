"""Win chances: the probability that a side wins a match, by the score before the next round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casino_core._arguments import one_of
from casino_core.errors import CasinoError
from casino_core.evaluation.match_score import TARGET, read_score
from casino_core.evaluation.round_points import MeasuredRounds, measured_presets, measured_rounds
from casino_core.rules.options import PRESETS, Rules

__all__ = [
    "MatchEquity",
    "match_equity",
    "preset_of",
    "round_chances",
    "still_needed",
]

_GROUPS = 10  # of rounds, each left out in turn: the jackknife
_LEADER = one_of("ab")


@dataclass(frozen=True)
class MatchEquity:
    """The chances of a match between equal players, for side a.

    Attributes:
        win: probability that side a wins.
        draw: probability that the match is drawn (only with `tie=draw`).
        loss: probability that side b wins.
    """

    win: float
    draw: float
    loss: float
    _of: _Question = field(repr=False, compare=False)

    @cached_property
    def stderr(self) -> float:
        """Standard error of `win + draw / 2`, for the number of rounds that were measured.

        A jackknife over ten groups of rounds. It says nothing of how far the players of a match
        differ from those that were measured.
        """
        halves = []
        for group in range(_GROUPS):
            win, draw, _ = _answer(self._of, group)
            halves.append(win + draw / 2)
        return float(np.sqrt((_GROUPS - 1) * np.var(halves)))


@dataclass(frozen=True, slots=True)
class _Question:
    """A score as the side that leads next sees it.

    Attributes:
        rules: with the target of the match.
        mine: points that the leading side still needs.
        others: points that the other side still needs.
        leads: whether side a leads.
    """

    rules: Rules
    mine: int
    others: int
    leads: bool


def match_equity(
    score: str | Sequence[int],
    *,
    target: int | None = None,
    rules: Rules | str = "standard",
    leader: str = "a",
) -> MatchEquity:
    """The probability that side a wins a match of equal players.

    What a round brings to either side was measured in rounds between strong players under each
    preset; the chances of each score follow by dynamic programming, counting out included. The
    lead passes to the other side after each round.

    Args:
        score: points of side a and side b before the next round, `"18/20"` or a pair.
        target: points that win the match; None for those of the rule set.
        rules: a measured preset for two players (see `measured_presets`), or a rule set that
            differs from one only in `target`, `finish` and `tie`.
        leader: the side, `a` or `b`, that leads in the next round.

    Raises:
        CasinoError: a score, target or leader out of range; a match that is over; rules that
            were not measured.

    Example:
        >>> ahead, behind = match_equity("18/12"), match_equity("12/18", leader="b")
        >>> ahead.win > 0.5, abs(ahead.win - behind.loss) < 1e-12, ahead.draw
        (True, True, 0.0)
    """
    rules = Rules.parse(rules) if isinstance(rules, str) else rules
    rules, needs = still_needed(score, target, rules)
    leads = _LEADER("leader", leader) == "a"
    mine, others = needs if leads else needs[::-1]
    question = _Question(rules, mine, others, leads)
    return MatchEquity(*_answer(question, None), question)


def still_needed(
    score: str | Sequence[int], target: int | None, rules: Rules
) -> tuple[Rules, tuple[int, int]]:
    """The rules with their target, and the points that both sides still need.

    Both need 0 if they have met the target together, and the next round decides.

    Args:
        score: points of side a and side b, `"18/20"` or a pair.
        target: points that win the match; None for those of the rules.
        rules: the rule set.

    Raises:
        CasinoError: a score or target out of range; a match that is over.

    Example:
        >>> still_needed("18/20", 31, Rules())[1]
        (13, 11)
    """
    if target is not None:
        rules = rules.replace(target=TARGET("target", target))
    first, second = (rules.target - points for points in read_score(score))
    if min(first, second) > 0:
        return rules, (first, second)
    if first != second or rules.tie == "draw":
        raise CasinoError(f"score: a side has {rules.target} points: the match is over")
    return rules, (0, 0)


def round_chances(rules: Rules, needs: tuple[int, int], size: int) -> NDArray[np.float64]:
    """The chance of side a to win the match, by what the round under way brings.

    Side a leads in this round and side b in the next; a drawn match counts half. Under
    `finish=count_out` it holds where no single step of counting has ended the match.

    Args:
        rules: with the target of the match.
        needs: points that both sides needed before the round.
        size: how many points of a side there are, from 0.

    Returns:
        Chances, by the points of side a and of side b.

    Raises:
        CasinoError: the rules were not measured.

    Example:
        >>> chances = round_chances(Rules(), (1, 1), 3)
        >>> float(chances[0, 1]), float(chances[2, 1])
        (0.0, 1.0)
    """
    most = max(*needs, 1)
    win, draw = _chances(preset_of(rules), rules.finish, rules.tie, most, None)
    first, second = np.indices((size, size))
    after = np.maximum(needs[1] - second, 0), np.maximum(needs[0] - first, 0)
    found = 1 - win[after] - draw[after] / 2  # side b leads next
    ahead = (first - needs[0]) - (second - needs[1])
    is_over = (first >= needs[0]) | (second >= needs[1])
    found[is_over] = (ahead[is_over] > 0).astype(float)
    found[is_over & (ahead == 0)] = 0.5 if rules.tie == "draw" else 1 - win[0, 0]
    return found


def _answer(question: _Question, group: int | None) -> tuple[float, float, float]:
    """Chances of side a: to win, to draw, to lose; without a group of rounds."""
    rules = question.rules
    most = max(question.mine, question.others, 1)
    chances = _chances(preset_of(rules), rules.finish, rules.tie, most, group)
    win, draw = (float(part[question.mine, question.others]) for part in chances)
    loss = 1 - win - draw
    return (win, draw, loss) if question.leads else (loss, draw, win)


@lru_cache(maxsize=64)
def preset_of(rules: Rules) -> str:
    """The preset that a rule set is, but for what ends a match.

    Args:
        rules: the rule set.

    Raises:
        CasinoError: it was not measured.

    Example:
        >>> preset_of(Rules(target=31))
        'standard'
    """
    for name in measured_presets():
        ended = PRESETS[name].replace(target=rules.target, finish=rules.finish, tie=rules.tie)
        if ended == rules:
            return name
    raise CasinoError(
        "rules: win chances were measured for two players under the presets, with any target, "
        f"finish and tie, not under {rules}"
    )


@lru_cache(maxsize=64)
def _chances(
    preset: str, finish: str, tie: str, most: int, group: int | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Chances of the leading side to win and to draw, by what it and the other side need.

    A side that needs nothing has met the target together with the other, just as far beyond it:
    the next round decides.
    """
    rounds = measured_rounds(preset)
    if group is not None:
        rounds = rounds.without(group, _GROUPS)
    totals = rounds.totals()
    win, draw = np.zeros((most + 1, most + 1)), np.zeros((most + 1, most + 1))
    win[0, 0] = _decided(rounds)
    for total in range(2, 2 * most + 1):
        for mine in range(max(1, total - most), min(most, total - 1) + 1):
            others = total - mine
            ends = _ended(rounds, finish, mine, others)
            goes_on = (totals.first < mine) & (totals.second < others)
            shares = totals.shares[goes_on]
            after = others - totals.second[goes_on], mine - totals.first[goes_on]
            another = 0.0 if tie == "draw" else 1 - win[0, 0]  # the other side leads in it
            win[mine, others] = ends.won + ends.tied * another
            win[mine, others] += shares @ (1 - win[after] - draw[after])
            draw[mine, others] = shares @ draw[after] + (ends.tied if tie == "draw" else 0.0)
    return win, draw


def _decided(rounds: MeasuredRounds) -> float:
    """Chance of the leading side where the next round that is not tied decides.

    It wins at once, or the round is tied and the other side, who leads then, does not win.
    """
    ahead = rounds.first[:, -1] - rounds.second[:, -1]
    won, tied = float(np.mean(ahead > 0)), float(np.mean(ahead == 0))
    return (won + tied * (1 - won - tied)) / (1 - tied * tied)


class _Ends(NamedTuple):
    """Shares of the rounds that end a match or leave it tied beyond the target."""

    won: float
    tied: float


def _ended(rounds: MeasuredRounds, finish: str, mine: int, others: int) -> _Ends:
    """Shares of the rounds that the leading side wins the match with, and that tie it."""
    over = (rounds.first[:, -1] >= mine) | (rounds.second[:, -1] >= others)
    first, second = rounds.first[over], rounds.second[over]
    ahead = (first[:, -1] - mine) - (second[:, -1] - others)
    if finish == "count_out":  # the steps before the target; sweeps of both come as one step
        later = (second < others).sum(axis=1) - (first < mine).sum(axis=1)
        ahead = np.where(later != 0, later, ahead)
    whole = len(rounds.first)
    return _Ends(float(np.sum(ahead > 0)) / whole, float(np.sum(ahead == 0)) / whole)
