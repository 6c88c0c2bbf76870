"""The best play from what the player to move can see."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from casino_core._arguments import instance_of
from casino_core.errors import CasinoError, TooManyMovesError
from casino_core.game.position import Move, Position
from casino_core.game.round import Round, position_and_plays
from casino_core.hidden.facts import Belief
from casino_core.hidden.posterior import Beliefs, named_shares
from casino_core.hidden.worlds import Source, Unseen, Worlds
from casino_core.hints.averages import chances_of_means
from casino_core.hints.methods import TooLargeError, world_search
from casino_core.hints.options import Coverage, Method, MethodUsed, checked
from casino_core.hints.reasons import reasons_for
from casino_core.hints.tallies import Tally
from casino_core.hints.tree.hint import tree_hint
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream
from casino_core.search.root import SearchContext
from casino_core.search.solver import plays_left, table_for

__all__ = ["Hint", "HintMove", "hint"]

#: Worlds that a hint looks at when neither samples nor seconds are given.
DEFAULT_SAMPLES = 100

_EXACT_PLAYS = 16  # known plays up to which a search goes to the end of the round
_MOST_SAMPLES = 4096  # worlds within a time; more tell nothing new
_MOST_WORLDS = 1000  # ways to hold the cards up to which all are looked at
_TREE_HANDS = 4000  # for a tree search: all where there are no more, else so many drawn
_FIRST_HANDS = 100  # drawn whatever the time
_HANDS_SHARE = 0.2  # of the time, for drawing the others
_MOST_COMPARED = 1000  # moves of a tree search that may be the best
_EXACT_SHARE = 0.6  # of the time, for a search to the end of the round
_CROWDED = 16  # loose cards beyond which worlds take too long one by one
_NEWS = 0.05  # seconds between answers so far
_AT_ONCE = 20_000  # nodes of that search before an estimate is made, in case


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
        method: how it was found: `exact` (solved to the end of the round, where nothing is hidden),
            or one of the methods that `hint` takes: `blend`, `response`, `pimc`, `mcts`.
        coverage: how the hidden cards were gone through: `deal` (only one way to hold them is
            possible), `worlds` (all ways), `samples` (some of them) or `tree` (drawn anew in each
            round of a tree search).
        exact: whether nothing was sampled or estimated.
        samples: worlds looked at.
        seconds: time that it took.
        holds: per seat whose cards are hidden, the probability that it holds each card.
        reasons: what the best move does and what it risks, in words.
    """

    best: Move
    moves: tuple[HintMove, ...]
    method: MethodUsed
    coverage: Coverage
    exact: bool
    samples: int
    seconds: float
    holds: dict[str, dict[str, float]]
    reasons: tuple[str, ...]

    def _repr_html_(self) -> str:
        """The table that a notebook shows."""
        from casino_core.render.html import hint_html  # drawn only where it is asked for

        return hint_html(self)

    @property
    def search(self) -> str:
        """The name that `method` had before; it goes with the next version."""
        warnings.warn("Hint.search is called method now", DeprecationWarning, stacklevel=2)
        return self.method


def hint(
    position: Position | Round,
    *,
    seconds: float | None = None,
    samples: int | None = None,
    seed: int = 0,
    method: Method = "auto",
    belief: Belief | str | None = None,
    history: Round | Sequence[tuple[Position, Move | str]] | None = None,
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
        position: the hand of the seat to play is known; or a `Round`, whose present position is
            meant and whose plays are the history.
        seconds: longest time; None for no limit but `samples`.
        samples: most worlds to look at; 100 when `seconds` is not given either. With `mcts`,
            rounds of its search; 20,000.
        seed: of the sampling, 0 to 2**64 - 1; with `samples` alone the answer is the same each
            time.
        method: how worlds are searched where the answer is not exact. `response`: the others
            play carefully, each by what it sees, and the mover answers best over all worlds that
            look alike to it. `pimc`: perfect-information Monte Carlo, each world with open cards.
            `blend`: the mean of these two. `mcts`: tree search over information sets. `auto`:
            the strongest for the rules.
        belief: what is known or suspected about hidden hands, as text or `Belief`.
        history: the plays of this deal so far, each with the position before it as the seat now
            to play saw it: whoever played something that was not legal with a card lacks it, and
            what a sensible player would have played tells which hands are likely. Or a `Round`
            that leads to the position.
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
        >>> str(answer.best)[:2], answer.method, answer.coverage, answer.exact, answer.samples
        ('Qd', 'blend', 'samples', False, 20)
    """
    position, history = position_and_plays(position, history)
    given, start = checked(locals()), perf_counter()
    if instance_of(Position)("position", position).is_over:
        raise CasinoError("the round is finished, so there is no play to advise")
    seen = position if given["open"] else position.view(position.turn)
    plays = [(before.view(seen.turn), move) for before, move in given["history"] or ()]
    beliefs = Beliefs(seen, given["belief"], plays) if given["belief"] or plays else None
    question = _Question(
        seen=seen,
        unseen=Unseen(seen, beliefs),
        beliefs=beliefs,
        start=start,
        **{name: given[name] for name in _TAKEN},
    )
    answer = _exact if question.is_exact else _estimated
    return answer(question, given["method"])


def _estimated(question: _Question, method: Method) -> Hint:
    """The hint where not all is known, or where it would take too long."""
    search = _search(question, method)
    if search == "mcts":
        return _by_tree(question)
    try:
        return _average(question, search)
    except TooLargeError:
        return _average(question, "pimc")
    except TooManyMovesError:
        if method != "auto":
            raise
        return _by_tree(question)


#: Options that a search of worlds goes by.
_TAKEN = ("seed", "seconds", "samples", "threads", "table_mib", "progress")


@dataclass(frozen=True, kw_only=True)
class _Question:
    """What is asked for, and what it may take."""

    seen: Position
    unseen: Unseen
    beliefs: Beliefs | None
    seed: int
    seconds: float | None
    samples: int | None
    threads: int
    table_mib: float | None
    progress: Callable[[Hint], object] | None
    start: float

    @property
    def deadline(self) -> float | None:
        """When the time is up, on the clock of `perf_counter`."""
        return None if self.seconds is None else self.start + self.seconds

    @property
    def is_exact(self) -> bool:
        """Whether all is known up to the end of the round."""
        seen = self.seen
        short = plays_left(seen) <= _EXACT_PLAYS
        known = seen.stock_count == 0 or (seen.stock is not None and short)
        return self.unseen.is_settled and known and seen.rules.sides == 2

    def worlds(self) -> tuple[Coverage, Source]:
        """How the hidden cards are gone through, and the worlds."""
        seen, unseen = self.seen, self.unseen
        draws = seen.rules.draw and seen.stock_count > 0
        if unseen.is_settled and (not draws or seen.stock is not None):
            return "deal", Source(lambda *_: Worlds.of(unseen.only()), 1)
        most = self.samples
        if most is None:
            most = DEFAULT_SAMPLES if self.seconds is None else _MOST_SAMPLES
        number = unseen.number()
        few = number is not None and number <= min(most, _MOST_WORLDS)
        chance = Stream(self.seed, Purpose.WORLDS)
        if few and not draws:
            return "worlds", unseen.source_of_all(chance)
        return "samples", unseen.source(chance, most, order_stock=draws)


def _search(question: _Question, method: Method) -> MethodUsed:
    """How worlds are searched.

    Answers are not searched where each player draws a card, nor where captured cards are not
    remembered: worlds that the mover cannot tell apart would then have scores of their own. On a
    crowded table a tree alone keeps its time.
    """
    seen, problem = question.seen, None
    if any(pile.hidden for pile in seen.piles):
        problem = "needs every captured card"
    elif seen.rules.draw and seen.stock_count > 0:
        problem = "is not for draw casino"
    if method in ("blend", "response") and problem is not None:
        raise CasinoError(f"hint: method {method} {problem}; take pimc or mcts")
    if method == "blend" and seen.rules.sides != 2:
        raise CasinoError("hint: method blend is for two sides; take response or mcts")
    if method != "auto":
        return method
    if question.seconds is not None and seen.table.mask.bit_count() > _CROWDED:
        return "mcts"
    if problem is not None:
        return "pimc"
    return "blend" if seen.rules.sides == 2 else "response"


def _average(question: _Question, method: MethodUsed) -> Hint:
    """The hint of worlds looked at until they or the time end, at one in any case."""
    seen, deadline, progress = question.seen, question.deadline, question.progress
    legal = seen.legal_moves()
    coverage, worlds = question.worlds()
    every = worlds.left
    searched = world_search(seen, method, question.table_mib, question.threads, question.seconds)
    with searched as evaluator:
        tally = Tally(
            legal,
            evaluator.rows,
            question.unseen,
            sampled=coverage == "samples",
            seed=question.seed,
        )

        def answer() -> Hint:
            sampled = coverage == "samples" or (coverage == "worlds" and tally.count < every)
            how: Coverage = "samples" if sampled else coverage
            moves = tuple(HintMove(*found) for found in tally.results(sampled=sampled))
            held = tally.held.chances()
            reasons = reasons_for(seen, moves[0].move, held)
            taken = perf_counter() - question.start
            return Hint(moves[0].move, moves, method, how, False, tally.count, taken, held, reasons)

        together, most = evaluator.lots
        due = 0.0
        while worlds.left:
            # A small rest is no lot of its own: worlds that are looked at together decide together.
            lot = worlds.left if worlds.left < 1.25 * together else together
            chosen = worlds.take(lot, deadline)
            values = evaluator.evaluate(chosen, tally.wanted, deadline, least=not tally.count)
            tally.add(chosen, values)
            if len(values) < len(chosen) or tally.is_settled:
                break
            if deadline is not None and perf_counter() >= deadline:
                break
            if progress is not None and perf_counter() >= due:
                if progress(answer()) is True:
                    break
                due = perf_counter() + _NEWS
            together = min(2 * together, most)
        return answer()


def _by_tree(question: _Question) -> Hint:
    """The hint of a tree search."""
    seen, start, seconds, progress = (
        question.seen,
        question.start,
        question.seconds,
        question.progress,
    )
    hands = None
    held: dict[str, dict[str, float]] = {}
    if any(hand.hidden for hand in seen.hands):
        deadline = None if seconds is None else start + _HANDS_SHARE * seconds
        hands = _tree_hands(question.unseen, question.seed, deadline)
        masks = np.array([ways for ways, _ in hands], dtype=np.uint64)
        weights = np.array([weight for _, weight in hands])
        held = named_shares(seen.rules.seats, masks, weights / weights.sum())

    def report(rounds: int, move: Move, value: float) -> object:
        """Tell of the move in the lead; how sure it is, a tree does not know before its end."""
        assert progress is not None
        news = (HintMove(move, value, 0.0, 0.0),)
        taken = perf_counter() - start
        return progress(Hint(move, news, "mcts", "tree", False, rounds, taken, held, ()))

    left = None if seconds is None else max(seconds - (perf_counter() - start), 0.001)
    found = tree_hint(
        seen,
        seconds=left,
        iterations=question.samples,
        seed=question.seed,
        open=True,
        hands=hands,
        report=None if progress is None else report,
    )
    tried = found.moves[:_MOST_COMPARED]  # the others have been tried less
    chances = np.zeros(len(found.moves))
    chances[: len(tried)] = chances_of_means(
        np.array([item.value for item in tried]),
        np.array([item.stderr for item in tried]),
        question.seed,
    )
    moves = [
        HintMove(item.move, item.value, item.stderr, float(chance))
        for item, chance in zip(found.moves, chances, strict=True)
    ]
    taken = perf_counter() - start
    reasons = reasons_for(seen, found.best, held)
    rounds = found.iterations
    return Hint(found.best, tuple(moves), "mcts", "tree", False, rounds, taken, held, reasons)


def _tree_hands(
    unseen: Unseen, seed: int, deadline: float | None
) -> list[tuple[tuple[int, ...], float]]:
    """Ways to hold the hidden cards, with weights: all where they are few, else drawn."""
    if unseen.most() <= _TREE_HANDS:
        every = unseen.beliefs.all()
        if every is not None:
            return every
    rng = Stream(seed, Purpose.WORLDS)
    drawn: list[tuple[tuple[int, ...], float]] = []
    lot = _FIRST_HANDS
    while lot and (not drawn or deadline is None or perf_counter() < deadline):
        drawn += [(masks, 1.0) for masks in unseen.beliefs.sample(lot, rng.bits())]
        lot = min(len(drawn), _TREE_HANDS - len(drawn))
    return drawn


def _exact(question: _Question, method: Method) -> Hint:
    """The exact answer where nothing is hidden; if it takes too long, an estimate."""
    world = question.unseen.only()
    position = world.position
    table = question.table_mib
    context = SearchContext(table_for(position) if table is None else table)
    limited = question.seconds is not None or question.progress is not None
    bounds = context.values(position, nodes=_AT_ONCE if limited else 0)
    if any(lower != upper for _, lower, upper in bounds):
        left = None if question.deadline is None else question.deadline - perf_counter()
        share = None if left is None else max((1 - _EXACT_SHARE) * left, 0.001)
        estimate = _estimated(
            replace(question, seconds=share, start=perf_counter(), progress=None), method
        )

        def so_far() -> Hint:
            return replace(estimate, seconds=perf_counter() - question.start)

        def report(*_news: float) -> bool:
            return question.progress is not None and question.progress(so_far()) is True

        if question.deadline is not None:
            left = max(question.deadline - perf_counter(), 0.001)
        bounds = context.values(position, seconds=left, report=report)
        if any(lower != upper for _, lower, upper in bounds):
            return so_far()
    best = max(lower for _, lower, _ in bounds)
    moves = [
        HintMove(move, float(lower), 0.0, 1.0 if lower == best else 0.0)
        for move, lower, _ in bounds
    ]
    moves.sort(key=lambda item: (-item.value, str(item.move)))
    held = {
        seat: dict.fromkeys(hand.cards - seen.cards, 1.0)
        for seat, hand, seen in zip(
            position.rules.seats, position.hands, question.seen.hands, strict=True
        )
        if seen.hidden
    }
    first = moves[0].move
    reasons = reasons_for(world.seen, first, held)
    taken = perf_counter() - question.start
    return Hint(first, tuple(moves), "exact", "deal", True, 1, taken, held, reasons)
