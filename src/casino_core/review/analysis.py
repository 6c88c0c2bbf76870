"""The cost of each play of a record in hindsight: exact values before and after it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from casino_core._arguments import CALLBACK, MIB, NODES, SECONDS, shown, whole
from casino_core.errors import CasinoError, SearchLimitError
from casino_core.formats.reading import read_round
from casino_core.game.position import Move, Position
from casino_core.game.round import Round
from casino_core.search.solver import Solver, plays_left, table_for

__all__ = [
    "Found",
    "PlayRecord",
    "ReviewedPlay",
    "analyse_play",
    "read_play",
    "reviewed",
    "round_of",
    "values_back",
]


#: By default, positions with at most this many plays left are solved: the last three deals of two
#: players, which take some hundredths of a second each.
LATEST = 24
#: The default with more than two sides, whose exact search takes longer.
LATEST_OF_MANY = 8

#: A best move (None at the end of the round), and the lead of each side over the best other side.
_Found = tuple[Move | None, tuple[int, ...]]

#: The result of a search, or the reason why there is none.
Found: TypeAlias = _Found | str

_PLAYS = whole(0, 2**63 - 1)


class PlayRecord(NamedTuple):
    """A position and the plays made from it.

    Attributes:
        start: the first position.
        moves: the plays, in order.
    """

    start: Position
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class ReviewedPlay:
    """A play and its cost in hindsight.

    Values are final points of the round, the mover's side minus the other (with more than two
    sides: the best other), with best play of all from there on, as `Solver` finds them.

    Attributes:
        position: the position before the play.
        move: the play.
        before: value before the play, None if it is not known.
        after: value after it for the same side, None if it is not known.
        best: a best move, the play itself if no move is better; None if it is not known.
        cost: points that the play gave away, 0 or more; None if a value is missing.
        reason: the reason why a value is missing, else None. "early": more plays are left than
            the limit `plays`; "hidden": a card is not known; "stock": the order of the stock
            is not known; "limit": a limit was reached.
    """

    position: Position
    move: Move
    before: int | None
    after: int | None
    best: Move | None
    cost: int | None
    reason: str | None


def read_play(text: str | bytes) -> PlayRecord:
    """Reads a record: a position line, then the plays made from it.

    Args:
        text: a position line, then moves with blanks or line ends between; blank lines and lines
            that begin with `#` before it are ignored. A saved game of another program is a
            position without plays.

    Raises:
        NotationError: there is no position line, or a word is not a move.
        IllegalMoveError: a move is not legal in its position.

    Example:
        >>> start = Position.start(seed=1)
        >>> first = start.legal_moves()[0]
        >>> read_play(f"{start}\\n# the first play\\n{first}").moves == (first,)
        True
    """
    played = read_round(text)
    return PlayRecord(played.start, played.plays)


def analyse_play(
    record: PlayRecord | Round | str,
    *,
    plays: int | None = None,
    nodes: int = 0,
    seconds: float | None = None,
    table_mib: float | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> tuple[ReviewedPlay, ...]:
    """The exact values before and after each play of a record, as far as they are known.

    The positions are solved from the last to the first with one solver, so that its table already
    holds the positions after each.

    Args:
        record: a `PlayRecord`, a `Round`, or text that `read_play` reads.
        plays: positions with more plays left than this are not solved; None for 24, or 8 with
            more than two sides. A whole round of two players has 48; its first positions may take
            minutes.
        nodes: most positions to search for one value, 0 for no limit.
        seconds: longest time for one value, None for no limit.
        table_mib: size of the transposition table in MiB, None to fit it to the record.
        on_progress: called after each position with the numbers of positions done and of all.

    Raises:
        CasinoError: text that is not a record, an illegal play, or a limit below 0.

    Example:
        >>> game = (
        ...     "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
        ...     "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a\\n"
        ...     "Kc Jc Jh Kh"
        ... )
        >>> [item.cost for item in analyse_play(game)]
        [0, 0, 0, 6]
    """
    plays, nodes = _PLAYS.if_given("plays", plays), NODES("nodes", nodes)
    seconds, table_mib = SECONDS.if_given("seconds", seconds), MIB.if_given("table_mib", table_mib)
    CALLBACK.if_given("on_progress", on_progress)
    played = round_of(record)
    found: dict[int, Found] = {}
    for number, value in values_back(played, plays, nodes, seconds, table_mib):
        found[number] = value
        if on_progress is not None:
            on_progress(len(found), len(played.plays) + 1)
    return tuple(reviewed(played, found))


def values_back(
    played: Round,
    plays: int | None = None,
    nodes: int = 0,
    seconds: float | None = None,
    table_mib: float | None = None,
    known: Container[int] = (),
) -> Iterator[tuple[int, Found]]:
    """Solve each position of a round, the last position first.

    Args:
        played: the round.
        plays: most plays left, as for `analyse_play`.
        nodes: most positions to search for one value, 0 for no limit.
        seconds: longest time for one value, None for no limit.
        table_mib: size of the transposition table in MiB, None to fit it to the record.
        known: numbers, from 0, of positions to skip.
    """
    positions = played.positions
    if plays is None:
        plays = LATEST if played.start.rules.sides == 2 else LATEST_OF_MANY
    wanted = [position for position in positions if plays_left(position) <= plays]
    largest = max(wanted, key=plays_left, default=positions[-1])
    solver = Solver(table_for(largest) if table_mib is None else table_mib)
    for number in reversed(range(len(positions))):
        if number not in known:
            yield number, _value(solver, positions[number], plays, nodes, seconds)


def reviewed(played: Round, found: Mapping[int, Found]) -> Iterator[ReviewedPlay]:
    """Each play of a round with the values around it.

    Args:
        played: the round.
        found: the result for each position, by number from 0.
    """
    positions = played.positions
    for number, move in enumerate(played.plays):
        yield _reviewed(positions[number], move, found[number], found[number + 1])


def round_of(record: PlayRecord | Round | str | bytes) -> Round:
    """The round of a record, with every play checked.

    Args:
        record: as `analyse_play` takes it.

    Raises:
        CasinoError: it is not a record, or a play is not legal.
    """
    if isinstance(record, Round):
        return record
    if isinstance(record, str | bytes):
        return read_round(record)
    if not isinstance(record, PlayRecord):
        raise CasinoError(f"record is a Round, a PlayRecord or its text, not {shown(record)}")
    return Round(record.start, record.moves)


def _value(
    solver: Solver, position: Position, plays: int, nodes: int, seconds: float | None
) -> _Found | str:
    """Solve a position; return the reason if that is not possible."""
    if any(hand.hidden for hand in (*position.hands, *position.piles)):
        return "hidden"
    if position.stock is None and position.stock_count:
        return "stock"
    if plays_left(position) > plays:
        return "early"
    try:
        value, leads = solver.value_and_leads(position, nodes=nodes, seconds=seconds)
    except SearchLimitError:  # of more than two sides
        return "limit"
    return "limit" if leads is None else (value.best, leads)


def _reviewed(position: Position, move: Move, old: _Found | str, new: _Found | str) -> ReviewedPlay:
    """A play with the values around it, both for the side that made it."""
    reason: str | None = None
    value_before = value_after = cost = best = None
    side = position.rules.side_of(position.rules.seats.index(position.turn))
    if isinstance(new, str):
        reason = new
    else:
        value_after = new[1][side]
    if isinstance(old, str):
        reason = old
    else:
        best, value_before = old[0], old[1][side]
    if value_before is not None and value_after is not None:
        cost = value_before - value_after
        if cost == 0:
            best = move
    return ReviewedPlay(position, move, value_before, value_after, best, cost, reason)
