"""Every public class can be copied, pickled and sent to a process started anew, or says why not."""

import copy
import importlib
import inspect
import pickle
import pkgutil
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import casino_core as cc
from casino_core.batch.analysis import Worker
from casino_core.batch.loops import BatchSearch, StopSign
from casino_core.evaluation.match_goal import match_goal
from casino_core.hidden.hands import Hands
from casino_core.hidden.worlds import Unseen
from casino_core.hints.averages import Averages
from casino_core.hints.caller import Caller
from casino_core.hints.exact import ExactSearch
from casino_core.hints.methods import Evaluator, TooLargeError
from casino_core.hints.open_worlds import WorldSearch
from casino_core.hints.playouts import PlayoutSearch
from casino_core.hints.question import Question
from casino_core.hints.response import ResponseSearch
from casino_core.hints.tallies import Tally
from casino_core.hints.tree.hint import tree_hint
from casino_core.hints.tree.search import TreeSearch
from casino_core.learning.block import GameBlock
from casino_core.learning.games import Games
from casino_core.learning.steps import Choice
from casino_core.play.adjustment import Adjuster
from casino_core.play.agents import AGENTS, Agent, FunctionAgent, Turn, parse_agent
from casino_core.play.arena import ArenaInterrupted, ArenaStopped, play_arena
from casino_core.play.levels import LEVELS, SKILLS
from casino_core.play.luck import OpenValues, luck_of_deals
from casino_core.play.outcome import last_outcome
from casino_core.play.sequential import SequentialTest
from casino_core.play.session import Player, Session
from casino_core.play.table import play_round
from casino_core.play.tournament import TournamentInterrupted, TournamentResult, play_tournament
from casino_core.rules.ruleset import CompiledRules
from casino_core.rules.streams import Stream
from casino_core.search.chances import ChanceContext
from casino_core.search.last_deals import LastDeals
from casino_core.search.limits import Watched
from casino_core.search.maxn import MaxnContext
from casino_core.search.root import SearchContext
from helpers.rounds import first, play_out

ROOMS = ("hidden", "hints", "search", "learning", "play", "batch")
#: What a batch is made of inside (open files, iterators), and the table of a hint's options.
INSIDE = ("casino_core.batch.chunks", "casino_core.batch.files", "casino_core.hints.options")
#: Classes that nothing is made of directly.
ABSTRACT = {Agent, Evaluator, ExactSearch}

SEEN = cc.Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
BEFORE = cc.Position.parse("table=2s5h8dKc hands=As7c9hTd/???? piles=-/-")
BEFORE_LAST = cc.Position.parse(
    "table=5dQd hands=6dKh/?? piles=AsAc3s3h7s7dQsQc/Ah2s2h2d2c3d3c4s4h4d5s5h5c6s6h6c7c8s8h8c9s9h9d"
    "TsThTdJsJhKsKc last=b"
)
AFTER = cc.Position.parse("table=8dKc hands=As9hTd/???? piles=2s5h7c/- turn=b last=a")
ENDING = cc.Position.parse(
    "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
    "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
)
RULES = CompiledRules(cc.Rules())


def equal_items():
    """Objects whose copies are equal to them."""
    answer, solution = cc.hint(SEEN, samples=20, seed=1), cc.solve(ENDING)
    record = cc.read_play(f"{ENDING}\nJhxJd")
    review = cc.review_game(record)
    tournament = play_tournament(["greedy", "random"], rounds=2)
    with_luck = play_arena("greedy", "random", rounds=2, seed=1, luck=1)
    arena = play_arena("greedy", "random", rounds=2, seed=1)
    belief = cc.Belief.parse("b:holds=9 lacks=9s")
    building = cc.Position.parse("table=5d6d builds=8a:3s5h hands=8dAsThJh/????")
    tree = tree_hint(SEEN, iterations=200, seed=1)
    game = cc.Game.parse('[Seed "17"] 1. 7dx7c!')
    players = [Player("Anna"), Player("", parse_agent("greedy"))]
    session = Session.start(players=players, seed=17).play("7dx7c")
    return [
        *(SEEN, SEEN.table, *SEEN.hands, *SEEN.legal_moves(), *building.builds),
        *(
            cc.Rules(),
            RULES,
            cc.match_result(play_out(ENDING, first).position),
            belief,
            *belief.seats,
            SEEN.points[0],
        ),
        cc.match_equity("18/20"),
        *(cc.Round(SEEN), cc.Round(BEFORE).play("7cx2s5h"), cc.Match(target=21)),
        *(cc.Beliefs(SEEN, belief), cc.Beliefs(AFTER, history=[(BEFORE, "7cx2s5h")])),
        Hands(RULES, 0, 0b1111, 2, [(0b11, 1)], [1.0] * 52, [], 0, 0, most=3),
        *(Choice(SEEN), Choice(SEEN).step(Choice(SEEN).legal[0])),
        *(Stream(1, "deck", 2), next(iter(Unseen(SEEN).sample(Stream(1, "worlds"), 1)))),
        *(answer, *answer.moves, solution, *solution.moves, cc.Solver().value(ENDING)),
        *(cc.SolveProgress(1, 2, 3, 0.0, 1.0), tree, *tree.moves),
        *(with_luck, with_luck.adjusted, SequentialTest(), tournament, *tournament.ratings),
        *(
            arena,
            *arena.games,
            *map(parse_agent, AGENTS),
            FunctionAgent(settings_of),
            parse_agent("exec:cat"),
        ),
        *(*LEVELS.values(), SKILLS[0], SKILLS[0].eye),
        next(play_round(ENDING, [parse_agent("greedy")] * 2, lambda _: Stream(1, "agent"))),
        Turn(SEEN, ((SEEN, SEEN.legal_moves()[0]),), Stream(1, "agent")),
        *luck_of_deals(cc.Round(cc.Position.start(seed=1)), lambda _: Stream(1, "luck"), deals=1),
        *(cc.PositionArray.random(2, seed=1), *cc.analyze([ENDING], task="value")),
        *(game, *game.rounds, game.rounds[0].note(1)),
        *(session, *session.players, last_outcome(session.round)),
        *(record, *cc.analyse_play(record), cc.read(str(ENDING)), *cc.Status),
        *(review, *review.rounds, *review.plays, *review.rounds[0].seats, cc.ReviewState()),
    ]


def settings_of(worker):
    """The task of a batch's worker, and what its answers depend on."""
    return worker.task, worker.settings


def asked_about(unseen):
    """A question to a hint."""
    return Question(
        seen=SEEN,
        unseen=unseen,
        beliefs=None,
        seed=1,
        seconds=None,
        samples=5,
        threads=1,
        table_mib=None,
        measure_all=False,
        caller=Caller(None),
        goal=match_goal(SEEN, "18/20"),
        start=0.0,
    )


def other_items():
    """Objects without an equality of their own, and what copies have in common with them."""
    moves, unseen = SEEN.legal_moves(), Unseen(SEEN)
    worlds = unseen.source(Stream(1, "worlds"), 3, order_stock=True).take(3)
    tally = Tally(moves, list(range(len(moves))), unseen, sampled=True, seed=1)
    tally.add(worlds, np.ones((3, len(moves))))
    averages = Averages(2)
    averages.add(np.array([[1.0, 0.0], [2.0, 3.0]]))
    answers = cc.analyze(cc.PositionArray.from_texts([str(ENDING)]), task="value")
    return [
        (cc.Solver(2), lambda one: (one._table_mib, one.value(ENDING).value)),
        (unseen, lambda one: one.count),
        (worlds, lambda one: (one.masks.tolist(), one.orders.tolist())),
        (averages, lambda one: one.estimates()[0].tolist()),
        (tally, lambda one: (one.count, one.results(sampled=True))),
        (asked_about(unseen), lambda one: (one.seen, one.limit, one.objective)),
        (Caller(None), lambda one: (one.listens, one.has_ended)),
        (tally.held, lambda one: one.chances()),
        (Worker("value", {"nodes": 5}), settings_of),
        (OpenValues(cc.Rules()), lambda one: one.of(ENDING)),
        (Adjuster(1), lambda one: one.factors.tolist()),
        (answers, lambda one: (one.value.tolist(), one.best_texts())),
    ]


def errors():
    """One error of each class of the package, each with what it carries."""
    result = play_arena("greedy", "random", rounds=2, seed=1)
    kinds = [getattr(cc, name) for name in cc.__all__]
    kinds = [one for one in kinds if inspect.isclass(one) and issubclass(one, cc.CasinoError)]
    made = [kind("a line") for kind in (*kinds, TooLargeError)]
    return [
        *made,
        cc.IllegalMoveError("a line", "why"),
        ArenaInterrupted(result),
        TournamentInterrupted(TournamentResult(("greedy", "random"), ((0, 1, result),))),
        ArenaStopped("a line", result),
        cc.ReviewInterrupted(cc.ReviewState()),
    ]


REFUSED = [
    lambda: SearchContext(0.1),
    lambda: MaxnContext(0.1),
    lambda: TreeSearch(0.1),
    lambda: ChanceContext(match_goal(SEEN), 8),
    lambda: WorldSearch(SEEN, table_mib=0.1, unit=60, depths=bytes([1])),
    lambda: ResponseSearch(SEEN, unit=60),
    lambda: LastDeals(BEFORE_LAST),
    lambda: PlayoutSearch(SEEN, unit=60),
    Watched,
    lambda: BatchSearch(0.1, StopSign()),
    StopSign,
    lambda: cc.analyze([ENDING]),
    lambda: GameBlock(RULES, 1),
    Games,
    lambda: iter(SEEN.iter_legal_moves()),
    lambda: Unseen(SEEN).source(Stream(1, "worlds"), 3, order_stock=False),
]


def back(item):
    """Return the argument of a worker."""
    return item


@pytest.fixture(scope="module")
def copies():
    """Every way to copy an object, the last one through a process started anew."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield (
            copy.copy,
            copy.deepcopy,
            *(
                lambda item, protocol=protocol: pickle.loads(pickle.dumps(item, protocol))
                for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
            ),
            lambda item: pool.submit(back, item).result(timeout=120),
        )


def test_copies_are_equal(copies):
    for item in equal_items():
        for way in copies:
            other = way(item)
            assert type(other) is type(item)
            assert other == item


def test_copies_have_the_same_in_them(copies):
    for item, of in other_items():
        for way in copies:
            other = way(item)
            assert type(other) is type(item)
            assert of(other) == of(item)


def test_errors_keep_what_they_carry(copies):
    for error in errors():
        for way in copies:
            other = way(error)
            assert type(other) is type(error)
            assert (str(other), vars(other)) == (str(error), vars(error))


@pytest.mark.parametrize("make", REFUSED)
def test_what_has_memory_of_its_process_is_refused_in_words(make):
    item = make()
    words = f"{type(item).__name__} is not copied or sent to another process"
    for way in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(cc.CasinoError, match=words):
            way(item)


def test_a_solver_comes_back_with_an_empty_table():
    solver = cc.Solver(1)
    first = solver.value(ENDING).nodes
    assert solver.value(ENDING).nodes < first
    assert copy.deepcopy(solver).value(ENDING).nodes == first


def test_beliefs_differ_by_what_they_are_made_of():
    one = cc.Beliefs(SEEN, "b:holds=9")
    assert one == cc.Beliefs(SEEN, cc.Belief.parse("b:holds=9"))
    assert hash(one) == hash(cc.Beliefs(SEEN, "b:holds=9"))
    others = (cc.Beliefs(SEEN), cc.Beliefs(SEEN, "b:holds=9", temperature=2), "b:holds=9")
    assert all(one != other for other in others)


def test_copied_beliefs_draw_the_same():
    one = cc.Beliefs(AFTER, history=[(BEFORE, "7cx2s5h")])
    other = pickle.loads(pickle.dumps(one))
    assert other.sample(5, seed=3) == one.sample(5, seed=3)
    assert other.marginals() == one.marginals()


def public_classes():
    """The classes of `casino_core.__all__`, and of the rooms' modules."""
    found = [getattr(cc, name) for name in cc.__all__]
    for room in ROOMS:
        package = importlib.import_module(f"casino_core.{room}")
        for item in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not item.name.startswith(INSIDE):
                module = importlib.import_module(item.name)
                names = getattr(module, "__all__", vars(module))
                found += [getattr(module, name) for name in names if not name.startswith("_")]
    return {
        one for one in found if inspect.isclass(one) and one.__module__.startswith("casino_core")
    }


def test_no_public_class_is_left_out():
    """A new class is to be added above, where its copies are tried."""
    tried = {type(item) for item in (*equal_items(), *errors(), *(make() for make in REFUSED))}
    tried |= {type(item) for item, _ in other_items()}
    assert public_classes() - tried - ABSTRACT == {cc.BatchProgress}
