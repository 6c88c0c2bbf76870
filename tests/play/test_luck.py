"""Luck of the deals: unbiased, and the same as the exact expectation where that is known."""

from math import sqrt
from statistics import fmean, stdev

import pytest

import casino_core as cc
from casino_core.game.substitution import with_hidden_cards
from casino_core.play.agents import parse_agent
from casino_core.play.luck import OpenValues, luck_of_deals
from casino_core.play.table import play_round
from casino_core.rules.purposes import Purpose
from casino_core.rules.streams import Stream


def played(seed, rules="standard", agents=("careful", "greedy")):
    """A round of fast players."""
    start = cc.Position.start(rules, seed=seed)
    seats = [parse_agent(agents[seat % len(agents)]) for seat in range(start.rules.players)]
    for play in play_round(start, seats, lambda n: Stream(seed, Purpose.AGENT, n)):
        last = play.round
    return last


def chance(seed):
    """The streams of a round's deals."""
    return lambda deal: Stream(seed, Purpose.LUCK, deal)


def test_deals_of_a_round():
    found = luck_of_deals(played(3), chance(3), deals=16)
    assert [one.deal for one in found] == [1, 2, 3, 4, 5, 6]
    assert [one.plays for one in found] == [0, 8, 16, 24, 32, 40]
    assert [one.stderr > 0 for one in found] == [True] * 5 + [False]
    assert all(one.luck == one.value - one.mean for one in found)
    assert found == luck_of_deals(played(3), chance(3), deals=16)


@pytest.mark.parametrize("rules", ["standard", "royal", "hoyle"])
def test_before_the_last_deal_the_mean_is_the_exact_expectation(rules):
    """The seat that ends a deal knows both hands: `solve` gives the mean over all splits."""
    record = played(4, rules)
    before, move = record.positions[39], record.plays[39]
    values = {one.move: one.value for one in cc.solve(before, stock="unknown").moves}
    sign = 1 if before.turn == "a" else -1
    last = luck_of_deals(record, chance(4), deals=16)[-1]
    assert last.mean == pytest.approx(sign * values[move])
    solution = cc.solve(record.positions[40])
    assert last.value == solution.value  # seat a leads


def test_a_value_does_not_depend_on_what_was_valued_before():
    positions = [played(seed).positions[24] for seed in range(5)]
    values = OpenValues(positions[0].rules)
    found = [values.of(position) for position in positions]
    assert found == [OpenValues(position.rules).of(position) for position in positions]
    assert [values.of(position) for position in reversed(positions)] == found[::-1]


def test_the_stock_is_not_looked_at():
    position = played(6).positions[8]
    other = with_hidden_cards(
        position,
        [hand.cards.mask for hand in position.hands],
        [pile.cards.mask for pile in position.piles],
        None,
    )
    assert OpenValues(position.rules).of(position) == OpenValues(position.rules).of(other)


@pytest.mark.parametrize(
    ("rules", "rounds"),
    [("standard", 150), ("royal", 40), ("standard,players=4,partners=yes", 60)],
)
def test_the_luck_of_random_rounds_has_mean_zero(rules, rounds):
    """Other deals are drawn independently of the real one, so this holds for any number of them."""
    found = [luck_of_deals(played(n, rules), chance(n), deals=2) for n in range(rounds)]
    for deal in range(len(found[0])):
        luck = [one[deal].luck for one in found]
        assert abs(fmean(luck)) < 3.5 * stdev(luck) / sqrt(rounds)
    total = [sum(one.luck for one in deals) for deals in found]
    assert abs(fmean(total)) < 3 * stdev(total) / sqrt(rounds)


def test_values_between_careful_and_best_play():
    """Each share of careful plays is valued by itself; the mean over several has luck zero too."""
    position = played(7).positions[8]
    apart = [OpenValues(position.rules, (share,)).of(position) for share in (0, 0.25, 1)]
    together = OpenValues(position.rules, (0, 0.25, 1)).of(position)
    assert together == pytest.approx(fmean(apart))
    assert len(set(apart)) > 1
    found = [luck_of_deals(played(n), chance(n), deals=2, careful=(0, 0.25, 1)) for n in range(80)]
    total = [sum(one.luck for one in deals) for deals in found]
    assert abs(fmean(total)) < 3 * stdev(total) / sqrt(80)


def test_a_part_of_a_round_has_no_first_deal():
    record = played(5)
    part = cc.Round(record.positions[20], record.plays[20:])
    assert [one.plays for one in luck_of_deals(part, chance(5), deals=2)] == [4, 12, 20]


def test_where_luck_is_not_measured():
    with pytest.raises(cc.CasinoError, match="draw casino"):
        luck_of_deals(cc.Round(cc.Position.start("draw", seed=1)), chance(1))
    with pytest.raises(cc.CasinoError, match="two sides, not 3"):
        luck_of_deals(cc.Round(cc.Position.start("standard,players=3", seed=1)), chance(1))
    with pytest.raises(cc.HiddenCardError):
        luck_of_deals(played(5).seen_by("a"), chance(1))
