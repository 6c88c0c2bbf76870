"""Agents that arguments of the command line name."""

from __future__ import annotations

import os
import sys

from casino_core.play.agents import Agent, parse_agent

__all__ = ["agent_named"]


def agent_named(text: str) -> Agent:
    """The agent that an argument names; modules are also looked for in the working directory.

    Args:
        text: as `parse_agent` takes it.

    Raises:
        CasinoError: there is none.
    """
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return parse_agent(text)
