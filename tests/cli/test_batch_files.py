"""The command `batch`: packed files, folders, patterns, and what Parquet says of itself."""

import gzip
import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

import casino_core as cc
from helpers.commands import records, run
from helpers.programs import started

arrow = pytest.importorskip("pyarrow", reason="needs the extra parquet")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra parquet")

LINES = cc.PositionArray.random(2, "royal", seed=5, keep="last-deal").texts()
TEXT = "".join(f"{line}\n" for line in LINES).encode()
PROGRAM = (sys.executable, "-m", "casino_core", "batch")


def zstd(data: bytes) -> bytes:
    return arrow.Codec("zstd").compress(data, asbytes=True)


def unzstd(path: Path) -> bytes:
    with arrow.OSFile(str(path)) as file, arrow.CompressedInputStream(file, "zstd") as text:
        return text.read()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_zstd_in_and_out(folder):
    Path("in.txt").write_bytes(TEXT)
    Path("in.txt.zst").write_bytes(zstd(TEXT))
    Path("two.txt.zst").write_bytes(zstd(TEXT[:500]) + zstd(TEXT[500:]))
    Path("in.csv.zst").write_bytes(zstd(b"position,id\n" + TEXT.replace(b"\n", b",7\n")))
    run("batch", "in.txt", "--task", "value", "--out", "plain.jsonl")
    for source in ("in.txt", "in.txt.zst", "two.txt.zst"):
        for ending in ("jsonl.zst", "csv.zst"):
            run("batch", source, "--task", "value", "--out", f"{source}.{ending}")
        assert unzstd(folder / f"{source}.jsonl.zst") == Path("plain.jsonl").read_bytes()
    first, *others = (Path(f"{one}.csv.zst").read_bytes() for one in ("in.txt", "two.txt.zst"))
    assert others == [first]
    run("batch", "in.csv.zst", "--task", "value", "--out", "o.csv")
    assert Path("o.csv").read_text().splitlines()[1].endswith(",7")


def test_damaged_zstd_is_refused(folder):
    packed = zstd(TEXT)
    Path("cut.txt.zst").write_bytes(packed[:-30])
    Path("bad.txt.zst").write_bytes(b"hands=-/-\n")
    for name in ("cut", "bad"):
        answer = run("batch", f"{name}.txt.zst", "--task", "value", "--out", "o.csv", status=2)
        assert f"cannot read '{name}.txt.zst'" in answer.stderr
        assert not Path("o.csv").exists()


def deals(folder: Path) -> None:
    """A folder of files by year, of three kinds."""
    for year, name, data in (
        (2023, "a.csv", b"id,position\n1," + LINES[0].encode() + b"\n2,x\n"),
        (2024, "b.csv.gz", gzip.compress(b"id,position\n3," + LINES[1].encode() + b"\n")),
        (2024, "c.csv.zst", zstd(b"id,position\n4," + LINES[2].encode() + b"\n")),
    ):
        (folder / f"year={year}").mkdir(exist_ok=True, parents=True)
        (folder / f"year={year}" / name).write_bytes(data)
    (folder / "_SUCCESS").write_bytes(b"")
    (folder / ".hidden.csv").write_bytes(b"position\n")


def test_a_partitioned_folder(folder):
    deals(folder / "deals")
    for name, source in (("o", "deals"), ("p", "deals/*/*.csv*")):
        answer = run("batch", source, "--task", "moves", "--out", f"{name}.parquet", status=1)
        assert "4 done, 1 failed" in answer.stderr
        rows = parquet.read_table(f"{name}.parquet").to_pylist()
        assert [row["id"] for row in rows] == ["1", "2", "3", "4"]
        assert [row["year"] for row in rows] == ["2023", "2023", "2024", "2024"]
        assert [row["file"] for row in rows][1:3] == ["year=2023/a.csv", "year=2024/b.csv.gz"]
        assert [row["line"] for row in rows] == [2, 3, 2, 2]
    run("batch", "deals", "--task", "moves", "--out", "o.jsonl", status=1)
    assert records(Path("o.jsonl").read_text())[0]["year"] == "2023"


def test_folders_that_do_not_fit_are_refused(folder):
    deals(folder / "deals")
    (folder / "empty").mkdir()
    (folder / "deals" / "z.csv").write_text("position\nx\n")
    cc.PositionArray.random(1).save(folder / "array.npz")
    for source, message in (
        ("empty", "'empty' has no files"),
        ("none/*.csv", "'none/*.csv' has no files"),
        ("*.npz", "a .npz is read alone"),
        ("deals", "'deals/z.csv' has other columns than 'deals/year=2023/a.csv'"),
    ):
        answer = run("batch", source, "--task", "moves", "--out", "o.csv", status=2)
        assert message in answer.stderr
        assert not list(folder.glob("o.csv*"))


def test_a_column_of_the_place_and_one_of_the_file(folder):
    (folder / "deals").mkdir()
    (folder / "deals" / "a.csv").write_text(f"file,position\nmine,{LINES[0]}\n")
    run("batch", "deals", "--task", "moves", "--out", "o.jsonl")
    (found,) = records(Path("o.jsonl").read_text())
    assert (found["file"], found["in_file"]) == ("a.csv", "mine")


def test_lines_and_parquet_in_a_folder(folder):
    (folder / "text").mkdir()
    (folder / "text" / "a.txt").write_bytes(TEXT)
    (folder / "text" / "b.jsonl").write_text(json.dumps({"position": LINES[0]}) + "\n")
    run("batch", "text", "--task", "value", "--out", "o.csv")
    assert len(Path("o.csv").read_text().splitlines()) == len(LINES) + 2
    (folder / "tables").mkdir()
    for name in "ab":
        parquet.write_table(
            arrow.table({"position": LINES, "n": [1] * 16}), f"tables/{name}.parquet"
        )
    run("batch", "tables", "--task", "value", "--out", "o.parquet")
    table = parquet.read_table("o.parquet")
    assert table["n"].to_pylist() == [1] * 32
    assert table.schema.field("n").type == arrow.int64()


def test_parquet_says_how_it_was_made(folder):
    Path("in.txt").write_bytes(TEXT + b"table=2s5h8dKc hands=AsTd7c9h/????\nx\n")
    command = ("--task", "hint", "--samples", "3", "--seed", "9", "--out", "o.parquet")
    run("batch", "in.txt", *command, status=1)
    made = json.loads(parquet.read_schema("o.parquet").metadata[b"casino_core"])
    assert made["version"] == cc.__version__
    assert (made["task"], made["samples"], made["seed"]) == ("hint", 3, 9)
    assert made["rules"] == ["royal", "standard"]
    assert (made["positions"], made["failed"]) == (len(LINES) + 2, 1)
    run("batch", "in.txt", "--task", "value", "--out", "v.parquet", status=1)
    assert json.loads(parquet.read_schema("v.parquet").metadata[b"casino_core"])["rules"] == [
        "royal",
        "standard",
    ]


@pytest.mark.parametrize("ending", ["parquet", "csv.zst"])
def test_a_killed_run_over_a_folder_goes_on_to_the_same_bytes(folder, ending):
    (folder / "deals").mkdir()
    for number in range(3):
        lines = cc.PositionArray.random(250, seed=number, keep="last-deal").texts()
        text = "position\n" + "".join(f"{line}\n" for line in lines)
        (folder / "deals" / f"{number}.csv.zst").write_bytes(zstd(text.encode()))
    command = ("deals", "--task", "solve", "--workers", "1", "--keep-every", "0", "--out")
    run("batch", *command, f"whole.{ending}")
    (folder / "again").mkdir()
    out = folder / "again" / f"whole.{ending}"
    state = out.with_name(out.name + ".state")
    with started(*PROGRAM, *command, str(out)) as process:
        for _ in range(3000):
            if process.poll() is not None or (state.exists() and _done(state) > 500):
                break
            time.sleep(0.02)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert not out.exists()
    run("batch", *command, out, "--resume")
    assert out.read_bytes() == Path(f"whole.{ending}").read_bytes()


def _done(state: Path) -> int:
    try:
        return json.loads(state.read_text())["done"]
    except (ValueError, OSError):
        return 0
