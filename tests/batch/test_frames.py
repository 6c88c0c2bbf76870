"""Data frames in and out of `analyze`, and answers as tables."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import casino_core as cc
from casino_core.play.tournament import play_tournament

arrow = pytest.importorskip("pyarrow", reason="needs the extra frames")
pandas = pytest.importorskip("pandas", reason="needs pandas")
polars = pytest.importorskip("polars", reason="needs Polars")
duckdb = pytest.importorskip("duckdb", reason="needs DuckDB")

LINES = [*cc.PositionArray.random(3, "royal", seed=5, keep="last-deal").texts(), "x"]
DATA = {"id": list(range(len(LINES))), "value": ["own"] * len(LINES), "position": LINES}
SEEN = cc.Position.parse("table=2s5h8dKc hands=As7c9hTd/????")
FRAMES = {
    "dict": lambda: DATA,
    "pandas": lambda: pandas.DataFrame(DATA),
    "polars": lambda: polars.DataFrame(DATA),
    "pyarrow": lambda: arrow.table(DATA),
    "stream": lambda: arrow.table(DATA).to_reader(),
    "duckdb": lambda: duckdb.from_arrow(arrow.table(DATA)),
}


def alone(task):
    """The answers to the lines one by one."""
    return list(cc.analyze(LINES, task, workers=1))


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_is_answered_beside_its_columns(kind):
    found = cc.analyze(FRAMES[kind](), "value").to_dict()
    assert found["id"] == DATA["id"]
    assert found["in_value"] == DATA["value"]
    assert found["position"] == LINES
    assert found["error"] == [item.error for item in alone("value")]
    values = [None if item.answer is None else item.answer.value for item in alone("value")]
    assert found["value"] == values
    assert values[-1] is None
    assert found["error"][-1]


@pytest.mark.parametrize("task", ["value", "solve", "moves", "score", "hint"])
def test_every_task_goes_to_every_library(task):
    budget = {"samples": 2} if task == "hint" else {}
    found = cc.analyze(DATA, task, **budget)
    expected = found.to_dict()
    table = arrow.table(found)
    assert arrow.schema(found) == table.schema
    assert table.to_pydict() == expected
    assert polars.DataFrame(found).to_dict(as_series=False) == expected
    assert duckdb.sql("select id from found order by id").fetchall() == [(n,) for n in DATA["id"]]
    frame = pandas.DataFrame(found.to_dict())
    assert list(frame.columns) == list(expected)
    assert len(frame) == len(LINES)


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_is_never_one_item_a_column(kind):
    assert len(list(cc.analyze(FRAMES[kind](), "moves"))) == len(LINES)


def test_the_column_of_positions():
    assert len(list(cc.analyze({"deal": LINES}, "moves"))) == len(LINES)
    two = {"deal": LINES, "id": DATA["id"]}
    assert cc.analyze(two, "moves", column="deal").to_dict()["position"] == LINES
    with pytest.raises(cc.CasinoError, match=r"no column 'position'.*'deal', 'id'"):
        cc.analyze(two)
    with pytest.raises(cc.CasinoError, match="column is for a table"):
        cc.analyze(LINES, column="deal")


def test_series_are_lists_of_positions():
    for series in (pandas.Series(LINES), polars.Series(LINES), arrow.chunked_array([LINES])):
        assert [item.error for item in cc.analyze(series)] == [i.error for i in alone("value")]


def test_what_is_no_table_is_refused():
    with pytest.raises(cc.CasinoError, match="columns have different lengths"):
        cc.analyze({"position": LINES, "id": [1]})
    with pytest.raises(cc.CasinoError, match="LazyFrame has no Arrow stream"):
        cc.analyze(polars.DataFrame(DATA).lazy())
    twice = arrow.table([LINES, LINES], names=["position", "position"])
    with pytest.raises(cc.CasinoError, match="two columns of one name"):
        cc.analyze(twice)
    with pytest.raises(cc.CasinoError, match="in_value"):
        cc.analyze({"position": LINES, "value": LINES, "in_value": LINES})
    found = cc.analyze(polars.DataFrame({"position": [1, None]})).to_dict()
    assert found["error"] == ["a position is text, not '1'", "a position is text, not 'None'"]


def test_answers_are_taken_once():
    found = cc.analyze(LINES, "moves")
    first = next(found)
    with pytest.raises(cc.CasinoError, match="taken already"):
        found.to_dict()
    assert [first, *found] == alone("moves")
    found = cc.analyze(DATA, "moves")
    assert found.to_dict() == found.to_dict()
    assert list(found) == []
    found = cc.analyze(iter(LINES * 100), "moves")
    next(found)
    found.close()


def test_empty_tables():
    for task in ("value", "solve", "moves", "score", "hint"):
        assert arrow.table(cc.analyze({"position": []}, task)).num_rows == 0
    assert arrow.table(cc.analyze(cc.PositionArray.from_texts([]), "solve")).num_rows == 0


def test_columns_of_the_input_are_not_copied():
    table = arrow.table(DATA)
    found = arrow.table(cc.analyze(table, "moves"))
    for name, was in (("id", "id"), ("in_value", "value"), ("position", "position")):
        before, after = (one.chunk(0).buffers()[-1] for one in (table[was], found[name]))
        assert after.address == before.address


def test_arrays_are_tables():
    array = cc.PositionArray.from_texts(LINES)
    assert array.to_dict()["position"] == [*LINES[:-1], None]
    assert array.to_dict()["rules"] == ["royal"] * (len(LINES) - 1) + [None]
    assert array.to_dict()["error"][-1]
    assert arrow.table(array).to_pydict() == array.to_dict()
    for task in ("value", "solve", "moves"):
        found = cc.analyze(array, task)
        of_lines = cc.analyze(LINES, task).to_dict()
        assert {name: found.to_dict()[name] for name in of_lines} == of_lines
        assert polars.DataFrame(found).to_dict(as_series=False) == found.to_dict()
        assert f"<p>{len(LINES)} rows</p>" in found._repr_html_()
    assert array._repr_html_().count("<tr>") == 11


def test_answers_to_single_questions_are_tables():
    hint = cc.hint(SEEN, samples=5)
    assert hint.to_dict()["move"] == [str(one.move) for one in hint.moves]
    solution = cc.solve(cc.Position.parse(LINES[0]))
    assert solution.to_dict()["value"] == [one.value for one in solution.moves]
    review = cc.review_game(cc.read_play("\n".join([LINES[0], str(solution.best)])))
    assert review.to_dict()["move"] == [str(solution.best)]
    ratings = play_tournament(["greedy", "random"], rounds=2)
    assert ratings.to_dict()["agent"] == [one.agent for one in ratings.ratings]
    for one in (hint, solution, review, ratings):
        assert polars.DataFrame(one).to_dict(as_series=False) == one.to_dict()
        assert arrow.schema(one) == arrow.table(one).schema


def test_a_bar_shows_the_progress(capsys):
    assert len(list(cc.analyze(LINES, "moves", progress=True))) == len(LINES)
    assert f"{len(LINES)}/{len(LINES)}" in capsys.readouterr().out


def test_without_pyarrow_one_line_names_the_extra():
    code = """
import sys
sys.modules["pyarrow"] = None
import casino_core as cc
found = cc.analyze({"position": ["x"]})
print(found.to_dict()["error"])
try:
    found.__arrow_c_stream__()
except cc.CasinoError as error:
    print(error)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[1] == (
        "pyarrow is needed for this: pip install 'casino-core[frames]'"
    )


def test_the_document():
    path = Path(__file__).resolve().parents[2] / "docs" / "frames.md"
    failed, tried = doctest.testfile(str(path), module_relative=False)
    assert (failed, tried > 5) == (0, True)


@pytest.mark.parametrize("task", ["value", "moves", "score", "solve"])
def test_columns_are_those_of_the_rows(task, monkeypatch):
    """Columns from arrays, and from rows of Python values: the same, failures and bounds too."""
    texts = cc.PositionArray.random(3, "royal,players=3", seed=4, keep="last-deal").texts()
    texts += cc.PositionArray.random(3, "royal", seed=4, keep="last-deal").texts()
    texts += cc.PositionArray.random(2, seed=1, keep="deal-end", deal=6).texts()
    texts += ["wrong", str(cc.Position.start(seed=1)), "table=2s5h8dKc hands=AsTd7c9h/????"]
    given = {"nodes": 40} if task in ("value", "solve") else {}
    array = cc.PositionArray.from_texts(texts)

    def tables():
        found = [cc.analyze(array, task, **given), cc.analyze(texts, task, **given)]
        return [(one.to_dict(), arrow.table(one)) for one in found]

    by_columns = tables()
    monkeypatch.setattr("casino_core.batch.frames.BY_COLUMNS", {})
    by_rows = tables()
    assert by_columns == by_rows
    first = by_columns[0][0]
    assert any(first["error"])
    if task == "value":
        assert None in first["value"]
        assert any(low != high for low, high in zip(first["lower"], first["upper"], strict=True))


@pytest.mark.parametrize("count", [0, 1, 20])
def test_a_large_table_is_made_in_parts(count, monkeypatch):
    array = cc.PositionArray.random(3, "royal", seed=4, keep="last-deal")[:count]
    tables = [cc.analyze(array, "moves"), cc.analyze(array, "solve"), array]
    whole = [arrow.table(one) for one in tables]
    for module in ("arrays", "array_analysis"):
        monkeypatch.setattr(f"casino_core.batch.{module}.ROWS", 7)
    assert [arrow.table(one) for one in tables] == whole
    assert [one.num_rows for one in whole] == [count] * 3
