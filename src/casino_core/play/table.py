"""Playing of rounds between agents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import NamedTuple

from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.play.agent import Agent, Turn, blamed
from casino_core.rules.streams import Stream

__all__ = ["Played", "play_round", "turn_of"]


class Played(NamedTuple):
    """A play made by an agent.

    Attributes:
        round: the round with this play as its last one.
        seat: index of the seat that made it.
        seconds: time that the agent took for it.
    """

    round: Round
    seat: int
    seconds: float


def turn_of(played: Round, agent: Agent, rng: Stream) -> Turn:
    """What an agent knows at its turn in a round.

    Args:
        played: the round so far, every hand known.
        agent: the agent of the seat to play.
        rng: the random stream of the play.

    Example:
        >>> from casino_core.play.agents import parse_agent
        >>> turn = turn_of(Round(Position.start(seed=1)), parse_agent("greedy"), Stream(1, "agent"))
        >>> str(turn.position.hands["b"])
        '????'
    """
    position = played.position
    shown = position.open_view() if agent.sees_all else position.view(position.turn)
    return Turn(shown, played.plays_of_deal(position.turn), rng)


def play_round(
    start: Position, agents: Sequence[Agent], chance: Callable[[int], Stream]
) -> Iterator[Played]:
    """Let agents play a round to its end, one play at a time.

    An agent gets the position as its seat sees it, or with all hands open if it `sees_all`, and
    the plays of the deal so far.

    Args:
        start: the first position, every hand known.
        agents: one for each seat.
        chance: returns the random stream of a play, given the number of plays before it.

    Raises:
        AgentError: an agent fails, or its move is not legal.

    Example:
        >>> from casino_core.play.agents import parse_agent
        >>> agents = [parse_agent("greedy"), parse_agent("careful")]
        >>> plays = play_round(Position.start(seed=1), agents, lambda n: Stream(1, "agent", n))
        >>> [played.seat for played in plays][:3]
        [0, 1, 0]
    """
    followed = Round(start)
    number = 0
    while not followed.is_over:
        position = followed.position
        seat = position.rules.seats.index(position.turn)
        agent = agents[seat]
        turn = turn_of(followed, agent, chance(number))
        begin = perf_counter()
        with blamed(agent, turn, f"play {number + 1}, "):
            move = agent.choose(turn)
            seconds = perf_counter() - begin
            followed = followed.play(move)
        number += 1
        yield Played(followed, seat, seconds)
