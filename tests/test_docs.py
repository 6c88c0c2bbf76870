"""docs/rules.md and docs/notation.md against the code: options, presets, positions, answers."""

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from casino_core import PRESETS, CasinoError, Position, Rules
from casino_core.cli import main
from casino_core.rules.options import OPTIONS, Option

ROOT = Path(__file__).resolve().parents[1]
TEXTS = {
    name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("rules.md", "notation.md")
}
RULES, NOTATION = TEXTS.values()
# Answers that are not the same each time, or with each version of the search.
VARYING = {
    "solve": ("nodes", "seconds"),
    "hint": ("seconds",),
    "batch": ("nodes",),
    "arena": ("first_seconds", "second_seconds"),
}


def table(text: str, *header: str) -> list[list[str]]:
    """The rows of the one Markdown table with this header, cell by cell."""
    head = "| " + " | ".join(header) + " |\n"
    assert text.count(head) == 1, head
    rows = text.partition(head)[2].splitlines()[1:]
    end = next((i for i, row in enumerate(rows) if not row.startswith("|")), len(rows))
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[:end]]


def code(cell: str) -> str:
    """The code of a table cell that is one piece of code."""
    found = re.fullmatch("`([^`]+)`", cell)
    assert found, cell
    return found[1]


OPTION_ROWS = table(RULES, "option", "values", "meaning")
PRESET_ROWS = table(RULES, "preset", "after", "differs from the defaults in")
REFUSED = table(NOTATION, "refused", "message")
WARNED = table(NOTATION, "read", "warning")


def values_cell(name: str, option: Option) -> str:
    """How the table of options writes the values, the default first."""
    default = getattr(Rules(), name)
    if option.kind == "number":
        return f"`{default}`, from `{option.least}` to `{option.most}`"
    if option.kind == "switch":
        return "`yes`, `no`" if default else "`no`, `yes`"
    return ", ".join(f"`{value}`" for value in option.values)


def test_the_table_of_options() -> None:
    expected = [[f"`{name}`", values_cell(name, option)] for name, option in OPTIONS.items()]
    assert [row[:2] for row in OPTION_ROWS] == expected


@pytest.mark.parametrize("row", OPTION_ROWS, ids=lambda row: row[0])
def test_every_word_of_an_option_is_explained(row: list[str]) -> None:
    option = OPTIONS[code(row[0])]
    assert row[2]
    assert all(f"`{value}`" in row[2] for value in option.values)


def test_the_table_of_presets() -> None:
    for name, (cell, after, differences) in zip(PRESETS, PRESET_ROWS, strict=True):
        assert code(cell) == name
        assert after
        text = "standard" if differences == "–" else f"standard,{code(differences)}"
        assert Rules.parse(text) == PRESETS[name]
        assert str(Rules.parse(text)) == text  # in order, and nothing that is the default


def test_the_table_of_card_points() -> None:
    header = ("card", "`standard`", "`spade`", "`spade26`", "`spade27`")
    rows = table(RULES, *header)
    times = (1, 1, 1, 10, 3, 1)  # cards in a row of the table; then the row of sums
    for column, heading in enumerate(header[1:], start=1):
        *points, total = (int(row[column]) for row in rows)
        most = 3 + (heading != "`spade`")
        assert total == most + sum(n * p for n, p in zip(times, points, strict=True))
        pack = "".join(rank + suit for rank in "A23456789TJQK" for suit in "shdc")
        rules = f"standard,scoring={code(heading)}"
        position = Position.parse(f"rules={rules} hands=-/- piles={pack}/-")
        assert position.score() == (total, 0)


def position_lines() -> list[str]:
    """Every position line of the documents that is to be read: code in a text, or a file's line."""
    lines = []
    for text in TEXTS.values():
        blocks = re.findall(r"^```(?!python)\w*\n(.*?)^```", text, re.M | re.S)
        for block in blocks:
            joined = block.replace("\\\n", "")
            lines += [line for line in joined.splitlines() if re.match(r"\w+=\S+ .*hands=", line)]
        prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        lines += [line for line in re.findall(r"`([^`\n]*)`", prose) if " hands=" in f" {line}"]
    refused = {code(row[0]) for row in REFUSED}
    return sorted({line for line in lines if line not in refused and line != "hands"})


def test_positions_are_found() -> None:
    assert len(position_lines()) >= len(WARNED) + 1


@pytest.mark.parametrize("line", position_lines())
def test_a_position_is_read(line: str) -> None:
    position = Position.parse(line)
    assert Position.parse(str(position)) == position
    warnings = [row[1] for row in WARNED if code(row[0]) == line]
    assert list(position.warnings) == warnings


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row[0])
def test_a_position_is_refused(row: list[str]) -> None:
    with pytest.raises(CasinoError) as caught:
        Position.parse(code(row[0]))
    assert row[1] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_fields_are_named_in_the_order_of_writing() -> None:
    fields = [code(row[0]) for row in table(NOTATION, "field", "meaning", "if missing")]
    with pytest.raises(CasinoError) as caught:
        Position.parse("no=field")
    assert str(caught.value).endswith("the fields are " + ", ".join(fields))


def examples() -> list[tuple[str, str]]:
    """(command, what it prints) of every console block."""
    found = []
    for text in TEXTS.values():
        for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
            for piece in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, _, answer = piece.replace("\\\n", "").partition("\n")
                found.append((command, answer))
    return found


@pytest.mark.parametrize(("command", "answer"), examples())
def test_a_command_prints_what_is_shown(
    command: str, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    program, *args = shlex.split(command)
    assert program == "casino-core"
    result = CliRunner().invoke(main, args)
    assert result.exit_code == 0, result.output
    if "--json" not in args:
        assert result.stdout == answer
        return
    assert len(result.stdout.splitlines()) == 1
    printed, shown = json.loads(result.stdout), json.loads(answer)
    assert list(printed) == list(shown)
    for varying in VARYING.get(args[0], ()):
        assert printed.pop(varying) >= 0
        assert shown.pop(varying) >= 0
    assert printed == shown


def test_every_command_has_an_example() -> None:
    commands = {shlex.split(command)[1] for command, _ in examples()}
    assert commands == set(main.commands) - {"engine"}  # which tests/engine/test_engine.py replays


def test_moves_in_the_table_are_legal() -> None:
    rows = table(NOTATION, "move", "written", "example")
    (line,) = re.findall(r"^`(rules=.*)`$", NOTATION, re.M)
    position = Position.parse(line)
    assert str(position) == line
    written = [move for row in rows for move in re.findall("`([^`]+)`", row[2])]
    # a trail is what the owner in this position may not do; it is read all the same
    assert [move for move in written if position.why_illegal(move)] == ["9h"]
    reason = position.why_illegal("9h")
    assert reason is not None
    assert "may not trail" in reason
