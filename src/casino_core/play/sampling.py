"""Sample positions, from rounds that an agent plays against itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from casino_core._arguments import SEED
from casino_core.batch.arrays import ROUNDS, PositionArray, check_kept
from casino_core.batch.records import round_seed
from casino_core.game.position import Move, Position
from casino_core.play.agents import Agent, RandomAgent, Turn, as_agent
from casino_core.play.table import play_round
from casino_core.rules.options import Rules
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["sample_positions"]

_TOGETHER = 50  # rounds of random play in a batch


def sample_positions(
    rounds: int,
    rules: str | Rules = "standard",
    *,
    seed: int = 0,
    agent: str | Agent | Callable[[Turn], Move | str] = "random",
    keep: str = "all",
    deal: int | None = None,
) -> Iterator[Position]:
    """Positions of rounds, every card known.

    A round depends on its number, the seed and the agent alone; round n is dealt as
    `Position.start(rules, seed=...)` deals, with a seed made of both.

    Args:
        rounds: the number of rounds.
        rules: the rule set of all rounds.
        seed: 0 to 2**64 - 1.
        agent: the player of every seat, as `play_arena` takes it. Without a time limit it plays the
            same each time.
        keep: `all` positions in which a card is to be played, those of the `last-deal`, or with
            `deal-end` the position after the last play of the deal given by `deal`.
        deal: number of that deal, from 1.

    Raises:
        CasinoError: a round has no such deal, there is no such agent, or a number is out of range.

    Example:
        >>> for position in sample_positions(1, seed=1, agent="greedy", keep="deal-end", deal=6):
        ...     print(position.is_over, position.score())
        True (2, 9)
    """
    player = as_agent(agent)
    one = Rules.parse(rules) if isinstance(rules, str) else rules
    check_kept(one, keep, deal)
    return _positions(ROUNDS("rounds", rounds), one, SEED("seed", seed), player, keep, deal)


def _positions(
    rounds: int, rules: Rules, seed: int, player: Agent, keep: str, deal: int | None
) -> Iterator[Position]:
    if type(player) is RandomAgent:
        for first in range(0, rounds, _TOGETHER):
            count = min(_TOGETHER, rounds - first)
            yield from PositionArray.random(
                count, rules, seed=seed, keep=keep, deal=deal, first=first
            )
        return
    for number in range(rounds):
        start = round_seed(seed, number)
        deals = 1
        chance = Stream(seed, Purpose.AGENT, number)
        for position, ended in _round(Position.start(rules, seed=start), player, chance):
            deals += ended
            if keep == "deal-end":
                if ended and deals - 1 == deal:
                    yield position
                    break
            elif not position.is_over and (keep == "all" or not position.stock_count):
                yield position


def _round(position: Position, player: Agent, rng: Stream) -> Iterator[tuple[Position, bool]]:
    """Each position of a round, and whether a deal has ended right before it."""
    yield position, False
    deal = 1
    for played in play_round(position, [player] * position.rules.players, lambda _: rng):
        ended = played.round.is_over or played.round.deal != deal
        deal = played.round.deal
        yield played.round.position, ended
