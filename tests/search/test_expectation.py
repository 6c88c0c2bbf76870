"""The expectation over an unknown last deal, against the same worked out play by play."""

from fractions import Fraction
from itertools import combinations

import pytest

from casino_core import CasinoError, HiddenCardError, Position, Solver, hint, solve
from casino_core.game.substitution import with_hidden_cards
from helpers.rounds import in_hands, in_last_deal, random_round

SOLVER = Solver(1)


def forget_stock(position):
    """The position with the order of the stock unknown."""
    hands = [hand.cards.mask for hand in position.hands]
    return with_hidden_cards(position, hands, [pile.cards.mask for pile in position.piles], None)


def before_last_deal(rules, seed, cards):
    """A position of random play before the last deal, with `cards` cards in the hands."""
    return forget_stock(late(rules, seed, cards))


def late(rules, seed, cards):
    """The same with the stock known."""
    return random_round(
        rules, seed, until=lambda at: at.stock_count <= 8 and in_hands(at) <= cards
    ).position


def expectation(position):
    """Value for the side to play: the best play, then the mean over the last deal."""
    return max(value_after(position, position.play(move)) for move in position.legal_moves())


def value_after(before, after):
    """Value of the position after a play for the seat that made it."""
    if not after.hands[0].hidden:
        value = expectation(after)
        return value if after.turn == before.turn else -value
    piles = [pile.cards.mask for pile in after.piles]
    seen = after.table.mask | piles[0] | piles[1]
    for build in after.builds:
        seen |= build.cards.mask
    unseen = [1 << card for card in range(52) if not seen >> card & 1]
    values = []
    for cards in combinations(unseen, 4):
        world = with_hidden_cards(after, [sum(cards), sum(unseen) - sum(cards)], piles, None)
        values.append(SOLVER.value(world).value)
    mean = Fraction(sum(values), len(values))
    return mean if before.turn == after.turn else -mean


@pytest.mark.parametrize(
    ("rules", "seed"), [("standard", 5), ("royal", 8), ("ramapo", 2), ("spade", 4), ("pagat", 7)]
)
def test_every_move_against_the_mean_over_all_splits(rules, seed):
    position = before_last_deal(rules, seed, 2)
    solution = solve(position, stock="unknown")
    assert solution.moves
    for item in solution.moves:
        expected = value_after(position, position.play(item.move))
        assert item.value == pytest.approx(float(expected), abs=1e-12)
    assert solution.value == solution.moves[0].value
    assert solution.pv[0] == solution.best
    assert len(solution.pv) == 2


def test_the_order_of_the_stock_is_not_used():
    position = late("standard", 3, 3)
    known = solve(position, stock="unknown")
    unknown = solve(forget_stock(position), stock="unknown")
    assert known.moves == unknown.moves
    assert known.pv == unknown.pv


def test_a_solver_goes_from_one_question_to_the_other():
    position = before_last_deal("standard", 11, 2)
    solver = Solver(1)
    first = solver.solve(position, stock="unknown").moves
    other = before_last_deal("royal", 12, 2)
    solver.solve(other, stock="unknown")
    assert solver.solve(position, stock="unknown").moves == first
    assert (
        Solver(1).solve(other, stock="unknown").moves == solver.solve(other, stock="unknown").moves
    )


def test_too_early_is_refused_and_names_hint():
    with pytest.raises(CasinoError, match="hint"):
        solve(Position.start("standard", seed=1), stock="unknown")
    with pytest.raises(CasinoError, match="one of known, unknown"):
        solve(Position.start("standard", seed=1), stock="maybe")


def test_hands_must_be_known():
    position = before_last_deal("standard", 5, 3)
    with pytest.raises(HiddenCardError):
        solve(position.view("a"), stock="unknown")


def test_values_that_a_table_cannot_hold_are_refused():
    """Entries have sixteen bits: a wrong value would be worse than none."""
    position = before_last_deal("royal,sweep=5", 11, 3)
    for item in solve(position, stock="unknown").moves:
        after = value_after(position, position.play(item.move))
        assert item.value == pytest.approx(float(after), abs=1e-12)
    with pytest.raises(CasinoError, match="sweep=100"):
        solve(before_last_deal("royal,sweep=100", 11, 3), stock="unknown")


def test_known_stocks_and_hints_bear_the_largest_sweep():
    position = before_last_deal("royal,sweep=100", 11, 3)
    assert hint(position, samples=5, seed=1).moves
    position = random_round("royal,sweep=100", 3, until=in_last_deal(4)).position
    assert solve(position).value == max(
        -solve(after).value if after.turn != position.turn else solve(after).value
        for after in (position.play(move) for move in position.legal_moves())
    )
