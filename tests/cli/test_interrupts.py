"""Ctrl-C at any moment, the first ones included: one line, or the run's normal end."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import casino_core as cc
from helpers.programs import PROGRAM, ran, started

pytestmark = pytest.mark.skipif(os.name != "posix", reason="interrupts as POSIX does")

#: As an installed `casino-core` starts.
SCRIPT = (sys.executable, "-c", "from casino_core.__main__ import main; main()")
POSITION = "table=2s5h8dKc hands=As7c9hTd/????"
LAST = 400  # milliseconds
ANSWER = "casino-core: interrupted\n"


def interrupted(command: tuple[object, ...], delay: float) -> tuple[int, str]:
    """Status and errors of a program that gets SIGINT after some seconds."""
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with started(*command, **pipes) as process:
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        return process.returncode, errors.decode()


def of_python_itself(status: int, errors: str) -> bool:
    """Whether the interrupt came before the first line of `casino_core.__main__` had run.

    Python imports the package itself before that line, with its own handling of Ctrl-C.
    """
    if not errors:
        return status == -signal.SIGINT
    lines = errors.replace(SCRIPT[2], "").splitlines()
    frames = [line for line in lines if line.startswith("  File") and "casino_core" in line]
    before = all(os.path.join("casino_core", "__init__.py") in frame for frame in frames)
    return "KeyboardInterrupt" in errors and before


@pytest.mark.parametrize(
    "arguments",
    [("hint", POSITION, "--seconds", "60"), ("show", POSITION)],
    ids=["hint", "show"],
)
@pytest.mark.parametrize("step", [50, pytest.param(10, marks=pytest.mark.slow)])
@pytest.mark.parametrize("program", [PROGRAM, SCRIPT], ids=["module", "script"])
def test_an_interrupt_ends_in_one_line(
    program: tuple[str, ...], step: int, arguments: tuple[str, ...]
) -> None:
    normal = 0, ""
    for delay in range(0, LAST + 1, step):
        found = interrupted((*program, *arguments), delay / 1000)
        assert found in ((130, ANSWER), normal) or of_python_itself(*found), (delay, found)


def test_an_ignored_interrupt_stays_ignored() -> None:
    """SIGINT is ignored at the start, as in a background job of a script."""
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); " + SCRIPT[2]
    after = "import atexit, os, signal; atexit.register(os.kill, os.getpid(), signal.SIGINT); "
    done = ran(sys.executable, "-c", after + code, "show", POSITION)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupt_after_the_answer_ends_in_one_line() -> None:
    after = "import atexit, os, signal; atexit.register(os.kill, os.getpid(), signal.SIGINT); "
    done = ran(sys.executable, "-c", after + SCRIPT[2], "show", POSITION)
    assert (done.returncode, done.stderr) == (130, ANSWER)
    assert "Loose cards" in done.stdout


def test_the_package_is_imported_at_once() -> None:
    """Nothing heavy stands before the first line that prepares for Ctrl-C."""
    code = (
        "import sys; before = set(sys.modules); import casino_core.__main__; "
        "print(*sorted(set(sys.modules) - before))"
    )
    names = ["casino_core", "casino_core.__main__", "casino_core._interrupts"]
    assert ran(sys.executable, "-c", code).stdout.split() == [*names, "casino_core._version"]


ARENA = ("arena", "careful", "greedy", "--rounds", "400000")
SERIES = [(*ARENA, "--workers", "2"), ARENA, ("tournament", *ARENA[1:], "--workers", "2")]


@pytest.mark.parametrize("command", SERIES, ids=["workers", "one process", "tournament"])
def test_sigterm_ends_a_series_as_ctrl_c_does(command: tuple[str, ...]) -> None:
    """One line, the result so far, and no warning of Python about what was left behind."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started(*PROGRAM, *command, **pipes) as process:
        time.sleep(4)
        process.terminate()
        out, errors = (part.decode() for part in process.communicate())
    assert process.returncode == 143
    assert errors.endswith(ANSWER)
    lines = [line for line in errors.splitlines() if "can be continued with --first-deck" in line]
    assert len(errors.splitlines()) == 1 + len(lines)
    if command[0] == "arena":
        assert ("Points a round" in out) == bool(lines)
    else:
        assert "careful against greedy: " in out
        assert "rating" not in out


@pytest.mark.parametrize("task", ["hint", "solve"])
def test_sigterm_keeps_what_a_batch_has_done(tmp_path: Path, task: str) -> None:
    lines = cc.PositionArray.random(3, seed=1, keep="last-deal").texts() * 200
    (tmp_path / "in.txt").write_text("\n".join(lines))
    command = ("batch", tmp_path / "in.txt", "--task", task, "--workers", "2", "--out")
    out = tmp_path / "out.jsonl"
    limits = ("--samples", "500") if task == "hint" else ()
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    more = ("--keep-every", "0", *limits)
    with started(*PROGRAM, *command, out, *more, **pipes) as process:
        for _ in range(500):
            if (tmp_path / "out.jsonl.state").exists() or process.poll() is not None:
                break
            time.sleep(0.02)
        process.terminate()
        errors = process.communicate()[1].decode()
    if process.returncode == 0:  # it was done before
        return
    assert process.returncode == 143, errors
    assert "leaked" not in errors
    assert "Traceback" not in errors
    assert len(errors.splitlines()) <= 2
    assert "interrupted" in errors.splitlines()[-1]


def test_a_group_that_gets_sigterm_ends_in_one_line() -> None:
    """As a supervisor does: the workers get the signal too, and leave it to their caller."""
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with started(*PROGRAM, *SERIES[0], **pipes) as process:
        time.sleep(4)
        os.killpg(process.pid, signal.SIGTERM)
        errors = process.communicate()[1].decode()
    assert process.returncode == 143
    assert errors.endswith(ANSWER)
    assert "worker process ended" not in errors
