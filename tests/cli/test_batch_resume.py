"""Batches that stop and continue: locks, kills, full disks, changed outputs."""

import errno
import gzip
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import casino_core as cc
from helpers.commands import run
from helpers.programs import PROGRAM, ran, started

TASKS = ("value", "solve", "moves", "score")


def test_an_input_that_breaks_off_is_marked_partial(long_input, tmp_path):
    packed = gzip.compress(long_input.read_bytes())
    broken, out = tmp_path / "in.gz", tmp_path / "out.csv"
    broken.write_bytes(packed[: len(packed) // 2])
    answer = run("batch", broken, "--task", "value", "--out", out, status=2)
    assert "cannot read" in answer.stderr
    assert "stopped; --resume continues" in answer.stderr
    assert not out.exists()
    done = json.loads((tmp_path / "out.csv.state").read_text())["done"]
    assert done > 100
    broken.write_bytes(packed)
    answer = run("batch", broken, "--task", "value", "--out", out, "--resume")
    assert f"{5600 - done:,} done" in answer.stderr
    run("batch", long_input, "--task", "value", "--out", tmp_path / "whole.csv")
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_a_finished_output_is_compared_with_what_is_asked(text_file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ("batch", "in.txt", "--task", "value", "--out", "o.csv", "--resume")
    run(*command[:-1], "--nodes", 500)
    before = Path("o.csv").read_bytes()
    again = run(*command, "--nodes", 500)
    assert again.stderr == "o.csv is finished: nothing is left to do\n"
    for arguments, message in (
        (command, "'o.csv' was made with --nodes 500, not without --nodes"),
        ((*command, "--nodes", 501), "made with --nodes 500, not with --nodes 501"),
        ((*command, "--nodes", 500, "--task", "solve"), "made with --task value, not with --task"),
        (
            (*command, "--nodes", 500, "--seconds", 5),
            "made without --seconds, not with --seconds 5.0",
        ),
    ):
        answer = run(*arguments, status=2)
        assert message in answer.stderr
        assert answer.stderr.count("\n") == 1
    assert "nothing is left" in run(*command, "--nodes", 500, "--table", 32).stderr
    lines = text_file.read_text()
    for changed in (lines + lines, lines[:-5], lines.replace("bad", "worse"), "\n" + lines):
        text_file.write_text(changed)
        answer = run(*command, "--nodes", 500, status=2)
        assert "another input" in answer.stderr or "has fewer positions" in answer.stderr
        assert answer.stderr.count("\n") == 1
    text_file.write_text(lines)
    assert Path("o.csv").read_bytes() == before
    for changed in (
        before + b"1\n",
        before[:-9],
        bytes(len(before)),
        before.replace(b"3", b"4", 1),
    ):
        Path("o.csv").write_bytes(changed)
        answer = run(*command, "--nodes", 500, status=2)
        assert "'o.csv' is not what the run wrote: it was changed or damaged" in answer.stderr
        assert answer.stderr.count("\n") == 1
        assert Path("o.csv").read_bytes() == changed
    for note in ("{}", '{"settings": {}, "sizes": [3]}', "not JSON", None):
        Path("o.csv.made").unlink() if note is None else Path("o.csv.made").write_text(note)
        assert "no record of how" in run(*command, "--nodes", 500, status=2).stderr


def test_an_archive_under_other_rules_is_another_input(array, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    array.save("in.npz")
    command = ("batch", "in.npz", "--task", "moves", "--out", "o.jsonl", "--resume")
    run(*command)
    assert "nothing is left" in run(*command).stderr
    cc.PositionArray(array.data, ["royal-1911"]).save("in.npz")
    assert "another input" in run(*command, status=2).stderr


def test_nothing_is_left_where_nothing_was_done(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("hands=-/- out=-\n")

    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["casino_core.cli.batch"], "_run", interrupt)
    for ending in ("jsonl", "npz", "csv.gz"):
        command = ("batch", "in.txt", "--task", "value", "--out", f"o.{ending}")
        answer = run(*command, status=130)
        assert answer.stderr.endswith("interrupted\n")
    assert [path.name for path in Path().iterdir()] == ["in.txt"]


def test_a_part_is_gone_on_with_only_with_the_same_columns(long_input, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("id", "other"):
        lines = enumerate(long_input.read_text().splitlines())
        text = "".join(f"{number},{line}\n" for number, line in lines)
        Path(f"{name}.csv").write_text(f"{name},position\n" + text)
    run("batch", "id.csv", "--task", "value", "--out", "whole.csv")
    cut = gzip.compress(Path("id.csv").read_bytes())
    Path("in.csv.gz").write_bytes(cut[: len(cut) // 2])
    command = ("batch", "in.csv.gz", "--task", "value", "--out", "o.csv")
    run(*command, status=2)
    Path("in.csv.gz").write_bytes(gzip.compress(Path("other.csv").read_bytes()))
    answer = run(*command, "--resume", status=2)
    assert "made with columns ['id'], not with columns ['other']" in answer.stderr
    Path("in.csv.gz").write_bytes(cut)
    run(*command, "--resume")
    assert Path("o.csv").read_bytes() == Path("whole.csv").read_bytes()


# Stopped and resumed


def progress_of(state):
    """The number of positions done, from the state file, which may be missing."""
    try:
        return json.loads(state.read_text())["done"]
    except (FileNotFoundError, ValueError):
        return 0


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
@pytest.mark.parametrize("ending", ["jsonl", "csv.gz", "npz", "parquet"])
def test_a_run_killed_again_and_again_ends_as_one_that_was_not(long_input, ending, tmp_path):
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="needs the extra parquet")
    task = "solve" if ending == "npz" else "value"
    whole, out = tmp_path / f"whole.{ending}", tmp_path / f"out.{ending}"
    run("batch", long_input, "--task", task, "--out", whole)
    rng = random.Random(ending)
    command = [*PROGRAM, "batch", str(long_input), "--task", task, "--out", str(out), "--resume"]
    command += ["--keep-every", "0", "--workers", "2"]
    state = tmp_path / f"{out.name}.state"
    seen = []
    for _ in range(3):
        with started(*command, stderr=subprocess.DEVNULL) as process:
            wanted = progress_of(state) + 1
            while process.poll() is None and progress_of(state) < wanted:
                time.sleep(0.002)
            time.sleep(rng.uniform(0, 0.02))
            process.kill()
            process.wait()
        assert process.returncode in (1, -signal.SIGKILL)
        seen.append(progress_of(state))
    assert len(set(seen)) > 1
    run("batch", long_input, "--task", task, "--out", out, "--resume")
    assert out.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        name for path in (whole, out) for name in (path.name, path.name + ".made")
    )
    run("batch", long_input, "--task", task, "--out", out, "--resume")  # nothing is left to do


@pytest.mark.skipif(os.name != "posix", reason="interrupts as POSIX does")
def test_an_interrupted_run_keeps_what_is_done(long_input, tmp_path):
    out = tmp_path / "out.jsonl"
    command = [*PROGRAM, "batch", "-", "--task", "solve", "--out", str(out)]
    with started(*command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(long_input.read_bytes())
        process.stdin.flush()  # and no end: it waits for more
        state = tmp_path / "out.jsonl.state"
        for _ in range(400):
            time.sleep(0.02)
            if state.exists() and json.loads(state.read_text())["done"] > 500:
                break
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read().decode()
        process.stdin.close()
        process.wait()
    assert process.returncode == 130
    assert "interrupted; --resume continues" in errors
    assert "Traceback" not in errors, errors
    assert not out.exists()
    kept = json.loads(state.read_text())["done"]
    assert len((tmp_path / "out.jsonl.partial").read_bytes().splitlines()) == kept > 500
    again = run("batch", long_input, "--task", "solve", "--out", out, status=2)
    assert "--resume continues it" in again.stderr
    other = run("batch", long_input, "--task", "value", "--out", out, "--resume", status=2)
    assert "the existing part was made with --task solve, not with --task value" in other.stderr
    changed = tmp_path / "other.txt"
    changed.write_text("hands=-/- out=-\n" * 9000)
    other = run("batch", changed, "--task", "solve", "--out", out, "--resume", status=2)
    assert "the input is not that of the stopped run" in other.stderr
    run("batch", long_input, "--task", "solve", "--out", out, "--resume")
    assert len(out.read_bytes().splitlines()) == 5600


def test_a_partial_file_longer_than_the_state_says_is_cut(long_input, tmp_path):
    out = tmp_path / "out.jsonl"
    run("batch", long_input, "--task", "value", "--out", out)
    whole = out.read_bytes()
    assert b'{"line": 101, "error":' in whole
    cut = whole.index(b'{"line": 51,')
    (tmp_path / "fifty").write_text("\n".join(long_input.read_text().splitlines()[:50]))
    out.unlink()
    settings = {"task": "value", "out": "out.jsonl", "table_mib": 32.0}
    from casino_core.batch.files.sources import Source

    with Source(str(long_input)) as source:
        digest = source.skip(50)
    state = {"settings": settings, "sizes": [cut], "done": 50, "failed": 0, "digest": digest}
    state["contents"] = [hashlib.blake2b(whole[:cut], digest_size=16).hexdigest()]
    (tmp_path / "out.jsonl.state").write_text(json.dumps(state))
    (tmp_path / "out.jsonl.partial").write_bytes(whole[: cut + 17])
    run("batch", long_input, "--task", "value", "--out", out, "--resume")
    assert out.read_bytes() == whole


@contextmanager
def without_end(process_input, out, *more):
    """A running batch whose input ends only when its standard input is closed."""
    command = [*PROGRAM, "batch", "-", "--task", "value", "--out", str(out), "--keep-every", "0"]
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started(*command, "--workers", "1", *more, **pipes) as process:
        process.stdin.write(process_input.read_bytes())
        process.stdin.flush()
        for _ in range(1000):
            if progress_of(out.with_name(out.name + ".state")) > 100:
                break
            time.sleep(0.02)
        else:
            pytest.fail("the run does not begin")
        yield process


@pytest.mark.parametrize("ending", ["jsonl", "csv", "jsonl.gz", "npz", "parquet"])
def test_a_second_run_on_the_same_output_is_refused(long_input, ending, tmp_path):
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="needs the extra parquet")
    out = tmp_path / f"o.{ending}"
    with without_end(long_input, out) as first:
        for more in ((), ("--resume",)):
            command = ("batch", long_input, "--task", "value", "--out")
            second = run(*command, out, *more, status=2)
            assert f"core: another run is writing 'o.{ending}': wait for it" in second.stderr
            assert second.stderr.count("\n") == 1
            folder = tmp_path / "other"
            if os.name == "posix" and not folder.exists():
                folder.symlink_to(tmp_path)
                (tmp_path / f"link.{ending}").symlink_to(out)
            for same in (folder / out.name, tmp_path / f"link.{ending}"):
                if os.name == "posix":
                    assert "another run is writing" in run(*command, same, *more, status=2).stderr
        assert b"5,600 done" in first.communicate()[1]
    assert first.returncode == 1  # one of its positions cannot be read
    run("batch", long_input, "--task", "value", "--out", tmp_path / f"whole.{ending}")
    assert out.read_bytes() == (tmp_path / f"whole.{ending}").read_bytes()
    assert not (tmp_path / f"o.{ending}.lock").exists()


def test_a_part_that_was_changed_is_not_gone_on_with(long_input, tmp_path):
    out, partial = tmp_path / "o.jsonl", tmp_path / "o.jsonl.partial"
    with without_end(long_input, out) as process:
        process.kill()
    assert (tmp_path / "o.jsonl.lock").exists()  # the lock is free, its file is left
    command = ("batch", long_input, "--task", "value", "--out", out, "--resume")
    whole = partial.read_bytes()
    partial.write_bytes(bytes(40) + whole[40:])
    assert "'o.jsonl.partial' is not what the run wrote" in run(*command, status=2).stderr
    partial.write_bytes(whole[:40])
    assert "is shorter than it was" in run(*command, status=2).stderr
    partial.write_bytes(whole)
    run(*command)
    assert len(out.read_bytes().splitlines()) == 5600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["o.jsonl", "o.jsonl.made"]


def test_a_part_that_is_changed_while_it_grows_is_no_output(long_input, tmp_path):
    out = tmp_path / "o.jsonl"
    with without_end(long_input, out) as process:
        with (tmp_path / "o.jsonl.partial").open("r+b") as file:
            file.write(bytes(40))
        errors = process.communicate()[1].decode()
    assert process.returncode == 2
    assert "'o.jsonl.partial' was changed while this run wrote it" in errors
    assert not out.exists()


@pytest.mark.skipif(os.name != "posix", reason="limits as POSIX has them")
@pytest.mark.parametrize("ending", ["jsonl", "csv.gz"])
def test_a_full_disk_loses_nothing_that_was_kept(long_input, ending, tmp_path):
    out = tmp_path / f"o.{ending}"
    command = ("batch", str(long_input), "--task", "value", "--out", str(out), "--resume")
    limited = (
        "import resource, sys; from casino_core.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000)); main(sys.argv[1:])"
    )
    full = [sys.executable, "-c", limited, *command, "--keep-every", "0"]
    found = ran(*full)
    assert found.returncode == 2
    assert "Traceback" not in found.stderr
    assert f"stopped; --resume continues {out}.partial" in found.stderr
    assert "File too large" in found.stderr
    run(*command)
    run("batch", long_input, "--task", "value", "--out", tmp_path / f"whole.{ending}")
    assert out.read_bytes() == (tmp_path / f"whole.{ending}").read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("end", ["SIGHUP", "SIGKILL"])
def test_workers_end_with_a_run_that_is_killed(end, tmp_path):
    (tmp_path / "in.txt").write_text("hands=????/???? turn=a\n" * 10_000)
    command = [*PROGRAM, "batch", "in.txt", "--task", "hint", "--samples", "2", "--workers", "2"]
    program = subprocess.Popen(
        [*command, "--out", "o.jsonl", "--keep-every", "0"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(1000):
        if progress_of(tmp_path / "o.jsonl.state") > 1:
            break
        time.sleep(0.02)
    program.send_signal(signal.Signals[end])
    # The pipe ends when no process holds it any more.
    assert program.communicate(timeout=30)[0] == b""
    assert program.returncode == -signal.Signals[end]


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes as Linux shows them")
def test_a_worker_that_dies_leaves_what_was_kept(tmp_path):
    """As where it was killed for want of memory."""
    lines = (str(one.view(one.turn)) for one in cc.PositionArray.random(60, seed=3, keep="all"))
    (tmp_path / "in.txt").write_text("\n".join(lines))
    command = [*PROGRAM, "batch", "in.txt", "--task", "hint", "--samples", "5", "--workers", "2"]
    program = subprocess.Popen(
        [*command, "--out", "o.jsonl", "--keep-every", "0"], cwd=tmp_path, stderr=subprocess.PIPE
    )
    for _ in range(1000):
        if progress_of(tmp_path / "o.jsonl.state") > 1:
            break
        time.sleep(0.02)
    children = Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
    (worker, *_) = (
        child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    )
    os.kill(int(worker), signal.SIGKILL)
    errors = program.communicate(timeout=60)[1].decode()
    assert program.returncode == 2
    assert "Traceback" not in errors
    assert "stopped; --resume continues o.jsonl.partial" in errors
    assert errors.endswith(
        "casino-core: a worker process ended before its work was done; was it killed, or out of "
        "memory?\n"
    )


def test_where_there_are_no_locks_a_warning_says_so(text_file, tmp_path, monkeypatch):
    def no_locks(file):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("casino_core.batch.files.lock._lock", no_locks)
    answer = run("batch", text_file, "--task", "moves", "--out", tmp_path / "o.csv")
    assert answer.stderr.startswith("warning: the output's file system has no locks")
    assert (tmp_path / "o.csv").exists()


# Samples
