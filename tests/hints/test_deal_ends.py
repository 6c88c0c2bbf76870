"""What the end of a deal is worth to a hint: exact means of the last deal, and the network."""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import casino_core as cc
from casino_core.evaluation.estimate import estimated_value
from casino_core.evaluation.last_deal import last_deal_estimate
from casino_core.evaluation.players import greedy_move
from casino_core.game.counting import points_of_cards
from casino_core.hidden.worlds import Unseen
from casino_core.hints.open_worlds import WorldSearch
from casino_core.hints.response import ResponseSearch
from casino_core.rules.ruleset import CompiledRules
from casino_core.rules.streams import Stream
from casino_core.search.last_deals import LastDeals
from casino_core.search.root import SearchContext
from helpers.rounds import in_hands, random_round

PRESETS = ["standard", "hoyle", "royal", "spade"]


def before_last_deal(rules, seed, cards):
    """A position of random play before the last deal as the seat to play sees it."""
    position = random_round(
        rules, seed, until=lambda at: at.stock_count <= 8 and in_hands(at) <= cards
    ).position
    return position.view(position.turn)


def all_worlds(seen):
    worlds = list(Unseen(seen).source_of_all(Stream(1, "worlds")).take(10_000))
    masks = np.zeros((len(worlds), 8), dtype=np.uint64)
    for row, world in zip(masks, worlds, strict=True):
        row[: len(world.hidden)] = world.hidden
    return worlds, masks


@pytest.mark.parametrize(("rules", "seed"), [("standard", 5), ("royal", 8), ("pagat", 7)])
def test_open_worlds_take_the_exact_mean_of_the_last_deal(rules, seed):
    seen = before_last_deal(rules, seed, 2)
    last = LastDeals(seen)
    search = WorldSearch(seen, table_mib=0.5, unit=last.splits, depths=bytes([99]), last_deals=last)
    worlds, masks = all_worlds(seen)
    found = np.frombuffer(search.values(masks.tobytes())[0], dtype=np.int32)
    found = found.reshape(len(worlds), -1)[:, search.classes]
    context = SearchContext(1)
    assert len(worlds) == 9
    for row, world in zip(found, worlds, strict=True):
        expected = context.values(world.position, expect=True)
        assert row.tolist() == [lower for _, lower, _ in expected]


def mean_of_last_deal(after, side):
    """The mean over all splits, each solved by itself."""
    unseen = list(after.unseen)
    total = 0
    splits = list(combinations(unseen, 4))
    for cards in splits:
        hands = "".join(cards), "".join(card for card in unseen if card not in cards)
        fields = [part for part in str(after).split(" ") if not part.startswith("hands=")]
        position = cc.Position.parse(" ".join([*fields, f"hands={hands[0]}/{hands[1]}"]))
        total += cc.solve(position).value
    mean = Fraction(total, len(splits))
    return mean if after.rules.seats.index(after.turn) == side else -mean


def test_answers_take_the_exact_mean_of_the_last_deal():
    """The last play of a deal: what follows is the mean alone."""
    seen = before_last_deal("standard", 6, 1)
    last = LastDeals(seen)
    search = ResponseSearch(seen, unit=last.splits, last_deals=last)
    found = np.frombuffer(search.values(bytes(64))[0], dtype=np.int32)[search.classes]
    side = seen.rules.seats.index(seen.turn)
    for move, value in zip(seen.legal_moves(), found, strict=True):
        after = seen.play(move)
        assert Fraction(int(value), last.splits) == mean_of_last_deal(after, side)


def test_a_hint_of_the_last_play_of_a_deal_is_the_exact_mean():
    seen = before_last_deal("standard", 6, 1)
    exact = cc.solve(seen, stock="unknown")
    found = cc.hint(seen, samples=10)
    assert [(str(one.move), one.value) for one in found.moves] == [
        (str(one.move), pytest.approx(float(one.value))) for one in exact.moves
    ]


def test_a_hint_within_a_time_limit_keeps_the_estimate_if_the_means_take_too_long():
    seen = before_last_deal("standard", 6, 4)
    estimated = cc.hint(seen, seconds=0.0005)
    exact = cc.hint(seen, seconds=30)
    assert [one.value for one in exact.moves] == [
        one.value for one in cc.hint(seen, samples=100).moves
    ]
    assert {one.move for one in estimated.moves} == {one.move for one in exact.moves}


def test_means_do_not_depend_on_threads():
    seen = before_last_deal("royal", 3, 4)
    one, two = (cc.hint(seen, samples=40, threads=threads) for threads in (1, 2))
    assert one.moves == two.moves


def test_a_hint_that_is_ended_while_means_are_taken_keeps_what_was_told():
    seen = before_last_deal("standard", 6, 4)
    told = []

    def end(news):
        told.append(news)
        return True

    found = cc.hint(seen, samples=100, progress=end)
    assert found.stopped in ("stop", "samples")
    if told:
        assert found.moves == told[-1].moves


@pytest.mark.parametrize("rules", ["draw", "standard,players=3", "standard,players=4,partners=yes"])
def test_means_are_for_two_players_without_draws(rules):
    position = random_round(rules, 3, until=lambda at: at.stock_count <= 8).position
    seen = position.view(position.turn)
    assert not LastDeals.fits(seen)
    with pytest.raises(cc.CasinoError, match="before the last deal of two players"):
        LastDeals(seen)


def test_another_unit_than_the_number_of_splits():
    seen = before_last_deal("standard", 6, 4)
    with pytest.raises(ValueError, match="70"):
        WorldSearch(seen, table_mib=1, unit=60, depths=bytes([99]), last_deals=LastDeals(seen))
    with pytest.raises(ValueError, match="70"):
        ResponseSearch(seen, unit=60, last_deals=LastDeals(seen))


# The network


def ends_of_deals(rules, number):
    """States after the deal before the last, with the exact mean of what seat a still gains."""
    context = SearchContext(1)
    compiled = CompiledRules(cc.Rules.parse(rules))
    for seed in range(number):
        rng = random.Random(seed)
        at = cc.Position.start(rules, seed=seed)
        while at.stock_count > 8 or in_hands(at) > 1:
            by_chance = rng.random() < 0.3
            moves = at.some_legal_moves()
            at = at.play(rng.choice(moves) if by_chance else greedy_move(at, careful=True))
        move, value, _ = rng.choice(context.values(at, expect=True))
        after = at.play(move)
        piles = tuple(pile.cards for pile in after.piles)
        sign = 1 if at.turn == "a" else -1
        yield compiled, after, piles, sign * value / context.unit


def so_far(position):
    points = [
        points_of_cards(position._compiled, pile.cards) + position.rules.sweep * sweeps
        for pile, sweeps in zip(position.piles, position.sweeps, strict=True)
    ]
    return points[0] - points[1]


@pytest.mark.parametrize("rules", PRESETS)
def test_the_network_comes_nearer_to_the_mean_than_leads_do(rules):
    errors = []
    for compiled, after, piles, exact in ends_of_deals(rules, 60):
        last = 0 if after.last == "a" else 1
        learned = last_deal_estimate(compiled, unit=60, piles=piles, table=after.table, last=last)
        free = 52 - sum(len(pile) for pile in piles)
        spades = [sum(card[1] == "s" for card in pile) for pile in piles]
        fitted = estimated_value(
            compiled,
            "fitted",
            unit=60,
            cards=(len(piles[0]), len(piles[1]), free),
            spades=(*spades, 13 - sum(spades)),
            table=after.table,
            stop="last deal",
        )
        errors.append([value / 60 + so_far(after) - exact for value in (learned, fitted)])
    learned, fitted = np.sqrt((np.array(errors) ** 2).mean(axis=0))
    assert learned < 0.85 * fitted


def test_what_one_side_gains_the_other_loses():
    for compiled, after, piles, _ in ends_of_deals("standard", 5):
        mine, other = (
            last_deal_estimate(compiled, unit=60, piles=piles, table=after.table, last=1, side=side)
            for side in (0, 1)
        )
        assert abs(mine + other) <= 1  # one rounds down


def test_equivalent_cards_are_one_to_the_network():
    """Hearts and clubs of a rank, neither of them a card with points of its own."""
    compiled = CompiledRules(cc.Rules())
    for _, after, piles, _ in ends_of_deals("standard", 20):
        swapped = [cc.CardSet(cc.CardSet(cards).mask) for cards in (*piles, after.table)]
        for rank in range(13):
            heart, club = 1 << (4 * rank + 1), 1 << (4 * rank + 3)
            masks = []
            for cards in swapped:
                mask = cards.mask
                both = mask & (heart | club)
                if both in (heart, club):
                    mask ^= heart | club
                masks.append(mask)
            swapped = [cc.CardSet(mask) for mask in masks]
        values = {
            last_deal_estimate(compiled, unit=60, piles=(a, b), table=table, last=0)
            for a, b, table in ((*piles, after.table), tuple(swapped))
        }
        assert len(values) == 1


@pytest.mark.parametrize(
    "rules",
    ["standard,sweep=2", "spade-royal", "standard,scoring=spade26", "draw", "standard,players=3"],
)
def test_rules_without_a_network(rules):
    compiled = CompiledRules(cc.Rules.parse(rules))
    with pytest.raises(cc.CasinoError, match="no network"):
        last_deal_estimate(
            compiled, unit=60, piles=(cc.CardSet(), cc.CardSet()), table=cc.CardSet("2h")
        )
