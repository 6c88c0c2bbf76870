"""Round robins: every agent against every other on the same decks, and ratings from all rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import sqrt
from statistics import fmean, variance
from typing import Any

from casino_core._arguments import shown
from casino_core._tables import Tabular
from casino_core.errors import CasinoError
from casino_core.game.position import Move
from casino_core.play.agents import Agent, Turn, as_agent
from casino_core.play.arena import ArenaInterrupted, ArenaResult, play_arena
from casino_core.play.intervals import half_width
from casino_core.rules.options import Rules

__all__ = ["Rating", "TournamentInterrupted", "TournamentResult", "play_tournament"]


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of an agent among the agents of a tournament.

    Attributes:
        agent: the text of the agent.
        points: its mean points a round against the other agents, minus theirs.
        stderr: standard error of `points`, from the spread of the decks; None for one deck.
        interval: interval of 95 % around `points`; None for one deck.
        won: share of its rounds that it has won, ties excluded.
    """

    agent: str
    points: float
    stderr: float | None
    interval: tuple[float, float] | None
    won: float


@dataclass(frozen=True)
class TournamentResult(Tabular):
    """The result of a round robin.

    Attributes:
        agents: the texts of the agents.
        pairs: the result of each pair, by the numbers of its first and second agent.
    """

    agents: tuple[str, ...]
    pairs: tuple[tuple[int, int, ArenaResult], ...]

    @cached_property
    def ratings(self) -> tuple[Rating, ...]:
        """Ratings of the agents, the best first.

        All pairs play the same decks, so a rating is a mean over decks, and its error accounts for
        the correlation of results of the same deck. Luck is removed if it was measured.
        """
        return tuple(
            sorted(map(self._rating, range(len(self.agents))), key=lambda one: -one.points)
        )

    def _kinds(self) -> dict[str, type]:
        names = ("points", "stderr", "low", "high", "won")
        return {"agent": str, **dict.fromkeys(names, float)}

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for one in self.ratings:
            yield one.agent, one.points, one.stderr, *(one.interval or (None, None)), one.won

    def _rating(self, agent: int) -> Rating:
        decks = zip(*(self._decks(agent, pair) for pair in self._pairs_of(agent)), strict=True)
        means = [fmean(deck) for deck in decks]
        points, half = fmean(means), half_width(means)
        interval = None if half is None else (points - half, points + half)
        stderr = None if half is None else sqrt(variance(means) / len(means))
        return Rating(self.agents[agent], points, stderr, interval, self._won(agent))

    def _pairs_of(self, agent: int) -> list[tuple[int, int, ArenaResult]]:
        return [pair for pair in self.pairs if agent in pair[:2]]

    def _decks(self, agent: int, pair: tuple[int, int, ArenaResult]) -> list[float]:
        """Points a round of one agent of a pair, in each deck."""
        first, _, result = pair
        return [value if agent == first else -value for value in result.deck_points]

    def _won(self, agent: int) -> float:
        shares = []
        for first, _, result in self._pairs_of(agent):
            wanted = 1 if agent == first else -1
            shares.append(sum(game.result == wanted for game in result.games) / result.rounds)
        return fmean(shares)


class TournamentInterrupted(KeyboardInterrupt):
    """Ctrl-C during `play_tournament`.

    Attributes:
        result: the pairs that have played, the last one perhaps fewer decks; it has no ratings.
    """

    def __init__(self, result: TournamentResult) -> None:
        super().__init__()
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return TournamentInterrupted, (self.result,)


def play_tournament(
    agents: Sequence[Agent | Callable[[Turn], Move | str] | str],
    *,
    rounds: int = 200,
    rules: Rules | str = "standard",
    seed: int = 0,
    workers: int = 1,
    luck: bool | int = False,
    progress: Callable[[int, int], object] | None = None,
) -> TournamentResult:
    """Play every agent against every other on the same decks.

    Args:
        agents: two or more agents, functions of a `Turn` or texts of agents, all different.
        rounds: number of rounds of each pair, rounded up to whole decks.
        rules: a rule set of two sides or its text.
        seed: seed of the decks and of random plays, as `play_arena` takes it.
        workers: number of worker processes.
        luck: whether to measure the luck of the deals, and remove it from the ratings.
        progress: called with the numbers of decks done and of all decks, counted for each pair.

    Raises:
        CasinoError: fewer than two agents, two equal agents, or more than two sides.
        TournamentInterrupted: Ctrl-C was pressed; the exception has the pairs so far.

    Example:
        >>> result = play_tournament(["random", "greedy", "careful"], rounds=20, seed=1)
        >>> [one.agent for one in result.ratings]
        ['careful', 'greedy', 'random']
    """
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise CasinoError(f"agents is a list of agents, not {shown(agents)}")
    players = [as_agent(one) for one in agents]
    names = tuple(map(str, players))
    if len(names) < 2 or len(set(names)) < len(names):
        raise CasinoError("a tournament needs two or more agents, all different")
    one_rules = Rules.parse(rules) if isinstance(rules, str) else rules
    if one_rules.sides != 2:
        raise CasinoError(f"a tournament is between two sides, not {one_rules.sides}")
    pairs = list(combinations(range(len(names)), 2))
    found: list[tuple[int, int, ArenaResult]] = []
    for first, second in pairs:

        def report(done: int, decks: int) -> None:
            if progress is not None:
                progress(len(found) * decks + done, len(pairs) * decks)

        try:
            result = play_arena(
                players[first],
                players[second],
                rounds=rounds,
                rules=one_rules,
                seed=seed,
                workers=workers,
                luck=luck,
                progress=report,
            )
        except ArenaInterrupted as end:
            if end.result is not None:
                found.append((first, second, end.result))
            raise TournamentInterrupted(TournamentResult(names, tuple(found))) from None
        found.append((first, second, result))
    return TournamentResult(names, tuple(found))
