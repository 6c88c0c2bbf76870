"""The arena: two agents over many rounds, with duplicate decks and seats exchanged.

Each deck is played once with the first agent on each side and the second agent on all others, so
that both get the same cards. Random numbers depend on the seed, the deck and the number of the play
alone: results are the same each time and for any number of workers, except for times and for agents
with a time limit.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from statistics import fmean
from typing import Any

from casino_core._arguments import SAMPLES, SWITCH, whole
from casino_core._processes import process_pool
from casino_core.errors import AgentError, CasinoError, WorkerError
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.play.adjustment import KINDS, Adjusted, Adjuster, adjusted, game_luck, mean_luck
from casino_core.play.agents import Agent, Turn, as_agent
from casino_core.play.intervals import standard_errors
from casino_core.play.luck import DEFAULT_DEALS
from casino_core.play.sequential import MARGIN, SequentialTest, Verdict
from casino_core.play.table import play_round
from casino_core.rules.options import Rules
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = [
    "FIRST_DECK",
    "ROUNDS",
    "WORKERS",
    "ArenaInterrupted",
    "ArenaResult",
    "ArenaStopped",
    "Game",
    "play_arena",
    "play_game",
]

#: Kinds of the arguments of a series.
ROUNDS = whole(1, 10_000_000)
FIRST_DECK = whole(0, 2**31 - 1)
_SEEDS = whole(0, 2**128 - 1)
WORKERS = whole(1, 256)
_LARGEST_CHUNK = 64  # decks that a worker plays before it reports
_SHORT_CHUNK = 0.05  # seconds of play below which the next chunks are larger


@dataclass(frozen=True, slots=True)
class Game:
    """One round.

    Attributes:
        deck: number of the deck, from 0.
        rotation: the side that the first agent plays, from 0; all others are the second agent's.
        points: of each side.
        plays: numbers of plays of the first and of the second agent.
        seconds: times that they took for these plays.
        luck: points that the deals gave the first agent: those before the last deal, and the last
            one; empty if luck was not measured.
        round: the plays; None unless they were kept.
    """

    deck: int
    rotation: int
    points: tuple[int, ...]
    plays: tuple[int, int]
    seconds: tuple[float, float]
    luck: tuple[float, ...] = ()
    round: Round | None = field(default=None, repr=False)

    @property
    def lead(self) -> int:
        """The first agent's lead on each other side, summed: a whole number."""
        return len(self.points) * self.points[self.rotation] - sum(self.points)

    @property
    def difference(self) -> float:
        """The first agent's points minus the mean of the other sides'."""
        return self.lead / (len(self.points) - 1)

    @property
    def result(self) -> int:
        """1 if the first agent has most points alone, 0 if it shares them, else -1."""
        own = self.points[self.rotation]
        best = max(points for side, points in enumerate(self.points) if side != self.rotation)
        return (own > best) - (own < best)


@dataclass(frozen=True)
class ArenaResult:
    """The result of a series of rounds.

    Points are the first agent's minus the second's (minus the mean of the other sides', if there
    are several).

    Attributes:
        agents: the texts of the two agents.
        rules: the rule set.
        seed: of decks and of random plays.
        games: every round, by deck and rotation.
        verdict: the better agent, `first` or `second`, where a sequential test has decided.

    Example:
        >>> games = (Game(0, 0, (8, 3), (24, 24), (0.1, 0.1)), Game(0, 1, (6, 5), (24, 24), (0, 0)))
        >>> result = ArenaResult(("greedy", "random"), Rules(), 0, games)
        >>> result.decks, result.points, result.won, result.stderr
        (1, 2.0, 0.5, None)
    """

    agents: tuple[str, str]
    rules: Rules
    seed: int
    games: tuple[Game, ...]
    verdict: Verdict | None = None

    @cached_property
    def adjusted(self) -> Adjusted | None:
        """The result without the luck of the deals; None if luck was not measured."""
        if not all(game.luck for game in self.games):
            return None
        sides = self.rules.sides
        decks = [self.games[i : i + sides] for i in range(0, len(self.games), sides)]
        return adjusted(
            [[game.difference for game in deck] for deck in decks],
            [[game.luck for game in deck] for deck in decks],
        )

    @property
    def deck_points(self) -> tuple[float, ...]:
        """Points a round of each deck, without the luck of the deals if that was measured."""
        if self.adjusted is not None:
            return self.adjusted.decks
        return tuple(lead / self._scale for lead in self._leads)

    @cached_property
    def _leads(self) -> list[int]:
        """Sum of the leads of each deck."""
        sides = self.rules.sides
        return [
            sum(game.lead for game in self.games[start : start + sides])
            for start in range(0, len(self.games), sides)
        ]

    @property
    def _scale(self) -> int:
        """The divisor that turns the lead of a deck into points a round."""
        return self.rules.sides * (self.rules.sides - 1)

    @property
    def decks(self) -> int:
        """Decks played."""
        return len(self._leads)

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return len(self.games)

    @property
    def points(self) -> float:
        """Mean points a round, the first agent's minus the second's."""
        return sum(self._leads) / (self.decks * self._scale)

    @property
    def stderr(self) -> float | None:
        """Standard error of `points`, from the variance between decks; None for a single deck."""
        n = self.decks
        if n < 2:
            return None
        squares = n * sum(lead * lead for lead in self._leads) - sum(self._leads) ** 2
        return sqrt(squares / (n - 1)) / (n * self._scale)

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval around `points`, by Student's distribution; None for a single deck."""
        if self.stderr is None:
            return None
        half = standard_errors(self.decks - 1) * self.stderr
        return self.points - half, self.points + half

    @property
    def won(self) -> float:
        """Share of the rounds in which the first agent has most points alone."""
        return sum(game.result > 0 for game in self.games) / self.rounds

    @property
    def tied(self) -> float:
        """Share of the rounds in which the first agent shares the most points."""
        return sum(game.result == 0 for game in self.games) / self.rounds

    @property
    def decks_won(self) -> float:
        """Share of the decks on which the first agent has more points over all their rounds."""
        return sum(lead > 0 for lead in self._leads) / self.decks

    @property
    def decks_tied(self) -> float:
        """Share of the decks on which both have the same points."""
        return sum(lead == 0 for lead in self._leads) / self.decks

    @property
    def seconds(self) -> tuple[float, float]:
        """Mean time of a play of each agent."""
        first = sum(game.seconds[0] for game in self.games) / sum(g.plays[0] for g in self.games)
        second = sum(game.seconds[1] for game in self.games) / sum(g.plays[1] for g in self.games)
        return first, second


class ArenaInterrupted(KeyboardInterrupt):
    """Ctrl-C during `play_arena`.

    Attributes:
        result: the result of the decks finished so far, from the first on; None before the first.
    """

    def __init__(self, result: ArenaResult | None) -> None:
        super().__init__()
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return ArenaInterrupted, (self.result,)


class ArenaStopped(WorkerError):  # noqa: N818 - named as ArenaInterrupted
    """A worker process that died during `play_arena`, or an agent that failed.

    Args:
        message: what has happened.
        result: of the decks that had been played whole, from the first on; None before the first.
    """

    def __init__(self, message: str = "", result: ArenaResult | None = None) -> None:
        super().__init__(message)
        self.result = result


def play_arena(
    first: Agent | Callable[[Turn], Move | str] | str,
    second: Agent | Callable[[Turn], Move | str] | str,
    *,
    rounds: int = 200,
    rules: Rules | str = "standard",
    seed: int = 0,
    workers: int = 1,
    first_deck: int = 0,
    luck: bool | int = False,
    margin: float | None = None,
    keep_rounds: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> ArenaResult:
    """Play two agents against each other.

    Args:
        first: an agent or its text, or a function of a `Turn` that returns a move.
        second: the same; with more than two sides it plays all but one.
        rounds: the number of rounds, rounded up to whole decks; a deck is played once for each
            side.
        rules: a rule set or its text.
        seed: of the decks and of random plays, a whole number from 0.
        workers: processes that share the work; with more than one, agents must be picklable.
        first_deck: number of the first deck, to continue an earlier series.
        luck: whether to measure the luck of the deals, for a result without it; or the number of
            other deals that are drawn for it, 48 for True.
        margin: play only until a sequential test has decided which agent is better, by this many
            points a round; None to play all rounds. See `SequentialTest`.
        keep_rounds: whether each game of the result has its `round`, for `write_records`.
        progress: called at the start and after each chunk of decks with the number of decks done
            and the number of all decks.

    Raises:
        CasinoError: an agent, a rule set or a number is not valid.
        ArenaStopped: a worker process died, or an agent failed or chose no legal move; the
            exception has the result of the decks played.
        ArenaInterrupted: Ctrl-C; the exception has the result of the decks played.

    Example:
        >>> result = play_arena("greedy", "random", rounds=40, seed=1)
        >>> result.decks, result.rounds, result.points > 3
        (20, 40, True)
    """
    agents = as_agent(first), as_agent(second)
    if isinstance(rules, str):
        rules = Rules.parse(rules)
    rounds, workers = ROUNDS("rounds", rounds), WORKERS("workers", workers)
    seed, first_deck = _SEEDS("seed", seed), FIRST_DECK("first_deck", first_deck)
    decks = -(-rounds // rules.sides)
    deals = _deals_of(luck)
    test = None if margin is None else _Trial(MARGIN("margin", margin), deals > 0)
    task = _Task(agents, rules, seed, deals, SWITCH("keep_rounds", keep_rounds))
    games: list[Game] = []
    verdict: Verdict | None = None

    def result() -> ArenaResult:
        return ArenaResult((str(agents[0]), str(agents[1])), rules, seed, tuple(games), verdict)

    try:
        if progress is not None:
            progress(0, decks)
        for played in _all_decks(task, range(first_deck, first_deck + decks), workers):
            for start in range(0, len(played), rules.sides):
                deck = played[start : start + rules.sides]
                games += deck
                verdict = None if test is None else test.add(deck)
                if verdict is not None:
                    break
            if progress is not None:
                progress(len(games) // rules.sides, decks)
            if verdict is not None:
                break
    except KeyboardInterrupt:
        raise ArenaInterrupted(result() if games else None) from None
    except (AgentError, WorkerError) as error:
        raise ArenaStopped(str(error), result() if games else None) from error
    return result()


def _deals_of(luck: bool | int) -> int:
    """Number of other deals to sample, 0 if luck is not measured."""
    if luck is False:
        return 0
    return DEFAULT_DEALS if luck is True else SAMPLES("luck", luck)


class _Trial:
    """A sequential test over decks, without the luck of the deals where that is measured."""

    def __init__(self, margin: float, without_luck: bool) -> None:
        self._test = SequentialTest(margin)
        self._adjuster = Adjuster(KINDS) if without_luck else None

    def add(self, deck: list[Game]) -> Verdict | None:
        """Take note of the games of a deck."""
        points = fmean(game.difference for game in deck)
        if self._adjuster is not None:
            points = self._adjuster.adjust(points, mean_luck([game.luck for game in deck]))
        return self._test.add(points)


def play_game(
    agents: tuple[Agent, Agent],
    rules: Rules,
    seed: int,
    deck: int,
    side: int,
    deals: int = 0,
    keep_round: bool = False,
) -> Game:
    """Play one round.

    Args:
        agents: the first and the second.
        rules: the rule set.
        seed: of the series.
        deck: number of the deck in it.
        side: the side of the first agent; the second plays all others.
        deals: other deals that are drawn to measure the luck of each; 0 not to measure it.
        keep_round: whether the game has its `round`.

    Raises:
        AgentError: an agent fails, or its move is not legal.

    Example:
        >>> agent = as_agent("greedy")
        >>> play_game((agent, agent), Rules(), 0, 0, 0).plays
        (24, 24)
    """
    number = [0 if seat % rules.sides == side else 1 for seat in range(rules.players)]
    plays, seconds = [0, 0], [0.0, 0.0]
    table = play_round(
        deck_start(rules, seed, deck),
        [agents[one] for one in number],
        lambda ply: Stream(seed, Purpose.AGENT, deck, ply),
    )
    try:
        for played in table:
            plays[number[played.seat]] += 1
            seconds[number[played.seat]] += played.seconds
    except AgentError as error:
        raise AgentError(f"deck {deck}, {error}") from error.__cause__
    points = played.round.score()
    luck: tuple[float, ...] = ()
    if deals:
        luck = game_luck(played.round, side, lambda n: Stream(seed, Purpose.LUCK, deck, n), deals)
    kept = played.round if keep_round else None
    return Game(deck, side, points, (plays[0], plays[1]), (seconds[0], seconds[1]), luck, kept)


def deck_start(rules: Rules, seed: int, deck: int) -> Position:
    """The first position of a deck.

    Args:
        rules: the rule set.
        seed: of the series.
        deck: number of the deck in it.

    Example:
        >>> deck_start(Rules(), 0, 0) == deck_start(Rules(), 0, 1)
        False
    """
    return Position.start(rules, seed=Stream(seed, Purpose.DECK, deck).bits())


@dataclass(frozen=True, slots=True)
class _Task:
    """The settings that a worker needs."""

    agents: tuple[Agent, Agent]
    rules: Rules
    seed: int
    deals: int = 0
    keep_rounds: bool = False

    def play(self, decks: range) -> list[Game]:
        """The games of some decks, in their order."""
        return [
            play_game(self.agents, self.rules, self.seed, deck, side, self.deals, self.keep_rounds)
            for deck in decks
            for side in range(self.rules.sides)
        ]


def _all_decks(task: _Task, decks: range, workers: int) -> Iterator[list[Game]]:
    """The games of all decks, in their order, a chunk of decks at a time."""
    if workers == 1:
        for deck in decks:
            yield task.play(range(deck, deck + 1))
        return
    yield from _in_processes(task, decks, min(workers, len(decks)))


def _in_processes(task: _Task, decks: range, workers: int) -> Iterator[list[Game]]:
    """The games of all decks by processes, which end at once if the caller is interrupted."""
    _check_sent(task)
    waiting: deque[Future[list[Game]]] = deque()
    start, size = 0, 1  # of the next part of the decks
    with process_pool(workers) as pool:
        while start < len(decks) or waiting:
            while start < len(decks) and len(waiting) <= 2 * workers:
                waiting.append(pool.submit(task.play, decks[start : start + size]))
                start += size
            games = waiting.popleft().result()
            if sum(sum(game.seconds) for game in games) < _SHORT_CHUNK:
                size = min(2 * size, _LARGEST_CHUNK)
            yield games


def _check_sent(task: _Task) -> None:
    """Validate that agents can be sent to another process."""
    for agent in task.agents:
        try:
            pickle.dumps(agent)
        except Exception as error:
            raise CasinoError(
                f"agent {agent}: it cannot be sent to worker processes ({error}); define it at the "
                "top of a module, or take workers=1"
            ) from error
