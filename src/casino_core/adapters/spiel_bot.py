"""Agents of casino_core as bots of OpenSpiel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyspiel

from casino_core._arguments import SEED
from casino_core.adapters.spiel_game import CasinoState
from casino_core.errors import CasinoError
from casino_core.game.position import Move
from casino_core.game.round import Round
from casino_core.learning.steps import steps_of
from casino_core.play.agents import Agent, Turn, as_agent
from casino_core.play.table import turn_of
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["AgentBot"]


class AgentBot(pyspiel.Bot):
    """An agent that plays the game `casino_core` of OpenSpiel.

    Args:
        agent: an agent, its text such as `"pimc:samples=40"`, or a function.
        seed: of its random choices; a play depends on it and on the number of plays before.

    Raises:
        CasinoError: there is no such agent.

    Example:
        >>> state = pyspiel.load_game("casino_core(rules=royal)").new_initial_state()
        >>> bots = [AgentBot("careful"), AgentBot("greedy")]
        >>> sum(pyspiel.evaluate_bots(state, bots, 1))
        0.0
    """

    def __init__(
        self, agent: Agent | type[Agent] | Callable[[Turn], Move | str] | str, seed: int = 0
    ) -> None:
        super().__init__()
        self.agent = as_agent(agent)
        self.seed = SEED("seed", seed)
        self._planned: tuple[Round, tuple[int, ...]] | None = None

    def restart_at(self, state: CasinoState) -> None:
        """Forget the turn in progress."""
        self._planned = None

    def restart(self) -> None:
        """Forget the turn in progress."""
        self._planned = None

    def inform_action(self, state: CasinoState, player: int, action: int) -> None:
        """Other players' steps are read from the state."""

    def step(self, state: CasinoState) -> int:
        """The next step of the agent's turn.

        Args:
            state: a state in which a seat is to play.

        Raises:
            CasinoError: the turn was begun by another player with other steps.
        """
        dealt = state.dealt
        if dealt.round is None or dealt.choice is None:
            raise CasinoError("an agent takes a step only where a seat is to play")
        done = dealt.choice.steps
        steps = self._plan(dealt.round)
        if steps[: len(done)] != done:
            raise CasinoError("the turn was begun with steps that the agent would not take")
        return steps[len(done)]

    def _plan(self, played: Round) -> tuple[int, ...]:
        """The steps of the turn, chosen once."""
        if self._planned is None or self._planned[0] is not played:
            stream = Stream(self.seed, Purpose.AGENT, len(played.plays))
            move: Any = self.agent.choose(turn_of(played, self.agent, stream))
            self._planned = played, steps_of(played.position, move)
        return self._planned[1]
