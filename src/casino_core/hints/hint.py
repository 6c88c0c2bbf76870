"""The best play from what the player to move can see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import hypot
from time import perf_counter
from typing import Any

import numpy as np

from casino_core._arguments import instance_of
from casino_core.errors import CasinoError, HiddenCardError, TooManyMovesError
from casino_core.evaluation.goal import Goal
from casino_core.evaluation.match_goal import match_goal
from casino_core.game.position import Move, Position
from casino_core.game.round import Round, position_and_plays
from casino_core.hidden.facts import Belief
from casino_core.hidden.posterior import Beliefs, named_shares
from casino_core.hidden.worlds import Source, Unseen
from casino_core.hints.answer import Hint, HintMove
from casino_core.hints.averages import chances_of_means
from casino_core.hints.caller import Caller, Stopped
from casino_core.hints.exact import Bounds, ExactSearch, exact_search
from casino_core.hints.methods import (
    Evaluator,
    TooLargeError,
    can_end_exactly,
    orders_stock,
    world_search,
)
from casino_core.hints.options import (
    Coverage,
    Method,
    MethodUsed,
    Objective,
    checked,
    default_samples,
)
from casino_core.hints.question import Question
from casino_core.hints.reasons import reasons_for
from casino_core.hints.tallies import Tally
from casino_core.hints.tree.hint import TreeMove, tree_hint
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream

__all__ = ["hint"]

_TREE_HANDS = 4000  # the most hidden hands of a tree search
_FIRST_HANDS = 100  # hands drawn regardless of the time
_HANDS_SHARE = 0.2  # share of the time for drawing more hands
_MOST_COMPARED = 1000  # the most moves of a tree search with a chance to be the best
_EXACT_SHARE = 0.6  # share of the time for a search to the end of the round
_FIRST_SHARE = 0.6  # share of the time for the first worlds; a tree search has the rest
_GLANCE = 0.001  # seconds for an answer if there is no time
_FIRST_NEWS = 0.05  # seconds before an interim answer from careful scores
_AT_ONCE = 20_000  # nodes of the exact search before an estimate is made


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
    measure_all: bool = False,
    objective: Objective = "points",
    score: str | Sequence[int] | None = None,
    target: int | None = None,
    progress: Callable[[Hint], object] | None = None,
) -> Hint:
    """The best play of the seat whose turn it is.

    The hint uses only what that seat can see: its own hand, the table, the captured cards. In the
    last deal of two players the other hand is known, and values are exact. Before that, worlds that
    fit are sampled (or all of them, if they are few), each is searched to the end of the deal, and
    the values are averaged. Moves that are clearly worse than the best one are dropped, and the
    search ends when one is left.

    Args:
        position: a position in which the hand of the seat to play is known; or a `Round`, for its
            present position with its plays as the history.
        seconds: time limit; if neither it nor `samples` is given, 2; None with `samples` is no
            limit.
        samples: the most worlds; 100 if `seconds` is not given either. With `mcts` the most
            rounds of its search, 20,000 if `seconds` is not given either.
        seed: of the sampling, 0 to 2**64 - 1; with `samples` alone the answer is the same each
            time.
        method: how worlds are searched if the answer is not exact. `response`: the others play
            carefully, each from what it sees, and the mover makes the best response over all
            worlds that look the same to it. `pimc`: perfect-information Monte Carlo, each world
            with open cards. `playouts`: all seats play carefully, the mover too. `blend`: the mean
            of `pimc` and `response`, or `playouts` in draw casino and with more than two players.
            `mcts`: information-set tree search. `auto`: the strongest for the rules.
        belief: facts and suspicions about hidden hands, as text or `Belief`.
        history: the plays of this deal so far, each with the position before it as the seat to
            play saw it, or a `Round` that leads to the position. Hands for which a play was
            illegal are excluded, and the others are weighed by the likelihood of the plays.
        open: use every card that the position shows, also cards that the seat cannot see.
        table_mib: size of the transposition table in MiB, None to fit it to the deal.
        threads: the number of threads; the answer does not depend on it.
        measure_all: search all moves in all worlds, instead of dropping those that are clearly
            worse.
        objective: what to play for: the `points` of the round, or to win the `match`. The values
            are then probabilities, by the chances of `match_equity` at the end of the round:
            exact where those of points are exact, else expected or averaged. For two players
            under measured rules.
        score: points of the match before the round, side a first, `"18/20"` or a pair; None for
            the match score of the position. Only with the objective `match`.
        target: points that win the match; None for those of the rules. Only with the objective
            `match`.
        progress: called now and then with the answer so far. If it returns True, the hint ends at
            once; if it raises, the hint ends too.

    Raises:
        HiddenCardError: a card of the seat to play is not known.
        CasinoError: the round is finished, an argument is not valid, or facts contradict each
            other, the position or the history; a match that is over, or whose chances are not
            known.

    Example:
        >>> position = Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
        >>> answer = hint(position, samples=20, seed=1)
        >>> str(answer.best)[:2], answer.method, answer.coverage, answer.exact, answer.samples
        ('Qd', 'blend', 'samples', False, 20)
        >>> answer = hint(position, samples=20, seed=1, objective="match", score="18/20")
        >>> answer.objective, 0 < answer.moves[0].value < 1
        ('match', True)
    """
    position, history = position_and_plays(position, history)
    given, start = checked(locals()), perf_counter()
    if instance_of(Position)("position", position).is_over:
        raise CasinoError("the round is finished, so there is no play to advise")
    if position.hand.hidden:
        raise HiddenCardError(
            f"hint: the cards of seat {position.turn}, whose turn it is, are not all known"
        )
    goal = _goal(position, given)
    seen = position if given["open"] else position.view(position.turn)
    plays = [(before.view(seen.turn), move) for before, move in given["history"] or ()]
    beliefs = Beliefs(seen, given["belief"], plays) if given["belief"] or plays else None
    question = Question(
        seen=seen,
        unseen=Unseen(seen, beliefs),
        beliefs=beliefs,
        caller=Caller(given["progress"]),
        goal=goal,
        start=start,
        **{name: given[name] for name in _TAKEN},
    )
    answer = _exact if question.is_exact else _estimated
    return answer(question, given["method"])


def _goal(position: Position, given: Mapping[str, Any]) -> Goal | None:
    """The chances of the match, if it is what the hint plays for."""
    if given["objective"] == "match":
        return match_goal(position, given["score"], given["target"])
    for name in ("score", "target"):
        if given[name] is not None:
            raise CasinoError(f"{name} is for the objective match")
    return None


def _estimated(question: Question[Hint], method: Method) -> Hint:
    """The hint if not all cards are known, or if an exact answer would take too long."""
    search = _search(question, method)
    if search == "mcts":
        return _by_tree(question)
    try:
        return _average_to_ends(question, search, is_free=method == "auto")
    except _NothingYetError:
        last = question.caller.last
        return _at_a_glance(question) if last is None else _as_told(question, last)
    except TooLargeError:
        is_late = question.limit is not None and method == "auto"
        return _by_tree(question) if is_late else _estimated(question, "pimc")
    except TooManyMovesError:
        if method != "auto":
            raise
        return _by_tree(question)


class _NothingYetError(Exception):
    """The hint was ended before any world was searched."""


#: Options of a search of worlds.
_TAKEN = ("seed", "seconds", "samples", "threads", "table_mib", "measure_all")


def _search(question: Question[Hint], method: Method) -> MethodUsed:
    """The method of the search.

    `response` needs worlds that the mover cannot tell apart, so it is neither for draw casino nor
    for forgotten captured cards. On a crowded table only a tree search keeps its time limit.
    """
    seen, problem = question.seen, None
    if any(pile.hidden for pile in seen.piles):
        problem = "needs every captured card; take playouts, pimc or mcts"
    elif method == "response" and seen.rules.draw and seen.stock_count > 0:
        problem = "is not for draw casino; take blend, playouts, pimc or mcts"
    if method in ("blend", "response") and problem is not None:
        raise CasinoError(f"hint: method {method} {problem}")
    if method != "auto":
        return method
    if question.limit is not None and question.is_crowded:
        return "mcts"
    return "blend" if problem is None else "pimc"


def _average_to_ends(question: Question[Hint], method: MethodUsed, *, is_free: bool) -> Hint:
    """The hint of worlds, with exact means of the last deal where it is near.

    Within a time limit the estimate comes first, and stays if the means of all worlds take too
    long.
    """
    is_played_out = method == "playouts"
    if is_played_out or question.goal is not None or not can_end_exactly(question.seen):
        return _average(question, method, is_free=is_free)
    if question.limit is None:
        return _average(question, method, is_free=is_free, exact_end=True)
    estimated = _average(question, method, is_free=is_free)
    if estimated.stopped in ("time", "stop"):
        return estimated
    try:
        found = _average(question, method, is_free=False, exact_end=True)
    except (_NothingYetError, TooLargeError):
        return replace(estimated, seconds=perf_counter() - question.start)
    return found if found.stopped != "time" else replace(estimated, seconds=found.seconds)


def _average(
    question: Question[Hint], method: MethodUsed, *, is_free: bool, exact_end: bool = False
) -> Hint:
    """The hint of worlds looked at until they or the time end.

    Args:
        question: what is asked.
        method: how worlds are searched.
        is_free: whether another method may take over: then some time is left for it.
        exact_end: whether the end of the deal is worth the exact mean of the last deal. No world
            is valued then if the time is up before.

    Raises:
        TooLargeError: the first worlds take too long.
    """
    seen, caller = question.seen, question.caller
    coverage, worlds = question.worlds(order_stock=orders_stock(seen, method))
    searched = world_search(
        seen,
        method,
        question.table_mib,
        question.threads,
        question.seconds,
        question.goal,
        exact_end=exact_end,
    )
    with searched as evaluator:
        tally = Tally(
            seen.some_legal_moves(),
            evaluator.rows,
            question.unseen,
            sampled=coverage == "samples",
            seed=question.seed,
            spread=question.spread,
            keep_all=question.measure_all,
        )
        every = worlds.left

        def answer(stopped: Stopped | None = None) -> Hint:
            if stopped == "stop" and caller.last is not None:
                return _as_told(question, caller.last)
            if not tally.count:
                return replace(_at_a_glance(question), stopped=None)
            sampled = coverage == "samples" or (coverage == "worlds" and tally.count < every)
            how: Coverage = "samples" if sampled else coverage
            moves = tuple(HintMove(*found) for found in tally.results(sampled=sampled))
            held = tally.held.chances()
            reasons = reasons_for(seen, moves[0].move, held)
            return Hint(
                moves[0].move,
                moves,
                method,
                how,
                exact=False,
                samples=tally.count,
                seconds=perf_counter() - question.start,
                stopped=stopped,
                holds=held,
                reasons=reasons,
                objective=question.objective,
            )

        def ask() -> bool:
            is_early = not tally.count and perf_counter() < question.start + _FIRST_NEWS
            return caller.has_ended if is_early else caller.tell(answer)

        if caller.listens:
            evaluator.watch_by(ask)
        least = question.limit is None or not exact_end
        return answer(
            _look_at_worlds(question, evaluator, worlds, tally, ask, is_free=is_free, least=least)
        )


def _look_at_worlds(
    question: Question[Hint],
    evaluator: Evaluator,
    worlds: Source,
    tally: Tally,
    ask: Callable[[], bool],
    *,
    is_free: bool,
    least: bool,
) -> Stopped:
    """Evaluate worlds until they or the time end. Returns why it ended."""
    together, most = evaluator.lots
    while worlds.left:
        # A small rest joins the last batch, as decisions are made over the worlds of a batch.
        lot = worlds.left if worlds.left < 1.25 * together else together
        deadline, is_first = question.deadline, not tally.count
        if is_first and is_free and question.limit is not None:
            deadline = question.start + _FIRST_SHARE * question.limit
        chosen = worlds.take(lot, deadline)
        values = evaluator.evaluate(chosen, tally.wanted, deadline, least=least and is_first)
        if is_first and not len(values):
            raise _NothingYetError
        if question.caller.has_ended:
            return "stop"  # with the answer that was told last
        tally.add(chosen, values)
        if ask():
            return "stop"
        if tally.is_settled:
            return "decided"
        if len(values) < len(chosen) or question.is_late:
            return "time" if worlds.left or len(values) < len(chosen) else "samples"
        together = min(2 * together, most)
    return "samples"


def _as_told(question: Question[Hint], last: Hint) -> Hint:
    """The answer of a hint that `progress` has ended: the last interim answer."""
    return replace(last, seconds=perf_counter() - question.start, stopped="stop")


def _at_a_glance(question: Question[Hint]) -> Hint:
    """The hint if there was no time for any world: by the careful scores of the moves."""
    hurried = replace(question, samples=None, seconds=_GLANCE, caller=Caller(None))
    stopped: Stopped = "stop" if question.caller.has_ended else "time"
    return replace(
        _by_tree(replace(hurried, start=perf_counter())),
        samples=0,
        seconds=perf_counter() - question.start,
        stopped=stopped,
    )


def _by_tree(question: Question[Hint]) -> Hint:
    """The hint of a tree search."""
    seen, start, limit, caller = question.seen, question.start, question.limit, question.caller
    hands = None
    held: dict[str, dict[str, float]] = {}
    if any(hand.hidden for hand in seen.hands):
        deadline = None if limit is None else start + _HANDS_SHARE * limit
        hands = _tree_hands(question.unseen, question.seed, deadline)
        masks = np.array([ways for ways, _ in hands], dtype=np.uint64)
        weights = np.array([weight for _, weight in hands])
        held = named_shares(seen.rules.seats, masks, weights / weights.sum())

    def answer(
        moves: Sequence[HintMove],
        rounds: int,
        stopped: Stopped | None = None,
        reasons: tuple[str, ...] = (),
    ) -> Hint:
        return Hint(
            moves[0].move,
            tuple(moves),
            "mcts",
            "tree",
            exact=False,
            samples=rounds,
            seconds=perf_counter() - start,
            stopped=stopped,
            holds=held,
            reasons=reasons,
            objective=question.objective,
        )

    def report(rounds: int, move: Move, value: float) -> object:
        """Report the best move so far; its error is only known at the end of the search."""
        return caller.tell(lambda: answer([HintMove(move, value, 0.0, 0.0)], rounds))

    rounds = question.samples
    if rounds is None and question.seconds is None:
        rounds = default_samples("mcts")
    found = tree_hint(
        seen,
        seconds=None if limit is None else max(limit - (perf_counter() - start), _GLANCE),
        iterations=rounds,
        seed=question.seed,
        open=True,
        hands=hands,
        report=report if caller.listens else None,
        goal=question.goal,
    )
    is_done = rounds is not None and found.iterations >= rounds
    stopped: Stopped = "stop" if caller.has_ended else "samples" if is_done else "time"
    moves = _moves_of_tree(found.moves, question.seed)
    return answer(moves, found.iterations, stopped, reasons_for(seen, found.best, held))


def _moves_of_tree(found: Sequence[TreeMove], seed: int) -> list[HintMove]:
    """The moves of a tree search, with their chances to be the best."""
    tried = found[:_MOST_COMPARED]  # the others have been tried less
    chances = np.zeros(len(found))
    chances[: len(tried)] = chances_of_means(
        np.array([item.value for item in tried]), np.array([item.stderr for item in tried]), seed
    )
    return [
        HintMove(item.move, item.value, item.stderr, float(chance), _gap(found[0], item))
        for item, chance in zip(found, chances, strict=True)
    ]


def _gap(best: TreeMove, other: TreeMove) -> float:
    """The standard error of a difference between two moves of a tree, valued independently."""
    return 0.0 if best is other else hypot(best.stderr, other.stderr)


def _tree_hands(
    unseen: Unseen, seed: int, deadline: float | None
) -> list[tuple[tuple[int, ...], float]]:
    """Hidden hands with weights: all if they are few, else a sample."""
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


def _exact(question: Question[Hint], method: Method) -> Hint:
    """The exact answer if nothing is hidden; if it takes too long, an estimate."""
    world = question.unseen.only()
    position = world.position
    if question.is_crowded:
        return _estimated(question, method)
    search = exact_search(position, question.goal, question.table_mib)
    bounds = _at_once(question, search)
    if _are_open(bounds):
        estimate = _meanwhile(question, method)
        if question.caller.has_ended:
            return estimate

        def so_far(stopped: Stopped | None = None) -> Hint:
            return replace(estimate, seconds=perf_counter() - question.start, stopped=stopped)

        left = None
        if question.deadline is not None:
            left = max(question.deadline - perf_counter(), _GLANCE)
        bounds = search(seconds=left, ask=lambda: question.caller.tell(so_far))
        if _are_open(bounds):
            return so_far("stop" if question.caller.has_ended else "time")
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
    return Hint(
        first,
        tuple(moves),
        "exact",
        "deal",
        exact=True,
        samples=1,
        seconds=perf_counter() - question.start,
        stopped="exact",
        holds=held,
        reasons=reasons_for(world.seen, first, held),
        objective=question.objective,
    )


def _are_open(bounds: Bounds) -> bool:
    return any(lower != upper for _, lower, upper in bounds)


def _at_once(question: Question[Hint], search: ExactSearch) -> Bounds:
    """Bounds of the exact values, found before an estimate is made."""
    if question.seconds is not None or question.caller.listens:
        return search(nodes=_AT_ONCE)
    if question.limit is None:
        return search()
    return search(seconds=(1 - _EXACT_SHARE) * question.limit)


def _meanwhile(question: Question[Hint], method: Method) -> Hint:
    """The estimate that is the answer if an exact search takes too long."""
    share = None
    if question.deadline is not None:
        share = max((1 - _EXACT_SHARE) * (question.deadline - perf_counter()), _GLANCE)
    return _estimated(replace(question, seconds=share, start=perf_counter()), method)
