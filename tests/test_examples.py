"""The studies in examples/, at small size."""

import importlib
import math
import sys
from pathlib import Path

import pytest

import casino_core as cc

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def load(monkeypatch, name):
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module(name)


def run(monkeypatch, capsys, name, *arguments):
    """What a study prints, line by line."""
    monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
    load(monkeypatch, name).main()
    return capsys.readouterr().out.splitlines()


def test_first_seat(monkeypatch):
    found = list(load(monkeypatch, "first_seat").study(4))
    assert [name for name, _, _ in found] == list(cc.PRESETS)
    assert all(abs(lead) < 30 and half >= 0 for _, lead, half in found)


def test_seeing_the_other_hand(monkeypatch):
    points, half = load(monkeypatch, "seeing_the_other_hand").study(4, samples=2)
    assert math.isfinite(points)
    assert half >= 0


def test_capture_the_ten(monkeypatch):
    study = load(monkeypatch, "capture_the_ten")
    for deal in (5, 4):
        found = study.gains(150, deal, 1)
        assert len(found) > 3
        assert all(abs(gain) <= 11 for gain in found)


def test_what_studies_print(monkeypatch, capsys):
    rows = run(monkeypatch, capsys, "first_seat", "--rounds", 3, "--agents", "greedy,careful")
    assert len(rows) == 2 + len(cc.PRESETS)
    assert all(row.count("|") == 4 for row in rows)
    rows = run(monkeypatch, capsys, "capture_the_ten", "--rounds", 60, "--workers", 1)
    assert rows[-1].startswith("| last but one | ")
    assert all(row.count("|") == 7 for row in rows)
    rows = run(monkeypatch, capsys, "seeing_the_other_hand", "--rounds", 2, "--rules", "royal")
    assert rows[-1].startswith("| `royal` | ")


@pytest.mark.filterwarnings("ignore")
def test_pictures(monkeypatch, capsys, tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra plots")
    for name in ("first_seat", "capture_the_ten"):
        path = tmp_path / f"{name}.png"
        run(monkeypatch, capsys, name, "--rounds", 60, "--picture", path)
        assert path.read_bytes().startswith(b"\x89PNG")
    path = tmp_path / "seeing.svg"
    run(monkeypatch, capsys, "seeing_the_other_hand", "--rounds", 2, "--picture", path)
    assert "<svg" in path.read_text(encoding="utf-8")
