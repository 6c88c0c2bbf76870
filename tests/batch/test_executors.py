"""Batches on process pools and on a Dask cluster, with workers that are killed."""

import os
import signal
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import casino_core as cc
from helpers.programs import ran


@pytest.fixture(scope="module")
def lines():
    array = cc.PositionArray.random(40, "royal", seed=5, keep="last-deal")
    return [*array.texts(), "no position", *array.texts()[:50]]


@pytest.fixture(scope="module")
def expected(lines):
    return {task: list(cc.analyze(lines, task, workers=1)) for task in ("value", "solve")}


def test_a_process_pool_gives_the_same(lines, expected):
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for task, found in expected.items():
            assert list(cc.analyze(lines, task, executor=pool)) == found
        array = cc.PositionArray.from_texts(lines)
        arrays = cc.analyze(array, "solve", executor=pool, chunk=33)
        alone = cc.analyze(array, "solve", workers=1)
        assert arrays.answers.tobytes() == alone.answers.tobytes()
        assert arrays.moves.tobytes() == alone.moves.tobytes()
        middle = [str(cc.Position.start(seed=seed).view("a")) for seed in range(3)]
        hints = list(cc.analyze(middle, "hint", executor=pool, samples=2, seed=1))
        for one, other in zip(hints, cc.analyze(middle, "hint", samples=2, seed=1), strict=True):
            assert one.answer.moves == other.answer.moves


def test_a_pool_whose_worker_dies_says_where_the_answers_end(lines):
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        pool.submit(abs, 1).result()
        found = cc.analyze(iter(lines * 50), "solve", executor=pool, chunk=20)
        done = [next(found) for _ in range(20)]
        (process,) = pool._processes.values()
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(cc.WorkerError, match=r"items \d+ to \d+ and all after them"):
            done += list(found)
    assert [item.index for item in done] == list(range(len(done)))
    assert len(done) % 20 == 0


def test_dask_is_not_imported_by_the_package():
    code = "import sys, casino_core, casino_core.cli; print(sorted(sys.modules))"
    names = ran(sys.executable, "-c", code)
    assert names.returncode == 0, names.stderr
    assert "dask" not in names.stdout
    assert "pyarrow" not in names.stdout
    assert "matplotlib" not in names.stdout


@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_that_loses_a_worker_gives_the_same(lines, expected):
    distributed = pytest.importorskip("distributed", reason="needs the extra dask")
    repeated = lines * 6
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids = client.run(os.getpid)
        found = []
        killer = threading.Timer(0.0, os.kill, (next(iter(pids.values())), signal.SIGKILL))
        start = time.perf_counter()
        answers = cc.analyze(repeated, "solve", executor=client.get_executor(), chunk=40, workers=2)
        for item in answers:
            found.append(item)
            if len(found) == 100:
                killer.start()
        killer.join()
        assert len(found) == len(repeated)
        wanted = [item.answer for item in expected["solve"]] * 6
        assert [item.answer for item in found] == wanted
        assert [item.index for item in found] == list(range(len(repeated)))
        assert time.perf_counter() - start < 120
        assert len(set(pids.values())) == 2
