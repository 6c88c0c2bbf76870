"""The table of protocol 2: its checks, its JSON Schema, its documents, and the transcript."""

import importlib
import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import casino_core as cc
from casino_core.cli import main
from casino_core.engine.commands import COMMON, PROTOCOL_2
from casino_core.engine.requests import read_request
from casino_core.engine.schema import schema, schema_text, tables
from helpers.engine import ask, one
from helpers.programs import PATIENCE, PROGRAM, ran

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "engine_protocol.md"
TRANSCRIPT = ROOT / "docs" / "engine_transcript.jsonl"
ROWS = [json.loads(line) for line in TRANSCRIPT.read_text(encoding="utf-8").splitlines()]
WHOLE = schema()
REQUESTS = jsonschema.Draft202012Validator(WHOLE)


def valid(name, value):
    """Raise unless a value has the shape of this name."""
    part = {"$ref": f"#/$defs/{name}", "$defs": WHOLE["$defs"]}
    jsonschema.Draft202012Validator(part).validate(value)


def test_the_schema_is_one_and_the_package_has_it():
    jsonschema.Draft202012Validator.check_schema(WHOLE)
    packed = Path(cc.__file__).parent / "engine" / "data" / "protocol_2.schema.json"
    assert packed.read_text(encoding="utf-8") == schema_text(), (
        "run tools/write_engine_documents.py"
    )


def test_the_command_prints_the_schema_and_the_client():
    done = CliRunner().invoke(main, ["engine", "--schema"])
    assert json.loads(done.stdout) == WHOLE
    done = CliRunner().invoke(main, ["engine", "--javascript"])
    assert "export class EngineClient" in done.stdout


def test_the_document_has_the_tables():
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, table in tables().items():
        between = f"<!-- {name} -->\n{table}\n<!-- end of {name} -->"
        assert between in text, "run tools/write_engine_documents.py"


def test_every_field_has_a_meaning_and_a_shape():
    for name, command in PROTOCOL_2.items():
        assert command.doc.endswith(".")
        for field, rule in {**COMMON, **command.fields}.items():
            assert rule.doc, (name, field)
            assert rule.kind.schema or field in ("id", "request"), (name, field)
            if rule.default not in (None, ""):
                assert rule(field, rule.default) == rule.default, (name, field)
        for field, answer in command.answer.items():
            assert answer.doc, (name, field)
            assert answer.shape, (name, field)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 30),
    st.sampled_from([2**31 - 1, 2**31, 2**63, 2**64]),
    st.floats(-1, 1e6).filter(lambda number: not number.is_integer()),
    st.sampled_from(["a", "best", "auto", "pimc", "known", "abc", ""]),
    st.lists(st.sampled_from(["a", 1, None]), max_size=3),
    st.dictionaries(st.sampled_from("ab"), st.integers(), max_size=1),
)
# Texts that the engine reads further than a schema can.
READ = {"position", "rules", "history", "belief", "at", "players", "deck", "score"}


@given(st.sampled_from(sorted(PROTOCOL_2)), st.data())
def test_the_schema_and_the_checks_agree(name, data):
    fields = PROTOCOL_2[name].fields
    field = data.draw(st.sampled_from([*fields, "nonsense"]))
    value = data.draw(VALUES)
    good = {"position": "hands=As/Ah out=-", "move": "As", "score": "3/4", "request": 1}
    needed = {key: good[key] for key, rule in fields.items() if rule.needed and key != field}
    request = {"protocol": 2, "id": 1, "command": name, **needed, field: value}
    found = read_request(json.dumps(request).encode())
    if not REQUESTS.is_valid(request):
        assert found.error is not None
    elif field not in READ:
        assert found.error is None, found.error


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.get("request", {}).get("command", "line"))
def test_the_transcript_fits_the_schema(row):
    answer = row["answer"]
    if "error" in answer:
        valid("error", answer)
        return
    REQUESTS.validate(row["request"])
    valid(f"answer_{row['request']['command']}", answer)
    assert set(answer) <= {"id", *PROTOCOL_2[row["request"]["command"]].answer}


def same(answer, row):
    """Whether an answer is the recorded one, but for what varies."""
    varies = dict.fromkeys(row["varies"])
    return sorted(answer) == sorted(row["answer"]) and close(
        answer | varies, row["answer"] | varies
    )


def close(found, shown):
    """Whether two JSON values are equal, numbers to nine digits."""
    if isinstance(shown, float):
        return found == pytest.approx(shown, rel=1e-9, abs=1e-9)
    if isinstance(shown, list):
        return len(found) == len(shown) and all(map(close, found, shown))
    if isinstance(shown, dict):
        return [*found] == [*shown] and all(close(found[name], shown[name]) for name in shown)
    return found == shown and type(found) is type(shown)


def test_the_transcript_through_the_program():
    rows = [row for row in ROWS if "request" in row and row["request"]["command"] != "quit"]
    rows = [row for row in rows if row["request"]["command"] not in ("ping", "stop", "cancel")]
    data = "".join(json.dumps(row["request"]) + "\n" for row in rows)
    done = ran(*PROGRAM, "engine", "--threads", "2", data=data, patience=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    assert len(answers) == len(rows)
    assert all(same(answers[row["request"]["id"]], row) for row in rows)


def test_the_transcript_is_that_of_the_tool(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    tool = importlib.import_module("record_engine_transcript")
    for found, row in zip(tool.recorded(), ROWS, strict=True):
        assert found | {"answer": None} == row | {"answer": None}
        assert same(found["answer"], row), "run tools/record_engine_transcript.py"


@pytest.mark.parametrize("command", ["hint", "solve", "review"])
def test_interim_answers_fit_the_schema(command):
    record = one("deal", seed=5)["record"]
    if command == "review":
        record = ROWS[-30]["request"].get("position", record)
    fields = {"seconds": 0.2} if command != "review" else {"samples": 3, "deals": 1}
    answers = ask({"id": 1, "command": command, "position": record, "interim": 0.001, **fields})
    for answer in answers:
        valid(f"answer_{command}", answer)
    assert [answer.get("interim", False) for answer in answers[-1:]] == [False]
