"""Several requests at once: turns, stops, bounds, and the same answers on any number of threads."""

import json
import threading
import time

import pytest

import casino_core as cc
from casino_core.engine import engine as engine_module
from casino_core.engine.engine import Engine, serve
from casino_core.engine.queue import QUICK, SEARCH, Waiting
from casino_core.engine.requests import Request
from helpers.engine import ask, one
from helpers.programs import PATIENCE

LINE = "table=2s5h8dKc hands=As7c9hTd/????"
ROUND = str(cc.Position.start("royal", seed=8))
LONG = {"command": "hint", "position": ROUND, "samples": 2**31 - 1, "measure_all": True}


def requests():
    """Requests of every kind that takes its turn."""
    record = one("deal", seed=17)["record"]
    asked = [
        {"command": "hint", "position": record, "samples": 10 + n, "seed": n} for n in range(6)
    ]
    asked += [{"command": "agent", "position": record, "level": n} for n in range(1, 11)]
    asked += [{"command": "moves", "position": record}, {"command": "why", "position": LINE}]
    asked += [{"command": "view", "position": record, "seat": seat} for seat in "ab"]
    asked += [{"command": "solve", "position": record, "nodes": 1}, {"command": "equity"}]
    return [{"id": n, **fields} for n, fields in enumerate(asked)]


def test_answers_do_not_depend_on_the_number_of_threads():
    found = {}
    for threads in (1, 2, 4):
        answers = ask(*requests(), threads=threads)
        for answer in answers:
            answer.pop("seconds", None)
        found[threads] = sorted(answers, key=lambda answer: answer["id"])
    assert found[1] == found[2] == found[4]
    assert len(found[1]) == len(requests())


def waiting(*clients, command="hint", protocol=2):
    queue = Waiting()
    for number, client in enumerate(clients):
        queue.put(Request(id=number, command=command, protocol=protocol, client=client))
    return queue


def test_clients_take_turns():
    queue = waiting(*"aaaabbc")
    order = [queue.next(SEARCH).id for _ in range(7)]
    assert order == [0, 4, 6, 1, 5, 2, 3]
    assert queue.next(SEARCH) is None


def test_a_client_that_comes_back_goes_to_the_end():
    queue = waiting(*"ab")
    assert queue.next(SEARCH).client == "a"
    queue.put(Request(id=9, command="hint", protocol=2, client="a"))
    assert [queue.next(SEARCH).client for _ in range(2)] == ["b", "a"]


def test_requests_of_protocol_1_are_done_one_at_a_time():
    queue = waiting("", "", command="moves", protocol=1)
    queue.put(Request(id=5, command="hint", protocol=2))
    first = queue.next(SEARCH)
    assert queue.next(SEARCH).id == 5
    assert queue.next(SEARCH) is None
    assert queue.left(SEARCH)
    queue.done(first)
    assert queue.next(SEARCH).id == 1


def test_quick_requests_have_workers_of_their_own():
    queue = waiting("", "", command="moves")
    assert queue.next(SEARCH) is None
    assert queue.next(QUICK).id == 0
    assert len(queue) == 2


class Running:
    """An engine whose answers can be waited for."""

    def __init__(self, threads=1):
        self.answers = {}
        self.order = []
        self.news = threading.Condition()
        self.engine = Engine(self.take, threads=threads, protocol=2)
        self.thread = threading.Thread(target=self.engine.work)

    def take(self, line):
        answer = json.loads(line)
        with self.news:
            kind = (answer["id"], "interim" in answer)
            self.order.append(answer["id"])
            self.answers[kind] = answer
            self.news.notify_all()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.engine.take(b'{"id": "end", "command": "quit"}')
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        assert self.order[-1] == "end"

    def ask(self, **request):
        self.engine.take(json.dumps(request).encode())

    def answer(self, number, interim=False):
        with self.news:
            assert self.news.wait_for(lambda: (number, interim) in self.answers, PATIENCE)
        return self.answers[number, interim]


@pytest.mark.parametrize("threads", [1, 2])
def test_quick_requests_do_not_wait_for_searches(threads):
    with Running(threads) as engine:
        for number in range(threads + 1):
            engine.ask(id=number, **LONG)
        engine.ask(id="quick", command="moves", position=LINE)
        assert engine.answer("quick")["count"] == 8
        assert engine.order == ["quick"]


def test_two_searches_at_once_and_no_more():
    with Running(threads=2) as engine:
        for number in range(3):
            engine.ask(id=number, interim=0.01, **LONG)
        assert engine.answer(0, interim=True)
        assert engine.answer(1, interim=True)
        assert (2, True) not in engine.answers
        engine.ask(id="stop", command="stop", request=0)
        assert engine.answer("stop") == {"id": "stop", "stopped": 1}
        assert engine.answer(0)["stopped"] == "stop"
        assert engine.answer(2, interim=True)
        engine.ask(id="all", command="stop")
        assert engine.answer("all")["stopped"] == 2
        assert engine.answer(1)["best"]
        assert engine.answer(2)["best"]


def test_an_agent_that_thinks_is_stopped(monkeypatch):
    """Its hint hears of it, and the answer is its best move so far."""
    begun = threading.Event()

    def endless(position, *, progress, **given):
        begun.set()
        while not progress(None):
            time.sleep(0.01)
        return cc.hint(position, samples=1)

    monkeypatch.setattr("casino_core.play.agents.hint", endless)
    with Running(threads=1) as engine:
        engine.ask(id=1, command="agent", position=LINE, agent="hint")
        assert begun.wait(PATIENCE)
        engine.ask(id="stop", command="stop", request=1)
        assert engine.answer("stop") == {"id": "stop", "stopped": 1}
        move = engine.answer(1)["move"]
    assert cc.Position.parse(LINE).is_legal(move)


def test_cancelled_requests_have_an_error_with_a_code():
    with Running() as engine:
        engine.ask(id=1, interim=0.01, **LONG)
        engine.ask(id=2, **LONG)
        assert engine.answer(1, interim=True)
        for number in (2, 1):
            engine.ask(id=f"cancel {number}", command="cancel", request=number)
            assert engine.answer(f"cancel {number}")["cancelled"] == 1
        assert engine.answer(1)["code"] == engine.answer(2)["code"] == "cancelled"
        engine.ask(id=3, command="cancel", request=1)
        assert engine.answer(3)["cancelled"] == 0


def test_a_review_is_cancelled_between_plays():
    record = str(cc.Game([cc.Round.parse(f"{cc.Position.start(seed=17)}\n7dx7c 9h 6h")]))
    with Running() as engine:
        fields = {"command": "review", "position": record, "samples": 2**31 - 1}
        engine.ask(id=1, interim=0.001, seconds=0.2, **fields)
        assert engine.answer(1, interim=True)["done"] > 0
        engine.ask(id=2, command="cancel", request=1)
        engine.answer(2)
        assert engine.answer(1).get("code", "cancelled") == "cancelled"


def test_quit_ends_everything():
    with Running(threads=2) as engine:
        for number in range(5):
            engine.ask(id=number, interim=0.01, **LONG)
        assert engine.answer(0, interim=True)
    assert sum("error" in engine.answer(number) for number in range(5)) >= 3
    assert engine.answers["end", False] == {"id": "end", "quit": True}


def test_many_requests_wait_for_room(monkeypatch):
    monkeypatch.setattr(engine_module, "_MOST_WAITING", 3)
    line = b'{"id":%d,"command":"moves","position":"hands=As/Ah out=-"}\n'
    data = [b"".join(line % i for i in range(200)), b""]
    got = []
    serve(lambda most: data.pop(0), got.append, threads=2, protocol=2)
    assert sorted(json.loads(line)["id"] for line in got) == [*range(200)]


def test_an_output_that_fails_ends_all_threads():
    def send(line):
        raise OSError("no output")

    engine = Engine(send, threads=3, protocol=2)
    for number in range(9):
        engine.take(json.dumps({"id": number, "command": "moves", "position": LINE}).encode())
    engine.close()
    with pytest.raises(OSError, match="no output"):
        engine.work()
