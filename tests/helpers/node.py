"""Programs in JavaScript for tests, run by node.

A test has the marker `node` and takes the fixture of that name. Where node is not installed such
tests are skipped, but in CI (`CI` in the environment) they fail.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import casino_core
from helpers.programs import PATIENCE, ran

CLIENT = Path(casino_core.__file__).parent / "engine" / "data" / "casino_core.mjs"


class Node:
    """The program, and a folder in which scripts find the client beside them."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program = program
        self.folder = folder
        shutil.copy(CLIENT, folder)

    def run(self, script: Path | str, *arguments: object) -> "subprocess.CompletedProcess[str]":
        """Run a script: a file, or its text."""
        path = self.folder / (script.name if isinstance(script, Path) else "script.mjs")
        text = script.read_text(encoding="utf-8") if isinstance(script, Path) else script
        path.write_text(text, encoding="utf-8")
        command = f"{sys.executable} -m casino_core"
        environment = {**os.environ, "CASINO_CORE": command, "PYTHON": sys.executable}
        return ran(self.program, path, *arguments, env=environment, patience=PATIENCE)


@pytest.fixture
def node(tmp_path: Path) -> Node:
    """Node of the distribution."""
    program = shutil.which("node") or shutil.which("nodejs")
    if program is None and not os.environ.get("CI"):
        pytest.skip("needs node")
    assert program is not None, "node is not installed"
    return Node(program, tmp_path)
