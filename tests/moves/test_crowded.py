"""Tables crowded with loose cards or builds, where the core finds its moves in another way."""

import tracemalloc
from itertools import islice
from random import Random

import pytest

from casino_core import Position, TooManyMovesError
from helpers.partitions import counts_of, maximal, plus, splitting, ways
from helpers.side_by_side import assert_same, assert_well_formed, last_deal, texts
from reference.notation import parse_state
from reference.random_positions import random_rules
from reference.rules import PACK

EMPTY = (0,) * 13


def cards_of(ranks):
    """Cards of the ranks named, suits in order: `224` gives 2s2h4s."""
    seen = {}
    names = []
    for rank in ranks:
        names.append(rank + "shdc"[seen.setdefault(rank, 0)])
        seen[rank] += 1
    return names


def crowded(table, hand, rules="standard"):
    """A position of the last deal with these loose cards and the hand of the seat to play."""
    other = next(card for card in reversed(PACK) if card not in [*table, *hand])
    return Position.parse(
        last_deal(f"rules={rules} table={''.join(table)} hands={''.join(hand)}/{other}")
    )


def rules_for_two(rng, *left_out):
    """Random rules for two players; the options named have the preset's value."""
    names = ("players", "partners", *left_out)
    parts = random_rules(rng).split(",")
    return ",".join(part for part in parts if part.partition("=")[0] not in names)


# Complete lists, against the tests' own counting

TEN_TABLES = [
    "AAA222333444555666",
    "AAAA22223344556677",
    "AAAA333555577779999",
    "2222444466667788AA99",
    "5555AAAA9999TT333666",
    "223344556677889933",
    "AAAA22223333444455",
]


@pytest.mark.parametrize("ranks", TEN_TABLES)
def test_captures_with_a_ten(ranks):
    """A ten alone in the hand builds nothing: every set that splits, and the trail."""
    table = cards_of(ranks)
    available = counts_of(table)
    sets = splitting(available, 10)
    expected = sum(ways(counts, available) for counts in sets) - 1
    position = crowded(table, ["Td"])
    assert position.count_legal_moves() == expected + 1
    if expected < 1 << 20:
        moves = position.legal_moves()
        assert len({(move.kind, move.loose.mask) for move in moves}) == expected + 1
        for move in moves:
            assert move.kind == "trail" or counts_of(move.loose) in sets
    else:
        with pytest.raises(TooManyMovesError, match="iter_legal_moves"):
            position.legal_moves()


@pytest.mark.parametrize("ranks", ["AAAA2222334455667", "22334455667788A", "AAAA333355577799"])
@pytest.mark.parametrize("card", ["4d", "6d", "9d"])
def test_builds_with_a_ten_to_take_them(ranks, card):
    """A card and a ten in the hand: captures with both, builds of 10 with the card, two trails."""
    table = [name for name in cards_of(ranks) if name != card]
    value = counts_of([card]).index(1) + 1
    available = counts_of(table)

    def sets_with(joined):
        """How many sets of loose cards split into tens together with one card of a value."""
        together = splitting(plus(available, joined), 10)
        used = [counts for counts in together if counts[joined - 1] > 0]
        return sum(ways(plus(counts, joined, -1), available) for counts in used)

    def captures(of):
        return sum(ways(counts, available) for counts in splitting(available, of)) - 1

    moves = crowded(table, [card, "Tc"]).legal_moves()
    builds = [move for move in moves if move.kind == "build"]
    assert {move.value for move in builds} == {10}
    assert len(builds) == sets_with(value)
    by_card = [sum(m.card == c and m.kind == "capture" for m in moves) for c in (card, "Tc")]
    assert by_card == [captures(value), captures(10)]
    assert [str(move) for move in moves if move.kind == "trail"] == sorted([card, "Tc"])


@pytest.mark.parametrize(
    "ranks",
    [
        "AAA222334466KKQQJ",
        "AAAA4477TTTJJJKK2",
        "AAAA22223333QK5",
        "A222244446666",  # nothing here makes 13, so that the loose ace is of use alone only
        "A44448888QQQQ2",
    ],
)
def test_captures_with_an_ace_as_1_and_as_14(ranks):
    """Aces alone are taken by the ace as 1 or as 14, and that is one move."""
    table = cards_of(ranks)
    table = [card for card in table if card != "Ac"]
    available = counts_of(table)
    low, high = (splitting(available, value, True) for value in (1, 14))
    expected = sum(ways(counts, available) for counts in (low | high) - {EMPTY})
    moves = crowded(table, ["Ac"], "royal").legal_moves()
    assert len(moves) == expected + 1
    assert len(set(moves)) == len(moves)
    found = {counts_of(move.loose) for move in moves if move.kind == "capture"}
    assert found == (low | high) - {EMPTY}


@pytest.mark.parametrize("ranks", [*TEN_TABLES[2:], "AA2233445566778899K"])
@pytest.mark.parametrize("card", ["Td", "8d"])
def test_maximal_captures(ranks, card):
    table = [name for name in cards_of(ranks) if name != card]
    available = counts_of(table, (0, 0, 0))
    value = counts_of([card]).index(1) + 1
    sets = maximal(splitting(available, value)) - {EMPTY}
    moves = crowded(table, [card], "standard,capture=maximal").legal_moves()
    captures = [move for move in moves if move.kind == "capture"]
    assert {counts_of(move.loose, (0, 0, 0)) for move in captures} == sets
    assert len(captures) == sum(ways(counts, available) for counts in sets)


@pytest.mark.parametrize("ranks", TEN_TABLES[2:])
@pytest.mark.parametrize("card", ["9d", "5d"])
def test_matching_captures(ranks, card):
    """Every loose card of the rank must be in the set."""
    table = [name for name in cards_of(ranks) if name != card]
    available = counts_of(table)
    value = counts_of([card]).index(1) + 1
    sets = splitting(available, value) - {EMPTY}
    sets = {counts for counts in sets if counts[value - 1] == available[value - 1]}
    position = crowded(table, [card], "standard,capture=matching")
    moves = list(islice(position.iter_legal_moves(), 200_000))
    captures = [move for move in moves if move.kind == "capture"]
    assert {counts_of(move.loose) for move in captures} == sets
    assert len(captures) == sum(ways(counts, available) for counts in sets)


@pytest.mark.parametrize("ranks", ["A222244446666", "AA22224444666", "AAA3333KKKKQQQ"])
def test_maximal_captures_with_an_ace(ranks):
    """As 14 the maximal sets, loose aces alone included; as 1 all aces, if that is another set."""
    table = cards_of(ranks)
    available = counts_of(table)
    moves = crowded(table, ["Ac"], "royal,capture=maximal").legal_moves()
    low, high = (maximal(splitting(available, value, True)) for value in (1, 14))
    captures = [move for move in moves if move.kind == "capture"]
    assert {counts_of(move.loose) for move in captures} == low | high
    assert len(captures) == sum(ways(counts, available) for counts in low | high)


# Complete lists, against the reference


@pytest.mark.parametrize("loose", [13, 14])
@pytest.mark.parametrize("rules", ["standard", "royal", "old-way", "ramapo"])
@pytest.mark.parametrize("capture", ["any", "matching", "maximal"])
def test_lists_under_each_capture_rule(rules, capture, loose):
    rng = Random(f"{rules}{capture}{loose}")
    for _ in range(3):
        cards = rng.sample(PACK, loose + 3)
        position = crowded(cards[3:], cards[:3], f"{rules},capture={capture}")
        assert_same(position, parse_state(str(position)))


@pytest.mark.parametrize("seed", range(30))
def test_a_useless_card_that_makes_the_table_crowded(seed):
    """Twelve cards and thirteen are two ways to the moves; a ten beside sums below 10 adds none."""
    rng = Random(seed)
    low = [card for card in PACK if card[0] in "A23456789"]
    cards = rng.sample(low, 16)
    rules = rules_for_two(rng, "ace") + ",ace=low"
    without_ten = crowded(cards[4:], cards[:4], rules)
    with_ten = crowded([*cards[4:], "Ts"], cards[:4], rules)
    assert texts(with_ten.legal_moves()) == texts(without_ten.legal_moves())
    assert with_ten.count_legal_moves() == without_ten.count_legal_moves()


def test_court_cards_without_a_value_do_not_crowd():
    table = cards_of("AA22334455KKKKQQQQJJJ")
    position = crowded(table, ["Jc", "9s", "7s"])
    assert_same(position, parse_state(str(position)))


@pytest.mark.parametrize("seed", range(8))
def test_trails_on_a_crowded_table(seed):
    """Whether a trail is legal depends on the captures and builds of the hand."""
    rng = Random(seed)
    for trail in ("not_matching", "not_capturing", "last_resort"):
        for _ in range(3):
            cards = rng.sample(PACK, 17)
            rules = f"{rng.choice(('standard', 'royal', 'pagat'))},trail={trail}"
            position = crowded(cards[4:], cards[:4], rules)
            listed = texts(position.legal_moves())
            for card in cards[:4]:
                assert position.is_legal(card) == (card in listed)
            assert_same(position, parse_state(str(position)))


@pytest.mark.parametrize("seed", range(20))
def test_membership_is_that_of_the_list(seed):
    rng = Random(seed)
    cards = rng.sample(PACK, 18)
    capture = rng.choice(("any", "matching", "maximal"))
    position = crowded(cards[3:], cards[:3], f"royal,capture={capture}")
    moves = position.legal_moves()
    for move in rng.sample(moves, min(len(moves), 200)):
        assert position.is_legal(move)
        assert position.is_legal(str(move))
    listed = set(texts(moves))
    for _ in range(300):
        loose = "".join(sorted(rng.sample(cards[3:], rng.randint(1, 7)), key=PACK.index))
        for text in (f"{cards[0]}x{loose}", f"{cards[1]}+{loose}={rng.randint(1, 14)}"):
            assert position.is_legal(text) == (text in listed)


# Very many cards


def test_29_loose_cards_that_do_not_split():
    """Total 14 * 13, but each group of 13 needs an odd card and there are only 12."""
    table = cards_of("22444466668888TTQAA33557799JK")
    values = counts_of(table)
    assert sum(values) == 29
    total = sum(v * n for v, n in enumerate(values, 1))
    odd = sum(n for v, n in enumerate(values, 1) if v % 2)
    assert total == 14 * 13
    assert odd == 12
    position = crowded(table, ["Kd"], "royal")
    text = "Kdx" + "".join(table)
    assert not position.is_legal(text)
    assert "do not split into groups that each sum to 13" in position.why_illegal(text)


def test_29_loose_cards_that_split():
    """Thirteen pairs of 13 and a group of three: the whole table, and that is a sweep."""
    table = cards_of("AAAAQQQQ2222JJJJ3333TTTT49445")
    position = crowded(table, ["Kd"], "royal")
    assert len(position.table) == 29
    values = counts_of(table)
    assert sum(v * n for v, n in enumerate(values, 1)) == 14 * 13
    after = position.play("Kdx" + "".join(table))
    assert len(after.table) == 0
    assert after.sweeps == (1, 0)
    assert_well_formed(after)


@pytest.mark.parametrize("capture", ["any", "matching", "maximal"])
def test_a_table_of_40_cards_gives_its_first_moves_at_once(capture):
    rng = Random(40)
    cards = rng.sample(PACK, 44)
    position = crowded(cards[4:], cards[:4], f"royal,capture={capture}")
    first = list(islice(position.iter_legal_moves(), 2000))
    assert len(set(first)) == 2000
    for move in first[::1000]:
        assert position.is_legal(move)
        assert position.why_illegal(move) is None
        assert_well_formed(position.play(move))


def test_the_lazy_list_goes_through_its_chunks_without_a_gap():
    table = cards_of("AAAA22223333444455")
    position = crowded(table, ["Td"])
    moves = list(position.iter_legal_moves())
    assert len(moves) == position.count_legal_moves() > 3 * 4096
    assert len(set(moves)) == len(moves)


def test_counts_beyond_what_a_list_can_hold():
    table = cards_of("AAAA22223334445556666777")
    available = counts_of(table)
    expected = sum(ways(counts, available) for counts in splitting(available, 8))
    assert expected > 1 << 20
    position = crowded(table, ["8d"])
    assert position.count_legal_moves() == expected  # the trail, for the set of no cards
    with pytest.raises(TooManyMovesError, match="more than a million"):
        position.legal_moves()


# Many builds, large hands


def twenty_builds(owner="b"):
    """Twenty builds of 10 that stand side by side, under court=ten."""
    pairs = [
        one + suit + other + suit for one, other in ("A9", "28", "37", "46") for suit in "shdc"
    ]
    builds = [f"10{owner}:{pair}" for pair in pairs]
    return [*builds, f"10{owner}:5s5h", f"10{owner}:5d5c", f"10{owner}*:TsTh", f"10{owner}*:JsJh"]


def with_builds(count, table="", hand="Td"):
    builds = ",".join(twenty_builds()[:count])
    line = f"rules=old-way,same_value=separate table={table or '-'} builds={builds} hands={hand}/Kc"
    return Position.parse(last_deal(line))


def test_any_of_twenty_builds_may_be_captured():
    position = with_builds(20)
    assert len(position.builds) == 20
    # one of each subset but the empty one, and the trail
    assert position.count_legal_moves() == 2**20
    named = [str(build).replace("*", "") for build in position.builds]
    for some in (named[:1], named[3:9], named[::2], named):
        move = position.move("Tdx" + "".join(f"[{name}]" for name in some))
        assert len(position.play(move).builds) == 20 - len(some)


def test_ten_builds_are_listed_with_loose_cards():
    position = with_builds(10, "TcJc")
    assert position.count_legal_moves() == 4 * 2**10
    moves = position.legal_moves()
    assert len(set(moves)) == 4 * 2**10
    assert texts(moves) == sorted(texts(moves))


def test_eight_builds_against_the_reference():
    position = with_builds(8, "5sTc5h", "TdJd5d")
    assert_same(position, parse_state(str(position)))


def test_the_lazy_list_does_not_hold_all_captures_of_many_builds():
    position = with_builds(17, "TcJc")
    assert position.count_legal_moves() == 4 * 2**17
    tracemalloc.start()
    try:
        first = list(islice(position.iter_legal_moves(), 10))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(set(first)) == 10
    assert peak < 16 << 20


@pytest.mark.parametrize("seed", range(12))
def test_hands_of_twelve_cards(seed):
    rng = Random(seed)
    cards = rng.sample(PACK, 27)
    rules = rules_for_two(rng)
    hands = "".join(cards[:12]) + "/" + "".join(cards[12:24])
    line = f"rules={rules} table={''.join(cards[24:])} hands={hands}"
    position = Position.parse(last_deal(line))
    state = parse_state(str(position))
    assert_same(position, state)
    for move in rng.sample(position.legal_moves(), 3):
        after = position.play(move)
        assert_same(after, parse_state(str(after)))
