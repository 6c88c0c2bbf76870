"""Estimates of the rest of a round: searches cut by the bounds of the estimate alone."""

import random
import re
from collections import Counter

import pytest

import casino_core as cc
from casino_core.evaluation.estimate import estimated_value, value_bounds
from casino_core.evaluation.last_deal import last_deal_estimate
from casino_core.hints.open_worlds import WorldSearch
from casino_core.rules.cards import CARD_NAMES
from casino_core.rules.ruleset import CompiledRules
from casino_core.search.root import SearchContext
from helpers.rounds import at_random, in_hands, play_out
from reference.notation import move_to_text, parse_state
from reference.rules import card_points, legal_moves, play

RULES = ["standard", "royal", "hoyle", "spade-royal", "standard,scoring=spade", "royal,sweep=0"]
ESTIMATES = ["fitted", "material", "nonsense"]
SEARCHED = [*ESTIMATES, "learned"]
DECK = 52
UNIT = 60


def spades(cards):
    return sum(card[1] == "s" for card in cards)


def stop_value(state, compiled, name, midway, unordered):
    """Lead of seat a where a search stops, in units: captured points plus the estimate."""
    piles, stock = state.piles, len(state.stock)
    learned = name == "learned" and not midway and not stock and unordered
    learned &= compiled.rules.scoring != "spade" or compiled.rules.court != "numbered"
    free = DECK - len(piles[0]) - len(piles[1]) - len(state.out)
    free_spades = DECK // 4 - spades(piles[0]) - spades(piles[1]) - spades(state.out)
    points = [
        sum(card_points(state.rules.scoring, card) for card in pile) + state.rules.sweep * sweeps
        for pile, sweeps in zip(piles, state.sweeps, strict=True)
    ]
    lead = UNIT * (points[0] - points[1])
    table = cc.CardSet("".join(state.table))
    if learned:
        captured = tuple(cc.CardSet("".join(pile)) for pile in piles)
        last = 2 if state.last is None else state.last
        out = cc.CardSet("".join(state.out)).mask
        return lead + last_deal_estimate(
            compiled, unit=UNIT, piles=captured, table=table, last=last, out=out
        )
    return lead + estimated_value(
        compiled,
        name,
        unit=UNIT,
        cards=(len(piles[0]), len(piles[1]), free),
        spades=(spades(piles[0]), spades(piles[1]), free_spades),
        table=table,
        stop="midway" if midway else "deal" if stock else "last deal",
    )


def plain_values(state, compiled, name, horizon=0, *, unordered=False):
    """Values of the moves to the end of the deal, by plain minimax without cuts."""

    def lead(state, stock, plays):
        if len(state.stock) != stock:
            return stop_value(state, compiled, name, False, unordered)
        if plays == horizon:
            return stop_value(state, compiled, name, True, unordered)
        best = (max, min)[state.turn]
        return best(lead(play(state, move), stock, plays + 1) for move in legal_moves(state))

    sign = 1 - 2 * state.turn
    return {
        move_to_text(state, move): sign * lead(play(state, move), len(state.stock), 1)
        for move in legal_moves(state)
    }


def late_positions(rules, rng, most_cards, number):
    """Positions with few cards in the hands and a stock, from random rounds."""
    found = []
    while len(found) < number:
        start = cc.Position.start(rules, seed=rng.randrange(1 << 30))
        followed = play_out(start, at_random(rng), until=lambda position: not position.stock_count)
        late = [at for at in followed.positions[:-1] if 0 < in_hands(at) <= most_cards]
        found.append(rng.choice(late))
    return found


def found_values(position, name, horizon=0, context=None):
    found = (context or SearchContext(1)).values(
        position, unit=UNIT, to_deal=True, horizon=horizon, estimate=name
    )
    assert all(lower == upper for _, lower, upper in found)
    return {str(move): lower for move, lower, _ in found}


@pytest.mark.parametrize("name", SEARCHED)
@pytest.mark.parametrize("rules", RULES)
def test_searches_to_a_deals_end_are_exact_whatever_the_estimate(rules, name):
    rng = random.Random(7)
    compiled = CompiledRules(cc.Rules.parse(rules))
    for position in late_positions(rules, rng, 4, 12):
        state = parse_state(str(position))
        assert found_values(position, name) == plain_values(state, compiled, name)
        unordered = cc.Position.parse(re.sub(r" stock=\S+", "", str(position)))
        expected = plain_values(state, compiled, name, unordered=True)
        assert found_values(unordered, name) == expected
        if name != "learned":
            assert found_values(position, name) == expected


def without_cards(position, number):
    """The position less the last cards of its stock: two lines, its order known and not."""
    line, stock = re.match(r"(.*) stock=(\w+)", str(position)).groups()
    kept, out = stock[: -2 * number], stock[-2 * number :]
    return f"{line} stock={kept} out={out}", f"{line} out={out}"


@pytest.mark.parametrize("name", SEARCHED)
@pytest.mark.parametrize("rules", ["standard", "royal", "spade-royal"])
def test_cards_out_of_the_game_are_not_taken_to_come(rules, name):
    """Searches of one world and of many, with the order of the stock known and unknown."""
    rng = random.Random(12)
    compiled = CompiledRules(cc.Rules.parse(rules))
    context = SearchContext(1)
    asked = 0
    for position in late_positions(rules, rng, 4, 12):
        for number in range(8, position.stock_count, 8):
            ordered, unordered = map(cc.Position.parse, without_cards(position, number))
            state = parse_state(str(ordered))
            assert found_values(ordered, name) == plain_values(state, compiled, name)
            expected = plain_values(state, compiled, name, unordered=True)
            assert found_values(unordered, name, context=context) == expected
            if name in ("fitted", "learned"):
                search = WorldSearch(
                    unordered, table_mib=0.1, unit=UNIT, depths=bytes([99]), estimate=name
                )
                values = memoryview(search.values(bytes(64))[0]).cast("i")
                moves = map(str, unordered.legal_moves())
                found = {move: values[row] for move, row in zip(moves, search.classes, strict=True)}
                assert found == expected
            asked += 1
    assert asked > 5


def test_spades_that_are_out_may_decide_most_spades():
    """Three spades to none, all others out: most spades is worth a whole point."""
    names = [card for card in CARD_NAMES if card[1] == "s"]
    known = ["Kh", "Kd", "2h", "3h"]
    others = [card for card in CARD_NAMES if card[1] != "s" and card not in known]
    mine, theirs = names[:3] + others[:14], others[14:27]
    position = cc.Position.parse(
        f"table=2h3h hands=Kh/Kd piles={''.join(mine)}/{''.join(theirs)} last=a "
        f"out={''.join(names[3:])}"
    )
    points = sum(card_points("standard", card) for card in mine)
    points -= sum(card_points("standard", card) for card in theirs)
    cards = estimated_value(
        CompiledRules(cc.Rules()),
        "material",
        unit=UNIT,
        cards=(17, 15, 10),  # seat b takes the king
        spades=(0, 0, 0),
        table=cc.CardSet(),
    )
    assert found_values(position, "material") == {"Kh": UNIT * (points + 1) + cards}


@pytest.mark.parametrize("name", ESTIMATES)
@pytest.mark.parametrize("rules", ["standard", "royal"])
def test_searches_that_stop_in_a_deal_are_exact_whatever_the_estimate(rules, name):
    rng = random.Random(8)
    compiled = CompiledRules(cc.Rules.parse(rules))
    for position in late_positions(rules, rng, 6, 6):
        state = parse_state(str(position))
        for horizon in (1, 2, 3):
            found = found_values(position, name, horizon)
            assert found == plain_values(state, compiled, name, horizon)


def test_bounds_narrowed_step_by_step_hold_whatever_the_estimate():
    rng = random.Random(9)
    compiled = CompiledRules(cc.Rules.parse("royal"))
    for position in late_positions("royal", rng, 4, 6):
        expected = plain_values(parse_state(str(position)), compiled, "nonsense")
        for nodes in (1, 5, 50, 100_000):
            found = SearchContext(1).values(
                position, unit=UNIT, to_deal=True, estimate="nonsense", narrow=True, nodes=nodes
            )
            for move, lower, upper in found:
                assert lower <= expected[str(move)] <= upper


@pytest.mark.parametrize("name", ESTIMATES)
@pytest.mark.parametrize("rules", RULES)
def test_bounds_hold_for_all_that_may_be_captured(rules, name):
    rng = random.Random(10)
    compiled = CompiledRules(cc.Rules.parse(rules))
    scoring, sweep = compiled.rules.scoring, compiled.rules.sweep
    for _ in range(300):
        pack = rng.sample(CARD_NAMES, DECK)
        own, other = rng.randint(0, 24), rng.randint(0, 24)
        piles = [pack[:own], pack[own : own + other]]
        free = pack[own + other :]
        stake = free[: rng.randint(0, len(free))]
        plays = (rng.randint(0, 4), rng.randint(0, 4))
        stop = rng.choice(["midway", "deal", "last deal"])
        side = rng.randrange(2)
        lower, upper = value_bounds(
            compiled,
            name,
            unit=UNIT,
            cards=(own, other, len(free)),
            spades=(spades(piles[0]), spades(piles[1]), spades(free)),
            stake=(sum(card_points(scoring, c) for c in stake), len(stake), spades(stake), *plays),
            stop=stop,
            side=side,
        )
        for _ in range(10):
            shares = [[], [], []]
            bias = [rng.random() for _ in shares]
            for card in stake:
                rng.choices(shares, bias)[0].append(card)
            sweeps = [rng.randint(0, most) for most in plays]
            points = [
                sum(card_points(scoring, card) for card in share) + sweep * swept
                for share, swept in zip(shares, sweeps, strict=False)
            ]
            after = [pile + share for pile, share in zip(piles, shares, strict=False)]
            left = [card for card in free if card not in shares[0] + shares[1]]
            value = UNIT * (points[0] - points[1]) + estimated_value(
                compiled,
                name,
                unit=UNIT,
                cards=(len(after[0]), len(after[1]), len(left)),
                spades=(spades(after[0]), spades(after[1]), spades(left)),
                table=cc.CardSet("".join(shares[2])),
                stop=stop,
                side=side,
            )
            assert lower <= value <= upper


@pytest.mark.parametrize("name", ["fitted", "material"])
@pytest.mark.parametrize("unit", [1, 60, 1000])
def test_an_estimate_never_falls_when_a_lead_grows(name, unit):
    """Estimates never fall as a lead in cards or spades grows, which the bounds rely on."""
    compiled = CompiledRules(cc.Rules())

    def value(cards=(0, 0, 0), spades=(0, 0, 0)):
        return estimated_value(
            compiled, name, unit=unit, cards=cards, spades=spades, table=cc.CardSet(), stop="midway"
        )

    for kind, deck in (("cards", DECK), ("spades", DECK // 4)):
        worth = {
            (mine, others): value(**{kind: (mine, others, deck - mine - others)})
            for mine in range(deck + 1)
            for others in range(deck + 1 - mine)
        }
        for (mine, others), found in worth.items():
            assert found == -worth[others, mine]
            left = deck - mine - others
            if left:  # one more card for this side
                assert worth[mine + 1, others] >= found
            if others:  # one less for the other, and one from it
                assert worth[mine, others - 1] >= found
                assert value(**{kind: (mine + 1, others - 1, left)}) >= found


@pytest.mark.parametrize("rules", ["standard,scoring=spade", "standard,players=4,partners=yes"])
def test_spades_count_only_while_most_spades_is_open(rules):
    """Cards that are equivalent to a search are equivalent to every estimate."""
    compiled = CompiledRules(cc.Rules.parse(rules))
    found = Counter(
        estimated_value(
            compiled,
            name,
            unit=UNIT,
            cards=(20, 12, 20),
            spades=counts,
            table=cc.CardSet("7h"),
        )
        for name in ESTIMATES
        for counts in ((9, 1, 3), (9, 2, 2), (10, 1, 2))
    )
    assert len(found) == len(ESTIMATES)


def test_an_estimate_that_is_not_known():
    with pytest.raises(cc.CasinoError, match="'guess' is not fitted, learned or material"):
        SearchContext(1).values(cc.Position.start(seed=1), estimate="guess")
