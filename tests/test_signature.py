"""The signature of search and generation: nodes of a fixed suite, restated when they change."""

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_signature_is_as_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes of the suite in tools/, which lies beside tests/ wherever both are copied."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    found = importlib.import_module("signature").signature()
    stated = (ROOT / "tests" / "data" / "signature.txt").read_text(encoding="ascii")
    if found != stated:
        pytest.fail(
            f"the nodes of the suite are now\n{found}and not, as stated,\n{stated}"
            "If search or generation was meant to change, restate them with\n"
            "    python tools/signature.py --write\n"
            "and say so in the commit; `perft` does not change with the search.",
            pytrace=False,
        )
