"""An environment of PettingZoo: `env(rules=...)`. It needs the extra `pettingzoo`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino_core._arguments import instance_of, one_of
from casino_core._tables import need
from casino_core.rules.options import Rules

if TYPE_CHECKING:
    from pettingzoo.utils.env import AECEnv

__all__ = ["RENDER_MODES", "env", "raw_env"]

#: What `render` can do: print a picture of the table, or return it as text or as SVG.
RENDER_MODES = ("human", "ansi", "svg")


def env(
    rules: str | Rules = "standard", *, render_mode: str | None = None, seen_by: str | None = None
) -> AECEnv:
    """One round of Casino as an environment of PettingZoo, in turns (AEC).

    The agents are `seat_0`, `seat_1`, …. A turn is several steps of one agent, each a number from
    0 to 120 (see `casino_core.learning.steps`). An observation is a dict: `observation` is the
    agent's information state (`casino_core.learning.tensor`), `action_mask` has 1 for each step
    that is offered. The rewards come with the last play: an agent's points minus the mean points
    of the other sides.

    Args:
        rules: a `Rules` or its text.
        render_mode: one of RENDER_MODES, or None.
        seen_by: letter of the seat whose view is rendered; None for all cards open.

    Raises:
        CasinoError: an argument is not valid, or the extra is not installed.

    Example:
        >>> game = env("royal")
        >>> game.reset(seed=1)
        >>> game.agent_selection, int(game.last()[0]["action_mask"].sum())
        ('seat_0', 4)
    """
    need("pettingzoo", "pettingzoo")
    from pettingzoo.utils import wrappers

    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(raw_env(rules, render_mode=render_mode, seen_by=seen_by))
    )


def raw_env(
    rules: str | Rules = "standard", *, render_mode: str | None = None, seen_by: str | None = None
) -> AECEnv:
    """The environment without PettingZoo's checks of the order of calls.

    Args:
        rules: a `Rules` or its text.
        render_mode: one of RENDER_MODES, or None.
        seen_by: letter of the seat whose view is rendered; None for all cards open.

    Raises:
        CasinoError: an argument is not valid, or the extra is not installed.
    """
    need("pettingzoo", "pettingzoo")
    from casino_core.adapters.aec import CasinoEnv

    made = rules if isinstance(rules, Rules) else Rules.parse(instance_of(str)("rules", rules))
    one_of(RENDER_MODES).if_given("render_mode", render_mode)
    one_of(tuple(made.seats)).if_given("seen_by", seen_by)
    return CasinoEnv(made, render_mode, seen_by)
