"""Laws of exact values under every preset: symmetry, one ply further, any table size."""

import re

import pytest

import casino_core as cc
from helpers.rounds import cards_left, random_round

PRESETS = list(cc.PRESETS)
PARTNERS = ",players=4,partners=yes"
#: A card of a line or a move, or else a build's value and owner: `9c:` and `[9c` are no nine.
CARD = re.compile(r"\[\d+[a-d]|\d+[a-d]\*?:|[A2-9TJQK][shdc]")
EXCHANGE = str.maketrans("hc", "ch")


def round_from(rules, seed, cards):
    """The positions of a random round from the first with `cards` cards to play."""
    late = random_round(rules, seed).positions[:-1]
    return [position for position in late if cards_left(position) <= cards]


def exchanged(text):
    """A position line or a move with hearts for clubs and clubs for hearts."""
    return CARD.sub(
        lambda found: found[0].translate(EXCHANGE) if len(found[0]) == 2 else found[0], text
    )


def values(solution):
    return {str(item.move): item.value for item in solution.moves}


def test_only_cards_are_exchanged():
    assert exchanged("table=9cTd builds=9c*:Ah8c,14c:AsKh last=c") == (
        "table=9hTd builds=9c*:Ac8h,14c:AsKc last=c"
    )
    assert exchanged("9cx9h[9c][9c:3h6h]") == "9hx9c[9c][9c:3c6c]"


@pytest.mark.parametrize("preset", PRESETS)
def test_hearts_and_clubs_count_alike(preset):
    """No scoring tells them apart: aces are worth the same, no other card of them is worth any."""
    first, second = cc.Solver(1), cc.Solver(1)
    changed = 0
    for rules, cards in ((preset, 14), (preset + PARTNERS, 10)):
        for seed in range(16):
            for position in list(round_from(rules, seed, cards))[::3]:
                other = cc.Position.parse(exchanged(str(position)))
                changed += str(other) != str(position)
                # the order in which a move's text names its cards goes by suit: it is read anew
                solution = first.solve(position)
                expected = {
                    str(other.move(exchanged(str(item.move)))): item.value
                    for item in solution.moves
                }
                found = second.solve(other)
                assert values(found) == expected, str(position)
                assert second.value(other).value == solution.value
    assert changed > 120


def value_after(solver, position, move):
    """Value of the position after a play for the side that made it."""
    after = position.play(move)
    seats = position.rules.seats
    before, now = (position.rules.side_of(seats.index(item.turn)) for item in (position, after))
    value = solver.value(after).value
    return value if before == now else -value


def check_one_play_further(solver, position):
    after = {str(move): value_after(solver, position, move) for move in position.legal_moves()}
    found = solver.value(position)
    assert found.value == max(after.values()), str(position)
    assert after[str(found.best)] == found.value
    return after


@pytest.mark.parametrize("preset", PRESETS)
def test_value_of_a_last_deal_is_the_best_of_the_values_after(preset):
    solver = cc.Solver(1)
    for rules in (preset, preset + PARTNERS):
        for seed in range(10, 18):
            for position in round_from(rules, seed, 8 if rules == preset else 12):
                after = check_one_play_further(solver, position)
                assert values(solver.solve(position)) == after, str(position)


@pytest.mark.parametrize("preset", PRESETS)
def test_value_of_the_last_two_deals_is_the_best_of_the_values_after(preset):
    """Across the dealing of the last cards, or all draws from a stock of eight."""
    solver = cc.Solver(4)
    for seed in range(20, 23):
        for position in round_from(preset, seed, 16):
            check_one_play_further(solver, position)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_table_changes_no_move_and_no_value(preset):
    """Tables of any size, empty or with all positions of the rounds."""
    positions = [
        position
        for rules, cards in ((preset, 12), (preset + PARTNERS, 10))
        for seed in range(30, 33)
        for position in list(round_from(rules, seed, cards))[::4]
    ]
    expected = [cc.Solver(1).solve(position) for position in positions]
    for size in (0.001, 1, 16):
        solver = cc.Solver(size)
        for _ in range(2):  # the second time it has seen them all
            for position, first in zip(positions, expected, strict=True):
                assert solver.solve(position).moves == first.moves, (size, str(position))
                assert solver.value(position).value == first.value, (size, str(position))
        for position, first in zip(positions, expected, strict=True):
            solver.clear()
            assert solver.value(position).value == first.value, (size, str(position))
            assert solver.solve(position).moves == first.moves, (size, str(position))
