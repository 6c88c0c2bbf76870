"""Where the tools read and write, and what they share with the benchmarks."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEST_DATA = ROOT / "tests" / "data"

sys.path.insert(0, str(ROOT / "benchmarks"))
common = import_module("common")
