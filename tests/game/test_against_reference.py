"""The core played side by side with the slow reference: every list, every text, every score."""

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from casino_core import CasinoError, Position
from helpers.side_by_side import PRESET_NAMES, SEATINGS, assert_same, examples, last_deal
from reference.notation import move_to_text, parse_state, to_text
from reference.options import parse_rules
from reference.random_positions import (
    random_move,
    random_positions,
    random_rules,
    random_start,
    shuffle_hidden,
)
from reference.rules import (
    PACK,
    UNKNOWN,
    Build,
    State,
    counting_of,
    is_single,
    legal_moves,
    ordered,
    play,
    score,
    subsets_with_sum,
    values,
    without,
)

SEATS = "abcd"


# Changes to a reference position, so that it is one that play alone does not come to


def expose_card(state, rng):
    """A dealer's slip: a card of one hand lies on the table, so that the hands are unequal."""
    seats = [seat for seat, hand in enumerate(state.hands) if len(hand) > 1]
    if not seats:
        return state
    seat = rng.choice(seats)
    card = rng.choice(state.hands[seat])
    hands = list(state.hands)
    hands[seat] = without(hands[seat], [card])
    return replace(state, hands=tuple(hands), table=ordered([*state.table, card]))


def hand_over(state, rng):
    """A card of one hand is in another, so that one seat plays more often than others."""
    givers = [seat for seat, hand in enumerate(state.hands) if len(hand) > 1]
    takers = [seat for seat, hand in enumerate(state.hands) if len(hand) < 12]
    if not givers or not takers:
        return state
    giver, taker = rng.choice(givers), rng.choice(takers)
    card = rng.choice(state.hands[giver])
    hands = list(state.hands)
    hands[giver] = without(hands[giver], [card])
    hands[taker] = ordered([*hands[taker], card])
    return replace(state, hands=tuple(hands))


def lose_cards(state, rng):
    """Some cards of the stock are not in the game."""
    if len(state.stock) < 2:
        return state
    lost = rng.sample(state.stock, rng.randint(1, min(5, len(state.stock) - 1)))
    return replace(state, stock=without(state.stock, lost), out=ordered([*state.out, *lost]))


def crowd_table(state, rng, loose):
    """As many loose cards as asked for: the missing ones come from the piles, then the stock."""
    piles = [list(pile) for pile in state.piles]
    table = list(state.table)
    while len(table) < loose and any(piles):
        pile = rng.choice([pile for pile in piles if pile])
        table.append(pile.pop(rng.randrange(len(pile))))
    stock = list(state.stock)
    while len(table) < loose and stock:
        table.append(stock.pop())
    # the stock stays dealable, as cards that do not go round would have to be called missing
    out = [stock.pop() for _ in range(len(stock) % (4 * state.rules.players))]
    return replace(
        state,
        table=ordered(table),
        piles=tuple(ordered(pile) for pile in piles),
        stock=tuple(stock),
        out=ordered([*state.out, *out]),
    )


def draw_build(rules, cards, rng):
    """A build of some of the cards under the rules, by value, multiple or not; None if none."""
    counting = counting_of(rules)
    announced = sorted({value for card in cards for value in values(counting, card)})
    if not announced:
        return None
    value = rng.choice(announced)
    taken = ()
    for _ in range(rng.choice((1, 1, 2, 3))):
        some = rng.sample(cards, min(len(cards), 12))
        sets = list(islice(subsets_with_sum(counting, ordered(some), value), 20))
        sets += [(card,) for card in some if value in values(counting, card)]
        sets = [group for group in sets if not set(group) & set(taken)]
        if sets:
            taken += rng.choice(sets)
    if len(set(taken)) < 2:
        return None
    taken = ordered(taken)
    return value, not is_single(counting, taken, value), taken


def draw_position(rng, fixed=""):
    """A position that no play leads to: cards, builds and owners anywhere that they can be.

    The rules are drawn too, but for the options that `fixed` gives.
    """
    names = [part.partition("=")[0] for part in fixed.split(",")]
    drawn = random_rules(rng, change=0.5).split(",")
    kept = [part for part in drawn if part.partition("=")[0] not in names]
    rules = parse_rules(",".join([*kept, *filter(None, [fixed])]))
    cards = rng.sample(PACK, 52)
    builds = []
    for _ in range(rng.choice((0, 1, 1, 2, 3, 4))):
        drawn = draw_build(rules, cards, rng)
        if drawn and not (
            rules.same_value == "merge" and drawn[0] in [build.value for build in builds]
        ):
            value, multiple, taken = drawn
            builds.append(Build(value, rng.randrange(rules.players), multiple, taken))
            cards = [card for card in cards if card not in taken]
    hands = []
    for _ in range(rules.players):
        size = rng.choice((1, 2, 3, 4, 4, 4))
        hands.append(ordered(cards[:size]))
        cards = cards[size:]
    loose = min(rng.randint(0, 9), len(cards))
    table, cards = ordered(cards[:loose]), cards[loose:]
    deal = 4 * rules.players
    size = min(rng.choice((0, 0, 1, 2)), len(cards) // deal) * deal
    stock, cards = tuple(cards[:size]), cards[size:]
    out = tuple(cards[: rng.choice((0, 0, 3))])
    piles = [() for _ in range(rules.sides)]
    piles[rng.randrange(rules.sides)] = ordered(cards[len(out) :])
    declared = [()] * rules.players
    if rules.partners:
        announced = sorted({value for hand in hands for value in hand_values(rules, hand)})
        for seat in range(rules.players):
            owned = {build.value for build in builds if build.owner == seat}
            said = {rng.choice(announced or [1]) for _ in range(rng.randint(0, 2))}
            declared[seat] = tuple(sorted(said - owned, reverse=True)) if announced else ()
    return State(
        rules=rules,
        table=table,
        builds=tuple(sorted(builds, key=lambda build: build.order)),
        hands=tuple(hands),
        piles=tuple(piles),
        turn=rng.randrange(rules.players),
        last=rng.choice((None, *range(rules.players))),
        sweeps=tuple(rng.randint(0, 3) for _ in range(rules.sides)),
        stock=stock,
        out=ordered(out),
        declared=tuple(declared),
        before=tuple(rng.randint(0, 20) for _ in range(rules.sides)),
    )


def hand_values(rules, hand):
    return [value for card in hand for value in values(counting_of(rules), card)]


def as_seen(state, seat):
    """The position as a seat sees it, after the reference."""
    hands = tuple(
        hand if index == seat else (UNKNOWN,) * len(hand) for index, hand in enumerate(state.hands)
    )
    return replace(state, hands=hands, stock=(UNKNOWN,) * len(state.stock))


def assert_same_score(position, state):
    if state.is_over:
        assert list(position.score()) == score(state)
    else:
        with pytest.raises(CasinoError, match="not finished"):
            position.score()


def play_side_by_side(state, rng):
    """Play a position to the end of its round, the core beside the reference; the plays made."""
    position = Position.parse(to_text(state))
    plays = 0
    while True:
        assert_same(position, state)
        if state.is_over:
            assert_same_score(position, state)
            return plays
        move = random_move(state, rng)
        before = str(position)
        after = position.play(move_to_text(state, move))
        assert str(position) == before
        position, state = after, play(state, move)
        plays += 1


SEEDS = st.integers(0, 2**32)
RULE_TEXTS = st.one_of(
    st.builds(str.__add__, st.sampled_from(PRESET_NAMES), st.sampled_from(SEATINGS)),
    SEEDS.map(lambda seed: random_rules(Random(seed))),
    SEEDS.map(lambda seed: random_rules(Random(seed), change=0.8)),
)


class SideBySide(RuleBasedStateMachine):
    """One round in the core and in the reference, with things done to it that games know."""

    @initialize(rules=RULE_TEXTS, seed=SEEDS)
    def start(self, rules, seed):
        self.change(random_start(rules, Random(seed)))

    def change(self, state):
        self.state = state
        self.position = Position.parse(to_text(state))

    def going(self):
        return not self.state.is_over

    @rule(seed=SEEDS)
    @precondition(going)
    def play_one(self, seed):
        move = random_move(self.state, Random(seed))
        self.position = self.position.play(move_to_text(self.state, move))
        self.state = play(self.state, move)

    @rule(seed=SEEDS, plays=st.integers(2, 12))
    @precondition(going)
    def play_several(self, seed, plays):
        rng = Random(seed)
        for _ in range(plays):
            if self.going():
                self.play_one(rng.randrange(2**32))

    @rule(choice=SEEDS)
    @precondition(going)
    def play_a_move_of_the_list(self, choice):
        """As `play_one`, but the move is an object, taken from the core's own list."""
        moves = self.position.legal_moves()
        move = moves[choice % len(moves)]
        chosen = {move_to_text(self.state, other): other for other in legal_moves(self.state)}
        self.state = play(self.state, chosen[str(move)])
        self.position = self.position.play(move)

    @rule(seed=SEEDS)
    @precondition(going)
    def shuffle_what_is_hidden(self, seed):
        self.change(shuffle_hidden(self.state, Random(seed)))

    @rule(seed=SEEDS)
    @precondition(going)
    def expose_a_card(self, seed):
        self.change(expose_card(self.state, Random(seed)))

    @rule(seed=SEEDS)
    @precondition(going)
    def hand_a_card_over(self, seed):
        self.change(hand_over(self.state, Random(seed)))

    @rule(seed=SEEDS)
    @precondition(going)
    def lose_cards_of_the_stock(self, seed):
        self.change(lose_cards(self.state, Random(seed)))

    @rule(rules=RULE_TEXTS, seed=SEEDS)
    @precondition(lambda self: not self.going())
    def start_another_round(self, rules, seed):
        self.start(rules, seed)

    @invariant()
    def they_agree(self):
        assert_same(self.position, self.state)

    @invariant()
    def each_seat_sees_the_same(self):
        for seat in range(self.state.rules.players):
            assert_same(self.position.view(SEATS[seat]), as_seen(self.state, seat))

    @invariant()
    def scores_agree(self):
        assert_same_score(self.position, self.state)


TestSideBySide = SideBySide.TestCase
TestSideBySide.settings = examples(0.8, stateful_step_count=40)


@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_rounds_of_every_preset(preset, seating):
    rng = Random(f"{preset}{seating}")
    assert play_side_by_side(random_start(preset + seating, rng), rng) == 48


@pytest.mark.parametrize("seed", range(60))
def test_rounds_of_random_rules(seed):
    rng = Random(seed)
    assert play_side_by_side(random_start(random_rules(rng), rng), rng) == 48


@pytest.mark.parametrize("seed", range(40))
def test_rounds_with_much_changed_rules(seed):
    """Most options redrawn, so that unusual combinations come about."""
    rng = Random(seed)
    assert play_side_by_side(random_start(random_rules(rng, change=0.8), rng), rng) == 48


@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_hands_and_stock_reshuffled(preset):
    """Owners may lack the cards for their builds, as in positions from outside."""
    rng = Random(preset)
    lacking = 0
    for seating in SEATINGS:
        for state in random_positions(rng.randrange(2**32), 1, preset + seating):
            strange = shuffle_hidden(state, rng)
            position = Position.parse(to_text(strange))
            assert_same(position, strange)
            lacking += bool(position.warnings)
            if not strange.is_over:
                move = random_move(strange, rng)
                after = position.play(move_to_text(strange, move))
                assert_same(after, play(strange, move))
    assert lacking > 0


@pytest.mark.parametrize("seed", range(40))
def test_incomplete_packs_are_dealt_as_far_as_they_go(seed):
    rng = Random(seed)
    state = lose_cards(random_start(random_rules(rng), rng), rng)
    plays = play_side_by_side(state, rng)
    assert plays == 48 - len(state.out)


@pytest.mark.parametrize("seed", range(40))
def test_unequal_hands_pass_seats_over(seed):
    rng = Random(seed)
    state = random_start(random_rules(rng), rng)
    for _ in range(rng.randint(1, 4)):
        state = rng.choice((expose_card, hand_over))(state, rng)
    exposed = len(state.table) - 4
    assert play_side_by_side(state, rng) == 48 - exposed


@pytest.mark.parametrize("loose", range(13, 17))
@pytest.mark.parametrize("seed", range(8))
def test_crowded_tables(seed, loose):
    """Beyond twelve loose cards with a value the core finds its families in another way."""
    rng = Random(f"{seed} {loose}")
    positions = list(random_positions(seed, 1, random_rules(rng)))
    for state in rng.sample(positions, 3):
        crowded = crowd_table(shuffle_hidden(state, rng), rng, loose)
        if not crowded.is_over:
            assert len(crowded.table) >= loose
            assert_same(Position.parse(to_text(crowded)), crowded)


DECLARED = "players=4,partners=yes,partner_builds=declared"


@pytest.mark.parametrize("fixed", ["", DECLARED, f"{DECLARED},ace=low_or_high,max_builds=0"])
@pytest.mark.parametrize("seed", range(20))
def test_positions_that_no_play_leads_to(seed, fixed):
    rng = Random(f"{seed} {fixed}")
    for _ in range(40):
        state = draw_position(rng, fixed)
        position = Position.parse(to_text(state))
        assert_same(position, state)
        for move in rng.sample(legal_moves(state), 1):
            assert_same(position.play(move_to_text(state, move)), play(state, move))


# Rules that meet seldom: a position, and its moves that begin with the first card of the hand

SELDOM = [
    # a raise joins the partner's build, who then still owns one build only
    (
        "rules=royal-1911,players=4,partners=yes builds=7b:3d4d,9c:4h5h hands=2sKs/7h/9d/8d",
        ["2s", "2s+[7b]=9"],
    ),
    # ... but a second build would exceed its limit
    (
        "rules=royal-1911,players=4,partners=yes table=7s builds=13c:6h7h hands=2sKs/7c/9dKd/8d "
        "declared=-/-/9/-",
        ["2s"],
    ),
    # the partner would own builds of 1 and 14 both
    (
        f"rules=royal,{DECLARED} table=9d builds=1c*:AhAd hands=5sKs/7h/AsAc/8d declared=-/-/14/-",
        ["5s"],
    ),
    (
        f"rules=royal,{DECLARED} table=9d builds=2c:AhAd hands=5sKs/7h/AsAc/8d declared=-/-/14/-",
        ["5s", "5s+9d=14"],
    ),
    # a player at the limit of builds raises its own build, but joins no other one
    ("rules=standard,max_builds=1 builds=7a:3d4d,9b:4h5h hands=2s9h7c/9c", []),
    ("rules=standard,max_builds=2 builds=7a:3d4d,9b:4h5h hands=2s9h7c/9c", ["2s+[7a]=9"]),
    ("rules=standard,max_builds=1 builds=7a:3d4d hands=2s9h7c/9c", ["2s+[7a]=9"]),
    # two aces guard a build of 1 and one of 14
    (
        "rules=pagat-royal table=9d builds=1a*:AhAd hands=5sAsAc/7h",
        ["5s+9d=14"],
    ),
    ("rules=pagat-royal table=9d builds=1a*:AhAd hands=5sAs/7h", []),
]


@pytest.mark.parametrize(("line", "expected"), SELDOM)
def test_rules_that_meet_seldom(line, expected):
    position = Position.parse(last_deal(line))
    card = line.partition("hands=")[2][:2]
    found = [str(move) for move in position.legal_moves() if move.card == card]
    assert found == expected
    assert_same(position, parse_state(str(position)))


def test_every_preset_of_the_reference_is_tried():
    """The names stand in a list here, which must not fall behind."""
    from casino_core import PRESETS

    assert list(PRESETS) == list(PRESET_NAMES)
    for name in PRESET_NAMES:
        assert parse_rules(name).players == 2


def test_the_two_readers_agree_on_a_whole_line():
    line = (
        "rules=royal-1911,players=4,partners=yes table=2s5hTd builds=9a*:4h5c9s,12c:AhJh "
        "hands=9d?/??/QsKd/3c4c piles=7s7h7d7c??/JsJd turn=b last=d sweeps=1/0 "
        "out=As declared=7/-/9.4/- score=11/8"
    )
    position, state = Position.parse(line), parse_state(line)
    assert str(position) == to_text(state)
    assert position.stock_count == len(state.stock) == 52 - 20 - 5
