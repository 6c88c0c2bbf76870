"""States: playing a move, dealing, scoring, hashing, and a slow check of the invariants."""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memset

from casino_core.rules.types cimport (
    ADD_BUILD, CAPTURE, DECK, MAX_BUILDS, MAX_SEATS, NEW_BUILD, NOBODY, RAISE_BUILD, SPADES, TRAIL,
    build_cards, build_multiple, build_owner, build_t, build_value, lowest, make_build, mix,
    rng_below, side_of,
)


cdef int set_value_sum(const Ruleset* rules, cards_t cards) noexcept nogil:
    """Sum of the values of cards, aces as 1."""
    cdef int total = 0
    while cards:
        total += rules.sum_value[lowest(cards) >> 2]
        cards &= cards - 1
    return total


cdef int order_builds(build_t one, build_t other) noexcept nogil:
    """Whether a build is written after another: by value, owner, then the text of the cards'
    numbers."""
    cdef cards_t a = build_cards(one), b = build_cards(other)
    if build_value(one) != build_value(other):
        return build_value(one) > build_value(other)
    if build_owner(one) != build_owner(other):
        return build_owner(one) > build_owner(other)
    return lowest(a) > lowest(b)         # no card is in both, so the first cards differ


cdef void sort_builds(State* state) noexcept nogil:
    """Put the builds into the order in which they are written."""
    cdef int i, j
    cdef build_t build
    for i in range(1, state.build_count):
        build = state.builds[i]
        j = i
        while j and order_builds(state.builds[j - 1], build):
            state.builds[j] = state.builds[j - 1]
            j -= 1
        state.builds[j] = build


cdef inline void remove_build(State* state, int index) noexcept nogil:
    state.build_count -= 1
    state.builds[index] = state.builds[state.build_count]


cdef inline int build_of_value(const State* state, int value) noexcept nogil:
    """Index of a build of this value, or -1."""
    cdef int i
    for i in range(state.build_count):
        if build_value(state.builds[i]) == value:
            return i
    return -1


cdef void tidy_declared(State* state, const Ruleset* rules, uint16_t* owned, int seat,
                        int card) noexcept nogil:
    """After a play of `card` by `seat`: what was owned before it and is no more stays declared
    until its owner plays a card of that value or has no card."""
    cdef int i
    cdef uint16_t now[MAX_SEATS]
    for i in range(MAX_SEATS):
        now[i] = 0
    for i in range(state.build_count):
        now[build_owner(state.builds[i])] |= <uint16_t>(1 << build_value(state.builds[i]))
    for i in range(MAX_SEATS):
        state.declared[i] |= owned[i]
    state.declared[seat] &= <uint16_t>~rules.values_of_rank[card >> 2]
    for i in range(MAX_SEATS):
        state.declared[i] &= <uint16_t>~now[i]
        if not state.hands[i] and not state.hidden[i]:
            state.declared[i] = 0


cdef void capture_cards(State* state, const Ruleset* rules, const Move* move,
                        cards_t card) noexcept nogil:
    cdef int side = side_of(rules, state.turn)
    cdef cards_t taken = card | move.loose
    cdef uint32_t builds = move.builds
    cdef int i
    state.table ^= move.loose
    if builds:
        # From the end, as the last build takes an emptied place.
        for i in range(state.build_count - 1, -1, -1):
            if builds >> i & 1:
                taken |= build_cards(state.builds[i])
                remove_build(state, i)
    state.piles[side] |= taken
    state.last = state.turn
    if not state.table and not state.build_count:
        state.sweeps[side] += 1


cdef int owner_of_build(const State* state, const Ruleset* rules, int value) noexcept nogil:
    """The seat that owns a build of a value made by the seat to play, whose hand has lost the card
    played: its partner where only the partner can hold the card that takes it."""
    if (not state.hands[state.turn] & rules.by_value[value]
            and rules.partner_builds and rules.partners):
        return state.turn ^ 2
    return state.turn


cdef void build_up(State* state, const Ruleset* rules, const Move* move,
                   cards_t card) noexcept nogil:
    cdef cards_t cards = card | move.loose
    cdef int joined
    cdef bint multiple = move.kind == ADD_BUILD
    state.table ^= move.loose
    if move.kind != NEW_BUILD:
        joined = lowest(move.builds)
        cards |= build_cards(state.builds[joined])
        remove_build(state, joined)
        if move.kind == RAISE_BUILD and rules.merge:
            joined = build_of_value(state, move.value)
            if joined >= 0:
                multiple = True
                cards |= build_cards(state.builds[joined])
                remove_build(state, joined)
    if not multiple:
        multiple = set_value_sum(rules, cards) != move.value
    state.builds[state.build_count] = make_build(
        cards, move.value, owner_of_build(state, rules, move.value), multiple)
    state.build_count += 1


cdef void deal(State* state, const Ruleset* rules, const Stock* stock) noexcept nogil:
    """Four cards to each seat from seat a on, as far as the stock goes. Without its order they come
    hidden."""
    cdef int seat, _i, next_card
    for seat in range(rules.seats):
        for _i in range(4):
            if not state.stock:
                return
            if stock == NULL:
                state.hidden[seat] += 1
            else:
                next_card = stock.cards[stock.count - state.stock]
                state.hands[seat] |= <cards_t>1 << next_card
            state.stock -= 1


cdef void start_round(State* state, const Ruleset* rules, Stock* stock, Rng* rng) noexcept nogil:
    """Shuffle a pack and deal it."""
    cdef uint8_t deck[DECK]
    cdef uint8_t card
    cdef int i, j
    for i in range(DECK):
        deck[i] = <uint8_t>i
    for i in range(DECK - 1, 0, -1):
        j = <int>rng_below(rng, i + 1)
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card
    deal_round(state, rules, stock, deck)


cdef void deal_round(State* state, const Ruleset* rules, Stock* stock,
                     const uint8_t* deck) noexcept nogil:
    """Deal a pack in its order: four cards to each seat, four to the table; the rest is the
    stock."""
    cdef int i, _i, j, seat
    memset(state, 0, sizeof(State))
    state.last = NOBODY
    j = 0
    for seat in range(rules.seats):
        for _i in range(4):
            state.hands[seat] |= <cards_t>1 << deck[j]
            j += 1
    for _i in range(4):
        state.table |= <cards_t>1 << deck[j]
        j += 1
    stock.count = <uint8_t>(DECK - j)
    state.stock = stock.count
    for i in range(stock.count):
        stock.cards[i] = deck[j + i]


cdef inline void pass_turn(State* state, const Ruleset* rules, const Stock* stock) noexcept nogil:
    """The turn goes to the next seat that has a card; when none has, the next deal comes and seat a
    leads."""
    cdef int _i, seat = state.turn
    for _i in range(rules.seats):
        seat = seat + 1 if seat + 1 < rules.seats else 0
        if state.hands[seat] or state.hidden[seat]:
            state.turn = <uint8_t>seat
            return
    state.turn = 0
    if state.stock:
        deal(state, rules, stock)


cdef void play_move(State* state, const Ruleset* rules, const Stock* stock,
                    const Move* move) noexcept nogil:
    """Play a legal move in place, take or deal the cards that follow, and pass the turn.

    `stock` is the order of the cards to come, or NULL where it is not known.
    """
    cdef cards_t card = <cards_t>1 << move.card
    cdef int i, seat = state.turn
    cdef uint16_t owned[MAX_SEATS]
    if rules.partners:
        for i in range(MAX_SEATS):
            owned[i] = 0
        for i in range(state.build_count):
            owned[build_owner(state.builds[i])] |= <uint16_t>(1 << build_value(state.builds[i]))
    state.hands[seat] ^= card
    if move.kind == TRAIL:
        state.table |= card
    elif move.kind == CAPTURE:
        capture_cards(state, rules, move, card)
    else:
        build_up(state, rules, move, card)
    if rules.partners:
        tidy_declared(state, rules, owned, seat, move.card)
    if rules.draw and state.stock:
        if stock == NULL:
            state.hidden[seat] += 1
        else:
            state.hands[seat] |= <cards_t>1 << stock.cards[stock.count - state.stock]
        state.stock -= 1
    pass_turn(state, rules, stock)


# Hash of a whole position, for equality; the search has one of its own.
cdef enum:
    SALT_TABLE = 1
    SALT_BUILD = 2
    SALT_HAND = 8
    SALT_PILE = 16
    SALT_OTHER = 24


cdef inline uint64_t hash_piles(const State* state, int side) noexcept nogil:
    return mix(state.piles[side] ^ <uint64_t>state.forgotten[side] << 52
               ^ <uint64_t>state.sweeps[side] << 58, SALT_PILE + side)


cdef inline uint64_t hash_rest(const State* state) noexcept nogil:
    cdef uint64_t declared = (<uint64_t>state.declared[0] | <uint64_t>state.declared[1] << 16
                              | <uint64_t>state.declared[2] << 32
                              | <uint64_t>state.declared[3] << 48)
    cdef uint64_t counts = (state.turn | <uint64_t>state.last << 8 | <uint64_t>state.stock << 16
                            | <uint64_t>state.sweeps[0] << 24 | <uint64_t>state.sweeps[1] << 32
                            | <uint64_t>state.sweeps[2] << 40 | <uint64_t>state.sweeps[3] << 48)
    return mix(declared, SALT_OTHER) ^ mix(counts, SALT_OTHER + 1)


cdef inline uint64_t hash_hand(const State* state, int seat) noexcept nogil:
    return mix(state.hands[seat] ^ <uint64_t>state.hidden[seat] << 52, SALT_HAND + seat)


cdef uint64_t hash_state(const State* state) noexcept nogil:
    """64-bit hash of everything in the state; the order of the builds does not count."""
    cdef uint64_t hashed = mix(state.table, SALT_TABLE) ^ hash_rest(state)
    cdef int i
    for i in range(MAX_SEATS):
        hashed ^= hash_hand(state, i) ^ hash_piles(state, i)
    for i in range(state.build_count):
        hashed ^= mix(state.builds[i], SALT_BUILD)
    return hashed


cdef void score_round(const State* state, const Ruleset* rules, int32_t* points) noexcept nogil:
    """Points of each side as the cards lie: captured cards, what lies on the table to the last
    capturer, sweeps."""
    cdef cards_t captured
    cdef int side, i, cards, spades
    cdef int most_cards = 0, most_spades = 0, first = -1, first_spades = -1
    for side in range(rules.sides):
        captured = state.piles[side]
        if state.last != NOBODY and side_of(rules, state.last) == side:
            captured |= state.table
            for i in range(state.build_count):
                captured |= build_cards(state.builds[i])
        points[side] = card_points(rules, captured) + rules.sweep * state.sweeps[side]
        cards = popcount(captured) + state.forgotten[side]
        spades = popcount(captured & SPADES)
        if cards > most_cards:
            most_cards = cards
            first = side
        elif cards == most_cards:
            first = -1
        if spades > most_spades:
            most_spades = spades
            first_spades = side
        elif spades == most_spades:
            first_spades = -1
    if first >= 0:
        points[first] += 3
    if first_spades >= 0:
        points[first_spades] += rules.most_spades


cdef const char* inconsistency(const State* state, const Ruleset* rules) noexcept nogil:
    """NULL, or which invariant is broken. Slow and complete: for tests and debug builds."""
    cdef cards_t seen = state.table
    cdef cards_t part
    cdef bint single
    cdef int i, j, cards = popcount(state.table) + state.stock
    for i in range(MAX_SEATS):
        if state.hands[i] & seen or state.piles[i] & (seen | state.hands[i]):
            return "a card is in two places"
        seen |= state.hands[i] | state.piles[i]
        cards += popcount(state.hands[i]) + popcount(state.piles[i])
        cards += state.hidden[i] + state.forgotten[i]
        if i >= rules.seats and (state.hands[i] or state.hidden[i] or state.declared[i]):
            return "a seat that does not play has cards"
        if i >= rules.sides and (state.piles[i] or state.forgotten[i] or state.sweeps[i]):
            return "a side that does not play has captured"
    if state.build_count > MAX_BUILDS:
        return "more builds than there is room for"
    for i in range(state.build_count):
        part = build_cards(state.builds[i])
        if part & seen:
            return "a card of a build is elsewhere too"
        seen |= part
        cards += popcount(part)
        if popcount(part) < 2:
            return "a build of one card"
        if build_owner(state.builds[i]) >= rules.seats:
            return "a build's owner does not play"
        single = set_value_sum(rules, part) == build_value(state.builds[i])
        if single == build_multiple(state.builds[i]):
            return "a build is marked single or multiple wrongly"
        for j in range(i):
            if rules.merge and build_value(state.builds[j]) == build_value(state.builds[i]):
                return "two builds of one value"
    if seen >> 52:
        return "a card beyond the pack"
    if cards > 52:
        return "more than 52 cards"
    if state.turn >= rules.seats or (state.last != NOBODY and state.last >= rules.seats):
        return "a seat that does not play has the turn or captured last"
    if not is_over(state) and not hand_size(state, state.turn):
        return "the seat to play has no card"
    return NULL
