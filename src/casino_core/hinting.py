"""The best play from what the player to move can see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from time import perf_counter

import numpy as np

from casino_core.averaging import Averages, chances_of_means
from casino_core.belief import Belief
from casino_core.cards import CARD_NAMES
from casino_core.checking import (
    CALLBACK,
    MIB,
    SAMPLES,
    SECONDS,
    SEED,
    SWITCH,
    THREADS,
    instance_of,
    one_of,
    shown,
)
from casino_core.core.position import Move, Position
from casino_core.core.solving import SearchContext
from casino_core.errors import CasinoError
from casino_core.evaluating import TooLargeError, world_search
from casino_core.explaining import reasons_for
from casino_core.inference import Beliefs
from casino_core.solving import plays_left, table_for
from casino_core.tree_hint import tree_hint
from casino_core.worlds import Unseen, World

__all__ = ["METHODS", "Hint", "HintMove", "hint"]

#: How worlds are searched, as `hint` takes it.
METHODS = ("auto", "response", "expectimax", "mcts")

#: Worlds that a hint looks at when neither samples nor seconds are given.
DEFAULT_SAMPLES = 100

_EXACT_PLAYS = 16  # known plays up to which a search goes to the end of the round
_MOST_WORLDS = 1000  # ways to hold the cards up to which all are looked at
_TREE_HANDS = 4000  # drawn for a tree search where they are too many to list
_EXACT_SHARE = 0.6  # of the time, for a search to the end of the round


@dataclass(frozen=True, slots=True)
class HintMove:
    """A legal move and what it is worth.

    Attributes:
        move: the move.
        value: expected final points of the round, the mover's side minus the other (with more
            than two sides: the best other).
        stderr: standard error of the value from sampling; 0 where nothing was sampled.
        chance: probability that no other move is better, as far as sampling can tell.
    """

    move: Move
    value: float
    stderr: float
    chance: float


@dataclass(frozen=True, slots=True)
class Hint:
    """The best play, and what every other one is worth.

    Attributes:
        best: the best move.
        moves: every legal move, best first, ties by text.
        method: `exact` (solved to the end of the round), `deal` (nothing is hidden but the
            stock, or the budget is too small for `exact`), `worlds` (all possible hands),
            `samples` (some of them) or `tree` (rounds of a tree search).
        search: how worlds were searched: `solver` (to the end of the round), `response`,
            `expectimax` or `mcts`, as in `hint`.
        exact: whether nothing was sampled or estimated.
        samples: worlds looked at.
        seconds: time that it took.
        holds: per seat whose cards are hidden, the probability that it holds each card.
        reasons: what the best move does and what it risks, in words.
    """

    best: Move
    moves: tuple[HintMove, ...]
    method: str
    search: str
    exact: bool
    samples: int
    seconds: float
    holds: dict[str, dict[str, float]]
    reasons: tuple[str, ...]


def hint(
    position: Position,
    *,
    seconds: float | None = None,
    samples: int | None = None,
    seed: int = 0,
    method: str = "auto",
    belief: Belief | str | None = None,
    history: Sequence[tuple[Position, Move | str]] | None = None,
    open: bool = False,  # noqa: A002 - the name that a player uses: with open cards
    table_mib: float | None = None,
    threads: int = 1,
    progress: Callable[[Hint], object] | None = None,
) -> Hint:
    """The best play of the seat whose turn it is.

    Only what that seat can see is used: its own hand, the table, the captured cards. In the
    last deal of two players the other hand is what is left, and values are exact. Before that,
    hands that fit are sampled (all of them where one hand is hidden and the samples suffice), the
    deal is played to its end in each, and the values are averaged. A move that is worse than
    the best one beyond doubt is looked at no longer, and a single one left ends the search.

    Args:
        position: the hand of the seat to play is known.
        seconds: longest time; None for no limit but `samples`.
        samples: most worlds to look at; 100 when `seconds` is not given either. With `mcts`,
            rounds of its search; 20,000.
        seed: of the sampling, 0 to 2**64 - 1; with `samples` alone the answer is the same each
            time.
        method: how worlds are searched where the answer is not exact. `response`: the others
            play carefully, each by what it sees, and the mover answers best over all worlds that
            he cannot tell apart. `expectimax`: each world with open cards. `mcts`: tree search
            over information sets. `auto` takes the strongest for the rules.
        belief: what is known or suspected about hidden hands, as text or `Belief`.
        history: the plays of this deal so far, each with the position before it as the seat now
            to play saw it: whoever played something that was not legal with a card lacks it, and
            what a sensible player would have played tells which hands are likely.
        open: use every card that the position shows, hidden from the seat or not.
        table_mib: size of the transposition table in MiB, None to fit it to the deal.
        threads: how many threads look at worlds; the answer does not depend on it.
        progress: called with the answer so far, now and then, while worlds are looked at. True
            from it ends the hint as if the time were up; what it raises ends it too.

    Raises:
        HiddenCardError: a card of the seat to play is not known.
        CasinoError: the round is finished; a budget, method or belief that is none; facts that
            clash.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
        >>> answer = hint(position, samples=20, seed=1)
        >>> str(answer.best)[:2], answer.method, answer.exact, answer.samples
        ('Qd', 'samples', False, 20)
    """
    start = perf_counter()
    seconds, samples = SECONDS.if_given("seconds", seconds), SAMPLES.if_given("samples", samples)
    seed, threads = SEED("seed", seed), THREADS("threads", threads)
    table_mib = MIB.if_given("table_mib", table_mib)
    _check(position, method, belief, history, open, progress)
    seen = position if open else position.view(position.turn)
    deadline = None if seconds is None else start + seconds
    if isinstance(belief, str):
        belief = Belief.parse(belief)
    plays = [(before.view(seen.turn), move) for before, move in history or ()]
    beliefs = Beliefs(seen, belief, plays) if belief or plays else None
    unseen = Unseen(seen, beliefs)
    kind, worlds = _worlds(seen, unseen, samples, seconds, seed, weighed=beliefs is not None)
    if kind == "exact":
        world = next(iter(worlds))
        found = _exact(world, start, deadline, table_mib)
        if found is not None:
            return found
        kind, worlds = "deal", [world]
    search = _search(seen, method)
    if search == "mcts":
        return _by_tree(seen, beliefs, start, seconds, samples, seed, progress)
    totals = _Totals(seen, kind, search, worlds, seed, start)
    try:
        _average(totals, seen, worlds, table_mib, threads, seconds, deadline, progress)
    except TooLargeError:
        totals = _Totals(seen, kind, "expectimax", worlds, seed, start)
        worlds = _worlds(seen, unseen, samples, seconds, seed, weighed=beliefs is not None)[1]
        _average(totals, seen, worlds, table_mib, threads, seconds, deadline, progress)
    return totals.answer()


def _search(seen: Position, method: str) -> str:
    """How worlds are searched.

    Answers are not searched where each player draws a card, nor where captured cards are not
    remembered: worlds that the mover cannot tell apart would then have scores of their own.
    """
    draws = seen.rules.draw and seen.stock_count > 0
    forgotten = any(pile.hidden for pile in seen.piles)
    if method == "response" and forgotten:
        raise CasinoError(
            "hint: method response needs every captured card; take expectimax or mcts"
        )
    if method == "response" and draws:
        raise CasinoError("hint: method response is not for draw casino; take expectimax or mcts")
    if method != "auto":
        return method
    return "expectimax" if draws or forgotten else "response"


def _average(
    totals: _Totals,
    seen: Position,
    worlds: Iterable[World],
    table_mib: float | None,
    threads: int,
    seconds: float | None,
    deadline: float | None,
    progress: Callable[[Hint], object] | None,
) -> None:
    """Look at worlds until they or the time end, at one in any case."""
    with world_search(seen, totals.search, table_mib, threads, seconds) as search:
        totals.begin(search.rows)
        source = iter(worlds)
        together, most = search.lots
        while chosen := list(islice(source, together)):
            values = search.evaluate(chosen, totals.wanted, deadline, least=not totals.count)
            totals.add(chosen, values)
            if len(values) < len(chosen) or totals.is_settled:
                return
            if deadline is not None and perf_counter() >= deadline:
                return
            if progress is not None and progress(totals.answer()) is True:
                return
            together = min(2 * together, most)


def _by_tree(
    seen: Position,
    beliefs: Beliefs | None,
    start: float,
    seconds: float | None,
    rounds: int | None,
    seed: int,
    progress: Callable[[Hint], object] | None,
) -> Hint:
    """The hint of a tree search."""
    hands = None
    held: dict[str, dict[str, float]] = {}
    if any(hand.hidden for hand in seen.hands):
        beliefs = beliefs or Beliefs(seen)
        held = beliefs.marginals()
        hands = beliefs.all() or [(masks, 1.0) for masks in beliefs.sample(_TREE_HANDS, seed)]

    def report(rounds: int, move: Move, value: float) -> object:
        """Tell of the move in the lead; how sure it is, a tree does not know before its end."""
        assert progress is not None
        news = (HintMove(move, value, 0.0, 0.0),)
        taken = perf_counter() - start
        return progress(Hint(move, news, "tree", "mcts", False, rounds, taken, held, ()))

    left = None if seconds is None else max(seconds - (perf_counter() - start), 0.001)
    found = tree_hint(
        seen,
        seconds=left,
        iterations=rounds,
        seed=seed,
        open=True,
        hands=hands,
        report=None if progress is None else report,
    )
    chances = chances_of_means(
        np.array([item.value for item in found.moves]),
        np.array([item.stderr for item in found.moves]),
        seed,
    )
    moves = [
        HintMove(item.move, item.value, item.stderr, float(chance))
        for item, chance in zip(found.moves, chances, strict=True)
    ]
    taken = perf_counter() - start
    reasons = reasons_for(seen, found.best, held)
    rounds = found.iterations
    return Hint(found.best, tuple(moves), "tree", "mcts", False, rounds, taken, held, reasons)


def _check(
    position: object,
    method: object,
    belief: object,
    history: object,
    cards_open: object,
    progress: object,
) -> None:
    """Refuse what is not of its kind."""
    if instance_of(Position)("position", position).is_over:
        raise CasinoError("the round is finished, so there is no play to advise")
    one_of(METHODS)("method", method)
    if belief is not None and not isinstance(belief, str | Belief):
        raise CasinoError(f"belief is a Belief or its text, not {shown(belief)}")
    plays = () if history is None else history
    if not isinstance(plays, Sequence) or isinstance(plays, str | bytes):
        raise CasinoError(f"history is a list of plays, not {shown(plays)}")
    for number, play in enumerate(plays, 1):
        if not (
            isinstance(play, tuple | list)
            and len(play) == 2
            and isinstance(play[0], Position)
            and isinstance(play[1], str | Move)
        ):
            raise CasinoError(
                f"history: play {number} is a Position and the move made in it, not {shown(play)}"
            )
    SWITCH("open", cards_open)
    CALLBACK.if_given("progress", progress)


def _worlds(
    seen: Position,
    unseen: Unseen,
    samples: int | None,
    seconds: float | None,
    seed: int,
    *,
    weighed: bool,
) -> tuple[str, Iterable[World]]:
    """How the question is answered, and the worlds that it takes.

    Where hands are not equally likely, they are sampled though they be few.
    """
    if samples is None:
        samples = DEFAULT_SAMPLES if seconds is None else 1_000_000
    two_sides = seen.rules.sides == 2
    if unseen.is_settled:
        short = plays_left(seen) <= _EXACT_PLAYS
        known = seen.stock_count == 0 or (seen.stock is not None and short)
        method = "exact" if known and two_sides else "deal"
        if not (seen.rules.draw and seen.stock_count and seen.stock is None):
            return method, [unseen.only()]
    number = unseen.number()
    few = number is not None and number <= min(samples, _MOST_WORLDS)
    if few and not weighed and not seen.rules.draw:
        every = list(unseen.all())
        Random(seed).shuffle(every)  # those that the time leaves are drawn at random
        return "worlds", every
    order = seen.rules.draw and seen.stock_count > 0
    return "samples", unseen.sample(Random(seed), samples, order_stock=order)


def _exact(
    world: World, start: float, deadline: float | None, table_mib: float | None
) -> Hint | None:
    """The exact answer where nothing is hidden, if the time suffices."""
    position = world.position
    context = SearchContext(table_for(position) if table_mib is None else table_mib)
    left = None
    if deadline is not None:
        left = max(_EXACT_SHARE * (deadline - perf_counter()), 0.001)
    bounds = context.values(position, seconds=left)
    if any(lower != upper for _, lower, upper in bounds):
        return None
    best = max(lower for _, lower, _ in bounds)
    moves = [
        HintMove(move, float(lower), 0.0, 1.0 if lower == best else 0.0)
        for move, lower, _ in bounds
    ]
    moves.sort(key=lambda item: (-item.value, str(item.move)))
    holds = _Held(world.seen)
    holds.add([world])
    taken = perf_counter() - start
    held = holds.shares()
    reasons = reasons_for(world.seen, moves[0].move, held)
    first = moves[0].move
    return Hint(first, tuple(moves), "exact", "solver", True, 1, taken, held, reasons)


class _Held:
    """How often each hidden card was in each hand."""

    def __init__(self, seen: Position) -> None:
        self._seats = seen.rules.seats
        self._held = [[0] * len(CARD_NAMES) for _ in self._seats]
        self._count = 0

    def add(self, worlds: list[World]) -> None:
        self._count += len(worlds)
        for world in worlds:
            for held, hidden in zip(self._held, world.hidden, strict=True):
                mask = hidden
                while mask:
                    low = mask & -mask
                    held[low.bit_length() - 1] += 1
                    mask ^= low

    def shares(self) -> dict[str, dict[str, float]]:
        """Share of the worlds in which a seat holds a card, for seats not all seen."""
        return {
            seat: {
                CARD_NAMES[card]: count / self._count for card, count in enumerate(held) if count
            }
            for seat, held in zip(self._seats, self._held, strict=True)
            if any(held)
        }


class _Totals:
    """What has been found over the worlds so far."""

    def __init__(
        self,
        seen: Position,
        method: str,
        search: str,
        worlds: Iterable[World],
        seed: int,
        start: float,
    ) -> None:
        self.search = search
        self._seen = seen
        self._moves = seen.legal_moves()
        self._method = method
        self._all = len(worlds) if isinstance(worlds, list) else None
        self._seed = seed
        self._start = start
        self._held = _Held(seen)
        self._rows: list[int] = []
        self._averages = Averages(0)

    def begin(self, rows: list[int]) -> None:
        """Take note of the row of values of each move."""
        self._rows = rows
        self._averages = Averages(max(rows) + 1)

    @property
    def count(self) -> int:
        """Worlds looked at."""
        return self._averages.count

    @property
    def wanted(self) -> bytes:
        """For each row, whether it is to be valued further."""
        return self._averages.contenders.astype(np.uint8).tobytes()

    @property
    def is_settled(self) -> bool:
        """Whether one move is the best beyond doubt."""
        return self._method == "samples" and int(self._averages.contenders.sum()) == 1

    def add(self, worlds: list[World], values: np.ndarray) -> None:
        self._averages.add(values)
        self._held.add(worlds[: len(values)])
        if self._method == "samples":
            self._averages.narrow()

    def answer(self) -> Hint:
        """The hint by what has been found."""
        method = self._method
        if self._all is not None and self.count < self._all:
            method = "samples"  # the time was up before all had been looked at
        means = self._averages.means()
        if method == "samples":
            errors = self._averages.errors()
            chances = self._averages.chances(self._seed)
        else:
            errors = np.zeros(len(means))
            chances = (means >= means.max() - 1e-9).astype(float)
        moves = [
            HintMove(move, float(means[row]), float(errors[row]), float(chances[row]))
            for move, row in zip(self._moves, self._rows, strict=True)
        ]
        moves.sort(key=lambda item: (-item.value, str(item.move)))
        taken = perf_counter() - self._start
        holds = self._held.shares()
        return Hint(
            moves[0].move,
            tuple(moves),
            method,
            self.search,
            False,
            self.count,
            taken,
            holds,
            reasons_for(self._seen, moves[0].move, holds),
        )
