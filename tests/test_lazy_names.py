"""The package is imported without NumPy; names that need it come when they are asked for."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import casino_core as cc

ENDING = (
    "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
    "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
)
PLAY = f"""
import casino_core as cc
position = cc.Position.start(seed=1)
cc.perft(position, 2)
while not position.is_over:
    position.view(position.turn).legal_moves()
    position = position.play(position.legal_moves()[-1])
position.score()
assert cc.solve(cc.Position.parse({ENDING!r})).value == -1
assert cc.read({ENDING!r}).position.rules == cc.Rules()
"""


def run(code: str) -> str:
    """What a new interpreter prints."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_rounds_and_endings_need_no_numpy() -> None:
    check = "import sys; print([name for name in sys.modules if name.startswith('numpy')])"
    assert run(PLAY + check).strip() == "[]"


@pytest.mark.parametrize("command", ["moves", "show", "solve", "perft"])
def test_commands_need_no_numpy(command: str) -> None:
    arguments = [command, ENDING, *(["--depth", "2"] if command == "perft" else [])]
    code = f"""
import sys
from casino_core.cli import main
try:
    main({arguments!r})
except SystemExit as end:
    assert not end.code, end.code
assert "numpy" not in sys.modules
"""
    assert run(code)


def test_every_name_is_there() -> None:
    listed = run("import casino_core as cc; print(set(cc.__all__) - set(dir(cc)))")
    assert listed.strip() == "set()"
    run("from casino_core import *; assert hint and Beliefs and analyze and Position")
    run("import casino_core as cc; assert cc.hint is cc.hint; assert 'hint' in vars(cc)")


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'casino_core' has no attribute 'hinted'"):
        cc.hinted  # noqa: B018


def test_type_checkers_see_the_same_names() -> None:
    """The imports for them and the table of what comes later are the same."""
    tree = ast.parse(Path(cc.__file__).read_text(encoding="utf-8"))
    (block,) = (
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    seen = {node.module: tuple(one.name for one in node.names) for node in imports}
    assert seen == cc._LATER
    assert {name for names in seen.values() for name in names} <= set(cc.__all__)
