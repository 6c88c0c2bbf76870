"""docs/comparison.md: each entry of its table is what a command prints."""

import importlib.util
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "comparison.md").read_text("utf-8")
#: The columns of the table, and the module that each one needs.
COLUMNS = {
    "casino_core": "casino_core",
    "OpenSpiel": "pyspiel",
    "PettingZoo": "pettingzoo",
    "endplay": "endplay",
    "python-chess": "chess",
}
#: Runs pieces of code, each with names of its own; prints what they print as a JSON list.
RUN = """
import io, json, sys
from contextlib import redirect_stdout
printed = []
for code in json.load(sys.stdin):
    with redirect_stdout(io.StringIO()) as text:
        exec(code, {})
    printed.append(text.getvalue())
json.dump(printed, sys.stdout)
"""


def rows():
    """The table: what is compared, and the entries of the columns."""
    lines = re.search(r"^(\| \| casino_core.*?)\n\n", PAGE, re.M | re.S)[1].splitlines()
    head, _, *body = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert head[1:] == list(COLUMNS)
    return {title: entries for title, *entries in body}


def commands():
    """What is compared, and the commands of the columns, each with what it is shown to print."""
    found = {}
    for title, text in re.findall(r"^### (.*?)\n(.*?)(?=^### |\Z)", PAGE, re.M | re.S):
        (block,) = re.findall(r"^```console\n(.*?)^```", text, re.M | re.S)
        pieces = [piece.partition("\n") for piece in re.split(r"^\$ ", block, flags=re.M)[1:]]
        found[title] = [(command, answer) for command, _, answer in pieces]
    return found


def entry(printed):
    return {"True": "yes", "False": "no"}.get(printed.strip(), printed.strip())


def test_each_entry_has_a_command_that_prints_it():
    shown = {
        title.lower(): [entry(answer) for _, answer in pairs] for title, pairs in commands().items()
    }
    assert shown == {title.lower(): entries for title, entries in rows().items()}
    assert len(shown) > 10


@pytest.mark.parametrize("column", COLUMNS)
def test_each_command_prints_what_is_shown(column):
    if importlib.util.find_spec(COLUMNS[column]) is None:
        pytest.skip(f"{column} is not installed: it is in the extras of docs/comparison.md")
    pairs = [found[list(COLUMNS).index(column)] for found in commands().values()]
    codes = []
    for command, _ in pairs:
        python, flag, code = shlex.split(command)
        assert (python, flag) == ("python", "-c")
        codes.append(code)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUN],
        input=json.dumps(codes),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [answer for _, answer in pairs]
