"""Random determinizations: the unseen cards of a position, dealt to hands, piles and stock."""
from libc.stdint cimport int64_t, uint16_t, uint8_t
from libc.string cimport memcpy

from casino_core.moves.state cimport copy_state
from casino_core.rules.streams cimport fraction
from casino_core.rules.types cimport (
    build_cards, build_owner, build_value, lowest, popcount, rng_below,
)

cdef enum:
    MOST_DEALS = 200                     # rejected deals before cards for duties are dealt first


cdef void add_need(Hidden* hidden, cards_t not_seen, int seat, cards_t cards) noexcept nogil:
    """Note that a seat holds one of these cards, unless a known card of it is one, or none of them
    can be in its hand."""
    if hidden.seen.hidden[seat] and not hidden.seen.hands[seat] & cards and not_seen & cards:
        hidden.needs[hidden.need_count].seat = seat
        hidden.needs[hidden.need_count].cards = cards
        hidden.need_count += 1


cdef void set_hidden(Hidden* hidden, const State* seen, const Ruleset* rules, const Stock* stock,
                     cards_t out) noexcept nogil:
    """Prepare to deal the unseen cards; `stock` is NULL or its order, `out` the cards that are not
    in the game."""
    cdef cards_t left, not_seen
    cdef int i, seat
    cdef uint16_t values
    copy_state(&hidden.seen, seen)
    left = seen.table | out
    for i in range(MAX_SEATS):
        left |= seen.hands[i] | seen.piles[i]
    for i in range(seen.build_count):
        left |= build_cards(seen.builds[i])
    hidden.stock.count = 0
    if stock != NULL:
        hidden.stock = stock[0]
        for i in range(stock.count - seen.stock, stock.count):
            left |= <cards_t>1 << stock.cards[i]
    hidden.draws = rules.draw and seen.stock and stock == NULL
    hidden.seats = rules.seats
    left = not_seen = ((<cards_t>1 << DECK) - 1) & ~left
    hidden.count = hidden.spots = 0
    while left:
        hidden.cards[hidden.count] = <uint8_t>lowest(left)
        hidden.count += 1
        left &= left - 1
    for i in range(MAX_SEATS):
        hidden.spots += seen.hidden[i] + seen.forgotten[i]
    if hidden.draws:
        hidden.spots = hidden.count
    hidden.need_count = 0
    for i in range(seen.build_count):
        add_need(hidden, not_seen, build_owner(seen.builds[i]),
                 rules.by_value[build_value(seen.builds[i])])
    for seat in range(rules.seats):
        values = seen.declared[seat]
        while values:
            add_need(hidden, not_seen, seat, rules.by_value[lowest(values)])
            values &= values - 1
    hidden.hands = NULL
    hidden.hand_count = 0


cdef inline void shuffle(uint8_t* cards, int count, int wanted, Rng* rng) noexcept nogil:
    """Bring `wanted` random cards to the front."""
    cdef int i, j
    cdef uint8_t card
    for i in range(wanted if wanted < count else count):
        j = i + <int>rng_below(rng, count - i)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


cdef inline bint duties_met(const Hidden* hidden, const State* state) noexcept nogil:
    cdef int i
    for i in range(hidden.need_count):
        if not state.hands[hidden.needs[i].seat] & hidden.needs[i].cards:
            return False
    return True


cdef inline int fill_hands(const Hidden* hidden, const uint8_t* cards, State* state) noexcept nogil:
    """Deal cards to the hands up to their sizes. Returns the number dealt."""
    cdef int seat, _i, place = 0
    for seat in range(hidden.seats):
        for _i in range(hidden.seen.hidden[seat] + popcount(hidden.seen.hands[seat])
                        - popcount(state.hands[seat])):
            state.hands[seat] |= <cards_t>1 << cards[place]
            place += 1
    return place


cdef inline void take_back(const Hidden* hidden, State* state) noexcept nogil:
    cdef int seat
    for seat in range(hidden.seats):
        state.hands[seat] = hidden.seen.hands[seat]


cdef int leave_out(const Hidden* hidden, const State* state, uint8_t* cards) noexcept nogil:
    """Write the cards that are in no hand, in their present order. Returns their number."""
    cdef cards_t held = 0
    cdef int i, count = 0
    for i in range(hidden.seats):
        held |= state.hands[i]
    for i in range(hidden.count):
        if not held >> hidden.cards[i] & 1:
            cards[count] = hidden.cards[i]
            count += 1
    return count


cdef void deal_duties(const Hidden* hidden, State* state, Rng* rng) noexcept nogil:
    """Give each seat a card for each of its duties. All such deals fit, but they are not equally
    likely."""
    cdef cards_t free = 0, fitting
    cdef int i, seat, _i
    take_back(hidden, state)
    for i in range(hidden.count):
        free |= <cards_t>1 << hidden.cards[i]
    for i in range(hidden.need_count):
        seat = hidden.needs[i].seat
        fitting = free & hidden.needs[i].cards
        if state.hands[seat] & hidden.needs[i].cards or not fitting:
            continue
        if popcount(state.hands[seat] ^ hidden.seen.hands[seat]) >= hidden.seen.hidden[seat]:
            continue
        for _i in range(<int>rng_below(rng, popcount(fitting))):
            fitting &= fitting - 1
        state.hands[seat] |= fitting & (0 - fitting)
        free ^= fitting & (0 - fitting)


cdef void deal_weighed(const Hidden* hidden, State* state, Rng* rng) noexcept nogil:
    """Draw hands by the caller's weights."""
    cdef double wanted = fraction(rng) * hidden.sums[hidden.hand_count - 1]
    cdef int64_t low = 0, high = hidden.hand_count - 1, middle
    cdef int seat
    while low < high:
        middle = (low + high) // 2
        if hidden.sums[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    for seat in range(hidden.seats):
        state.hands[seat] |= hidden.hands[low * hidden.seats + seat]


cdef void deal_hidden(Hidden* hidden, State* state, Stock* stock, Rng* rng) noexcept nogil:
    """Deal all unseen cards at random.

    Hands fit the duties of owners and are equally likely, or follow the caller's weights; then come
    forgotten cards and, in draw casino, the stock.
    """
    cdef uint8_t rest[DECK]
    cdef const uint8_t* cards = hidden.cards
    cdef int i, _i, side, place, count = hidden.count
    copy_state(state, &hidden.seen)
    if hidden.hand_count:
        deal_weighed(hidden, state, rng)
        count = leave_out(hidden, state, rest)
        shuffle(rest, count, count, rng)
        cards = rest
        place = 0
    else:
        for _i in range(MOST_DEALS):
            shuffle(hidden.cards, hidden.count, hidden.spots, rng)
            place = fill_hands(hidden, hidden.cards, state)
            if not hidden.need_count or duties_met(hidden, state):
                break
            take_back(hidden, state)
        else:
            deal_duties(hidden, state, rng)
            count = leave_out(hidden, state, rest)
            shuffle(rest, count, count, rng)
            cards = rest
            place = fill_hands(hidden, rest, state)
    for i in range(MAX_SEATS):
        state.hidden[i] = 0
    for side in range(MAX_SEATS):
        for _i in range(state.forgotten[side]):
            state.piles[side] |= <cards_t>1 << cards[place]
            place += 1
        state.forgotten[side] = 0
    if hidden.stock.count:
        stock[0] = hidden.stock
    elif hidden.draws:
        stock.count = state.stock
        memcpy(stock.cards, cards + place, state.stock)
