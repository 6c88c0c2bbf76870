"""Whole matches between two agents, from any score, for two sides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from casino_core.game.match import Match, by_seats
from casino_core.play.agents import Agent
from casino_core.play.table import play_round
from casino_core.rules.options import Rules
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["play_match"]

_ROUNDS = 1000  # numbers of streams that a match may use


def play_match(
    rules: Rules, agents: Sequence[Agent], *, score: tuple[int, int], seed: int, number: int
) -> int | None:
    """Play a match from a score to its end; side a leads in the first round.

    The cards depend on the seed, the number of the match and of the round alone, so the same
    match can be played again with the agents exchanged.

    Args:
        rules: of two sides, with the target.
        agents: that of side a, and that of side b.
        score: points of both sides before the first round.
        seed: of a series of matches.
        number: of the match in the series.

    Returns:
        The side that has won, 0 or 1; None if the match is drawn.

    Example:
        >>> from casino_core.play.agents import parse_agent
        >>> agents = [parse_agent("careful"), parse_agent("random")]
        >>> play_match(Rules(), agents, score=(18, 15), seed=1, number=0)
        0
    """
    match = Match(rules, score=score)
    while not match.is_over:
        played = number * _ROUNDS + len(match.rounds)
        *_, last = play_round(
            match.next_start(seed=Stream(seed, Purpose.DECK, played).bits()),
            by_seats(tuple(agents), len(match.rounds)),
            partial(Stream, seed, Purpose.AGENT, played),
        )
        match = match.play_round(last.round)
    return match.winner
