"""The class of PettingZoo's environment; `casino_core.adapters.pettingzoo` makes it."""

from __future__ import annotations

from io import StringIO
from secrets import randbits
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv
from rich.console import Console

from casino_core._arguments import SEED
from casino_core.adapters.pettingzoo import RENDER_MODES
from casino_core.errors import CasinoError
from casino_core.game.position import Position
from casino_core.game.round import Round
from casino_core.learning.rewards import rewards_of
from casino_core.learning.steps import STEP_COUNT, Choice
from casino_core.learning.tensor import information_tensor, tensor_size
from casino_core.render.svg import position_svg
from casino_core.render.text import print_position
from casino_core.rules.options import Rules

__all__ = ["CasinoEnv"]

_WIDTH = 80  # characters in a line of rendered text


class CasinoEnv(AECEnv):
    """One round of Casino, one step of a turn at a time; made by `pettingzoo.raw_env`.

    Args:
        rules: the rules.
        render_mode: "human", "ansi", "svg" or None.
        seen_by: letter of the seat whose view is rendered; None for all cards open.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "casino_core_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, rules: Rules, render_mode: str | None, seen_by: str | None) -> None:
        super().__init__()
        self.rules = rules
        self.render_mode = render_mode
        self._seen_by = seen_by
        self._next_seed: int | None = None
        self.possible_agents = [f"seat_{seat}" for seat in range(rules.players)]
        size = tensor_size(rules)
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0, np.iinfo(np.int16).max, (size,), np.int16),
                    "action_mask": Box(0, 1, (STEP_COUNT,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(STEP_COUNT) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of an agent's steps, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a round.

        Args:
            seed: the round is that of `Position.start(rules, seed=seed)`. Without one it is the
                round of the seed after the last one, at first of any seed.
            options: `{"position": line}` begins with a position in which all cards are known. Other
                options are ignored, as PettingZoo's tests demand.

        Raises:
            CasinoError: a position with hidden cards or other rules, or a seed out of range.
            NotationError: the position cannot be read.
        """
        if seed is None:
            seed = randbits(63) if self._next_seed is None else self._next_seed
        self._next_seed = (SEED("seed", seed) + 1) % 2**64
        self.round = Round(self._start(seed, options or {}))
        self.choice = Choice(self.round.position, some=True)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_to_play()

    def _start(self, seed: int, options: dict[str, Any]) -> Position:
        line = options.get("position")
        if line is None:
            return Position.start(self.rules, seed=seed)
        position = Position.parse(line)
        if position.rules != self.rules:
            raise CasinoError(f"position: the rules are {position.rules}, not {self.rules}")
        if position.is_over or any(hand.hidden for hand in position.hands):
            raise CasinoError("position: every hand is to be known, and a card left to play")
        if position.stock is None:
            raise CasinoError("position: the order of the stock is to be known")
        return position

    def _agent_to_play(self) -> str:
        return self.possible_agents[self.rules.seats.index(self.round.position.turn)]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent knows, and the steps that it may take now.

        Args:
            agent: its name.
        """
        seat = self.rules.seats[self.possible_agents.index(agent)]
        mask = np.zeros(STEP_COUNT, np.int8)
        choice = None if self.round.is_over else self.choice
        if choice is not None and agent == self.agent_selection:
            mask[list(choice.legal)] = 1
        return {
            "observation": information_tensor(self.round, seat, choice),
            "action_mask": mask,
        }

    def step(self, action: int | None) -> None:
        """Take a step of the agent to play.

        Args:
            action: the number of the step; None for an agent whose round has ended.

        Raises:
            IllegalMoveError: the step is not offered; then nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        choice = self.choice.step(-1 if action is None else action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.choice = choice
        if choice.move is not None:
            self._play(choice)
        self._accumulate_rewards()

    def _play(self, choice: Choice) -> None:
        """Play the move of a complete choice."""
        assert choice.move is not None
        self.round = self.round.play(choice.move)
        if not self.round.is_over:
            self.choice = Choice(self.round.position, some=True)
            self.agent_selection = self._agent_to_play()
            return
        rewards = rewards_of(self.rules, self.round.score())
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """The picture of the table: printed, as text, or as SVG, by the render mode."""
        if self.render_mode is None:
            return None
        position = self.round.position
        if self._seen_by is not None:
            position = position.view(self._seen_by)
        if self.render_mode == "svg":
            return position_svg(position)
        text = StringIO()
        print_position(Console(file=text, width=_WIDTH, highlight=False), position)
        if self.render_mode == "ansi":
            return text.getvalue()
        print(text.getvalue())
        return None

    def close(self) -> None:
        """Nothing is open."""
