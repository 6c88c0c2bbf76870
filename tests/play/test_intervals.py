"""Intervals around means, against printed tables of Student's distribution."""

import random

import pytest

from casino_core import CasinoError
from casino_core.play.intervals import half_width, standard_errors

# Two-sided 95 % points, as tables print them.
PRINTED = {
    1: 12.7062,
    2: 4.30265,
    3: 3.18245,
    4: 2.77645,
    5: 2.57058,
    6: 2.44691,
    7: 2.36462,
    9: 2.26216,
    10: 2.22814,
    14: 2.14479,
    20: 2.08596,
    29: 2.04523,
    30: 2.04227,
    60: 2.00030,
    120: 1.97993,
    1000: 1.96234,
}


@pytest.mark.parametrize(("freedom", "printed"), PRINTED.items())
def test_printed_tables(freedom, printed):
    assert standard_errors(freedom) == pytest.approx(printed, rel=3e-6)


def test_both_ways_meet():
    assert standard_errors(201) == pytest.approx(standard_errors(200), rel=1e-4)
    found = [standard_errors(n) for n in range(150, 260)]
    assert found == sorted(found, reverse=True)
    assert standard_errors(10**9) == pytest.approx(1.959964, abs=1e-6)


def test_no_freedom():
    assert half_width([]) is half_width([3]) is None
    with pytest.raises(CasinoError, match="degree of freedom"):
        standard_errors(0)


@pytest.mark.parametrize("number", [2, 5, 12])
def test_intervals_hold_the_mean_as_often_as_they_say(number):
    rng = random.Random(number)
    held = 0
    for _ in range(4000):
        values = [rng.gauss(3, 2) for _ in range(number)]
        held += abs(sum(values) / number - 3) <= half_width(values)
    assert 0.935 < held / 4000 < 0.965
