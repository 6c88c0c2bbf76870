"""Whether cards split into groups of a value: the core's test against enumeration."""

from itertools import combinations_with_replacement
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino_core.moves.sums import split_counts
from helpers.partitions import HIGHEST, groups_of, splits, splitting
from helpers.side_by_side import examples

VALUES = range(1, 15)


def counts_of_values(cards):
    return tuple(cards.count(value) for value in range(1, HIGHEST + 1))


def core(counts, value, aces_high):
    return split_counts([0, *counts], value, aces_high)


@pytest.mark.parametrize("aces_high", [False, True])
@pytest.mark.parametrize("value", VALUES)
def test_every_set_of_up_to_four_cards(value, aces_high):
    for size in range(5):
        for cards in combinations_with_replacement(range(1, HIGHEST + 1), size):
            counts = counts_of_values(cards)
            assert core(counts, value, aces_high) == splits(counts, value, aces_high), cards


@pytest.mark.parametrize("aces_high", [False, True])
@pytest.mark.parametrize("value", VALUES)
def test_counts_that_are_whole_groups(value, aces_high):
    """Random unions of groups split; with one card changed for another they mostly do not."""
    rng = Random(value)
    large = [group for group in groups_of(value, aces_high) if sum(group) <= 3]
    answers = set()
    for _ in range(150):
        chosen = rng.choices(large, k=rng.randint(2, 6))
        counts = tuple(map(sum, zip(*chosen, strict=True)))
        assert core(counts, value, aces_high)
        cards = [v for v in range(1, HIGHEST + 1) for _ in range(counts[v - 1])]
        # one card smaller and one larger: the sum is that of whole groups still
        down, up = rng.sample(range(len(cards)), 2)
        step = rng.randint(0, 4)
        if cards[down] > step and cards[up] + step <= min(HIGHEST, value):
            cards[down] -= step
            cards[up] += step
        changed = counts_of_values(cards)
        answer = splits(changed, value, aces_high)
        answers.add(answer)
        assert core(changed, value, aces_high) == answer, (value, cards)
    assert answers == ({True} if value <= 2 else {True, False})


@given(
    counts=st.lists(st.integers(0, 4), min_size=HIGHEST, max_size=HIGHEST),
    value=st.sampled_from(VALUES),
    aces_high=st.booleans(),
)
@examples(6)
def test_any_counts_within_a_pack(counts, value, aces_high):
    for card in range(value + 1, HIGHEST + 1):
        counts[card - 1] = 0
    assert core(counts, value, aces_high) == splits(tuple(counts), value, aces_high)


@pytest.mark.parametrize("aces_high", [False, True])
def test_the_two_long_ways_agree(aces_high):
    """Splitting one set, and laying down groups: the tests' own answers against each other."""
    available = (2, 2, 1, 2, 1, 1, 2, 0, 1, 1, 0, 1, 1)
    for value in VALUES:
        reached = splitting(available, value, aces_high)
        for counts in reached:
            assert splits(counts, value, aces_high)
            assert core(counts, value, aces_high)
        rng = Random(value)
        for _ in range(200):
            counts = tuple(rng.randint(0, most) for most in available)
            assert splits(counts, value, aces_high) == (counts in reached)


def test_nothing_splits_into_no_groups():
    for value in VALUES:
        assert core((0,) * HIGHEST, value, False)


@pytest.mark.parametrize(
    ("cards", "value", "low", "high"),
    [
        ([1], 14, False, True),
        ([1, 1], 14, False, True),
        ([1, 13], 14, True, True),
        ([1, 1, 13], 14, False, True),
        ([13, 13, 1], 14, False, False),
        ([1, 1, 1, 1, 10], 14, True, True),
        ([1, 1, 1, 11], 14, True, True),
        ([1, 1, 1, 1, 11], 14, False, True),
        ([1, 1], 2, True, True),
        ([1, 1, 1], 2, False, False),
        ([1, 1], 1, True, True),
        ([7, 7, 5, 9], 14, True, True),
        ([7, 7, 7], 14, False, False),
        ([6, 6, 6, 5, 5], 14, False, False),
        ([4, 4, 4, 5, 5, 6], 14, True, True),
        ([3, 3, 3, 3, 4, 4, 4, 4], 7, True, True),
        ([2, 2, 2, 2, 6], 7, False, False),
        ([8], 7, False, False),
        ([13], 13, True, True),
    ],
)
def test_single_cases(cards, value, low, high):
    counts = counts_of_values(cards)
    assert core(counts, value, False) is low
    assert core(counts, value, True) is high


def test_a_number_of_odd_cards_too_small():
    """29 cards of total 14 * 13 that do not split: each group of 13 needs an odd card."""
    cards = [2, 2, 4, 4, 4, 4, 6, 6, 6, 6, 8, 8, 8, 8, 10, 10, 12]
    cards += [1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 13]
    assert (len(cards), sum(cards)) == (29, 14 * 13)
    assert core(counts_of_values(cards), 13, False) is False


@pytest.mark.parametrize("value", [0, 15, -1])
def test_no_such_value(value):
    with pytest.raises(ValueError, match="1 to 14"):
        split_counts([0] * 14, value)


@pytest.mark.parametrize("size", [0, 13, 15])
def test_a_wrong_number_of_counts(size):
    with pytest.raises(ValueError, match="fourteen"):
        split_counts([0] * size, 7)
