"""Threads that share positions, and what a Python without the GIL needs."""

import subprocess
import sys
import sysconfig
import threading

import pytest

import casino_core as cc
from helpers.rounds import in_last_deal, random_round


def answers(positions: list[cc.Position]) -> list[object]:
    """What the core makes of positions: moves, values, and hints from what is seen."""
    found: list[object] = []
    for position in positions:
        solved = cc.solve(position)
        seen = position.view(position.turn)
        found += [
            list(map(str, position.legal_moves())),
            [(str(item.move), item.value) for item in solved.moves],
            hash(position.play(solved.best)),
            [(str(item.move), item.value) for item in cc.hint(seen, samples=20, seed=3).moves],
        ]
    return found


def test_threads_that_share_positions_get_the_answers_of_one_thread() -> None:
    positions = [
        random_round(rules, seed, until=in_last_deal(6)).position
        for rules in ("standard", "royal")
        for seed in range(3)
    ]
    alone = answers(positions)
    found: list[list[object]] = []
    threads = [threading.Thread(target=lambda: found.append(answers(positions))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 4


def test_without_the_gil_it_stays_off() -> None:
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("a Python with the GIL")
    code = "import sys, casino_core as cc; cc.hint; print(sys._is_gil_enabled())"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
