"""Which sweeps are still possible: the solver's bounds of the value to go rely on it."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import casino_core as cc
from casino_core.search.alphabeta import sweeps_to_come
from helpers.side_by_side import examples, last_deal, small_positions
from reference.notation import to_text
from reference.random_positions import random_rules
from reference.rules import legal_moves, play
from reference.search import solve as slow_solve

#: With sweeps, for two: court cards with and without values, aces high, raises and matches.
SWEEPING = [f"{preset},sweep=1" for preset in cc.PRESETS]


def sweeps_next(state):
    """Whether some legal move sweeps, by the reference."""
    return any(play(state, move).sweeps != state.sweeps for move in legal_moves(state))


def sweeps_ever(state):
    """Whether some line of play to the end of the round has a sweep, by the reference."""
    if state.is_over:
        return False
    after = [play(state, move) for move in legal_moves(state)]
    return any(one.sweeps != state.sweeps for one in after) or any(map(sweeps_ever, after))


def claims(position):
    """What the search takes for possible: a sweep at all, a sweep by the next play."""
    data, compiled = position._state()
    return sweeps_to_come(compiled, data)


def assert_sound(state, position):
    """No sweep is left out; the claims and what the reference finds."""
    ever, now = claims(position)
    found = sweeps_ever(state), sweeps_next(state)
    assert ever or not found[0], to_text(state)
    assert now or not found[1], to_text(state)
    return (ever, now), found


@pytest.mark.parametrize("rules", SWEEPING)
def test_no_sweep_of_the_reference_is_left_out(rules):
    """And of the positions without one, many are known to have none."""
    rng = random.Random(rules)
    known = [0, 0]
    for _ in range(12):
        for state, position in small_positions(rules, rng, 4, 6):
            for k, (claim, found) in enumerate(zip(*assert_sound(state, position), strict=True)):
                known[k] += not (claim or found)
    assert min(known) > 10


@examples(1)
@given(st.integers(0, 10**9))
def test_no_sweep_is_left_out_under_random_rules(seed):
    rng = random.Random(seed)
    rules = str(cc.Rules.parse(random_rules(rng)).replace(players=2, partners=False, sweep=2))
    for state, position in small_positions(rules, rng, 4, 6):
        assert_sound(state, position)


@pytest.mark.parametrize("rules", SWEEPING)
def test_values_with_sweeps_are_those_of_the_reference(rules):
    """With up to seven plays left, after which a play that sweeps can come at any place."""
    rng = random.Random(9)
    solver = cc.Solver(1)
    for state, position in small_positions(rules, rng, 7, 8):
        assert solver.value(position).value == slow_solve(state)[0], to_text(state)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rules=royal table=Kh hands=2d/3s", (False, False)),  # no card takes a king
        ("rules=royal table=Kh hands=Ad/3s", (True, False)),  # an ace as 14 does, with an ace
        ("rules=royal table=KhAh hands=Ad/3s", (True, True)),
        ("rules=royal hands=Ad3h/3s", (True, False)),  # there is nothing to sweep yet
        ("rules=hoyle table=Qh hands=Kd/Ks", (False, False)),  # only a queen takes a queen
        ("rules=hoyle table=Qh hands=Kd/Qs", (True, False)),
        ("rules=hoyle table=Qh hands=Qd/Ks", (True, True)),
        ("rules=hoyle table=5h4h hands=Td/9s", (True, False)),
        ("rules=hoyle table=5h builds=10a:6h4h hands=Td9d/9s", (True, False)),
    ],
)
def test_examples(line, expected):
    assert claims(cc.Position.parse(last_deal(line))) == expected
