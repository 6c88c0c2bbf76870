"""`casino-core sample`: positions for experiments."""

from __future__ import annotations

import click

from casino_core._arguments import SEED, whole
from casino_core.batch.arrays import KEPT
from casino_core.cli.agents import agent_named
from casino_core.cli.common import NumberOf
from casino_core.play.sampling import sample_positions

__all__ = ["sample"]

_ROUNDS = whole(1, 2**48 - 1)
_DEAL = whole(1, 12)


@click.command()
@click.option("--rounds", type=NumberOf(_ROUNDS, int), required=True, help="Rounds to play.")
@click.option("--rules", default="standard", show_default=True, help="A preset, with options.")
@click.option(
    "--seed", type=NumberOf(SEED, int), default=0, show_default=True, help="Of the cards."
)
@click.option(
    "--agent",
    default="random",
    show_default=True,
    help="Who plays all seats: random, greedy, hint:samples=20 or another agent of `arena`.",
)
@click.option(
    "--keep",
    type=click.Choice(KEPT),
    default="all",
    show_default=True,
    help="Which positions: deal-end is what follows the last play of --deal.",
)
@click.option("--deal", type=NumberOf(_DEAL, int), help="Which deal's end, the first being 1.")
@click.option("--seen", is_flag=True, help="Only what the seat to play sees.")
def sample(
    rounds: int, rules: str, seed: int, agent: str, keep: str, deal: int | None, seen: bool
) -> None:
    """Print positions, one a line, of rounds that an agent plays against itself.

    Every card is known, unless --seen is there. The same options give the same lines, but for
    agents that are limited by time.
    """
    found = sample_positions(
        rounds, rules, seed=seed, agent=agent_named(agent), keep=keep, deal=deal
    )
    for position in found:
        shown = position.view(position.turn) if seen and not position.is_over else position
        click.echo(str(shown))
