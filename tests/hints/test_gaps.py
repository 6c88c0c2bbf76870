"""The error of a difference between two moves, which are valued in the same worlds."""

import numpy as np
import pytest

import casino_core as cc
from casino_core.hints.averages import Averages, _errors


def test_a_gap_is_taken_world_by_world():
    values = np.random.default_rng(1).normal(size=(60, 3)) + np.array([0.0, 0.4, 0.1])
    values[:, 2] = values[:, 1] - 0.3  # a move that is always as much behind
    averages = Averages(3)
    averages.add(values)
    differences = values[:, 1:2] - values
    gaps = averages.gaps()
    assert gaps[1] == 0
    assert gaps[0] == pytest.approx(_errors(differences)[0])
    assert gaps[2] == pytest.approx(2.0 / 60)  # nothing but the world that counts beside them


def test_a_hint_has_gaps():
    position = cc.Position.parse("table=QsQh5d8c hands=QdAsThJh/????")
    answer = cc.hint(position, samples=60, seed=1)
    assert answer.moves[0].gap_stderr == 0
    first, *others = answer.moves
    assert all(item.gap_stderr > 0 for item in others if item.value < first.value)
    tree = cc.hint(position, samples=300, method="mcts")
    assert tree.moves[0].gap_stderr == 0
    assert tree.moves[1].gap_stderr == pytest.approx(
        np.hypot(tree.moves[0].stderr, tree.moves[1].stderr)
    )


def test_what_is_exact_has_none():
    last = cc.Position.parse(
        "table=3h4c5c7cJsJd hands=JhKc/JcKh piles=AhAc2h2d3s4s4h6s6h6d7s7h7d8s8cTsThTdTc"
        "QsQhQdQc/AsAd2s2c3d3c4d5s5h5d6c8h8d9s9h9d9cKsKd turn=a last=a"
    )
    assert {item.gap_stderr for item in cc.hint(last).moves} == {0}


@pytest.mark.parametrize("options", [{}, {"samples": 5}, {"method": "mcts"}, {"method": "pimc"}])
def test_a_seat_whose_hand_is_hidden_gets_no_hint(options):
    position = cc.Position.parse("table=QsQh5d8c hands=????/QdAsThJh")
    with pytest.raises(cc.HiddenCardError, match="seat a, whose turn it is"):
        cc.hint(position, **options)
