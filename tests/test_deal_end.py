"""Searches that stop at a deal's end: short ways against the plain one."""

import random

import pytest

import casino_core as cc
from casino_core.core.solving import SearchContext

FAR = 50  # a horizon beyond every deal: the search without its short ways


@pytest.mark.parametrize("rules", cc.PRESETS)
def test_bounds_and_last_plays_change_no_value(rules):
    rng = random.Random(11)
    short, plain = SearchContext(1), SearchContext(1)
    for seed in range(4):
        position = cc.Position.start(rules, seed=seed)
        while position.stock_count:
            if sum(hand.size for hand in position.hands) <= 6 and not position.rules.draw:
                for unit in (1, 60):
                    values = short.values(position, unit=unit, to_deal=True)
                    assert values == plain.values(position, unit=unit, to_deal=True, horizon=FAR)
                    assert all(lower == upper for _, lower, upper in values)
            position = position.play(rng.choice(position.legal_moves()))
