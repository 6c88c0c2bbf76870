"""The commands `batch` and `sample`: formats, columns, errors, memory."""

import csv
import gzip
import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import casino_core as cc
from casino_core.batch.files.rows import COLUMNS
from casino_core.batch.records import round_seed
from casino_core.cli import main
from casino_core.formats.answers import hint_fields
from helpers.commands import records, run
from helpers.programs import ran

TASKS = ("value", "solve", "moves", "score")


@pytest.mark.parametrize("task", TASKS)
def test_json_lines_say_what_the_single_commands_say(lines, text_file, task, tmp_path):
    answer = run("batch", text_file, "--task", task, "--out", tmp_path / "o.jsonl")
    assert f"{len(lines) + 1} done" in answer.stderr
    found = records((tmp_path / "o.jsonl").read_text())
    assert [item["line"] for item in found] == list(range(3, len(lines) + 4))
    assert found[-1] == {"line": len(lines) + 3, "error": found[-1]["error"]}
    assert "'bad' is neither a position line" in found[-1]["error"]
    for item, line in zip(found, lines, strict=False):
        number = item.pop("line")
        if task in ("solve", "moves"):
            alone = CliRunner().invoke(main, [task, line, "--json"])
            assert (alone.exit_code == 0) == ("error" not in item), (number, alone.output)
            if alone.exit_code == 0:
                expected = json.loads(alone.stdout)
                expected.pop("seconds", None)
                assert item == expected
        elif "error" not in item:
            position = cc.Position.parse(line)
            if task == "score":
                assert item == {"points": list(position.score())}
            else:
                assert item["value"] == cc.solve(position).value
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.txt", "o.jsonl", "o.jsonl.made"]


@pytest.mark.parametrize("task", TASKS)
def test_every_format_says_the_same(text_file, task, tmp_path):
    for ending in ("jsonl", "csv", "jsonl.gz", "csv.gz", "npz"):
        run("batch", text_file, "--task", task, "--out", tmp_path / f"o.{ending}")
    plain = (tmp_path / "o.jsonl").read_text()
    assert gzip.decompress((tmp_path / "o.jsonl.gz").read_bytes()).decode() == plain
    table = (tmp_path / "o.csv").read_text()
    assert gzip.decompress((tmp_path / "o.csv.gz").read_bytes()).decode() == table
    found = records(plain)
    for row, item in zip(csv.DictReader(io.StringIO(table)), found, strict=True):
        assert row["line"] == str(item["line"])
        assert row["error"] == item.get("error", "")
        if task in ("value", "solve"):
            assert row["value"] == str(item.get("value", ""))
            assert row["best"] == (item.get("best") or "")
    with np.load(tmp_path / "o.npz") as archive:
        assert archive["line"].tolist() == [item["line"] for item in found]
        failed = [item["line"] for item in found if "error" in item]
        assert archive["errors"]["line"].tolist() == failed
        if task == "value":
            good = archive["answers"]["status"] == 0
            values = [item["value"] for item in found if "error" not in item]
            assert archive["answers"]["lower"][good].tolist() == values


@pytest.mark.parametrize("task", [*TASKS, "hint"])
def test_parquet(text_file, task, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra parquet")
    arrow = pytest.importorskip("pyarrow")
    budget = ("--samples", 1, "--workers", 1) if task == "hint" else ()
    for ending in ("jsonl", "parquet"):
        run("batch", text_file, "--task", task, *budget, "--out", tmp_path / f"o.{ending}")
    found = records((tmp_path / "o.jsonl").read_text())
    rows = parquet.read_table(tmp_path / "o.parquet").to_pylist()
    assert [row["line"] for row in rows] == [item["line"] for item in found]
    for row, item in zip(rows, found, strict=True):
        assert row["error"] == item.get("error")
        assert row.get("best") == item.get("best")
    lines = text_file.read_text().splitlines()[2:]
    parquet.write_table(arrow.table({"position": lines}), tmp_path / "in.parquet")
    run("batch", tmp_path / "in.parquet", "--task", task, *budget, "--out", tmp_path / "p.jsonl")
    again = records((tmp_path / "p.jsonl").read_text())
    assert [{**item, "line": item["line"] + 2} for item in again] == found


def test_hints_without_a_limit_do_not_depend_on_the_time(tmp_path, monkeypatch):
    monkeypatch.setattr("casino_core.hints.question.DEFAULT_SECONDS", 1e-6)
    middle = cc.Position.start("royal", seed=5)
    (tmp_path / "in").write_text(f"{middle}\n")
    run("batch", tmp_path / "in", "--task", "hint", "--workers", 1, "--out", tmp_path / "o.jsonl")
    (found,) = records((tmp_path / "o.jsonl").read_text())
    alone = cc.hint(middle, samples=100, seed=round_seed(0, 0))
    assert found == {"line": 1, **hint_fields(alone, timed=False)}


def test_hints_say_what_the_command_says(lines, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra parquet")
    middle = cc.Position.start("royal", seed=5)
    (tmp_path / "in").write_text(f"{middle}\nbad\n{middle.play(middle.legal_moves()[0])}\n")
    budget = ("--samples", 3, "--method", "pimc", "--belief", "b:lacks=Kc", "--workers", 1)
    for ending in ("jsonl", "csv", "parquet"):
        out = tmp_path / f"o.{ending}"
        run("batch", tmp_path / "in", "--task", "hint", *budget, "--out", out)
    first, bad, _ = records((tmp_path / "o.jsonl").read_text())
    assert set(first) <= set(COLUMNS["hint"])
    seed = round_seed(0, 0)
    alone = cc.hint(middle, samples=3, seed=seed, method="pimc", belief="b:lacks=Kc")
    assert first == {"line": 1, **hint_fields(alone, timed=False)}
    assert list(bad) == ["line", "error"]
    with (tmp_path / "o.csv").open(newline="") as file:
        cells, empty, _ = csv.DictReader(file)
    row, *_ = parquet.read_table(tmp_path / "o.parquet").to_pylist()
    for name in ("method", "coverage", "stopped", "search", "best", "unit"):
        assert cells[name] == row[name] == first[name]
    for name in ("value", "stderr", "chance", "gap_stderr"):
        numbers = [item[name] for item in first["moves"]]
        assert row[f"{name}s"] == numbers
        assert [*map(float, cells[f"{name}s"].split())] == numbers
    assert row["reasons"] == cells["reasons"].split("; ") == first["reasons"]
    assert json.loads(row["holds"]) == json.loads(cells["holds"]) == first["holds"]
    assert empty["error"] == bad["error"]
    assert not empty["best"]


def test_hints_with_the_plays_of_a_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = cc.Round(cc.Position.start("royal", seed=5))
    for _ in range(5):
        game = game.play(game.position.legal_moves()[-1])
    Path("game").write_text(str(game))
    other = cc.Position.start("royal", seed=6)
    Path("in").write_text("\n".join(map(str, [*game.positions, other])) + "\n")
    options = ("--samples", 2, "--history", "game", "--workers", 1)
    *found, bad = records(run("batch", "in", "--task", "hint", *options, "--out", "-").stdout)
    assert bad["error"] == "history: the plays do not lead to the position"
    for index, item in enumerate(found):
        alone = cc.hint(
            cc.Round(game.start, game.plays[:index]), samples=2, seed=round_seed(0, index)
        )
        assert item == {"line": index + 1, **hint_fields(alone, timed=False)}
    rounds = [cc.Round(game.start, game.plays[:3]), game]
    for item in cc.analyze(rounds, "hint", samples=2, seed=1):
        alone = cc.hint(rounds[item.index], samples=2, seed=round_seed(1, item.index))
        assert item.answer.moves == alone.moves


def test_what_a_task_does_not_take_is_named_as_it_was_given(text_file):
    for task, option, takes in (
        ("value", "--samples", "--nodes, --seconds, --table"),
        ("solve", "--method", "--nodes, --seconds, --table"),
        ("hint", "--nodes", "--seconds, --samples, --seed"),
        ("moves", "--seed", "no such options"),
    ):
        value = "pimc" if option == "--method" else 5
        answer = run("batch", text_file, "--task", task, option, value, "--out", "-", status=2)
        assert f"--task {task} takes {takes}" in answer.stderr
        assert answer.stderr.endswith(f", not {option}\n")


def test_input_as_json_as_archive_and_packed(array, tmp_path):
    texts = array.texts()
    (tmp_path / "a.txt").write_text("\n".join(texts))
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress("\n".join(texts).encode()))
    objects = [json.dumps({"position": text}) for text in texts[:-1]]
    (tmp_path / "c.jsonl").write_text("\n".join([*objects, json.dumps(texts[-1])]))
    array.save(tmp_path / "d.npz")
    outputs = set()
    for path in sorted(tmp_path.iterdir()):
        out = run("batch", path, "--task", "solve", "--out", "-").stdout
        assert len(out.splitlines()) == len(texts)
        outputs.add(out)
    for workers in (1, 2, 8):
        more = ("--out", "-", "--workers", workers)
        outputs.add(run("batch", "-", "--task", "solve", *more, text="\n".join(texts)).stdout)
    assert len(outputs) == 1


def test_lines_that_are_wrong(tmp_path):
    good = "table=2s5h8dKc hands=AsTd7c9h/????"
    content = [
        good.encode(),
        b"\xff\xfe",
        b"x" * 250_000,
        b'{"position": 3}',
        b'{"other": 3}',
        b"{not json",
        b"[" * 10,
        good.encode(),
    ]
    (tmp_path / "in").write_bytes(b"\r\n".join(content))
    found = records(run("batch", tmp_path / "in", "--task", "moves", "--out", "-").stdout)
    assert [item["line"] for item in found] == list(range(1, 9))
    wanted = [None, "UTF-8", "longer than", "is text", "no position", "not JSON", "neither", None]
    for item, part in zip(found, wanted, strict=True):
        assert ("error" in item) == (part is not None)
        assert part is None or part in item["error"]


def test_no_position_and_one(tmp_path):
    for name, content in (("none", "\n# nothing\n"), ("one", "hands=-/- out=-\n")):
        (tmp_path / name).write_text(content)
        for ending in ("jsonl", "csv", "npz"):
            out = tmp_path / f"{name}.{ending}"
            run("batch", tmp_path / name, "--task", "value", "--out", out)
            assert out.exists()
    assert (tmp_path / "none.jsonl").read_bytes() == b""
    with np.load(tmp_path / "none.npz") as archive:
        assert len(archive["answers"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("no-such-file", "--task", "value", "--out", "-"), "cannot read 'no-such-file'"),
        (("in.txt", "--task", "value", "--out", "o.xls"), "format of 'o.xls' is not known"),
        (("in.txt", "--task", "hint", "--out", "o.npz"), "hints do not go into a .npz"),
        (
            ("in.txt", "--task", "moves", "--nodes", "3", "--out", "-"),
            "--task moves takes no such options, not --nodes",
        ),
        (("in.txt", "--task", "value", "--out", "-", "--resume"), "needs an output file"),
        (("bad.npz", "--task", "value", "--out", "-"), "holds no position array"),
        (("in.txt", "--task", "value", "--out", "there.csv"), "exists already"),
        (("in.txt", "--task", "value", "--table", "0", "--out", "-"), "'0' is not a size in MiB"),
        (("in.txt", "--task", "value", "--seconds", "0", "--out", "o.csv"), "'0' is not a number"),
        (("in.txt", "--task", "hint", "--seconds", "inf", "--out", "o.csv"), "'inf' is not"),
        (("in.txt", "--task", "value", "--seconds", "nan", "--out", "o.csv"), "'nan' is not"),
        (("in.txt", "--task", "value", "--seconds", "-1", "--out", "o.csv"), "'-1' is not"),
        (("in.txt", "--task", "value", "--nodes", "1.5", "--out", "o.csv"), "'1.5' is not a whole"),
        (("in.txt", "--task", "hint", "--samples", "0", "--out", "o.csv"), "'0' is not a whole"),
        (("in.txt", "--task", "value", "--keep-every", "nan", "--out", "o.csv"), "'nan' is not"),
        (("in.txt", "--task", "value", "--keep-every", "inf", "--out", "o.csv"), "'inf' is not"),
        (("bad.gz", "--task", "value", "--out", "o.csv"), "cannot read 'bad.gz'"),
        (("bad.gz", "--task", "value", "--out", "o.npz"), "cannot read 'bad.gz'"),
        (("cut.gz", "--task", "value", "--out", "o.jsonl.gz"), "cannot read 'cut.gz'"),
        (("mixed.gz", "--task", "value", "--out", "o.csv"), "cannot read 'mixed.gz'"),
        (("bad.gz", "--task", "value", "--out", "o.csv", "--resume"), "cannot read 'bad.gz'"),
        (("bad.gz", "--task", "value", "--out", "no/o.csv"), "--out: 'no/o.csv' cannot be made"),
        (("in.txt", "--task", "value", "--out", "no/o.csv"), "there is no directory"),
        ((".", "--task", "value", "--out", "o.csv"), "'there.csv' is empty: CSV begins"),
        (("in.txt", "--task", "value", "--out", f"{'x' * 250}.csv"), "File name too long"),
        (("in.txt", "--task", "value", "--out", "there.csv", "--resume"), "no record of how"),
    ],
)
def test_refused(arguments, message, tmp_path, monkeypatch):
    """An error is one line, and no file is left."""
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text("hands=-/- out=-\n")
    Path("bad.npz").write_bytes(b"PK")
    Path("bad.gz").write_bytes(b"hands=-/- out=-\n")
    packed = gzip.compress(b"hands=-/- out=-\n" * 10_000, mtime=0)
    Path("cut.gz").write_bytes(packed[:12])
    Path("mixed.gz").write_bytes(packed[:12] + b"\xff" * 9 + packed[21:])
    Path("there.csv").write_text("")
    before = sorted(path.name for path in Path().iterdir())
    answer = run("batch", *arguments, status=2)
    assert message in answer.stderr
    assert answer.stderr.count("\n") == 1
    assert sorted(path.name for path in Path().iterdir()) == before


def test_parquet_that_is_none(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra parquet")
    arrow = pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    parquet.write_table(arrow.table({"other": ["a"]}), "other.parquet")
    positions = ["hands=-/- out=-"] * 5000
    parquet.write_table(arrow.table({"position": positions}), "broken.parquet", compression="gzip")
    content = bytearray(Path("broken.parquet").read_bytes())
    content[30:90] = bytes(60)
    Path("broken.parquet").write_bytes(content)
    Path("text.parquet").write_text("no Parquet file at all")
    before = sorted(path.name for path in Path().iterdir())
    for name, message in (
        ("other", "has no column position"),
        ("broken", "cannot read 'broken.parquet'"),
        ("text", "is not a Parquet file"),
        ("none", "cannot read 'none.parquet'"),
    ):
        source = f"{name}.parquet"
        answer = run("batch", source, "--task", "value", "--out", "o.parquet", status=2)
        assert message in answer.stderr
        assert answer.stderr.count("\n") == 1
    assert sorted(path.name for path in Path().iterdir()) == before


def test_the_status_says_whether_positions_have_failed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("good.txt").write_text(f"{GOOD}\n")
    Path("some.txt").write_text(f"{GOOD}\nbad\n")
    for name, status in (("good", 0), ("some", 1)):
        command = ("batch", f"{name}.txt", "--task", "moves", "--out")
        run(*command, "-", status=status)
        run(*command, f"{name}.csv", status=status)
        run(*command, f"{name}.csv", "--resume", status=status)  # nothing is left to do
        run(*command, f"{name}.csv", status=2)


GOOD = "table=2s5h8dKc hands=AsTd7c9h/????"


def test_csv_as_input_with_its_other_columns(tmp_path, monkeypatch):
    """A mark, CR LF, quotes, line ends inside fields; wrong rows are errors that keep their id."""
    monkeypatch.chdir(tmp_path)
    rows = [
        ["id", "position", "note, long"],
        ["1", GOOD, 'said "so"'],
        ["2", "bad", "two\nlines"],
        ["3", GOOD, "ö"],
        ["4"],
        ["5", GOOD, "x", "y"],
    ]
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    content = b"\xef\xbb\xbf" + text.getvalue().encode() + b"\r\n6," + GOOD.encode() + b",\xff\r\n"
    Path("in.csv").write_bytes(content)
    Path("in.csv.gz").write_bytes(gzip.compress(content))
    command = ("batch", "in.csv", "--task", "moves", "--out")
    found = records(run(*command, "-").stdout)
    assert [item["id"] for item in found] == ["1", "2", "3", "4", "5", "6"]
    assert [item["line"] for item in found] == [2, 3, 5, 6, 7, 9]
    assert [item.get("note, long") for item in found[:4]] == ['said "so"', "two\nlines", "ö", None]
    errors = [item.get("error") for item in found]
    assert (errors[0], errors[2]) == (None, None)
    assert "'bad' is neither a position line nor a saved game" in errors[1]
    assert errors[3:] == [
        "the row has 1 fields, the heading 3",
        "the row has 4 fields, the heading 3",
        "the row is not UTF-8",
    ]
    assert run("batch", "in.csv.gz", *command[2:], "-").stdout == run(*command, "-").stdout
    run(*command, "o.csv")
    with open("o.csv", encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["id"] for row in table] == ["1", "2", "3", "4", "5", "6"]
    assert [row["note, long"] for row in table[:3]] == ['said "so"', "two\nlines", "ö"]
    assert [row["count"] for row in table] == [str(item.get("count", "")) for item in found]
    # an output is an input again: what is called as an answer gets in_ before its name
    run("batch", "in.csv", "--task", "value", "--out", "v.csv")
    Path("again.csv").write_text("id,value,place\n7,3," + GOOD + "\n")
    answer = run("batch", "again.csv", "--column", "place", "--task", "moves", "--out", "-")
    (item,) = records(answer.stdout)
    assert (item["id"], item["in_value"], item["position"]) == ("7", "3", item["position"])


def test_what_is_no_utf16_is_said_in_words(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    odd, half = "hands=-/-".encode("utf-16") + b"x", "x".encode("utf-16") + b"\x00\xd8"
    for name in ("in.txt", "in.csv", "in.jsonl"):
        for data in (odd, half):
            Path(name).write_bytes(data)
            answer = run("batch", name, "--task", "value", "--out", "-", status=2)
            assert answer.stderr.endswith(f"cannot read '{name}': the text is not UTF-16\n")


def test_a_column_of_plain_text_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text(f"# one\n{GOOD}\n")
    Path("game.txt").write_text("[Seed 17] 1. 7dx7c\n")
    Path("in.jsonl").write_text(json.dumps({"place": GOOD}) + "\n")
    command = ("--task", "moves", "--column", "place", "--out")
    for name in ("in.txt", "game.txt"):
        answer = run("batch", name, *command, "o.csv", status=2)
        assert "--column place: lines of text and games have no columns" in answer.stderr
        assert not list(tmp_path.glob("o.csv*"))
    run("batch", "in.jsonl", *command, "o.csv")


def test_csv_in_utf16_and_with_other_line_ends(tmp_path):
    text = f"id,position\n1,{GOOD}\n2,{GOOD}\n"
    kinds = (text.encode("utf-16"), text.replace("\n", "\r").encode(), text.encode("utf-8-sig"))
    found = set()
    for content in kinds:
        (tmp_path / "in.csv").write_bytes(content)
        found.add(run("batch", tmp_path / "in.csv", "--task", "moves", "--out", "-").stdout)
    assert len(found) == 1
    assert [item["id"] for item in records(found.pop())] == ["1", "2"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "'in.csv' is empty: CSV begins with names of columns"),
        (b"\n\n", "'in.csv' is empty"),
        (b"id;position\n", "has no column position; --column names another: it has 'id;position'"),
        (b"id,position,id\n", "has the column 'id' twice"),
        (b"position,value,in_value\n", "the input has 'value' and 'in_value'"),
        (b'position\n"open', "'in.csv' is not CSV from line 2 on"),
        (b"position\n" + b"x" * 250_000, "line 2 is longer than"),
        (b'"position"x\n', "'in.csv' is not CSV"),
    ],
)
def test_csv_that_is_none(content, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_bytes(content)
    for out in ("o.csv", "o.jsonl", "-"):
        answer = run("batch", "in.csv", "--task", "moves", "--out", out, status=2)
        assert message in answer.stderr
        assert answer.stderr.count("\n") == 1
    assert [path.name for path in Path().iterdir()] == ["in.csv"]


def test_csv_with_a_heading_alone(tmp_path):
    (tmp_path / "in.csv").write_text("id,position\n")
    run("batch", tmp_path / "in.csv", "--task", "score", "--out", tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_text() == "line,points,error,id\n"


def test_keys_of_json_lines_are_carried_along(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    objects = [
        {"id": 7, "position": GOOD, "tags": ["a", "b"], "nodes": 1},
        {"id": None, "position": 3},
        {"position": GOOD, "other": True},
        {"id": 8},
        {"id": 9, "nodes": 1, "in_nodes": 2, "position": GOOD},
    ]
    Path("in.jsonl").write_text("\n".join([*map(json.dumps, objects), GOOD]))
    command = ("batch", "in.jsonl", "--task", "moves", "--out")
    found = records(run(*command, "-").stdout)
    assert [item.get("id") for item in found] == [7, None, None, 8, None, None]
    assert (found[0]["tags"], found[0]["in_nodes"]) == (["a", "b"], 1)
    assert found[2]["other"] is True
    wanted = [None, "is text", None, "has no position", "'nodes' and 'in_nodes'", None]
    for item, part in zip(found, wanted, strict=True):
        assert part is None or part in item["error"]
    # in a table the columns are those of the first line
    run(*command, "o.csv")
    with open("o.csv", encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["id"] for row in table] == ["7", "", "", "8", "", ""]
    assert table[0]["tags"] == '["a", "b"]'
    assert table[2]["error"] == "'other' is not in the first line, which gives the columns"
    assert table[5]["error"] == ""


def test_columns_of_parquet_keep_their_types(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra parquet")
    arrow = pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    columns = {
        "id": arrow.array([1, None], arrow.int32()),
        "position": [GOOD, "bad"],
        "when": arrow.array([0, 1], arrow.timestamp("s")),
        "kind": arrow.array(["x", "y"]).dictionary_encode(),
        "weight": [float("nan"), 0.5],
        "value": [3, 4],
    }
    parquet.write_table(arrow.table(columns), "in.parquet")
    command = ("batch", "in.parquet", "--task", "moves", "--out")
    run(*command, "o.parquet")
    table = parquet.read_table("o.parquet")
    assert table.schema.field("id").type == arrow.int32()
    assert table.schema.field("when").type.equals(parquet.read_table("in.parquet")["when"].type)
    assert table["id"].to_pylist() == [1, None]
    assert table["kind"].to_pylist() == ["x", "y"]
    assert table["in_value"].to_pylist() == [3, 4]
    found = records(run(*command, "-").stdout)
    assert [item["weight"] for item in found] == [None, 0.5]
    assert found[0]["when"] == "1970-01-01 00:00:00"
    run(*command, "o.csv")
    assert Path("o.csv").read_text().splitlines()[1].endswith(",1,1970-01-01 00:00:00,x,NaN,3")
    run("batch", "o.csv", "--column", "kind", "--task", "moves", "--out", "p.parquet")
    assert parquet.read_table("p.parquet")["id"].to_pylist() == ["1", ""]
    message = "has no column place; --column names another: it has 'id', 'position'"
    answer = run(*command, "q.csv", "--column", "place", status=2)
    assert message in answer.stderr


def test_samples_are_reproducible_and_of_the_kind_asked_for():
    for agent in ("random", "greedy", "hint:samples=2"):
        options = ("sample", "--rounds", 2, "--agent", agent, "--seed", 4)
        last = run(*options, "--keep", "last-deal").stdout.splitlines()
        assert last == run(*options, "--keep", "last-deal").stdout.splitlines()
        assert len(last) == 16
        assert all(cc.Position.parse(line).stock_count == 0 for line in last)
    all_of_it = run(*options[:4], "greedy", "--rules", "hoyle").stdout.splitlines()
    assert len(all_of_it) == 96
    ends = run("sample", "--rounds", 3, "--keep", "deal-end", "--deal", 2).stdout.splitlines()
    assert [cc.Position.parse(line).stock_count for line in ends] == [24] * 3
    over = run("sample", "--rounds", 3, "--keep", "deal-end", "--deal", 6, "--seen").stdout
    assert all(cc.Position.parse(line).is_over for line in over.splitlines())
    seen = run("sample", "--rounds", 1, "--agent", "greedy", "--seen").stdout.splitlines()
    assert all("?" in line for line in seen[:7])
    draw = run("sample", "--rounds", 1, "--rules", "draw", "--agent", "greedy").stdout
    assert len(draw.splitlines()) == 48


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--keep", "deal-end"), "keep deal-end needs a deal, 1 to 6 for 2 players"),
        (
            ("--keep", "deal-end", "--deal", "7"),
            "for 2 players, is a whole number from 1 to 6, not 7",
        ),
        (("--deal", "3"), "deal is for keep deal-end"),
        (("--agent", "nobody"), "'nobody' is not an agent"),
        (("--rules", "nothing"), "no preset"),
        (("--rules", "draw", "--keep", "deal-end", "--deal", "1"), "no deal has an end"),
    ],
)
def test_samples_that_are_none(options, message):
    assert message in run("sample", "--rounds", 1, *options, status=2).stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak as Linux tells it")
def test_a_million_positions_in_bounded_memory():
    """Memory stays bounded with an endless iterable: the peak of the whole process."""
    code = (
        "import itertools, casino_core as cc\n"
        "lines = cc.PositionArray.random(125, 'standard', seed=1, keep='last-deal').texts()\n"
        "source = itertools.islice(itertools.cycle(lines), 1_000_000)\n"
        "count = failed = 0\n"
        "for item in cc.analyze(source, 'moves', workers=2):\n"
        "    count += 1\n"
        "    failed += item.error is not None\n"
        # not ru_maxrss, in which a process that is started has its parent's peak too
        "(line,) = (line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(count, failed, int(line.split()[1]) / 1024)\n"
    )
    found = ran(sys.executable, "-c", code, patience=500)
    count, failed, peak = found.stdout.split()
    assert (count, failed) == ("1000000", "0")
    assert float(peak) < 300
