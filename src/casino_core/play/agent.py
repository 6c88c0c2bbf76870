"""What an agent is, and what it knows at its turn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from casino_core.errors import AgentError, CasinoError, TooManyMovesError
from casino_core.game.position import Move, Position
from casino_core.rules.streams import Stream

__all__ = ["Agent", "Turn", "blamed", "moves_or_some", "options_in", "path_of"]


@dataclass(frozen=True, slots=True)
class Turn:
    """What an agent knows at its turn.

    Attributes:
        position: the position as the seat to play sees it (`Position.view`); for agents that see
            all, with the other hands open and the order of the stock unknown.
        plays: the plays of this deal so far, each with the position as this seat saw it.
        rng: the random stream of this play, a `Stream` of its own: `rng.below(6)`,
            `rng.random()`, `rng.choice(moves)`, `rng.shuffle(cards)`, and `rng.bits()` for a seed.
        stop: asked now and then by an agent that thinks for long: once it returns True, the best
            move so far will do. None if nobody stops it.
    """

    position: Position
    plays: tuple[tuple[Position, Move], ...]
    rng: Stream
    stop: Callable[[], bool] | None = field(default=None, compare=False)

    @property
    def progress(self) -> Callable[[object], bool] | None:
        """The `progress` of a hint that `stop` ends; None if nobody stops it."""
        stop = self.stop
        return None if stop is None else lambda _: stop()


class Agent(ABC):
    """A player. Agents keep nothing from one play to the next; all they know is in the turn.

    Attributes:
        name: the name in texts.
        sees_all: whether it sees the other hands.

    Example:
        >>> from casino_core.play.agents import parse_agent
        >>> agent = parse_agent("pimc:samples=40")
        >>> str(agent), agent.sees_all
        ('pimc:samples=40', False)
    """

    __slots__ = ()

    name: ClassVar[str]
    sees_all: ClassVar[bool] = False

    @abstractmethod
    def choose(self, turn: Turn) -> Move:
        """The move that the agent plays.

        Args:
            turn: what the agent sees; the round is not finished.
        """

    def __str__(self) -> str:
        """The text that names the agent, with the options that differ from the default."""
        if not hasattr(self, "name"):
            return path_of(type(self))
        given = [
            f"{option.name}={getattr(self, option.name):g}"
            if option.metadata["reads"] is float
            else f"{option.name}={getattr(self, option.name)}"
            for option in options_in(type(self))
            if getattr(self, option.name) != option.default
        ]
        return f"{self.name}:{','.join(given)}" if given else self.name


@contextmanager
def blamed(agent: Agent, turn: Turn, place: str = "") -> Iterator[None]:
    """Name the agent in the error of a play that it does not make, or that is not legal.

    Args:
        agent: the agent.
        turn: what it sees.
        place: which play that is, in words.

    Raises:
        AgentError: in the place of another exception.
    """
    try:
        yield
        return
    except CasinoError as error:
        reason, cause = str(error), error.__cause__
    except Exception as error:  # of an agent, which may be anybody's
        reason, cause = f"{type(error).__name__}: {error}", error
    who = f"{place}agent {agent}, seat {turn.position.turn}"
    raise AgentError(f"{who}: {' '.join(reason.split())}") from cause


def moves_or_some(position: Position) -> list[Move]:
    """The legal moves; on very crowded tables, where they cannot be listed, some of each kind.

    Args:
        position: the position, not finished.

    Example:
        >>> [str(move) for move in moves_or_some(Position.parse("table=Kc hands=Kd9h/?? out=-"))]
        ['9h', 'Kd', 'KdxKc']
    """
    try:
        return position.legal_moves()
    except TooManyMovesError:
        return position.some_legal_moves()


def path_of(named: Any) -> str:
    """Where a class or function is found, as texts of agents have it."""
    return f"{named.__module__}:{named.__qualname__}"


def options_in(kind: type[Agent]) -> tuple[Any, ...]:
    """The dataclass fields of an agent that a text can set."""
    try:
        return tuple(option for option in fields(kind) if "kind" in option.metadata)  # type: ignore[arg-type]
    except TypeError:  # a user's own agent that is not a dataclass
        return ()
