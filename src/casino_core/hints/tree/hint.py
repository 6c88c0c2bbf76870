"""The best play from what the player to move can see, by information-set tree search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from casino_core._arguments import CALLBACK, SEED, SWITCH, instance_of
from casino_core.evaluation.goal import Goal
from casino_core.game.position import Move, Position
from casino_core.hints.options import default_samples
from casino_core.hints.tree.search import TreeSearch
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["TreeAnswer", "TreeMove", "tree_hint"]


@dataclass(frozen=True, slots=True)
class TreeMove:
    """A legal move with its statistics in the tree.

    Attributes:
        move: the move.
        value: mean of the final points of the round, the mover's side minus the other side (with
            more than two sides: the best other side), estimated at the end of the deal; with a
            goal the chance to win the match.
        stderr: standard error of the value, as if rounds were independent.
        visits: number of rounds that began with the move or an equivalent one. If it is 0, for lack
            of time, the value comes from the careful score.
    """

    move: Move
    value: float
    stderr: float
    visits: int


@dataclass(frozen=True, slots=True)
class TreeAnswer:
    """The result of a tree search.

    Attributes:
        best: the most visited move.
        moves: every legal move, most visits first, then by value and text.
        iterations: number of rounds of the search.
    """

    best: Move
    moves: tuple[TreeMove, ...]
    iterations: int


def tree_hint(
    position: Position,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    seed: int = 0,
    open: bool = False,  # noqa: A002 - the name that a player uses: with open cards
    tree_mib: float = 16,
    hands: Sequence[tuple[Sequence[int], float]] | None = None,
    report: Callable[[int, Move, float], object] | None = None,
    goal: Goal | None = None,
) -> TreeAnswer:
    """The best play of the seat whose turn it is, by information-set tree search.

    Only what that seat can see is used. Works for any number of players and every rule set.

    Args:
        position: the hand of the seat to play is known.
        seconds: time limit; None for no limit but `iterations`.
        iterations: the most rounds; 20,000 if `seconds` is not given either. Each move is tried
            once, if the time allows.
        seed: 0 to 2**64 - 1; without `seconds` the answer is the same each time.
        open: use every card that the position shows, also cards that the seat cannot see.
        tree_mib: size of the tree in MiB.
        hands: hidden hands, as (masks of the hidden cards, one for each seat, and a weight); None
            for all hands that fit, equally likely.
        report: called now and then with the number of rounds, the most visited move and its value.
        goal: makes the values chances to win the match, instead of points.

    Raises:
        HiddenCardError: a card of the seat to play is not known.
        CasinoError: the round is finished, or a limit is not valid.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
        >>> answer = tree_hint(position, iterations=2000, seed=1)
        >>> str(answer.best)[:2], answer.iterations
        ('Qd', 2000)
    """
    instance_of(Position)("position", position)
    SWITCH("open", open)
    CALLBACK.if_given("report", report)
    if iterations is None and seconds is None:
        iterations = default_samples("mcts")
    search = TreeSearch(tree_mib, goal)
    found = search.run(
        position if open or position.is_over else position.view(position.turn),
        iterations=iterations,
        seconds=seconds,
        seed=Stream(SEED("seed", seed), Purpose.TREE).bits(),
        hands=hands,
        report=report,
    )
    moves = tuple(TreeMove(move, value, error, visits) for move, visits, value, error in found)
    return TreeAnswer(moves[0].move, moves, search.iterations)
