"""The studies in examples/, at small size."""

import importlib
import json
import math
import sys
from pathlib import Path

import numpy as np
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


def test_a_policy_learns(monkeypatch):
    study = load(monkeypatch, "learned_policy")
    before, after = study.train(0, games=16), study.train(2, games=16)
    assert after.updates == 2 * study.BATCHES
    changed = [
        not np.array_equal(*pair) for pair in zip(before.weights, after.weights, strict=True)
    ]
    assert all(changed)
    assert all(np.isfinite(weight).all() for weight in after.weights)
    again = study.train(2, games=16)
    for one, other in zip(after.weights, again.weights, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.slow
def test_a_short_training_beats_random_play(monkeypatch):
    """`examples/README.md` has the whole study, against stronger players."""
    study = load(monkeypatch, "learned_policy")
    low, _ = study.study(updates=20, rounds=200, opponent="random", games=64).interval
    assert low > 2


def test_returns_of_steps(monkeypatch):
    """With a discount of 1, what a seat's first step brings leads to its reward at the end."""
    study = load(monkeypatch, "learned_policy")
    monkeypatch.setattr(study, "DISCOUNT", 1.0)
    monkeypatch.setattr(study, "STEPS", 400)
    many = study.Games(study.RULES, 4)
    rng = np.random.default_rng(1)
    network = study.Network(study.inputs(many.tensor, many.mask).shape[1], rng)
    played = study.play(many, network, rng)
    returns = study.returns_of(many, played)
    for game in range(4):
        end = next(i for i, step in enumerate(played) if step["done"][game])
        for seat in range(2):
            first = next(i for i, step in enumerate(played) if step["seats"][game] == seat)
            reward = played[end]["rewards"][game, seat]
            gained = reward - played[first]["lead"][game]
            assert returns[first][game] == pytest.approx(gained, abs=1e-4)


def test_what_studies_print(monkeypatch, capsys):
    rows = run(monkeypatch, capsys, "first_seat", "--rounds", 3, "--agents", "greedy,careful")
    assert len(rows) == 2 + len(cc.PRESETS)
    assert all(row.count("|") == 4 for row in rows)
    rows = run(monkeypatch, capsys, "capture_the_ten", "--rounds", 60, "--workers", 1)
    assert rows[-1].startswith("| last but one | ")
    assert all(row.count("|") == 7 for row in rows)
    sizes = ("--updates", 1, "--rounds", 2, "--opponents", "greedy")
    monkeypatch.setattr(load(monkeypatch, "learned_policy"), "STEPS", 8)
    rows = run(monkeypatch, capsys, "learned_policy", *sizes)
    assert rows[-1].startswith("| `greedy` | ")
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


@pytest.mark.filterwarnings("ignore")
def test_the_analysts_day(monkeypatch, capsys):
    """The notebook, cell by cell, with 200 of its 100,000 hands."""
    for library in ("matplotlib", "polars", "pyarrow"):
        pytest.importorskip(library, reason="needs the extras frames and plots, and Polars")
    monkeypatch.setenv("CASINO_HANDS", "200")
    notebook = json.loads((EXAMPLES / "analysts_day.ipynb").read_text(encoding="utf-8"))
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    hints = names["hints"]
    assert hints["id"].to_list() == list(range(200))
    assert hints["error"].null_count() == 200
    for at in (0, 150):
        position = cc.Position.parse(hints["position"][at])
        assert hints["best"][at] in [str(move) for move in position.legal_moves()]
    assert set(names["kinds"]["kind"]) == {"build", "capture", "trail"}
    assert (names["folder"] / "gain.png").read_bytes().startswith(b"\x89PNG")


@pytest.fixture
def kernel(monkeypatch, tmp_path):
    """Runs pieces of code as the cells of a notebook, in a kernel; their outputs."""
    for library in ("ipykernel", "nbclient"):
        pytest.importorskip(library, reason="needs ipykernel and nbclient")
    from nbclient import NotebookClient
    from nbformat.v4 import new_code_cell, new_notebook

    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))

    def ran(*codes):
        book = new_notebook(cells=[new_code_cell(code) for code in codes])
        given = {"timeout": 600, "startup_timeout": 300, "kernel_name": "python3"}
        NotebookClient(book, **given, resources={"metadata": {"path": str(tmp_path)}}).execute()
        return [cell.outputs for cell in book.cells]

    return ran


@pytest.mark.filterwarnings("ignore")
def test_the_analysts_day_in_a_kernel(monkeypatch, kernel):
    for library in ("matplotlib", "polars", "pyarrow"):
        pytest.importorskip(library, reason="needs the extras frames and plots, and Polars")
    monkeypatch.setenv("CASINO_HANDS", "200")
    notebook = json.loads((EXAMPLES / "analysts_day.ipynb").read_text(encoding="utf-8"))
    monkeypatch.delenv("MPLBACKEND", raising=False)
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    outputs = kernel(*cells, "print(hints.height, hints['error'].null_count())")
    assert outputs[-1][0].text == "200 200\n"
    shown = [one for found in outputs for one in found]
    assert not [one for one in shown if one.output_type == "error" or one.get("name") == "stderr"]
    assert any("image/png" in one.get("data", {}) for one in shown)
    (bar,) = (one.data for one in shown if "<progress" in one.get("data", {}).get("text/html", ""))
    assert '<progress max="200" value="200"></progress> 200 of 200 done' in bar["text/html"]
    assert bar["text/plain"].startswith("200 of 200 done")


def test_what_a_notebook_shows(kernel):
    """Positions, rounds and answers as pictures and tables; a bar without a known end."""
    position = "cc.Position.parse('table=2s5h8dKc hands=AsTd7c9h/????')"
    *shown, tables, bar = kernel(
        f"import casino_core as cc\nposition = {position}\nposition",
        "cc.Round(position).play('7cx2s5h')",
        "cc.hint(position, samples=5)",
        "cc.analyze(cc.PositionArray.random(2, keep='last-deal'))",
        "found = cc.analyze(iter([str(position)] * 3), 'moves', progress=True); len(list(found))",
    )
    for found in shown:
        pictures = [
            one.data.get("image/svg+xml", "") + one.data.get("text/html", "") for one in found
        ]
        assert "<svg" in pictures[0] or "<table" in pictures[0]
    assert "<table" in tables[0].data["text/html"]
    assert bar[0].data["text/html"].startswith("<progress></progress> 3 done")
    assert bar[1].data["text/plain"] == "3"
