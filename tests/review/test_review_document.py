"""docs/review.md: its examples run, its thresholds are those of the code."""

import doctest
import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from casino_core.cli import main
from casino_core.play.luck import DEFAULT_DEALS
from casino_core.review.grades import BLUNDER, INACCURACY, MISTAKE
from casino_core.review.review import DEFAULT_SAMPLES

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "docs" / "review.md"
TEXT = PATH.read_text(encoding="utf-8")


def test_commands_print_what_is_shown(monkeypatch):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```", TEXT, re.M | re.S)
    assert blocks
    for command, answer in blocks:
        program, *args = shlex.split(command)
        assert program == "casino-core"
        result = CliRunner().invoke(main, args)
        assert result.exit_code == 0, result.output
        assert [line.rstrip() for line in result.stdout.splitlines()] == answer.splitlines()


def test_python_examples_run(monkeypatch):
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(PATH), module_relative=False, encoding="utf-8")
    assert (failed, tried > 3) == (0, True)


def test_numbers_are_those_of_the_code():
    rows = re.findall(r"^\| (\w+) \| `([\d.]+)` and more", TEXT, re.M)
    wanted = [("inaccuracy", INACCURACY), ("mistake", MISTAKE), ("blunder", BLUNDER)]
    assert [(name, float(least)) for name, least in rows] == wanted
    assert f"else {DEFAULT_DEALS} drawn independently" in TEXT
    assert f"{DEFAULT_SAMPLES} worlds for a play" in TEXT
