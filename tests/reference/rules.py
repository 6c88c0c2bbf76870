"""Positions, legal moves, playing a move, deals, and the score of a round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations

from .options import Rules

RANKS = "A23456789TJQK"
SUITS = "shdc"
PACK = tuple(rank + suit for rank in RANKS for suit in SUITS)
UNKNOWN = "?"
CARD_ORDER = {card: number for number, card in enumerate((*PACK, UNKNOWN))}

Cards = tuple[str, ...]


def ordered(cards: Iterable[str]) -> Cards:
    """Cards sorted by rank, then s h d c; unknown cards last."""
    return tuple(sorted(cards, key=CARD_ORDER.__getitem__))


def without(cards: Cards, taken: Iterable[str]) -> Cards:
    """What is left of `cards` when `taken`, all of them there, are gone."""
    left = list(cards)
    for card in taken:
        left.remove(card)
    return tuple(left)


# ---------------------------------------------------------------------------------------------
# Positions and moves


@dataclass(frozen=True)
class Build:
    """A build on the table; `owner` is the seat that is bound by it."""

    value: int
    owner: int
    multiple: bool
    cards: Cards

    @property
    def order(self) -> tuple:
        """What builds are sorted by: value, owner, cards."""
        return self.value, self.owner, [CARD_ORDER[card] for card in self.cards]


@dataclass(frozen=True)
class Move:
    """One play. `kind` is 'trail', 'capture' or 'build'.

    `builds` are the builds a capture takes, `base` is the build that is added to or raised, and
    `value` the value that a build announces (0 in other moves).
    """

    kind: str
    card: str
    loose: Cards = ()
    builds: tuple[Build, ...] = ()
    base: Build | None = None
    value: int = 0


@dataclass(frozen=True)
class State:
    """A position. Seats are 0 (the leader of each deal) to 3; all card sets are sorted.

    `stock` has the next card first, `?` for each card whose place is not known. `declared` holds
    for each seat the values declared beyond those of the builds it owns. `before` is the match
    score of each side before this round. `last` is the seat that captured last, or None.
    """

    rules: Rules
    table: Cards
    builds: tuple[Build, ...]
    hands: tuple[Cards, ...]
    piles: tuple[Cards, ...]
    turn: int
    last: int | None
    sweeps: tuple[int, ...]
    stock: Cards
    out: Cards
    declared: tuple[tuple[int, ...], ...]
    before: tuple[int, ...]

    @property
    def is_over(self) -> bool:
        """The round is finished: all hands and the stock are empty."""
        return not any(self.hands) and not self.stock


# ---------------------------------------------------------------------------------------------
# Values and groups. `counting` is the pair of the options `court` and `ace`.

Counting = tuple[str, str]


def counting_of(rules: Rules) -> Counting:
    return rules.court, rules.ace


@cache
def values(counting: Counting, card: str) -> tuple[int, ...]:
    """All the values that a card standing alone may have; none for a court that only pairs."""
    court, ace = counting
    rank = card[0]
    if rank == "A":
        return (1, 14) if ace == "low_or_high" else (1,)
    if rank in "JQK" and court == "pair":
        return ()
    if rank in "JQK" and court == "ten":
        return (10,)
    return (RANKS.index(rank) + 1,)


def holds(counting: Counting, hand: Cards, value: int) -> bool:
    """Whether a card of `value` is in the hand."""
    return any(value in values(counting, card) for card in hand)


def subsets_with_sum(counting: Counting, cards: Cards, total: int) -> Iterator[Cards]:
    """Every set of `cards` that sums to `total`, an ace counting 1."""
    if total == 0:
        yield ()
        return
    for place, card in enumerate(cards):
        card_values = values(counting, card)
        if card_values and card_values[0] <= total:
            rest = cards[place + 1 :]
            for others in subsets_with_sum(counting, rest, total - card_values[0]):
                yield (card, *others)


def groups_with(counting: Counting, first: str, cards: Cards, value: int) -> Iterator[Cards]:
    """Every group of `value` that `first` makes alone or with some of `cards`."""
    first_values = values(counting, first)
    if value in first_values:
        yield (first,)
    if first_values and first_values[0] < value:
        for others in subsets_with_sum(counting, cards, value - first_values[0]):
            yield (first, *others)


@lru_cache(maxsize=50_000)
def splitting_sets(counting: Counting, cards: Cards, value: int) -> frozenset[frozenset[str]]:
    """Every set of `cards`, the empty set too, that splits into disjoint groups of `value`."""
    if not cards:
        return frozenset([frozenset()])
    first, others = cards[0], cards[1:]
    found = set(splitting_sets(counting, others, value))
    for group in groups_with(counting, first, others, value):
        rest = tuple(card for card in others if card not in group)
        for more in splitting_sets(counting, rest, value):
            found.add(more.union(group))
    return frozenset(found)


def is_single(counting: Counting, cards: Iterable[str], value: int) -> bool:
    """Whether two or more cards that split into groups of `value` are one group.

    They are when they sum to it with aces as 1. Two or more groups never do: a group of 14 that
    is a lone ace adds 1 to the sum, every other group adds the whole value, and no mixture of
    two groups or more, with at most four aces, comes to the value of one.
    """
    return sum(values(counting, card)[0] for card in cards) == value


# ---------------------------------------------------------------------------------------------
# Captures


def capture_moves(state: State) -> list[Move]:
    """Every capture, before the duties of an owner are looked at."""
    counting = counting_of(state.rules)
    found: dict[Move, None] = {}  # a set that keeps its order: an ace may find a move twice
    for card in state.hands[state.turn]:
        if not values(counting, card):
            for loose in court_captures(state, card):
                found[Move("capture", card, loose)] = None
        for value in values(counting, card):
            for loose, builds in captures_at(state, card, value):
                found[Move("capture", card, loose, builds)] = None
    return list(found)


def court_captures(state: State, card: str) -> list[Cards]:
    """The sets of loose cards of its rank that a card without a value can take."""
    mates = tuple(other for other in state.table if other[0] == card[0])
    sizes = {
        "one": [1],
        "one_or_three": [1, 3],
        "any": range(1, len(mates) + 1),
        "all": [len(mates)] if mates else [],
    }[state.rules.court_capture]
    return [loose for size in sizes for loose in combinations(mates, size)]


def captures_at(state: State, card: str, value: int) -> Iterator[tuple[Cards, tuple[Build, ...]]]:
    """What a card can take at one of its values: loose cards, and builds of that value."""
    rule = state.rules.capture
    loose_sets = splitting_sets(counting_of(state.rules), state.table, value)
    builds = tuple(build for build in state.builds if build.value == value)
    mates = frozenset(other for other in state.table if other[0] == card[0])
    if rule == "matching":
        loose_sets = frozenset(loose for loose in loose_sets if mates <= loose)
    if rule == "maximal":
        loose_sets = frozenset(
            loose for loose in loose_sets if not any(loose < other for other in loose_sets)
        )
    smallest = len(builds) if rule == "maximal" else 0
    for loose in loose_sets:
        for size in range(smallest, len(builds) + 1):
            for taken in combinations(builds, size):
                if loose or taken:
                    yield ordered(loose), taken


# ---------------------------------------------------------------------------------------------
# Builds


def partner_of(seat: int) -> int:
    return (seat + 2) % 4


def declared_values(state: State, seat: int) -> set[int]:
    """All values declared for a seat: those of its builds, and what was declared before."""
    owned = {build.value for build in state.builds if build.owner == seat}
    return owned.union(state.declared[seat])


def build_owner(state: State, card: str, value: int) -> int | None:
    """Who owns what the mover builds for `value` with `card`; None where he may not build it.

    He does when after the play he holds a card of the value. Else, under `partner_builds`, his
    partner does if he has declared the value.
    """
    mover = state.turn
    if holds(counting_of(state.rules), without(state.hands[mover], [card]), value):
        return mover
    if state.rules.partners and state.rules.partner_builds == "declared":
        if value in declared_values(state, partner_of(mover)):
            return partner_of(mover)
    return None


def may_touch(state: State, build: Build) -> bool:
    """Whether `max_builds` lets the mover add to or raise this build."""
    return build.owner == state.turn or not is_full(state)


def is_full(state: State) -> bool:
    """The mover owns as many builds as `max_builds` allows."""
    owned = sum(build.owner == state.turn for build in state.builds)
    return 0 < state.rules.max_builds <= owned


def may_add(state: State, build: Build) -> bool:
    """Whether the mover may add to this build."""
    own = build.owner == state.turn
    return state.rules.multiple and (own or state.rules.add_to == "any") and may_touch(state, build)


def may_raise(state: State, base: Build, card: str) -> bool:
    """Whether the mover may raise this build by playing `card`."""
    rules = state.rules
    own = base.owner == state.turn
    partners = rules.side_of(base.owner) == rules.side_of(state.turn)
    left = without(state.hands[state.turn], [card])
    if base.multiple or not may_touch(state, base):
        return False
    if own and rules.raise_own_needs_both and not holds(counting_of(rules), left, base.value):
        return False
    return {"any": True, "others": not own, "opponents": not partners, "none": False}[rules.raising]


def build_moves(state: State) -> list[Move]:
    """Every build move, before the duty to keep cards is looked at."""
    counting = counting_of(state.rules)
    hand = state.hands[state.turn]
    announced = {value for card in hand for value in values(counting, card)}
    if state.rules.partners:
        announced |= declared_values(state, partner_of(state.turn))
    found: dict[Move, None] = {}
    for card in hand:
        for value in sorted(announced):
            if build_owner(state, card, value) is None:
                continue
            for base, loose in builds_at(state, card, value):
                move = Move("build", card, ordered(loose), base=base, value=value)
                if partner_may_own(state, move):
                    found[move] = None
    return list(found)


def builds_at(state: State, card: str, value: int) -> Iterator[tuple[Build | None, frozenset[str]]]:
    """The bases and loose cards with which `card` can make a build of `value`."""
    same = [build for build in state.builds if build.value == value]
    merge = state.rules.same_value == "merge"
    if not is_full(state) and not (merge and same):
        for loose in new_sets(state, card, value):
            yield None, loose
    for base in same:
        if may_add(state, base):
            for loose in added_sets(state, card, value):
                yield base, loose
    if merge and not all(may_add(state, build) for build in same):
        return
    for base in state.builds:
        if base.value < value and may_raise(state, base, card):
            for loose in raising_sets(state, card, value - base.value, value):
                yield base, loose


def added_sets(state: State, card: str, value: int) -> set[frozenset[str]]:
    """Sets of loose cards, perhaps empty, that with `card` split into groups of `value`."""
    counting = counting_of(state.rules)
    found = set()
    for group in groups_with(counting, card, state.table, value):
        rest = tuple(other for other in state.table if other not in group)
        for more in splitting_sets(counting, rest, value):
            found.add(more.union(group) - {card})
    return found


def new_sets(state: State, card: str, value: int) -> list[frozenset[str]]:
    """Sets of loose cards that with `card` make a new build of `value`."""
    counting = counting_of(state.rules)
    return [
        loose
        for loose in added_sets(state, card, value)
        if loose and (state.rules.multiple or is_single(counting, {card, *loose}, value))
    ]


def raising_sets(state: State, card: str, difference: int, value: int) -> set[frozenset[str]]:
    """Sets of loose cards that with `card` raise a build by `difference` to `value`."""
    rules = state.rules
    counting = counting_of(rules)
    if not values(counting, card) or values(counting, card)[0] > difference:
        return set()
    missing = difference - values(counting, card)[0]
    found = set()
    for raising in subsets_with_sum(counting, state.table, missing):
        if raising and not rules.raise_table_cards:
            continue
        found.add(frozenset(raising))
        if rules.raise_absorb and rules.multiple:
            rest = tuple(other for other in state.table if other not in raising)
            for absorbed in splitting_sets(counting, rest, value):
                found.add(absorbed.union(raising))
    return found


def made_build(state: State, move: Move) -> tuple[Build, list[Build]]:
    """The build that a build move makes, and the builds on the table that go into it."""
    parts = [] if move.base is None else [move.base]
    if state.rules.same_value == "merge":
        parts += [b for b in state.builds if b.value == move.value and b not in parts]
    cards = ordered([move.card, *move.loose, *(card for part in parts for card in part.cards)])
    multiple = not is_single(counting_of(state.rules), cards, move.value)
    owner = build_owner(state, move.card, move.value)
    return Build(move.value, owner, multiple, cards), parts


def partner_may_own(state: State, move: Move) -> bool:
    """Where the partner becomes the owner: whether `max_builds` and his aces allow it."""
    if build_owner(state, move.card, move.value) == state.turn:
        return True
    owned = [b for b in builds_after(state, move) if b.owner == partner_of(state.turn)]
    limit = state.rules.max_builds
    return (not limit or len(owned) <= limit) and not {1, 14} <= {b.value for b in owned}


# ---------------------------------------------------------------------------------------------
# Legal moves


def builds_after(state: State, move: Move) -> tuple[Build, ...]:
    """The builds on the table after a move."""
    if move.kind == "capture":
        return tuple(build for build in state.builds if build not in move.builds)
    if move.kind == "build":
        made, parts = made_build(state, move)
        kept = [build for build in state.builds if build not in parts]
        return tuple(sorted([*kept, made], key=lambda build: build.order))
    return state.builds


def can_guard(counting: Counting, hand: Cards, owed: list[int]) -> bool:
    """Whether the hand has a different card for each of the values."""
    if not owed:
        return True
    return any(
        can_guard(counting, without(hand, [card]), owed[1:])
        for card in hand
        if owed[0] in values(counting, card)
    )


def keeps_cards(state: State, move: Move) -> bool:
    """The duty of an owner: after the play he holds a card for each value that he owns."""
    counting = counting_of(state.rules)
    hand = state.hands[state.turn]
    owned = {b.value for b in builds_after(state, move) if b.owner == state.turn}
    owed = [value for value in owned if holds(counting, hand, value)]
    return can_guard(counting, without(hand, [move.card]), owed)


def may_trail(state: State, card: str, plays: list[Move]) -> bool:
    """Whether `trail` allows this card; `plays` are the legal captures and builds."""
    return {
        "free": True,
        "not_matching": not any(other[0] == card[0] for other in state.table),
        "not_capturing": not any(m.kind == "capture" and m.card == card for m in plays),
        "last_resort": not plays,
    }[state.rules.trail]


def legal_moves(state: State) -> list[Move]:
    """Every legal move of the seat to play, whose hand must be known."""
    if state.is_over:
        return []
    hand = state.hands[state.turn]
    if UNKNOWN in hand:
        raise ValueError("the moves of a hand that is not known")
    duty = state.rules.owner_turn
    if not any(build.owner == state.turn for build in state.builds):
        duty = "free"
    plays = capture_moves(state)
    if duty != "capture":
        plays += build_moves(state)
    plays = [move for move in plays if keeps_cards(state, move)]
    trails = [Move("trail", card) for card in hand]
    if duty == "free":
        legal = [
            move
            for move in trails
            if may_trail(state, move.card, plays) and keeps_cards(state, move)
        ]
        plays += legal
    return plays or trails


# ---------------------------------------------------------------------------------------------
# Playing a move


def play(state: State, move: Move) -> State:
    """The position after a legal move, with the draw or the deal that follows it."""
    mover = state.turn
    side = state.rules.side_of(mover)
    hands = list(state.hands)
    piles = list(state.piles)
    sweeps = list(state.sweeps)
    last = state.last
    hands[mover] = without(hands[mover], [move.card])
    table = without(state.table, move.loose)
    builds_left = builds_after(state, move)
    if move.kind == "trail":
        table = ordered([*table, move.card])
    if move.kind == "capture":
        from_builds = [card for build in move.builds for card in build.cards]
        piles[side] = ordered([*piles[side], move.card, *move.loose, *from_builds])
        last = mover
        if not table and not builds_left:
            sweeps[side] += 1
    declared = declared_after(state, move, builds_left, hands)
    stock = state.stock
    if state.rules.draw and stock:
        hands[mover] = ordered([*hands[mover], stock[0]])
        stock = stock[1:]
    if any(hands):
        turn = next_turn(mover, hands)
    else:
        turn = 0
        hands, stock = deal(stock, state.rules.players)
    return replace(
        state,
        table=table,
        builds=builds_left,
        hands=tuple(hands),
        piles=tuple(piles),
        turn=turn,
        last=last,
        sweeps=tuple(sweeps),
        stock=stock,
        declared=declared,
    )


def next_turn(mover: int, hands: list[Cards]) -> int:
    """The next seat that has a card, in turn after the mover."""
    seats = [(mover + step) % len(hands) for step in range(1, len(hands) + 1)]
    return next(seat for seat in seats if hands[seat])


def deal(stock: Cards, players: int) -> tuple[list[Cards], Cards]:
    """Four cards to each player, seat a first, as far as the stock goes; and what is left."""
    hands = [ordered(stock[4 * seat : 4 * seat + 4]) for seat in range(players)]
    return hands, stock[4 * players :]


def declared_after(
    state: State, move: Move, builds_left: tuple[Build, ...], hands: list[Cards]
) -> tuple[tuple[int, ...], ...]:
    """What each seat has declared after a play, beyond the values of the builds it owns."""
    if not state.rules.partners:
        return state.declared
    declared = []
    for seat, hand in enumerate(hands):
        known = declared_values(state, seat)
        if seat == state.turn:
            known -= set(values(counting_of(state.rules), move.card))
        known -= {build.value for build in builds_left if build.owner == seat}
        declared.append(tuple(sorted(known, reverse=True)) if hand else ())
    return tuple(declared)


# ---------------------------------------------------------------------------------------------
# The score of a round


def card_points(scoring: str, card: str) -> int:
    """The points of one captured card."""
    if card == "Td":
        return 2
    if scoring == "standard":
        return 1 if card[0] == "A" or card == "2s" else 0
    points = 1 if card[1] == "s" or card[0] == "A" else 0
    if card in ("As", "Js", "2s"):
        points += 1
    if card == "As" and scoring in ("spade26", "spade27"):
        points += 1
    if card == "2s" and scoring == "spade27":
        points += 1
    return points


def captured(state: State) -> list[Cards]:
    """The cards of each side at the end of a round, with what the last capturer collects."""
    cards = list(state.piles)
    if state.last is not None:
        side = state.rules.side_of(state.last)
        in_builds = [card for build in state.builds for card in build.cards]
        cards[side] = ordered([*cards[side], *state.table, *in_builds])
    return cards


def side_with_most(counts: list[int]) -> int | None:
    """The one side that has most, None where that is a tie."""
    most = max(counts)
    return counts.index(most) if counts.count(most) == 1 else None


def score(state: State) -> list[int]:
    """The points of each side in a finished round."""
    if not state.is_over:
        raise ValueError("the round is not finished")
    rules = state.rules
    cards = captured(state)
    if any(UNKNOWN in pile for pile in cards):
        raise ValueError("piles: a captured card is not known")
    points = [sum(card_points(rules.scoring, card) for card in pile) for pile in cards]
    most_cards = side_with_most([len(pile) for pile in cards])
    if most_cards is not None:
        points[most_cards] += 3
    most_spades = side_with_most([sum(card[1] == "s" for card in pile) for pile in cards])
    if most_spades is not None and rules.scoring != "spade":
        points[most_spades] += 1
    for side, sweeps in enumerate(state.sweeps):
        points[side] += rules.sweep * sweeps
    return points
