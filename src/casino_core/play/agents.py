"""Agents: players of different strength for matches against each other.

A short text names an agent, with options after a colon: `greedy`, `pimc:samples=40`,
`hint:seconds=0.1`. An agent gets the position as its seat sees it, never hidden cards, and a random
stream of its own, so that a game is the same each time (except for agents with a time limit).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from casino_core._arguments import SAMPLES, Kind, whole
from casino_core.errors import CasinoError, quoted
from casino_core.evaluation.players import greedy_move, reply_scores
from casino_core.game.position import Move, Position
from casino_core.hidden.worlds import Unseen, World
from casino_core.hints.hint import hint
from casino_core.hints.options import options_of, untimed
from casino_core.play.agent import Agent, Turn, options_in, path_of
from casino_core.play.levels import LEVELS, LevelAgent
from casino_core.play.programs import ProgramAgent
from casino_core.rules.streams import Stream
from casino_core.search.coalition import coalition_values
from casino_core.search.root import SearchContext

__all__ = [
    "AGENTS",
    "LEVELS",
    "Agent",
    "CarefulAgent",
    "FunctionAgent",
    "GreedyAgent",
    "HintAgent",
    "LevelAgent",
    "LookaheadAgent",
    "OpenAgent",
    "PimcAgent",
    "ProgramAgent",
    "RandomAgent",
    "Turn",
    "as_agent",
    "parse_agent",
]

# Settings of searches to the end of a deal. They repeat those of `hint`, so that `pimc` stays the
# same yardstick while hints improve.
_UNIT = 60  # units of a value in one point
_LARGEST_VALUE = 15_000  # largest value of a search
_MOST_POINTS = 40  # upper bound of the points of a round without sweeps
_TABLE_MIB = 4.0
_MOST_NODES = 1_000_000  # node limit of one world at one depth
_LONG_DEAL = 10  # a deal with more plays left is not searched to its end
_LONG_PLAYS = 6  # depth of a search in such a deal, or in draw casino
_COALITION_PLAYS = 4  # depth of a search with more than two sides
_LAST_PLAYS = 8  # with more than two sides, this many last plays are searched to the end
_LESS_DEEP = (4, 2, 1)  # depths after a search has met its node limit


def _samples(default: int | None) -> Any:
    """An option: the number of worlds sampled for a play."""
    return field(default=default, metadata={"kind": SAMPLES, "reads": int})


def _hint_options(agent: type) -> type:
    """Decorator: give an agent the options of a hint, from their table.

    The turn has the plays seen, so `history` is a switch.
    """
    kinds = [(one.name, one.default, one.kind, one.reads) for one in options_of("agent")]
    for name, default, kind, reads in [*kinds, ("history", 1, whole(0, 1), int)]:
        agent.__annotations__[name] = Any
        setattr(agent, name, field(default=default, metadata={"kind": kind, "reads": reads}))
    return agent


@dataclass(frozen=True, slots=True)
class RandomAgent(Agent):
    """Plays each legal move with equal probability.

    Example:
        >>> position = Position.parse("table=Td5h8dKc hands=TsAsJh9c/????")
        >>> str(RandomAgent().choose(Turn(position, (), Stream(1, "agent"))))
        'TsxTd'
    """

    name: ClassVar[str] = "random"

    def choose(self, turn: Turn) -> Move:
        return turn.rng.choice(turn.position.legal_moves())


@dataclass(frozen=True, slots=True)
class GreedyAgent(Agent):
    """Captures the most points and cards; if it cannot capture, trails a low card of little worth.

    It makes no builds and ignores what it leaves to others: the simplest sensible player.

    Example:
        >>> position = Position.parse("table=Td5h8dKc hands=TsAsJh9c/????")
        >>> str(GreedyAgent().choose(Turn(position, (), Stream(1, "agent"))))
        'TsxTd'
    """

    name: ClassVar[str] = "greedy"

    def choose(self, turn: Turn) -> Move:
        return greedy_move(turn.position)


@dataclass(frozen=True, slots=True)
class CarefulAgent(Agent):
    """Weighs what a play takes, promises and gives away by the chances of the unseen cards.

    It builds if it can expect to capture the build, captures the builds of others, and trails the
    card that is least likely to be taken.

    Example:
        >>> position = Position.parse("table=2d5h8dKc hands=Ts8sJh9c/????")
        >>> str(CarefulAgent().choose(Turn(position, (), Stream(1, "agent"))))
        'Tsx2d8d'
    """

    name: ClassVar[str] = "careful"

    def choose(self, turn: Turn) -> Move:
        return greedy_move(turn.position, careful=True)


@dataclass(frozen=True, slots=True)
class LookaheadAgent(Agent):
    """Looks one reply ahead: the careful reply of the next seat in each sampled world.

    Args:
        samples: the number of worlds sampled for a play.

    Example:
        >>> position = Position.parse("table=Td5h8dKc hands=TsAsJh9c/????")
        >>> str(LookaheadAgent(samples=5).choose(Turn(position, (), Stream(1, "agent"))))
        'TsxTd'
    """

    name: ClassVar[str] = "lookahead"
    samples: int = _samples(20)

    def choose(self, turn: Turn) -> Move:
        seen = turn.position.view(turn.position.turn)
        return _best_on_average(seen, _worlds(seen, self.samples, turn.rng), reply_scores)


@dataclass(frozen=True, slots=True)
class PimcAgent(Agent):
    """Perfect-information Monte Carlo: solves sampled worlds to the end of the deal.

    The yardstick for other methods. At the end of the deal material alone is counted. If a deal is
    too long to be solved (draw casino, partnership, more than two sides), the search stops some
    plays ahead.

    Args:
        samples: the number of worlds sampled for a play.

    Example:
        >>> position = Position.parse("table=TdAc4s5h hands=TsJcJh9c/????")
        >>> str(PimcAgent(samples=5).choose(Turn(position, (), Stream(1, "agent"))))
        'TsxAc4s5hTd'
    """

    name: ClassVar[str] = "pimc"
    samples: int = _samples(160)

    def choose(self, turn: Turn) -> Move:
        seen = turn.position.view(turn.position.turn)
        worlds = _worlds(seen, self.samples, turn.rng)
        return _best_on_average(seen, worlds, _DealSearch(seen).values)


@dataclass(frozen=True, slots=True)
class OpenAgent(Agent):
    """Sees every hand, but not the order of the stock, and solves to the end of the deal.

    It is `pimc` with the hands known, an upper bound for the gain by inference. In draw casino
    orders of the stock are sampled.

    Args:
        samples: the number of orders of the stock sampled for a play of draw casino.

    Example:
        >>> position = Position.parse("table=Td5h8dKc hands=TsAsJh9c/2c3c4cTh")
        >>> str(OpenAgent().choose(Turn(position, (), Stream(1, "agent"))))
        'TsxTd'
    """

    name: ClassVar[str] = "open"
    sees_all: ClassVar[bool] = True
    samples: int = _samples(40)

    def choose(self, turn: Turn) -> Move:
        worlds = _worlds(turn.position, self.samples, turn.rng)
        return _best_on_average(turn.position, worlds, _DealSearch(turn.position).values)


@dataclass(frozen=True, slots=True)
@_hint_options
class HintAgent(Agent):
    """Plays the best move of a `hint`.

    Args:
        **options: the options of `hint` that its table gives to agents. With a time limit, games
            may differ from run to run.
        history: 1 to infer other hands from the plays of the deal, 0 not to.

    Example:
        >>> position = Position.parse("table=TdAc4s5h hands=TsJcJh9c/????")
        >>> str(HintAgent(samples=5).choose(Turn(position, (), Stream(1, "agent"))))
        'TsxAc4s5hTd'
    """

    name: ClassVar[str] = "hint"
    if TYPE_CHECKING:  # the fields come from a table

        def __init__(self, *, history: int = 1, **options: Any) -> None: ...

        history: int

    def choose(self, turn: Turn) -> Move:
        options = {option.name: getattr(self, option.name) for option in options_of("agent")}
        plays = turn.plays if self.history else None
        given = {"history": plays, "progress": turn.progress, **untimed(options)}
        return hint(turn.position, seed=turn.rng.bits(), **given).best


@dataclass(frozen=True, slots=True)
class FunctionAgent(Agent):
    """Plays what a function answers.

    Args:
        function: called with a `Turn`; returns a move or its text.
        label: the text of the agent; by default the place of the function.

    Example:
        >>> position = Position.parse("table=Td5h8dKc hands=TsAsJh9c/????")
        >>> def first(turn):
        ...     return turn.position.legal_moves()[0]
        >>> str(FunctionAgent(first).choose(Turn(position, (), Stream(1, "agent"))))
        '9c'
    """

    function: Callable[[Turn], Move | str]
    label: str = ""

    def choose(self, turn: Turn) -> Move:
        found = self.function(turn)
        return turn.position.move(found) if isinstance(found, str) else found

    def __str__(self) -> str:
        if self.label:
            return self.label
        if hasattr(self.function, "__qualname__"):
            return path_of(self.function)
        return path_of(type(self.function))


#: All agents by name, roughly the weakest first.
AGENTS: Mapping[str, type[Agent]] = MappingProxyType(
    {
        agent.name: agent
        for agent in (
            RandomAgent,
            GreedyAgent,
            CarefulAgent,
            LookaheadAgent,
            PimcAgent,
            OpenAgent,
            HintAgent,
        )
    }
)


#: The names of all agents in words.
_NAMES = f"{', '.join(AGENTS)}, {min(LEVELS, key=len)} to {max(LEVELS, key=len)}"


def as_agent(given: Agent | type[Agent] | Callable[[Turn], Move | str] | str) -> Agent:
    """The agent that somebody gives.

    Args:
        given: an agent, a class of agents that takes no arguments, a function of a `Turn`, or a
            text as `parse_agent` takes it.

    Raises:
        CasinoError: it is something else.

    Example:
        >>> as_agent("greedy"), as_agent(GreedyAgent)
        (GreedyAgent(), GreedyAgent())
    """
    if isinstance(given, str):
        return parse_agent(given)
    if isinstance(given, Agent):
        return given
    if isinstance(given, type):
        if not issubclass(given, Agent):
            raise CasinoError(f"agent: the class {path_of(given)} is not made from Agent")
        try:
            return given()
        except TypeError as error:
            raise CasinoError(f"agent {path_of(given)}: {error}") from None
    if callable(given):
        return FunctionAgent(given)
    raise CasinoError(f"agent: {quoted(given)} is neither an Agent nor a function nor a text")


def _imported(text: str) -> Agent:
    """The agent that `module:name` names."""
    module, _, name = (part.strip() for part in text.partition(":"))
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise CasinoError(f"agent {quoted(text)}: {module} needs {error.name}") from None
        raise CasinoError(
            f"agent: {quoted(module)} is neither an agent nor a module; the agents are " + _NAMES
        ) from None
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise CasinoError(
            f"agent {quoted(text)}: {module} fails as it is imported ({reason})"
        ) from error
    agent: Any = found
    for part in name.split("."):
        if not hasattr(agent, part):
            raise CasinoError(f"agent {quoted(text)}: {module} has no {quoted(name)}")
        agent = getattr(agent, part)
    given = as_agent(agent)
    if isinstance(given, FunctionAgent):  # by the name that was given, as `os` for `posix`
        return replace(given, label=f"{module}:{name}")
    return given


def parse_agent(text: str) -> Agent:
    """The agent that a text names.

    Args:
        text: a name of `AGENTS`, then after a colon options, `key=value` with commas between; or
            a name of `LEVELS`, `level-1` to `level-10`; or `module:name` of a class made from
            `Agent` or of a function; or `exec:COMMAND` of a program; or the name of an entry point
            of an installed package in the group `casino_core.agents`, of a class or function.

    Raises:
        CasinoError: there is no such agent or option, or a value is not valid.

    Example:
        >>> parse_agent("hint:seconds=0.1,samples=500")
        HintAgent(seconds=0.1, samples=500, method='auto', objective='points', history=1)
        >>> parse_agent("greedy:samples=5")
        Traceback (most recent call last):
        ...
        casino_core.errors.CasinoError: agent 'greedy:samples=5': greedy has no options
    """
    name, colon, rest = text.strip().partition(":")
    if name == ProgramAgent.name:
        return ProgramAgent.parse(rest)
    is_named = name in AGENTS or name in LEVELS
    if not is_named and all(map(str.isidentifier, [*name.split("."), *rest.split(".")])):
        return _imported(text)
    found: Any = AGENTS.get(name) or LEVELS.get(name) or _installed(name)
    if found is None:
        raise CasinoError(f"agent: {quoted(name)} is not an agent; the agents are {_NAMES}")
    known = {option.name: option for option in options_in(found)} if isinstance(found, type) else {}
    values: dict[str, Any] = {}
    for part in rest.split(",") if colon else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        problem = None
        if not known:
            problem = f"{name} has no options"
        elif not equals or key not in known:
            problem = f"{quoted(part)} is not one of the options of {name}: " + ", ".join(
                f"{option}={'name' if known[option].metadata['reads'] is str else 'number'}"
                for option in known
            )
        elif key in values:
            problem = f"{key} is given twice"
        if problem is not None:
            raise CasinoError(f"agent {quoted(text)}: {problem}")
        values[key] = _value(text, key, value, known[key].metadata)
    return found(**values) if values else as_agent(found)


def _installed(name: str) -> Any:
    """What an installed package offers as an agent of this name; None if there is none."""
    from importlib.metadata import entry_points  # which takes a moment to import

    for point in entry_points(group="casino_core.agents", name=name):
        try:
            return point.load()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise CasinoError(f"agent {quoted(name)}: {point.value} fails ({reason})") from error
    return None


def _value(text: str, key: str, value: str, option: Mapping[str, Any]) -> Any:
    """The value of an option."""
    kind: Kind[Any] = option["kind"]
    try:
        return kind.read(option["reads"](value))
    except (TypeError, ValueError, OverflowError):
        return kind(f"agent {quoted(text)}: {key}", value)  # refuses the text


# Parts of the agents that sample worlds


def _worlds(seen: Position, samples: int, rng: Stream) -> Iterable[World]:
    """All worlds if there are no more than `samples`, else that many at random."""
    unseen = Unseen(seen)
    if seen.rules.draw and seen.stock_count:
        return unseen.sample(rng, samples, order_stock=True)
    if unseen.is_settled:
        return unseen.sample(rng, 1)
    number = unseen.number()
    if number is not None and number <= samples:
        return iter(unseen.source_of_all(rng).take(number))
    return unseen.sample(rng, samples)


def _best_on_average(
    seen: Position, worlds: Iterable[World], values: Callable[[Position], list[float]]
) -> Move:
    """The move with the highest sum of values over the worlds; the first by text among equals."""
    moves = seen.legal_moves()
    if len(moves) == 1:
        return moves[0]
    sums = [0.0] * len(moves)
    for world in worlds:
        for index, value in enumerate(values(world.position)):
            sums[index] += value
    return moves[sums.index(max(sums))]


class _DealSearch:
    """Values of the moves in one world after the other, to the end of the deal.

    After a search has met its node limit, this world and later ones are searched less deep.
    """

    def __init__(self, seen: Position) -> None:
        rules = seen.rules
        plays = sum(hand.size for hand in seen.hands)
        self._context = SearchContext(_TABLE_MIB) if rules.sides == 2 else None
        if self._context is None:
            self._depths = [plays if plays <= _LAST_PLAYS else _COALITION_PLAYS]
        elif (rules.draw and seen.stock_count) or plays > _LONG_DEAL:
            self._depths = [_LONG_PLAYS]
        else:
            self._depths = [0]
        self._depths += [depth for depth in _LESS_DEEP if not 0 < self._depths[0] <= depth]
        most = _MOST_POINTS + rules.sweep * (plays + seen.stock_count)
        self._unit = max(1, min(_UNIT, _LARGEST_VALUE // most))

    def values(self, world: Position) -> list[float]:
        """Values of the moves, in points, in the order of `legal_moves()`."""
        if self._context is None:
            worth = coalition_values(world, self._depths[0])
            assert worth is not None  # there is no limit of time
            return [value / 100 for value in worth]
        while True:
            last = len(self._depths) == 1
            bounds = self._context.values(
                world,
                unit=self._unit,
                to_deal=True,
                horizon=self._depths[0],
                nodes=0 if last else _MOST_NODES,
                estimate="material",
            )
            if last or all(lower == upper for _, lower, upper in bounds):
                return [lower / self._unit for _, lower, _ in bounds]
            del self._depths[0]
