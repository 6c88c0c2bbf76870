"""Inputs of the command `batch`."""

import pytest

import casino_core as cc


@pytest.fixture(scope="module")
def array():
    return cc.PositionArray.random(8, "royal", seed=2, keep="last-deal")


@pytest.fixture(scope="module")
def lines(array):
    over = cc.PositionArray.random(3, seed=1, keep="deal-end", deal=6)
    seen = [str(p.view(p.turn)) for p in list(cc.PositionArray.random(1, seed=3))[::9]]
    return [*array.texts(), *over.texts(), *seen]


@pytest.fixture
def text_file(lines, tmp_path):
    path = tmp_path / "in.txt"
    path.write_text("# positions\n\n" + "\n".join([*lines, "bad"]) + "\n")
    return path


@pytest.fixture(scope="module")
def long_input(tmp_path_factory):
    path = tmp_path_factory.mktemp("long") / "in.txt"
    texts = cc.PositionArray.random(700, "royal", seed=9, keep="last-deal").texts()
    texts[100] = "bad"
    path.write_text("\n".join(texts) + "\n")
    return path
