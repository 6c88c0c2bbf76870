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
    [
        ("standard", 150),
        ("royal", 40),
        ("standard,players=4,partners=yes", 60),
        ("standard,players=3", 120),
        ("royal,players=4", 60),
        ("draw", 60),
        ("draw-royal", 30),
        ("draw,players=3", 30),
        ("draw,players=4,partners=yes", 30),
    ],
)
def test_the_luck_of_random_rounds_has_mean_zero(rules, rounds):
    """Other deals are drawn independently of the real one, so this holds for any number of them."""
    found = [luck_of_deals(played(n, rules), chance(n), deals=2) for n in range(rounds)]
    sides = len(found[0][0].values)
    for side in range(sides):
        for deal in range(len(found[0]) if len(found[0]) < 10 else 1):
            luck = [one[deal].luck_of(side) for one in found]
            assert abs(fmean(luck)) < 3.5 * stdev(luck) / sqrt(rounds)
        total = [sum(one.luck_of(side) for one in deals) for deals in found]
        assert abs(fmean(total)) < 3.5 * stdev(total) / sqrt(rounds)


def test_values_between_careful_and_best_play():
    """Each share of careful plays is valued by itself; the mean over several has luck zero too."""
    position = played(7).positions[8]
    apart = [OpenValues(position.rules, (share,)).of(position)[0] for share in (0, 0.25, 1)]
    together = OpenValues(position.rules, (0, 0.25, 1)).of(position)[0]
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
    for rules in ("standard", "draw", "standard,players=3"):
        with pytest.raises(cc.HiddenCardError):
            luck_of_deals(played(5, rules).seen_by("a"), chance(1))


@pytest.mark.parametrize("rules", ["standard,players=3", "royal,players=4", "draw,players=3"])
def test_of_many_sides_each_has_its_luck(rules):
    """Values are leads over the mean of the others, so that they add up to nothing."""
    for one in luck_of_deals(played(3, rules), chance(3), deals=4):
        assert len(one.values) == cc.Position.start(rules).rules.sides
        for numbers in (one.values, one.means):
            assert sum(numbers) == pytest.approx(0, abs=1e-9)
        assert [one.luck_of(side) for side in range(len(one.values))] == [
            value - mean for value, mean in zip(one.values, one.means, strict=True)
        ]


@pytest.mark.parametrize(
    ("rules", "draws"), [("draw", 40), ("draw,players=3", 36), ("draw-royal", 40)]
)
def test_each_card_drawn_is_a_deal(rules, draws):
    """The mean over the cards that could be drawn is exact if all are valued."""
    record = played(3, rules)
    found = luck_of_deals(record, chance(3), deals=16)
    assert [one.deal for one in found] == [*range(1, draws + 2)]
    assert [one.plays for one in found] == [0, *range(1, draws + 1)]
    assert [one.seat for one in found[1:]] == [record.positions[n].turn for n in range(draws)]
    assert {one.stderrs for one in found[1:]} == {(0.0,) * len(found[0].values)}
    assert found[-1].luck == 0  # one card is left to draw
    sampled = luck_of_deals(record, chance(3), deals=15)
    assert [one.values for one in sampled] == [one.values for one in found]
    pairs = list(zip(found, sampled, strict=True))[1:]
    off = sum(exact.mean - drawn.mean for exact, drawn in pairs)
    assert abs(off) < 4 * sqrt(sum(drawn.stderr**2 for _, drawn in pairs))


def test_the_mean_of_a_draw_is_that_of_every_card():
    record = played(4, "draw")
    before, after = record.positions[20:22]
    values = OpenValues(record.start.rules)
    by_hand = []
    (drawn,) = set(after.hands[before.turn].cards) - set(before.hands[before.turn].cards)
    for card in before.stock:
        hands = [str(hand) for hand in after.hands]
        seat = "ab".index(before.turn)
        hands[seat] = hands[seat].replace(drawn, card)
        fields = dict(part.split("=", 1) for part in str(after).split())
        del fields["stock"]
        fields["hands"] = "/".join(hands)
        by_hand.append(
            values.of(cc.Position.parse(" ".join(f"{k}={v}" for k, v in fields.items())))[0]
        )
    one = luck_of_deals(record, chance(4))[21]
    assert one.mean == pytest.approx(fmean(by_hand))
    assert one.value == values.of(after)[0]
