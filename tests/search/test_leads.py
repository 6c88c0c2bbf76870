"""The value to go never falls when a lead in cards or spades grows; the solver relies on it."""

import random
from dataclasses import replace

import pytest

import casino_core as cc
from helpers.rounds import cards_left, random_round
from helpers.side_by_side import small_positions
from reference.notation import parse_state, to_text
from reference.search import solve as slow_solve

PRESETS = list(cc.PRESETS)
PARTNERS = ",players=4,partners=yes"
#: Cards without points under every preset, but for spades.
PLAIN_RANKS = "3456789JQK"


def moved(piles, giver, card):
    """The piles once a card has gone from one side to the other."""
    given = list(piles)
    given[giver] = tuple(other for other in piles[giver] if other != card)
    given[1 - giver] = (*piles[1 - giver], card)
    return tuple(given)


def growing_leads(state, rng, most):
    """The state at larger and larger leads of the side to play: each time one more captured card is
    its own. At most `most` cards change sides, spades among them."""
    side = state.rules.side_of(state.turn)
    cards = [card for pile in state.piles for card in pile if card[0] in PLAIN_RANKS]
    rng.shuffle(cards)
    chosen = sorted(cards, key=lambda card: card[1] == "s")[-most:]
    rng.shuffle(chosen)
    piles = state.piles
    for card in chosen:
        if card in piles[side]:
            piles = moved(piles, side, card)
    states = [replace(state, piles=piles)]
    for card in chosen:
        piles = moved(piles, 1 - side, card)
        states.append(replace(state, piles=piles))
    return states


def to_go(state, value):
    """The value without the points of captured cards and sweeps."""
    position = cc.Position.parse(to_text(state))
    ahead = [points.total - points.cards - points.spades for points in position.points]
    side = state.rules.side_of(state.turn)
    return value - ahead[side] + ahead[1 - side]


@pytest.mark.parametrize("preset", PRESETS)
def test_values_of_the_reference_never_fall_with_a_lead(preset):
    """At each lead no more than at the next larger one, and the solver agrees with all of them."""
    rng = random.Random(3)
    solver = cc.Solver(1)
    rises = 0
    for rules in (preset, preset + PARTNERS):
        for _ in range(4):
            for state, _position in small_positions(rules, rng, 5, 12):
                states = growing_leads(state, rng, 8)
                values = [slow_solve(state)[0] for state in states]
                rest = [to_go(*pair) for pair in zip(states, values, strict=True)]
                assert rest == sorted(rest), to_text(state)
                rises += rest[0] < rest[-1]
                order = list(range(len(states)))
                rng.shuffle(order)
                for k in order:
                    found = solver.value(cc.Position.parse(to_text(states[k])))
                    assert found.value == values[k], to_text(states[k])
    assert rises


@pytest.mark.parametrize("rules", ["standard", "royal", "spade", "standard" + PARTNERS])
def test_one_solver_at_many_leads_agrees_with_the_reference(rules):
    """With so many plays left that the solver keeps track of the leads for which a bound holds."""
    rng = random.Random(5)
    solver = cc.Solver(1)
    for seed in range(2):
        position = next(p for p in random_round(rules, seed).positions if cards_left(p) == 9)
        states = growing_leads(parse_state(str(position)), rng, 6)[::3]
        rng.shuffle(states)
        for state in states:
            value, values = slow_solve(state)
            solution = solver.solve(cc.Position.parse(to_text(state)))
            found = {str(item.move): item.value for item in solution.moves}
            assert (solution.value, found) == (value, values), to_text(state)


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_known_of_other_leads_changes_no_value(preset):
    """A solver that has seen other leads, a new one, and one with hardly a table."""
    rng = random.Random(6)
    warm, small = cc.Solver(4), cc.Solver(0.001)
    for rules, cards in ((preset, 16), (preset + PARTNERS, 12)):
        for seed in range(2):
            late = [p for p in random_round(rules, seed).positions if cards_left(p) <= cards]
            states = growing_leads(parse_state(str(late[0])), rng, 8)
            rng.shuffle(states)
            for state in states:
                position = cc.Position.parse(to_text(state))
                value = cc.Solver(1).value(position).value
                assert warm.value(position).value == value, str(position)
                assert small.value(position).value == value, str(position)


def test_a_table_on_huge_pages_changes_no_value():
    small, large = cc.Solver(1), cc.Solver(64)
    for seed in range(8):
        position = next(p for p in random_round("royal", seed).positions if cards_left(p) == 16)
        assert large.value(position).value == small.value(position).value, str(position)
    large.clear()
    assert large.value(position).value == small.value(position).value


def test_large_sweeps_leave_leads_in_the_key():
    """Values of more than eight bits are not shared, and right."""
    rng = random.Random(8)
    solver = cc.Solver(1)
    for sweep in (1, 12, 13, 14, 100):
        for state, _position in small_positions(f"royal,sweep={sweep}", rng, 6, 12):
            for other in growing_leads(state, rng, 4):
                value = slow_solve(other)[0]
                assert solver.value(cc.Position.parse(to_text(other))).value == value
