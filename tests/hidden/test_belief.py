"""Beliefs: the posterior against plain enumeration, and the rules."""

import random
from itertools import combinations

import pytest

import casino_core as cc
from casino_core.game.substitution import with_hidden_cards
from casino_core.hidden.facts import Belief, cards_named
from casino_core.hidden.posterior import Beliefs
from casino_core.hidden.worlds import Unseen
from casino_core.rules.cards import CARD_NAMES
from helpers.rounds import random_round


def small(rules, hands, unseen, table="", builds=""):
    """A position in which only the named cards are not seen."""
    named = unseen + table + builds + "".join(hand for hand in hands if "?" not in hand)
    out = "".join(card for card in CARD_NAMES if card not in named)
    fields = [f"rules={rules}", f"table={table or '-'}", f"hands={'/'.join(hands)}", f"out={out}"]
    if builds:
        fields.append(f"builds={builds}")
    return cc.Position.parse(" ".join(fields))


def masks(unseen, size):
    cards = [card for card in range(52) if unseen >> card & 1]
    return [sum(1 << card for card in hand) for hand in combinations(cards, size)]


def brute(position, fits):
    """All combinations of hidden hands with weights by `fits(seat, mask)`, normalized."""
    ways = [((), position.unseen.mask, 1.0)]
    for seat, hand in enumerate(position.hands):
        ways = [
            ((*way, mask), left & ~mask, weight * (fits(seat, mask) if hand.hidden else 1))
            for way, left, weight in ways
            for mask in masks(left, hand.hidden)
        ]
    total = sum(weight for _, _, weight in ways)
    return {way: weight / total for way, _, weight in ways if weight}


def facts(seat, mask):
    """`b:holds=9 lacks=Ks odds=8*3`."""
    if seat != 1:
        return 1.0
    nines, eights = mask & cards_named("9"), mask & cards_named("8")
    if not nines or mask & cards_named("Ks"):
        return 0.0
    return 3.0 ** eights.bit_count()


CASES = {
    "two": small("standard", ["7c9h", "??"], "8s8h9s9dKsQh"),
    "three": small("standard,players=3", ["7c9h", "??", "??"], "8s8h9s9dKsQh"),
    "four": small("royal,players=4,partners=yes", ["7c", "?", "?", "?"], "8s8h9s9dKsQh"),
}


@pytest.mark.parametrize("position", CASES.values(), ids=CASES)
def test_all_ways_and_marginals_are_those_of_plain_enumeration(position):
    beliefs = Beliefs(position, "b:holds=9 lacks=Ks odds=8*3")
    expected = brute(position, facts)
    assert dict(beliefs.all()) == pytest.approx(expected)
    for seat, shares in beliefs.marginals().items():
        place = position.rules.seats.index(seat)
        for card, name in enumerate(CARD_NAMES):
            share = sum(weight for way, weight in expected.items() if way[place] >> card & 1)
            assert shares.get(name, 0) == pytest.approx(share)


@pytest.mark.parametrize("most", [0, 1 << 18])
@pytest.mark.parametrize("position", CASES.values(), ids=CASES)
def test_draws_come_as_often_as_they_should(position, most):
    expected = brute(position, facts)
    drawn = Beliefs(position, "b:holds=9 lacks=Ks odds=8*3", most=most).sample(20_000, 5)
    counts = dict.fromkeys(expected, 0)
    for way in drawn:
        counts[way] += 1  # a hand that cannot be is a KeyError
    chi = sum((counts[way] - 20_000 * p) ** 2 / (20_000 * p) for way, p in expected.items())
    freedom = len(expected) - 1
    assert chi < freedom + 6 * (2 * freedom) ** 0.5 + 10


def test_facts_as_text():
    text = "b:holds=9,Td lacks=A odds=Qs*3; c:lacks=2s"
    assert str(Belief.parse(text)) == text
    assert str(Belief.parse(" C: lacks=2S ;b:odds=qs*3.0 LACKS=a holds=10d,9")) == text
    assert Belief.parse("") == Belief()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("holds=9", "begin with a seat"),
        ("e:holds=9", "begin with a seat"),
        ("b:", "there is no fact about seat b"),
        ("b:has=9", "'has=9'"),
        ("b:holds=9 holds=8", "holds is given twice"),
        ("b:holds=1", "'1' is neither"),
        ("b:holds=", "'' is neither"),
        ("b:holds=9,9", "9 twice"),
        ("b:odds=9", "odds are"),
        ("b:odds=9*0", "odds are"),
        ("b:odds=9*nan", "odds are"),
        ("b:holds=9;b:lacks=8", "seat b is given twice"),
    ],
)
def test_nonsense_is_refused(text, named):
    with pytest.raises(cc.NotationError, match=named) as caught:
        Belief.parse(text)
    assert "\n" not in str(caught.value)


OWNED = "table=2s builds=9b:4h5c hands=AsTd7c/??? piles=" + "?" * 13 + "/" + "?" * 14


@pytest.mark.parametrize(
    ("position", "text", "words"),
    [
        (
            "table=9s9h2c3c hands=9dAs7c8c/????",
            "b:holds=9d",
            "b holds 9d, but 9d is seen: 9d in the h",
        ),
        ("table=9s9h2c3c hands=9d9c7c8c/????", "b:holds=9", "b holds a 9, but every 9 is seen"),
        ("table=5s6h7d8h hands=9d9c7c8c/????", "b:holds=A lacks=A", "b holds an A, b lacks A"),
        ("table=5s6h7d8h hands=9d9c7c8c/????", "b:holds=A,2,3,4,5", "4 cards fits"),
        ("table=5s6h7d8h hands=9d9c7c8c/????", "c:holds=A", "no seat c plays"),
        ("table=5s6h7d8h hands=9d9c7c8c/????", "a:lacks=9", "a lacks 9, but its hand"),
        (OWNED, "b:lacks=9", "b lacks 9, b owns a build of 9"),
        (
            "rules=standard,players=3 table=5s6h7d8h hands=9d9c7c8c/????/????",
            "b:holds=As;c:holds=As",
            "b holds As, c holds As",
        ),
    ],
)
def test_contradictions_say_what_clashes(position, text, words):
    with pytest.raises(cc.CasinoError, match=words):
        Beliefs(cc.Position.parse(position), text)


def test_owner_holds_and_forgotten_cards_join_the_unseen():
    position = cc.Position.parse(OWNED)
    nines = cards_named("9")
    assert all(way[1] & nines for way, _ in Beliefs(position).all())
    assert len(Beliefs(position).marginals()["b"]) == Unseen(position).count


def played(rules, seed, plays):
    """A position, its history as seat a sees it, and the whole position."""
    whole = random_round(rules, seed, plays=plays)
    views = [position.view("a") for position in whole.positions[:-1]]
    return whole.position, list(zip(views, whole.plays, strict=True))


@pytest.mark.parametrize("preset", list(cc.PRESETS))
def test_tables_by_card_equal_lists_by_hand(preset):
    for seed in range(2):
        position, history = played(preset, seed, 6)
        ways = [
            Beliefs(position.view("a"), None, history, by_card=by_card).all()
            for by_card in (True, False)
        ]
        assert [way for way, _ in ways[0]] == [way for way, _ in ways[1]]
        pairs = zip(ways[0], ways[1], strict=True)
        assert max(abs(one - other) / one for (_, one), (_, other) in pairs) < 1e-6
        assert position.hands[1].cards.mask in {way[1] for way, _ in ways[0]}


@pytest.mark.parametrize("trail", ["free", "not_matching", "not_capturing", "last_resort"])
@pytest.mark.parametrize("by_card", [True, False])
def test_plays_that_would_have_been_illegal(trail, by_card):
    """Each hand that remains had the plays among its legal moves, by the public generator."""
    for seed in range(3):
        position, history = played(f"britannica,trail={trail}", seed, 4)
        beliefs = Beliefs(position.view("a"), None, history, infer=False, by_card=by_card)
        fitting = {way[1] for way, _ in beliefs.all()}
        rng = random.Random(seed)
        every = masks(position.view("a").unseen.mask, 2)
        for hidden in rng.sample(every, 60):
            hand, legal = hidden, True
            for past, move in reversed(history):
                if past.turn == "b":
                    hand |= cards_named(move.card)
                    hands = [past.hands[0].cards.mask, hand]
                    piles = [pile.cards.mask for pile in past.piles]
                    legal = legal and with_hidden_cards(past, hands, piles, None).is_legal(move)
            assert (hidden in fitting) == legal


def test_no_leak():
    position, history = played("standard", 3, 4)
    view = position.view("a")
    first = Beliefs(view, None, history).marginals()
    full = [(past, str(move)) for past, move in history]
    assert Beliefs(view, None, full).marginals() == first
    piles = [pile.cards.mask for pile in position.piles]
    unseen = view.unseen.mask
    for other in random.Random(1).sample(masks(unseen, 2), 3):
        stock = [card for card in range(52) if (unseen & ~other) >> card & 1]
        changed = with_hidden_cards(position, [position.hands[0].cards.mask, other], piles, stock)
        assert changed.view("a") == view
        assert Beliefs(changed.view("a"), None, history).marginals() == first


def test_history_that_does_not_lead_here():
    position, history = played("standard", 3, 4)
    with pytest.raises(cc.CasinoError, match="history: before play 2"):
        Beliefs(position.view("a"), None, history[:-1])
    with pytest.raises(cc.CasinoError, match="temperature"):
        Beliefs(position.view("a"), temperature=0)
    with pytest.raises(cc.CasinoError, match="chance"):
        Beliefs(position.view("a"), chance=0)


def test_history_of_another_time_is_refused():
    position, history = played("standard", 3, 12)
    assert position.stock_count < history[0][0].stock_count
    view = position.view("a")
    assert Beliefs(view, None, history).is_counted
    later = cc.Position.start("standard", seed=3)
    with pytest.raises(cc.CasinoError, match=r"history: play 12, .* has a stock of 32"):
        Beliefs(later.view("a"), None, history)
    with pytest.raises(cc.CasinoError, match=r"history: play 12, .* has a stock of 32"):
        Beliefs(view, None, [*history, history[0]])
    own = [(past, "4dxZZ" if past.turn == "a" else move) for past, move in history[-4:]]
    with pytest.raises(cc.CasinoError, match="history: play "):
        Beliefs(view, None, own)


def test_odds_of_large_hands_are_drawn_and_odds_that_clash_are_named():
    large = cc.Position.parse("table=2s5h8dKc hands=As7c9hTd/????????????")
    drawn = Beliefs(large, "b:odds=Ah*100").draw(500, 1)
    ace = cards_named("Ah")
    share = sum(bool(int(mask) & ace) for mask in drawn[:, 1]) / len(drawn)
    # 12 of 44 hold it if all are alike, so 12 * 100 of 12 * 100 + 32.
    assert share == pytest.approx(1200 / 1232, abs=0.03)
    four = cc.Position.parse(
        "rules=standard,players=4 table=2s5h8dKc hands=As7c9hTd/????/????/????"
    )
    with pytest.raises(cc.CasinoError, match=r"c holds 9s 1e\+06 times as likely"):
        Beliefs(four, "b:odds=9s*1000000; c:odds=9s*1000000; d:odds=9s*1000000")


def test_draws_end_with_their_time_when_one_is_there():
    four = cc.Position.parse(
        "rules=standard,players=4 table=2s5h8dKc hands=As7c9hTd/????/????/????"
    )
    beliefs = Beliefs(four, "b:odds=9s*6000; c:odds=9s*6000; d:odds=9s*6000")
    assert 1 <= len(beliefs.draw(10**6, 1, deadline=1e-9)) < 10**6
