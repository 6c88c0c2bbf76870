"""Sets up a checkout for work: an environment in .venv, everything built, one test run.

    python3 tools/develop.py

It may be run again at any time; only what has changed is compiled then.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / ".venv"
PYTHON = PLACE / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
BUILD = ("setuptools>=77", "cython>=3.3,<3.4")


def call(*words: str) -> None:
    """Run Python of the environment in the project's folder; end with its status if it fails."""
    print("$ python", *words, flush=True)
    status = subprocess.run([PYTHON, *words], cwd=ROOT, check=False).returncode
    if status:
        sys.exit(status)


def main() -> None:
    if not PYTHON.exists():
        venv.create(PLACE, with_pip=True)
        call("-m", "pip", "install", "--quiet", *BUILD)
    call("-m", "pip", "install", "--quiet", "--no-build-isolation", "--editable", ".[dev]")
    call("-m", "pytest", "-q", "tests/game/test_cases.py")
    print(f"\nAll is set up: {PYTHON.relative_to(ROOT)} has casino_core and the tools.")


if __name__ == "__main__":
    main()
