"""The clients in Python, plain and for asyncio."""

import asyncio
import importlib
import pickle
import threading
import time
from pathlib import Path

import pytest

import casino_core as cc
from casino_core.engine.client import AsyncEngineClient, EngineClient, EngineError, EngineTimeout
from helpers.programs import PATIENCE

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LONG = {"samples": 2**31 - 1, "measure_all": True}


@pytest.fixture(scope="module")
def engine():
    with EngineClient(threads=2, timeout=PATIENCE) as client:
        yield client


@pytest.fixture(scope="module")
def record(engine):
    return engine.ask("deal", seed=17)["record"]


def test_a_whole_round(engine):
    record, over = engine.ask("deal", seed=17, rules="royal,players=3")["record"], False
    while not over:
        move = engine.ask("agent", position=record, agent="careful")["move"]
        played = engine.ask("play", position=record, move=move)
        record, over = played["record"], played["over"]
    assert cc.Game.parse(record).result == tuple(played["counted"]["points"].values())


def test_errors_are_raised(engine, record):
    with pytest.raises(EngineError, match="does not hold") as caught:
        engine.ask("play", position=record, move="Ks")
    assert (caught.value.code, caught.value.field) == ("illegal_move", "move")
    assert caught.value.reason["code"] == "not_held"
    with pytest.raises(EngineError) as caught:
        engine.ask("hint", position=record, samples=0)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, again.field, str(again)) == ("bad_field", "samples", str(caught.value))


def line(mine, others):
    """A position with this match score."""
    return f"hands=As/Ah out=- score={mine}/{others}"


def quiet(engine):
    """Wait until nothing is in progress."""
    end = time.monotonic() + PATIENCE
    while engine.ask("ping")["waiting"]:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_late_answer_is_cancelled(engine, record):
    with pytest.raises(EngineTimeout, match=r"hint: no answer within 0\.1 seconds"):
        engine.ask("hint", position=record, timeout=0.1, **LONG)
    quiet(engine)


def test_cancel_and_stop(engine, record):
    news = threading.Event()
    asked = engine.send(
        "hint", position=record, interim=0.01, on_interim=lambda _: news.set(), **LONG
    )
    other = engine.send("hint", position=record, **LONG)
    assert news.wait(PATIENCE)
    asked.stop()
    assert asked.result()["stopped"] == "stop"
    assert not other.is_done()
    other.cancel()
    with pytest.raises(EngineError) as caught:
        other.result()
    assert caught.value.code == "cancelled"


def test_many_at_once_from_several_threads(engine):
    answers = {}

    def asking(points):
        asked = [engine.send("show", position=line(n, points)) for n in range(400)]
        answers[points] = [one.result()["score"] for one in asked]

    threads = [threading.Thread(target=asking, args=[points]) for points in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for points in range(3):
        assert answers[points] == [[n, points] for n in range(400)]


def test_a_dead_engine_is_started_again(record):
    with EngineClient(timeout=PATIENCE) as engine:
        asked = engine.send("hint", position=record, seconds=1)
        first = engine._process
        first.kill()
        assert asked.result()["best"]
        assert engine._process is not first
        engine._process.kill()
        assert engine.ask("ping")["ping"]


def test_a_request_that_kills_the_engine_is_given_up(record):
    with EngineClient(timeout=PATIENCE) as engine:
        asked = engine.send("hint", position=record, **LONG)
        for _ in range(2):
            process = engine._process
            process.kill()
            process.wait()
            end = time.monotonic() + PATIENCE
            while engine._process is process and not asked.is_done() and time.monotonic() < end:
                time.sleep(0.01)
        with pytest.raises(EngineError, match="twice") as caught:
            asked.result()
        assert caught.value.code == "engine_gone"


def test_a_closed_client(record):
    engine = EngineClient()
    asked = engine.send("hint", position=record, **LONG)
    engine.close()
    for question in (asked.result, lambda: engine.ask("ping")):
        with pytest.raises(EngineError) as caught:
            question()
        assert caught.value.code in ("engine_gone", "cancelled")
    engine.close()


def test_a_program_that_is_not_there():
    with EngineClient(command=["./no-such-program"]) as engine:
        with pytest.raises(EngineError, match=r"cannot start \./no-such-program") as caught:
            engine.ask("ping")
        assert caught.value.code == "engine_gone"

    async def ask(engine):
        with pytest.raises(EngineError, match=r"cannot start \./no-such-program"):
            await engine.ask("ping")

    run(ask, command=["./no-such-program"])


def run(work, **options):
    async def main():
        async with AsyncEngineClient(timeout=PATIENCE, **options) as engine:
            return await work(engine)

    return asyncio.run(main())


def test_a_whole_round_with_asyncio():
    async def play(engine):
        record, over = (await engine.ask("deal", seed=4))["record"], False
        while not over:
            move = (await engine.ask("agent", position=record, level=1))["move"]
            played = await engine.ask("play", position=record, move=move)
            record, over = played["record"], played["over"]
        return record

    assert cc.Game.parse(run(play)).result


def test_asyncio_has_many_at_once_late_and_cancelled(record):
    async def ask(engine):
        scores = [engine.ask("show", position=line(n, 3)) for n in range(700)]
        answers = await asyncio.gather(*scores)
        assert [one["score"] for one in answers] == [[n, 3] for n in range(700)]
        with pytest.raises(EngineTimeout):
            await engine.ask("hint", position=record, timeout=0.1, **LONG)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(engine.ask("hint", position=record, **LONG), 0.1)
        with pytest.raises(EngineError, match="not legal"):
            await engine.ask("play", position=record, move="Kc")
        news = []
        await engine.ask(
            "hint", position=record, seconds=0.5, interim=0.05, on_interim=news.append, **LONG
        )
        assert news
        while (await engine.ask("ping"))["waiting"]:
            await asyncio.sleep(0.02)

    run(ask, threads=2)


def test_asyncio_starts_a_dead_engine_again(record):
    async def ask(engine):
        asked = asyncio.create_task(engine.ask("hint", position=record, seconds=1))
        while engine._process is None:
            await asyncio.sleep(0.01)
        first = engine._process
        first.kill()
        assert (await asked)["best"]
        assert engine._process is not first

    run(ask)


def test_the_match_of_the_example(monkeypatch, capsys, engine):
    monkeypatch.syspath_prepend(EXAMPLES)
    study = importlib.import_module("bot_match")
    match = study.play_match(engine, level=2, target=11, seed=1)
    assert match["winner"] in ("a", "b")
    assert capsys.readouterr().out.startswith("round 1: ")
