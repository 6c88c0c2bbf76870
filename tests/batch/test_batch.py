"""Batches: the same answers as one by one, in order, on any executor and after failures."""

import itertools
import pickle
import random
import threading
from concurrent.futures import Executor, Future

import numpy as np
import pytest

import casino_core as cc
from casino_core.batch.analysis import Worker
from casino_core.batch.arrays import (
    ANSWER_DTYPE,
    LISTED_DTYPE,
    MOVE_DTYPE,
    POSITION_DTYPE,
    as_bytes,
)
from casino_core.batch.chunks import Chunk, ChunkSizes, ordered
from casino_core.batch.loops import TASKS, BatchSearch, StopSign
from casino_core.batch.records import random_records, round_seed
from casino_core.play.sampling import sample_positions
from casino_core.rules.ruleset import CompiledRules
from helpers.rounds import cards_left, random_round

RULES = ("standard", "royal", "spade", "old-way", "draw", "standard,players=4,partners=yes")


def walk(rules, seed):
    """Every position of a round of random play, the finished one too."""
    return random_round(rules, seed).positions


@pytest.fixture(scope="module")
def late():
    """Positions of the last ten plays, under several rules."""
    return [
        p for rules in RULES for seed in range(4) for p in walk(rules, seed) if cards_left(p) <= 10
    ]


@pytest.fixture(scope="module")
def everything():
    """Whole rounds under several rules, and what a seat sees of them."""
    rules = [*RULES, "pagat-royal,players=3", "royal-1911,players=4,partners=yes"]
    found = [p for one in rules for p in walk(one, 5)]
    return found + [p.view(p.turn) for p in found]


def single(position, task, **budget):
    """The answer of one call."""
    try:
        if task == "value":
            return cc.Solver(32).value(position, **budget)
        if task == "solve":
            return cc.solve(position, **budget)
        if task == "moves":
            return tuple(position.legal_moves())
        return position.score()
    except cc.CasinoError:
        return None


def same(one, other):
    """Whether two answers are equal apart from their times."""
    if isinstance(one, cc.Solution):
        return all(
            getattr(one, name) == getattr(other, name)
            for name in cc.Solution.__slots__
            if name != "seconds"
        )
    return one == other


@pytest.mark.parametrize("task", ["value", "solve", "moves", "score"])
def test_answers_are_those_of_single_calls(late, task):
    found = list(cc.analyze(late, task, workers=1))
    assert [item.index for item in found] == list(range(len(late)))
    for position, item in zip(late, found, strict=True):
        expected = single(position, task)
        assert same(item.answer, expected), (str(position), item, expected)
        assert (item.error is None) == (expected is not None)


@pytest.mark.parametrize("task", ["value", "solve"])
@pytest.mark.parametrize("nodes", [1, 40, 700])
def test_limits_are_those_of_single_calls(late, task, nodes):
    chosen = [p for p in late if cards_left(p) >= 6]
    for position, item in zip(
        chosen, cc.analyze(chosen, task, workers=2, nodes=nodes), strict=True
    ):
        assert same(item.answer, single(position, task, nodes=nodes)), str(position)


def test_moves_of_everything(everything):
    texts = [str(p) for p in everything]
    for position, item in zip(everything, cc.analyze(texts, "moves"), strict=True):
        assert item.answer == tuple(position.legal_moves())


def test_hints_are_those_of_single_calls():
    positions = [p for p in walk("royal", 3) if cards_left(p) in (1, 8, 20, 40)]
    for workers in (1, 2):
        found = list(cc.analyze(positions, "hint", workers=workers, samples=3, seed=7, chunk=2))
        for item, position in zip(found, positions, strict=True):
            alone = cc.hint(position, samples=3, seed=round_seed(7, item.index))
            assert item.answer.moves == alone.moves
            assert item.answer.holds == alone.holds


@pytest.mark.parametrize("method", ["auto", "mcts"])
def test_hints_without_a_limit_take_a_number_of_samples_and_no_time(monkeypatch, method):
    monkeypatch.setattr("casino_core.hints.question.DEFAULT_SECONDS", 1e-6)
    middle = cc.Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
    assert cc.hint(middle).samples < 100  # the default time of a single hint is met at once
    samples = {"auto": 100, "mcts": 20_000}[method]
    options = {"method": method, "measure_all": True}
    alone = cc.hint(middle, samples=samples, seed=round_seed(0, 0), **options)
    for positions in ([middle], cc.PositionArray.from_texts([str(middle)])):
        (item,) = cc.analyze(positions, "hint", **options)
        assert item.answer.stopped == "samples"
        assert (item.answer.samples, item.answer.moves) == (samples, alone.moves)
    worker = Worker("hint", {"method": method})
    assert worker.settings["samples"] == samples
    assert "samples" not in Worker("hint", {"method": method, "seconds": 1}).settings


@pytest.mark.parametrize("task", ["value", "solve", "moves", "score"])
def test_any_number_of_workers_and_size_of_chunks_gives_the_same_bytes(late, task):
    array = cc.PositionArray.from_texts(late)
    expected = cc.analyze(array, task, workers=1)
    for workers, chunk in ((1, 1), (2, None), (8, 7), (3, 1000)):
        found = cc.analyze(array, task, workers=workers, chunk=chunk)
        for name in ("answers", "moves", "lines"):
            assert getattr(found, name).tobytes() == getattr(expected, name).tobytes()
        assert found.error(0) == expected.error(0)


def test_an_answer_does_not_depend_on_what_came_before(late):
    """Values and nodes, over more items than the table has generations."""
    array = cc.PositionArray.from_texts([p for p in late if cards_left(p) == 8])
    repeated = cc.PositionArray(np.concatenate([array.data] * 40), array.rules)
    found = cc.analyze(repeated, "value", workers=1, chunk=10_000).answers
    assert len(found) > 600
    for part in np.split(found, 40):
        assert part.tobytes() == found[: len(array)].tobytes()


def test_errors_keep_their_place_and_stop_nothing():
    good = "rules=pagat-royal table=3h8sKc hands=2sKs/3d8h piles=" + "?" * 20 + "/" + "?" * 25
    seen = "table=2s5h8dKc hands=AsTd7c9h/????"
    over = str(list(walk("standard", 1))[-1])
    items = [good, "no position", seen, 7, cc.NotationError("line 5 is too long"), over, None]
    messages = {
        "moves": [None, "neither a position", None, "not int", "line 5", None, "not NoneType"],
        "value": ["piles", "neither a position", "hand", "not int", "line 5", None, "not NoneType"],
        "score": ["not finished", "neither", "not finished", "not int", "line", None, "NoneType"],
        "hint": [None, "neither", None, "not int", "line 5", "finished", "not NoneType"],
    }
    for task, expected in messages.items():
        budget = {"samples": 1} if task == "hint" else {}
        for workers in (1, 2):
            found = list(cc.analyze(items, task, workers=workers, **budget))
            assert len(found) == len(items)
            for item, part in zip(found, expected, strict=True):
                assert (item.error is None) == (part is None), (task, item)
                assert part is None or part in item.error
                assert item.error is None or "\n" not in item.error
    three = cc.Position.start("standard,players=3", seed=1)
    (item,) = cc.analyze([three])
    assert "two sides" in item.error


@pytest.mark.parametrize("task", ["value", "solve", "moves", "score", "hint"])
def test_no_item_and_one_item(task):
    assert list(cc.analyze([], task)) == []
    assert len(list(cc.analyze(iter(["table=x"]), task))) == 1
    empty = cc.PositionArray.from_texts([])
    assert len(list(cc.analyze(empty, task)) if task == "hint" else cc.analyze(empty, task)) == 0
    assert empty.texts() == []


def test_items_are_taken_as_they_are_needed():
    """Of an endless source no more than the chunks that may be in flight, however slow one is."""
    taken = itertools.count()
    line = "table=2s5h8dKc hands=AsTd7c9h/????"

    def endless():
        while True:
            next(taken)
            yield line

    for workers in (1, 2):
        answers = cc.analyze(endless(), "moves", workers=workers, chunk=10)
        for _ in range(35):
            next(answers)
        answers.close()
    assert next(taken) <= 2 * 40 + (1 + 2) * 64 * 10


def test_positions_that_break_off_are_answered_up_to_there():
    def broken():
        yield from ["table=2s5h8dKc hands=AsTd7c9h/????"] * 50
        raise OSError("the disk is gone")

    def collect(items, found):
        for item in items:
            found.append(item)

    for workers, chunk in ((1, 10), (4, 10), (1, 7), (2, 7), (2, None)):
        found = []
        with pytest.raises(OSError, match="the disk is gone"):
            collect(cc.analyze(broken(), "moves", workers=workers, chunk=chunk), found)
        assert [item.index for item in found] == list(range(50))


def test_progress():
    news = []
    lines = ["table=2s5h8dKc hands=AsTd7c9h/????", "bad"] * 20
    list(cc.analyze(lines, "moves", progress=news.append, workers=2, chunk=8))
    assert [item.done for item in news] == [8, 16, 24, 32, 40]
    assert [item.failed for item in news] == [4, 8, 12, 16, 20]
    assert {item.total for item in news} == {40}
    news.clear()
    list(cc.analyze(iter(lines), "moves", progress=news.append, workers=1))
    assert news[-1].total is None
    assert news[-1].done == 40


@pytest.mark.parametrize(
    ("task", "options", "message"),
    [
        ("best", {}, "task is"),
        ("moves", {"nodes": 3}, "the task moves takes nothing, not nodes"),
        ("value", {"samples": 3}, "not samples"),
        ("value", {"nodes": -1}, "nodes is"),
        ("value", {"nodes": 1.5}, "nodes is"),
        ("solve", {"seconds": float("nan")}, "seconds is"),
        ("solve", {"seconds": float("inf")}, "seconds is"),
        ("solve", {"seconds": 0}, "seconds is"),
        ("hint", {"seconds": -1}, "seconds is"),
        ("hint", {"seconds": "1"}, "seconds is"),
        ("value", {"nodes": "x"}, "nodes is a whole number from 0 to .* not 'x'"),
        ("value", {"nodes": True}, "nodes is"),
        ("value", {"table_mib": 0}, "table_mib is"),
        ("value", {"table_mib": float("nan")}, "table_mib is"),
        ("hint", {"seed": 1 << 64}, "seed is"),
        ("hint", {"samples": 2.5}, "samples is a whole number from 1 to .* not 2.5"),
        ("hint", {"samples": 0}, "samples is"),
        ("hint", {"open": 3}, "open is True or False"),
        ("value", {"workers": 0}, "workers is"),
        ("value", {"workers": 1.5}, "workers is"),
        ("value", {"workers": 10**9}, "workers is"),
        ("value", {"chunk": 0}, "chunk is"),
        ("value", {"chunk": "all"}, "chunk is"),
        ("value", {"executor": 2}, "executor is"),
        ("value", {"progress": 2}, "progress is"),
        (["value"], {}, "task is one of"),
    ],
)
def test_options_that_are_none(task, options, message):
    """Wrong arguments raise from the call, not from the first answer."""
    with pytest.raises(cc.CasinoError, match=message) as caught:
        cc.analyze(["table=x"], task, **options)
    assert "\n" not in str(caught.value)
    if isinstance(task, str):
        with pytest.raises(cc.CasinoError, match=message):
            cc.analyze(cc.PositionArray.from_texts([]), task, **options)


@pytest.mark.parametrize("positions", ["table=2s", b"table=2s", 5, None, cc.Position.start()])
def test_positions_that_are_none(positions):
    with pytest.raises(cc.CasinoError, match="positions are a list or another iterable"):
        cc.analyze(positions)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rounds": -1}, "rounds is"),
        ({"rounds": 2.5}, "rounds is"),
        ({"rounds": "9"}, "rounds is"),
        ({"rounds": 1, "seed": -1}, "seed is"),
        ({"rounds": 1, "seed": 0.5}, "seed is"),
        ({"rounds": 1, "keep": "some"}, "keep is one of"),
        ({"rounds": 1, "keep": "deal-end"}, "needs a deal, 1 to 6 for 2 players"),
        ({"rounds": 1, "keep": "deal-end", "deal": "2"}, "deal, for 2 players, is"),
        ({"rounds": 1, "keep": "deal-end", "deal": 0}, "deal, for 2 players, is"),
    ],
)
def test_rounds_that_are_none(options, message):
    for function in (cc.PositionArray.random, sample_positions):
        with pytest.raises(cc.CasinoError, match=message):
            function(**options)
    with pytest.raises(cc.CasinoError, match="no memory"):
        cc.PositionArray.random(2**46)


@pytest.mark.parametrize("rules", ["standard", "draw", "royal,players=3", "hoyle,players=4"])
def test_random_positions_are_whole_records(rules):
    """Arrays from random rounds have all positions, byte for byte those of their texts."""
    players = cc.Rules.parse(rules).players
    for keep, number in (("all", 48), ("last-deal", 4 * players)):
        found = cc.PositionArray.random(5, rules, seed=3, keep=keep)
        assert len(found) == 5 * number
        again = cc.PositionArray.from_texts(found.texts())
        assert found.data.view("V344").tolist() == again.data.view("V344").tolist()


def test_a_time_limit_for_each_item():
    start = cc.Position.start("royal", seed=1)
    (item,) = cc.analyze([start], "value", seconds=0.02, table_mib=1)
    assert item.answer.value is None
    assert item.answer.lower < item.answer.upper


def test_a_stop_sign_ends_a_search():
    worker = Worker("value", {})
    worker.stop.raise_it()
    with pytest.raises(KeyboardInterrupt):
        worker(Chunk(0, [str(cc.Position.start("royal", seed=1))], 1))


# Arrays


def test_texts_to_arrays_and_back(everything):
    array = cc.PositionArray.from_texts([str(p) for p in everything])
    assert array.texts() == [str(p) for p in everything]
    assert array == cc.PositionArray.from_texts(everything)
    assert list(array) == everything
    assert array[-1] == everything[-1]
    assert list(array[10:30:3]) == everything[10:30:3]
    assert pickle.loads(pickle.dumps(array)) == array
    assert len(array.rules) == 8


def test_the_fields_are_where_the_dtype_says(everything):
    array = cc.PositionArray.from_texts(everything)
    for position, row in zip(everything, array.data, strict=True):
        seats = len(position.hands)
        assert position.table.mask == row["table"]
        assert [h.cards.mask for h in position.hands] == row["hands"][:seats].tolist()
        assert [h.hidden for h in position.hands] == row["hidden"][:seats].tolist()
        assert [p.cards.mask for p in position.piles] == row["piles"][
            : len(position.piles)
        ].tolist()
        assert [p.hidden for p in position.piles] == row["forgotten"][
            : len(position.piles)
        ].tolist()
        assert list(position.sweeps) == row["sweeps"][: len(position.sweeps)].tolist()
        assert position.stock_count == row["stock"]
        assert "abcd"[row["turn"]] == position.turn
        assert position.last == (None if row["last"] == 255 else "abcd"[row["last"]])
        assert position.out.mask == row["out"]
        assert len(position.builds) == row["build_count"]
        for build, word in zip(position.builds, row["builds"].tolist(), strict=False):
            assert word & (1 << 52) - 1 == build.cards.mask
            assert word >> 52 & 15 == build.value
            assert "abcd"[word >> 56 & 3] == build.owner
            assert bool(word >> 58) == build.multiple
        names = [
            cc.rules.cards.CARD_NAMES[card] for card in row["order"][: row["ordered"]].tolist()
        ]
        assert tuple(names) == (position.stock or ())
        assert array.rules[row["rules"]] == position.rules


def test_sizes():
    sizes = (POSITION_DTYPE, ANSWER_DTYPE, LISTED_DTYPE, MOVE_DTYPE)
    assert [dtype.itemsize for dtype in sizes] == [344, 64, 24, 16]


@pytest.mark.parametrize("ending", ["npz", "npy"])
def test_files(everything, tmp_path, ending):
    chosen = [p for p in everything if p.rules == cc.PRESETS["royal"]]
    array = cc.PositionArray.from_texts(chosen)
    array.save(tmp_path / f"a.{ending}")
    assert cc.PositionArray.load(tmp_path / f"a.{ending}", "royal") == array


def test_files_that_are_none(everything, tmp_path):
    array = cc.PositionArray.from_texts(everything)
    with pytest.raises(cc.CasinoError, match="cannot hold several"):
        array.save(tmp_path / "a.npy")
    with pytest.raises(cc.CasinoError, match=r"\.npz or \.npy"):
        array.save(tmp_path / "a.txt")
    np.savez(tmp_path / "b.npz", other=np.zeros(3))
    np.save(tmp_path / "b.npy", np.zeros(3))
    (tmp_path / "c.npz").write_bytes(b"PK no")
    for name in ("b.npz", "b.npy", "c.npz"):
        with pytest.raises(cc.CasinoError):
            cc.PositionArray.load(tmp_path / name)
    with pytest.raises(cc.CasinoError, match="dtype"):
        cc.PositionArray(np.zeros((2, 2)))


def test_records_from_outside_are_checked(late):
    """Arrays of arbitrary bytes give answers or errors, never undefined behaviour."""
    array = cc.PositionArray.from_texts([p for p in late if cards_left(p) == 6])
    rng = random.Random(1)
    raw = as_bytes(array.data.copy())
    rows = []
    for _ in range(4000):
        row = raw[rng.randrange(len(raw))].copy()
        for _ in range(rng.choice((1, 1, 2, 20, 344))):
            row[rng.randrange(len(row))] = rng.randrange(256)
        rows.append(row)
    changed = cc.PositionArray(np.array(rows).view(POSITION_DTYPE).reshape(-1), array.rules)
    for task in TASKS:
        found = (
            cc.analyze(changed, task, workers=1, nodes=2000)
            if task in ("value", "solve")
            else (cc.analyze(changed, task, workers=1))
        )
        assert (found.status == cc.Status.INVALID).sum() > 1000
        for index in np.flatnonzero(found.status == cc.Status.DONE)[:50]:
            assert single(changed[int(index)], task) is not None
    blank = cc.PositionArray(np.zeros(2, POSITION_DTYPE))
    assert cc.analyze(blank, "value").status.tolist() == [0, 0]  # a finished round of no cards


def test_answers_as_arrays(late):
    array = cc.PositionArray.from_texts([*late[:30], "bad"])
    found = cc.analyze(array, "solve", workers=1)
    singles = [single(p, "solve") for p in late[:30]]
    for index, one in enumerate(singles):
        if one is None:
            continue
        assert found.value[index] == one.value
        assert found.move_texts(index) == [str(item.move) for item in one.moves]
        start, stop = found.offsets[index : index + 2]
        assert found.moves["lower"][start:stop].tolist() == [item.lower for item in one.moves]
        assert found.best_texts()[index] == (None if one.best is None else str(one.best))
    assert np.isnan(found.value[30])
    assert found.error(30) == "'bad' is neither a position line nor a saved game"
    assert found.status[30] == cc.Status.UNREADABLE
    part = found[5:9]
    assert part.answers.tobytes() == found.answers[5:9].tobytes()
    assert part.all_lines(as_text=True) == found.all_lines(as_text=True)[5:9]


def test_random_rounds_into_an_array():
    compiled = CompiledRules(cc.Rules.parse("royal"))
    data = np.zeros(48 * 20, POSITION_DTYPE)
    count = random_records(compiled, as_bytes(data), 0, 20, 3, 0, 0)
    array = cc.PositionArray(data[:count], ["royal"])
    assert count == 48 * 20
    assert [str(array[48 * k]) for k in range(20)] == [
        str(cc.Position.start("royal", seed=round_seed(3, k))) for k in range(20)
    ]
    for one, after in itertools.pairwise(array[:48]):
        assert str(after) in {str(one.play(move)) for move in one.legal_moves()}
    again = np.zeros(48 * 5, POSITION_DTYPE)
    assert random_records(compiled, as_bytes(again), 7, 5, 3, 0, 0) == 240
    assert np.array_equal(again, data[7 * 48 : 12 * 48])  # a round does not depend on the others


def test_small_searches_reject_what_does_not_fit():
    search = BatchSearch(1, StopSign())
    wrong = np.zeros((3, 5), np.uint8)
    with pytest.raises(cc.CasinoError, match="shape"):
        search.answer(0, wrong, [], wrong)
    with pytest.raises(cc.CasinoError, match="table_mib"):
        BatchSearch(-1, StopSign())


def test_sizes_of_chunks_follow_the_time():
    sizes = ChunkSizes()
    for _ in range(10):
        sizes.took(sizes.next(), sizes.next() * 40e-6)
    assert 1000 < sizes.next() <= 4096
    sizes.took(sizes.next(), 20.0)
    sizes.took(sizes.next(), 20.0)
    assert sizes.next() == 1


def test_sizes_of_chunks_grow_small_towards_a_known_end():
    sizes = ChunkSizes(total=20_000)
    found = []
    while sum(found) < 20_000:
        found.append(sizes.next(4))
        sizes.took(found[-1], found[-1] * 1e-6)
    assert sum(found) == 20_000
    assert max(found) > 1000
    assert found[-1] == 1
    assert found.index(max(found)) < 6
    assert sum(found[-8:]) < 10


def test_what_takes_long_is_not_in_the_way_of_other_chunks():
    """With two workers and twelve chunks, the first chunk ends when the last but one has begun."""
    begun = [threading.Event() for _ in range(12)]

    def work(chunk):
        begun[chunk.first].set()
        if chunk.first == 0:
            assert begun[10].wait(10)
        return -chunk.first

    def chunks(size):
        return (Chunk(number, None, size()) for number in range(12))

    found = list(ordered(work, chunks, workers=2, sizes=ChunkSizes(1), stop=StopSign()))
    assert [(chunk.first, answer) for chunk, answer in found] == [(n, -n) for n in range(12)]


def test_the_hardest_come_first_and_answers_keep_their_places(late):
    """Items of an array are worked on by the number of cards left to play."""
    array = cc.PositionArray.from_texts([*late[::3], "bad", *late[1::3]])
    seen = []

    class Watching(Failing):
        def submit(self, call, /, *args):
            data = args[1].items.data
            seen.extend(data["stock"] + np.bitwise_count(data["hands"]).sum(axis=1))
            return super().submit(call, *args)

    for task in ("value", "solve"):
        seen.clear()
        found = cc.analyze(array, task, executor=Watching(lambda number: False), chunk=5)
        assert seen == sorted(seen, reverse=True)
        assert len(seen) == len(array)
        alone = [cc.analyze(array[at : at + 1], task, workers=1) for at in range(len(array))]
        for name in ("answers", "moves", "lines"):
            expected = b"".join(getattr(one, name).tobytes() for one in alone)
            assert getattr(found, name).tobytes() == expected
        assert found.error(len(late[::3])) == array.errors[len(late[::3])]


# Executors


class Failing(Executor):
    """An executor that runs work at once, but loses the workers of some submissions."""

    def __init__(self, lost):
        self.count = 0
        self.lost = lost

    def submit(self, call, /, *args):
        future: Future = Future()
        self.count += 1
        if self.lost(self.count):
            future.set_exception(ConnectionError("the worker went away"))
        else:
            work, chunk = pickle.loads(pickle.dumps(args))
            future.set_result(call(work, chunk))
        return future


def test_a_lost_chunk_is_run_again():
    lines = ["table=2s5h8dKc hands=AsTd7c9h/????"] * 40
    executor = Failing(lambda number: number % 3 == 1)
    found = list(cc.analyze(lines, "moves", executor=executor, chunk=8))
    assert found == list(cc.analyze(lines, "moves"))
    assert executor.count > 5


def test_a_chunk_is_given_up_after_some_tries_and_the_rest_goes_on():
    lines = ["table=2s5h8dKc hands=AsTd7c9h/????"] * 24
    lost = {2, 4, 5}  # the second of three chunks, each time

    found = list(cc.analyze(lines, "moves", executor=Failing(lost.__contains__), chunk=8))
    assert [item.error is None for item in found] == [True] * 8 + [False] * 8 + [True] * 8
    assert "items 8 to 15 failed 3 times" in found[8].error
    assert "ConnectionError: the worker went away" in found[8].error
    array = cc.PositionArray.from_texts(lines)
    arrays = cc.analyze(array, "moves", executor=Failing(lost.__contains__), chunk=8)
    assert arrays.status.tolist() == [0] * 8 + [cc.Status.LOST] * 8 + [0] * 8
    assert len(arrays.all_moves()[8]) == 0
    assert len(arrays.all_moves()[23]) > 0
