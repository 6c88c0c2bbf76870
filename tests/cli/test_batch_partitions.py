"""The command `batch` with `--partition`: an output that is a folder of Parquet files."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

import casino_core as cc
from casino_core.batch.files import folders
from casino_core.batch.files.partitions import members
from helpers.commands import run
from helpers.programs import started

arrow = pytest.importorskip("pyarrow", reason="needs the extra parquet")
dataset = pytest.importorskip("pyarrow.dataset", reason="needs the extra parquet")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra parquet")

PROGRAM = (sys.executable, "-m", "casino_core", "batch")
PLACES = ("north", "a/b = c", "", None)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def deals(rounds=5):
    """A Parquet file of positions with an id, a year and a place; one of them is wrong."""
    lines = cc.PositionArray.random(rounds, "royal", seed=5, keep="last-deal").texts()
    lines[7] = "wrong"
    columns = {
        "id": range(len(lines)),
        "year": [2020 + at % 3 for at in range(len(lines))],
        "place": [PLACES[at % 4] for at in range(len(lines))],
    }
    parquet.write_table(arrow.table({"position": lines, **columns}), "deals.parquet")
    return len(lines)


def rows_of(path):
    """The rows of a folder of Parquet files, by their numbers."""
    parts = dataset.partitioning(
        arrow.schema([("year", arrow.int64()), ("place", arrow.string())]),
        flavor="hive",
    )
    found = dataset.dataset(path, format="parquet", partitioning=parts).to_table().to_pylist()
    return sorted(found, key=lambda row: row["line"])


def bytes_of(path):
    return {
        str(one.relative_to(path)): one.read_bytes() for one in path.rglob("*") if one.is_file()
    }


@pytest.mark.parametrize("task", ["value", "moves", "hint"])
def test_the_rows_are_those_of_one_file(task):
    count = deals()
    limits = ("--samples", "2") if task == "hint" else ()
    command = ("deals.parquet", "--task", task, *limits)
    run("batch", *command, "--out", "one.parquet", status=1)
    run("batch", *command, "--out", "many.parquet", "--partition", "year,place", status=1)
    wanted = parquet.read_table("one.parquet").to_pylist()
    assert len(wanted) == count
    assert rows_of("many.parquet") == wanted
    files = sorted(bytes_of(Path("many.parquet")))
    assert len(files) == 12
    assert files[0] == "year=2020/place=/part-0.parquet"
    assert "year=2022/place=a%2Fb%20%3D%20c/part-0.parquet" in files
    made = parquet.read_schema(f"many.parquet/{files[0]}").metadata[b"casino_core"]
    assert json.loads(made)["partition"] == "year,place"
    assert json.loads(made)["positions"] == count


def test_many_folders_and_groups_of_rows(monkeypatch):
    """The files do not depend on how many are open, and their groups of rows have one size."""
    deals()
    monkeypatch.setattr(folders, "GROUP", 3)
    command = ("deals.parquet", "--task", "value", "--partition", "year,place")
    run("batch", *command, "--out", "one.parquet", status=1)
    monkeypatch.setattr(folders, "_OPEN", 5)
    run("batch", *command, "--out", "other.parquet", status=1)
    assert bytes_of(Path("one.parquet")) == bytes_of(Path("other.parquet"))
    file = parquet.ParquetFile("one.parquet/year=2020/place=/part-0.parquet")
    assert file.metadata.row_group(0).num_rows == 3


def test_a_folder_is_read_with_the_values_of_its_names():
    deals()
    command = ("deals.parquet", "--task", "value", "--partition", "place,year")
    run("batch", *command, "--out", "o.parquet", status=1)
    found = {(one.beside["place"], one.beside["year"]) for one in members("o.parquet")}
    assert found == {(place, str(year)) for place in PLACES for year in (2020, 2021, 2022)}


def test_what_is_refused():
    deals()
    columns = "no column 'years' with text, whole numbers or truth values; there are line, value"
    for out, names, message in (
        ("o.parquet", "years", columns),
        ("o.parquet", "", "no column ''"),
        ("o.parquet", "year,year", "'year' is there twice"),
        ("o.csv", "year", "--partition: --out ends in .parquet then"),
        ("-", "year", "--partition: --out ends in .parquet then"),
    ):
        command = ("deals.parquet", "--task", "value", "--out", out, "--partition", names)
        assert message in run("batch", *command, status=2).stderr
        assert os.listdir() == ["deals.parquet"]
    moves = ("deals.parquet", "--task", "moves", "--out", "o.parquet", "--partition", "moves")
    assert "no column 'moves'" in run("batch", *moves, status=2).stderr


def test_a_folder_that_is_there_is_neither_replaced_nor_taken_for_another():
    deals()
    command = ("batch", "deals.parquet", "--task", "value", "--out", "o.parquet")
    run(*command, "--partition", "year", status=1)
    before = bytes_of(Path("o.parquet"))
    assert "exists already" in run(*command, "--partition", "year", status=2).stderr
    assert "is a directory" in run(*command, status=2).stderr
    resumed = (*command, "--resume", "--partition")
    assert "is finished" in run(*resumed, "year", status=1).stderr
    assert "was made with --partition year, not with --partition place" in (
        run(*resumed, "place", status=2).stderr
    )
    assert bytes_of(Path("o.parquet")) == before
    Path("o.parquet/year=2020/part-0.parquet").write_bytes(b"")
    assert "is not what the run wrote" in run(*resumed, "year", status=2).stderr


def test_a_folder_with_files_of_others_is_left_alone():
    deals()
    Path("o.parquet.new").mkdir()
    Path("o.parquet.new/mine.txt").write_text("mine")
    command = ("batch", "deals.parquet", "--task", "value", "--out", "o.parquet")
    answer = run(*command, "--partition", "year", status=2)
    assert "'o.parquet.new' has files that no run made; remove or rename it" in answer.stderr
    assert Path("o.parquet.new/mine.txt").read_text() == "mine"
    Path("o.parquet.new").rename("mine")
    run(*command, "--partition", "year", "--resume", status=1)
    assert len(bytes_of(Path("o.parquet"))) == 3


def test_a_killed_run_goes_on_to_the_same_bytes(folder):
    deals(rounds=200)
    command = ("deals.parquet", "--task", "solve", "--workers", "1", "--keep-every", "0")
    command += ("--partition", "year", "--out")
    run("batch", *command, "whole.parquet", status=1)
    (folder / "again").mkdir()
    out = folder / "again" / "whole.parquet"
    state = out.with_name("whole.parquet.state")
    with started(*PROGRAM, *command, str(out)) as process:
        for _ in range(3000):
            if process.poll() is not None or (state.exists() and _done(state) > 300):
                break
            time.sleep(0.02)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert not out.exists()
    new = out.with_name("whole.parquet.new")  # as a kill during the last step leaves it
    (new / "year=2020").mkdir(parents=True)
    (new / "year=2020" / "part-0.parquet").write_bytes(b"half")
    run("batch", *command, out, "--resume", status=1)
    assert bytes_of(out) == bytes_of(Path("whole.parquet"))
    assert sorted(os.listdir(out.parent)) == ["whole.parquet", "whole.parquet.made"]


def _done(state):
    try:
        return json.loads(state.read_text())["done"]
    except (ValueError, OSError):
        return 0
