"""The studies in examples/, at small size."""

import importlib
import math
from pathlib import Path

import casino_core as cc

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def load(monkeypatch, name):
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module(name)


def test_first_seat(monkeypatch):
    found = list(load(monkeypatch, "first_seat").study(4))
    assert [name for name, _, _ in found] == list(cc.PRESETS)
    assert all(abs(lead) < 30 and half >= 0 for _, lead, half in found)


def test_seeing_the_other_hand(monkeypatch):
    points, error = load(monkeypatch, "seeing_the_other_hand").study(4, samples=2)
    assert math.isfinite(points)
    assert error >= 0


def test_capture_the_ten(monkeypatch):
    for _, number, gain in load(monkeypatch, "capture_the_ten").study(150, 1):
        assert number > 3
        assert math.isfinite(gain)
