"""The options of a hint, in one table for Python, commands, engine, batches and agents.

The checks of `hint`, the command line, the fields of the engine, the limits of a batch and the
options of the agent `hint` are made from `OPTIONS`. A new option is a row of it, an argument of
`hint`, and the code that uses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

from casino_core._arguments import (
    CALLBACK,
    MIB,
    SAMPLES,
    SECONDS,
    SEED,
    SWITCH,
    THREADS,
    Kind,
    instance_of,
    one_of,
)
from casino_core._deprecation import warn_renamed
from casino_core.evaluation.match_score import TARGET, read_score
from casino_core.game.round import Round
from casino_core.hidden.facts import Belief, checked_history

__all__ = [
    "DEFAULT_ITERATIONS",
    "DEFAULT_SAMPLES",
    "DEFAULT_SECONDS",
    "METHODS",
    "OBJECTIVES",
    "OPTIONS",
    "Coverage",
    "Face",
    "Method",
    "Objective",
    "Option",
    "checked",
    "default_samples",
    "options_of",
    "untimed",
]

#: Worlds that a hint looks at when neither samples nor seconds are given.
DEFAULT_SAMPLES: Final = 100

#: Rounds that a tree search plays when neither samples nor seconds are given.
DEFAULT_ITERATIONS: Final = 20_000

#: Seconds that a hint takes at most when neither samples nor seconds are given.
DEFAULT_SECONDS: Final = 2.0

#: Methods of `hint`.
Method: TypeAlias = Literal["auto", "blend", "response", "playouts", "pimc", "mcts"]
METHODS: Final[tuple[str, ...]] = get_args(Method)

#: The method that found a hint; `exact` if nothing is hidden.
MethodUsed: TypeAlias = Literal["exact", "blend", "response", "playouts", "pimc", "mcts"]

#: The worlds that a hint has searched.
Coverage: TypeAlias = Literal["deal", "worlds", "samples", "tree"]

#: What a hint plays for.
Objective: TypeAlias = Literal["points", "match"]
OBJECTIVES: Final[tuple[str, ...]] = get_args(Objective)

#: Where an option can be given.
Face: TypeAlias = Literal["python", "command", "engine", "batch", "agent"]

#: Former names of methods, which are accepted for one more version.
_OLD_METHODS: Final = MappingProxyType({"expectimax": "pimc"})

_EVERYWHERE: Final[frozenset[Face]] = frozenset(get_args(Face))
_NO_AGENT: Final = _EVERYWHERE - {"agent"}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a hint.

    Attributes:
        name: the argument of `hint`.
        kind: its values in Python.
        help: what it does, a sentence.
        default: its default; None if there is none.
        default_help: the default in words, if the value alone is not clear.
        faces: where it can be given.
        short: its name on the command line and in the engine, if it differs from `name`.
        reads: converts text to a value, for the command line and agents.
        metavar: the value as the help of the command line names it.
        words: its values, if they are a few words.
        json: its values in a request to the engine, if they differ from those of `kind`.
        batch: its values for a batch, if they differ from those of `kind`.
    """

    name: str
    kind: Kind[Any]
    help: str
    default: Any = None
    default_help: str | None = None
    faces: frozenset[Face] = _EVERYWHERE
    short: str | None = None
    reads: type[int] | type[float] | type[str] | type[bool] = str
    metavar: str | None = None
    words: tuple[str, ...] = ()
    json: Kind[Any] | None = None
    batch: Kind[Any] | None = None

    @property
    def public(self) -> str:
        """Its name on the command line, without the dashes, and in the engine."""
        return self.short or self.name.replace("_", "-")

    @property
    def field(self) -> str:
        """Its name in a request to the engine."""
        return self.short or self.name

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return f"--{self.public}"

    @property
    def json_kind(self) -> Kind[Any]:
        """Its values in a request to the engine."""
        return self.json or self.kind


def _method(value: Any) -> str:
    """A name of a method, an old one with a warning."""
    if isinstance(value, str) and value in _OLD_METHODS:
        new = _OLD_METHODS[value]
        warn_renamed(f"method {value}", new, stacklevel=_CALLER_OF_HINT)
        return new
    return _KNOWN_METHOD.read(value)


#: Frames from `_method` to the caller of `hint`: `Kind`, `checked`, `hint` lie between.
_CALLER_OF_HINT: Final = 4
_KNOWN_METHOD: Final = one_of(METHODS)


def _belief(value: Any) -> Belief:
    if isinstance(value, Belief):
        return value
    if not isinstance(value, str):
        raise TypeError
    return Belief.parse(value)


def _belief_text(value: Any) -> Belief:
    if not isinstance(value, str):
        raise TypeError
    return Belief.parse(value)


def _history(value: Any) -> Any:
    checked_history(value)
    return value


_HISTORY_SCHEMA: Final = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "array",
            "items": {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 2,
                "maxItems": 2,
            },
        },
    ]
}


def _history_of_text(value: Any) -> str | list[list[str]]:
    """Plays as JSON has them: the text of a round, or lists of a position and a move as text."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise TypeError
    for play in value:
        if not (isinstance(play, list) and [*map(type, play)] == [str, str]):
            raise TypeError
    return value


_SCORE_SCHEMA: Final = {
    "anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
    ]
}


def _score(value: Any) -> str:
    return "{}/{}".format(*read_score(value))  # which raises an error of its own


#: Every option, in the order in which help and documents list them.
OPTIONS: Final[tuple[Option, ...]] = (
    Option(
        "seconds",
        SECONDS,
        "Longest time to think.",
        default_help=f"{DEFAULT_SECONDS:g} unless --samples is given",
        reads=float,
        metavar="SECONDS",
    ),
    Option(
        "samples",
        SAMPLES,
        "Most worlds to look at; with mcts, most rounds of the search.",
        default_help=(
            f"{DEFAULT_SAMPLES}, or {DEFAULT_ITERATIONS} with mcts, unless --seconds is given"
        ),
        reads=int,
        metavar="NUMBER",
    ),
    Option(
        "seed",
        SEED,
        "Seed of the sampling.",
        default=0,
        faces=_NO_AGENT,
        reads=int,
        metavar="NUMBER",
    ),
    Option(
        "method",
        Kind(_KNOWN_METHOD.meaning, _method, _KNOWN_METHOD.schema),
        "How the worlds are searched.",
        default="auto",
        metavar=f"[{'|'.join(METHODS)}]",
        words=METHODS,
    ),
    Option(
        "belief",
        Kind("a Belief or its text", _belief),
        "What hidden hands may hold, as 'b:holds=9,Td lacks=A'.",
        faces=_NO_AGENT,
        metavar="TEXT",
        json=Kind("a text such as b:holds=9 lacks=A", _belief_text, {"type": "string"}),
    ),
    Option(
        "history",
        Kind("a list of plays", _history),
        "The plays of this deal that led to the position; hands are weighed by them.",
        faces=_NO_AGENT,
        metavar="GAME",
        batch=instance_of(Round),
        json=Kind(
            "a list of plays, each a list of a position and a move, or the text of a round",
            _history_of_text,
            _HISTORY_SCHEMA,
        ),
    ),
    Option(
        "open",
        SWITCH,
        "Let the mover see every card that the position shows.",
        default=False,
        faces=_NO_AGENT,
        reads=bool,
        json=Kind("true or false", SWITCH.read, SWITCH.schema),
    ),
    Option(
        "table_mib",
        MIB,
        "Size of the transposition table in MiB.",
        default_help="to fit the deal",
        faces=_NO_AGENT,
        short="table",
        reads=float,
        metavar="MIB",
    ),
    Option(
        "threads",
        THREADS,
        "How many threads work; the answer does not depend on it.",
        default=1,
        faces=frozenset({"python", "command", "engine"}),
        reads=int,
        metavar="NUMBER",
    ),
    Option(
        "measure_all",
        SWITCH,
        "Measure all moves alike, instead of dropping those that are clearly worse.",
        default=False,
        faces=_NO_AGENT,
        reads=bool,
        json=Kind("true or false", SWITCH.read, SWITCH.schema),
    ),
    Option(
        "objective",
        one_of(OBJECTIVES),
        "What to play for: the points of the round, or the win of the match.",
        default="points",
        metavar=f"[{'|'.join(OBJECTIVES)}]",
        words=OBJECTIVES,
    ),
    Option(
        "score",
        Kind("the points of both sides before the round, such as 18/20", _score, _SCORE_SCHEMA),
        "Score of the match before the round, that of side a first; for --objective match.",
        default_help="that of the position",
        faces=_NO_AGENT,
        metavar="A/B",
    ),
    Option(
        "target",
        TARGET,
        "Points that win the match; for --objective match.",
        default_help="that of the rules",
        faces=_NO_AGENT,
        reads=int,
        metavar="POINTS",
    ),
    Option(
        "progress",
        CALLBACK,
        "A function that is called with the answer so far; True from it ends the hint.",
        faces=frozenset({"python"}),
    ),
)


def options_of(face: Face) -> tuple[Option, ...]:
    """The options that can be given in one place.

    Args:
        face: the place.

    Example:
        >>> [option.name for option in options_of("agent")]
        ['seconds', 'samples', 'method', 'objective']
    """
    return tuple(option for option in OPTIONS if face in option.faces)


def checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Checks the options among the arguments of a call.

    Args:
        given: values by name; names that are no option are passed over.

    Returns:
        The value of each option, None where it has no default and is not given.

    Raises:
        CasinoError: a value that an option does not have.

    Example:
        >>> found = checked({"seconds": 2, "position": "any"})
        >>> found["seconds"], found["seed"], found["method"], found["samples"]
        (2.0, 0, 'auto', None)
    """
    found: dict[str, Any] = {}
    for option in OPTIONS:
        value = given.get(option.name, option.default)
        is_left_out = value is None and option.default is None
        found[option.name] = None if is_left_out else option.kind(option.name, value)
    return found


def default_samples(method: str) -> int:
    """The number of samples of a hint that is given neither samples nor seconds.

    Args:
        method: how worlds are searched.

    Example:
        >>> default_samples("auto"), default_samples("mcts")
        (100, 20000)
    """
    return DEFAULT_ITERATIONS if method == "mcts" else DEFAULT_SAMPLES


def untimed(given: Mapping[str, Any]) -> dict[str, Any]:
    """Options with the default number of samples instead of the default time.

    A batch and the agents take them, as their answers are the same on every machine.

    Args:
        given: options by name, None where they are left out.

    Returns:
        The options, with `samples` where neither samples nor seconds are given.

    Example:
        >>> untimed({"method": "pimc"}), untimed({"seconds": 1.0})
        ({'method': 'pimc', 'samples': 100}, {'seconds': 1.0})
    """
    found = dict(given)
    if found.get("seconds") is None and found.get("samples") is None:
        found["samples"] = default_samples(found.get("method", "auto"))
    return found
