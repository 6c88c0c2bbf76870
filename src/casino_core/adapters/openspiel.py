"""The game `casino_core` of OpenSpiel, and agents as its bots. It needs the extra `openspiel`.

Importing this module registers the game:

    >>> import pyspiel
    >>> import casino_core.adapters.openspiel
    >>> game = pyspiel.load_game("casino_core(rules=royal)")
    >>> game.num_players(), game.num_distinct_actions()
    (2, 121)

Parameters of the game: `rules`, a rule set, by default `standard`; and `position`, a position line
to start from, whose unknown cards are dealt by chance, by default the start of a round. A text that
names a game has `;` for `,` and `~` for `=`: `casino_core(rules=royal;players~4;partners~yes)`.
"""

from __future__ import annotations

from casino_core._tables import need

need("pyspiel", "openspiel")

from casino_core.adapters.spiel_bot import AgentBot  # noqa: E402
from casino_core.adapters.spiel_game import CasinoGame, CasinoState  # noqa: E402

__all__ = ["AgentBot", "CasinoGame", "CasinoState"]
