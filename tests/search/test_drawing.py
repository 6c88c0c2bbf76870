"""The expectation over the last draws of draw casino, against plain enumeration."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest

import casino_core as cc
from helpers.rounds import at_random, play_out, random_round
from reference.notation import move_to_text, parse_state
from reference.rules import legal_moves, play
from reference.search import solve as solve_known


def last_draws(rules, seed, stock, cards):
    """A position of random play with `stock` cards to draw and `cards` in each hand."""
    position = random_round(
        rules, seed, until=lambda at: at.stock_count <= stock and at.turn == "a"
    ).position
    owners = {build.value for build in position.builds}
    if owners:
        return None
    text = str(position)
    hands = [list(hand.cards) for hand in position.hands]
    kept = ["".join(hand[:cards]) for hand in hands]
    gone = "".join("".join(hand[cards:]) for hand in hands)
    parts = [part for part in text.split() if not part.startswith(("hands=", "out="))]
    return cc.Position.parse(" ".join([*parts, f"hands={'/'.join(kept)}", f"out={gone}"]))


def expected(state, unseen):
    """Value and values of the moves over all draws, by plain enumeration."""
    if len(unseen) < 2:
        value, moves = solve_known(dataclasses.replace(state, stock=tuple(unseen)))
        return Fraction(value), {text: Fraction(worth) for text, worth in moves.items()}
    values = {}
    for move in legal_moves(state):
        total = Fraction(0)
        for card in unseen:
            rest = [other for other in unseen if other != card]
            after = play(dataclasses.replace(state, stock=(card, *rest)), move)
            value, _ = expected(after, rest)
            total += value if after.turn % 2 == state.turn % 2 else -value
        values[move_to_text(state, move)] = total / len(unseen)
    return max(values.values()), values


@pytest.mark.parametrize(("stock", "cards"), [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)])
@pytest.mark.parametrize("rules", ["draw", "draw-royal"])
def test_against_trying_everything(rules, stock, cards):
    looked_at = 0
    for seed in range(60):
        position = last_draws(rules, seed, stock, cards)
        if position is None or looked_at == 4 or len(position.legal_moves()) > 8:
            continue
        looked_at += 1
        found = cc.solve(position, stock="unknown")
        state = parse_state(str(position))
        value, moves = expected(state, list(state.stock))
        assert found.exact
        assert found.value == pytest.approx(float(value))
        assert {str(item.move): pytest.approx(item.value) for item in found.moves} == {
            text: float(worth) for text, worth in moves.items()
        }
        if stock % 2 == 0:  # as many as a line without a stock leaves to draw
            shown = [part for part in str(position).split() if not part.startswith("stock=")]
            hidden = cc.Position.parse(" ".join(shown))
            assert hidden.stock is None
            assert hidden.stock_count == stock
            assert cc.solve(hidden, stock="unknown").moves == found.moves
    assert looked_at == 4


def test_too_many_draws_and_limits_are_refused():
    position = random_round("draw", 1, until=lambda at: at.stock_count <= 5).position
    with pytest.raises(cc.CasinoError, match=r"up to 4 cards .* hint"):
        cc.solve(position, stock="unknown")
    position = play_out(position, at_random(1), until=lambda at: at.stock_count <= 3).position
    with pytest.raises(cc.SearchLimitError):
        cc.solve(position, stock="unknown", nodes=100)
    with pytest.raises(cc.SearchLimitError):
        cc.solve(position, stock="unknown", seconds=1e-9)
    with pytest.raises(cc.HiddenCardError):
        cc.solve(position.view("a"), stock="unknown")
