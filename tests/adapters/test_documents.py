"""The examples of docs/learning.md that need an extra."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "learning.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)


@pytest.mark.parametrize("library", ["pettingzoo", "pyspiel"])
def test_examples_of_adapters_run(library, capsys):
    pytest.importorskip(library)
    name = {"pettingzoo": "adapters.pettingzoo", "pyspiel": "adapters.openspiel"}[library]
    (block,) = (block for block in BLOCKS if name in block)
    exec(compile(block, str(PAGE), "exec"), {})
    assert capsys.readouterr().out.strip()


def test_the_table_of_fields_is_that_of_the_code():
    from casino_core.learning.tensor import FIELDS

    rows = [f"| `{name}` | {shape} | {meaning} |" for name, shape, meaning in FIELDS]
    text = PAGE.read_text("utf-8")
    assert "\n".join(["| field | shape | meaning |", "|---|---|---|", *rows]) in text


def test_every_test_in_the_table_is_there():
    root = PAGE.parents[1] / "tests"
    named = re.findall(r"`((?:learning|adapters)/[^`]*)`", PAGE.read_text("utf-8"))
    assert len(named) >= 10
    for one in named:
        path, _, words = one.partition(" -k ")
        assert (root / path).exists(), path
        files = [root / path] if (root / path).is_file() else list((root / path).glob("*.py"))
        text = "".join(file.read_text("utf-8") for file in files)
        for word in words.replace('"', "").split(" or "):
            assert re.search(rf"def test_\w*{word}", text), one
