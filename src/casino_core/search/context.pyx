"""The state of a search, which cards are equivalent to it, and the hash of what is outside the
piles.
"""
from libc.stdint cimport int64_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from casino_core.evaluation.estimate cimport LEARNED, MOST_CARDS
from casino_core.evaluation.last_deal cimport network_for
from casino_core.moves.state cimport card_points
from casino_core.moves.workspace cimport close_generator, open_generator
from casino_core.rules.types cimport (
    CAPTURE, DECK, MAX_SEATS, SPADES, STATUS_FULL, STATUS_OK, TRAIL, popcount,
)
from casino_core.search.table cimport DECIDED, NO_BOUND, close_table, fit_window, open_table

cdef enum:
    TRACKED_PLAYS = 8                    # with more plays left, limits of bounds are worth while


cdef int open_search(Search* search, double mib) noexcept nogil:
    """Allocate the memory of a search; STATUS_FULL without memory."""
    memset(search, 0, sizeof(Search))
    if open_generator(&search.generator) != STATUS_OK:
        return STATUS_FULL
    if open_table(&search.table, mib) != STATUS_OK:
        close_generator(&search.generator)
        return STATUS_FULL
    return STATUS_OK


cdef void close_search(Search* search) noexcept nogil:
    close_generator(&search.generator)
    close_table(&search.table)
    free(search.arena.moves)
    search.arena.moves = NULL


cdef inline bint same_worth(const Search* search, int card, int other) noexcept nogil:
    """Whether two cards of one rank count the same in every score."""
    cdef cards_t both = <cards_t>1 << card | <cards_t>1 << other
    cdef int k
    for k in range(3):
        if (search.rules.point_cards[k] >> card ^ search.rules.point_cards[k] >> other) & 1:
            return False
    return search.spades_alike or (both & SPADES) == 0


cdef void set_alike(Search* search, bint spades_alike) noexcept nogil:
    """Find which cards are equivalent, and the hashes of cards."""
    cdef int card, other, place
    cdef Likeness* likeness = &search.likenesses[spades_alike]
    search.spades_alike = spades_alike
    search.likeness = likeness
    if likeness.known:
        return
    likeness.known = True
    for card in range(DECK):
        likeness.alike[card] = <uint8_t>card
        for other in range(card & ~3, card):
            if same_worth(search, card, other):
                likeness.alike[card] = likeness.alike[other]
                break
    for place in range(PLACES):
        for card in range(DECK):
            likeness.place_hash[place][card] = mix(likeness.alike[card] + 1, 100 + place)


cdef int most_value(const Search* search, int plays) noexcept nogil:
    """No value to go of a search to the end of the round is larger, with that many plays left."""
    return search.unit * (card_points(search.rules, (<cards_t>1 << DECK) - 1)
                          + search.rules.sweep * plays + MOST_CARDS + search.rules.most_spades)


cdef void set_sharing(Search* search, int plays) noexcept nogil:
    """Decide whether bounds are shared between leads: only if values are those of the end of the
    round, which never fall when a lead grows, and fit the entries."""
    search.shares = (search.rules.sides == 2 and not search.to_deal and not search.horizon
                     and most_value(search, plays) < NO_BOUND)
    search.tracks = search.shares and plays > TRACKED_PLAYS


cdef void set_search(Search* search, const Ruleset* rules, const State* state, const Stock* stock,
                     int unit, bint to_deal, int horizon) noexcept nogil:
    """Prepare a search for positions that follow from `state`. The table's content stays: its keys
    distinguish searches."""
    cdef int card, code
    cdef cards_t left
    cdef int plays = popcount(state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3])
    cdef bint alike = not rules.most_spades
    cdef bint same_rules = search.rules != NULL and memcmp(&search.own_rules, rules,
                                                           sizeof(Ruleset)) == 0
    search.own_rules = rules[0]
    search.rules = &search.own_rules
    search.stock = stock
    search.unit = search.estimate.unit = unit
    search.estimate.rules = search.rules
    search.to_deal = to_deal
    search.expects = False
    search.horizon = horizon
    fit_window(&search.table, plays if to_deal else plays + state.stock)
    search.ends_deal = (rules.seats == 2 and to_deal and not horizon and state.stock
                        and not rules.draw)
    search.network = NULL
    if (search.ends_deal and search.estimate.kind == LEARNED and stock == NULL
            and state.stock == CARDS_DEALT * rules.seats
            and not state.forgotten[0] and not state.forgotten[1]):
        search.network = network_for(rules)
    search.plain = rules.seats == 2 and not to_deal and not horizon
    set_sharing(search, plays + state.stock)
    search.stock_hash[0] = search.stock_left[0] = 0
    for card in range(1, state.stock + 1):
        search.stock_hash[card] = search.stock_left[card] = 0
        if stock != NULL:
            search.stock_hash[card] = mix(search.stock_hash[card - 1]
                                          ^ stock.cards[stock.count - card], 73)
            search.stock_left[card] = search.stock_left[card - 1]
            search.stock_left[card] |= <cards_t>1 << stock.cards[stock.count - card]
    left = all_in_play(state) | search.stock_left[state.stock]
    if rules.sides == 2 and (stock != NULL or not state.stock):
        code = lead_code(popcount(state.piles[0] & SPADES) - popcount(state.piles[1] & SPADES),
                         popcount(left & SPADES))
        alike |= code == DECIDED or code == -DECIDED
    if not same_rules:
        search.likenesses[0].known = search.likenesses[1].known = False
        search.rules_salt = rules_hash(rules)
    set_alike(search, alike)
    search.salt = search.rules_salt ^ mix(unit | to_deal << 16 | <uint64_t>horizon << 20
                                          | <uint64_t>alike << 17
                                          | <uint64_t>search.estimate.kind << 56, 71)
    if stock == NULL and state.stock:    # the unseen cards follow from the captured ones
        search.salt ^= mix(left | state.piles[0] | state.piles[1] | search.out, 74)


cdef uint64_t rules_hash(const Ruleset* rules) noexcept nogil:
    """The options of a rule set."""
    cdef const uint8_t* bytes_ = <const uint8_t*>rules
    cdef uint64_t hashed = 0
    cdef size_t i
    for i in range(sizeof(Ruleset)):
        hashed = mix(hashed ^ bytes_[i], 70)
    return hashed


cdef uint64_t search_hash(const Search* search, const State* state) noexcept nogil:
    """Hash of the cards outside the piles: a sum over cards and builds, so that a play adds and
    subtracts terms."""
    cdef uint64_t hashed = search.salt + hash_cards(search, TABLE_PLACE, state.table)
    cdef int i
    for i in range(MAX_SEATS):
        hashed += hash_cards(search, i, state.hands[i])
    for i in range(state.build_count):
        hashed += hash_build(search, state.builds[i])
    return hashed


cdef uint64_t hash_after(const Search* search, const State* before, const State* after,
                         const Move* move, uint64_t hashed) noexcept nogil:
    """`search_hash` of the state after a move, from that before it."""
    cdef int i, seat = before.turn
    cdef cards_t dealt
    hashed -= search.likeness.place_hash[seat][move.card]
    if move.kind == TRAIL:
        hashed += search.likeness.place_hash[TABLE_PLACE][move.card]
    else:
        hashed -= hash_cards(search, TABLE_PLACE, move.loose)
        if move.builds or move.kind != CAPTURE:
            for i in range(before.build_count):
                hashed -= hash_build(search, before.builds[i])
            for i in range(after.build_count):
                hashed += hash_build(search, after.builds[i])
    if before.stock != after.stock:
        for i in range(MAX_SEATS):
            dealt = after.hands[i] & ~before.hands[i]
            hashed += hash_cards(search, i, dealt)
    return hashed


cdef cards_t canonical_cards(const Search* search, cards_t cards) noexcept nogil:
    """The set with each card replaced by the lowest equivalent card that is not yet in the set."""
    cdef cards_t result = 0, left = cards
    cdef int card, place
    while left:
        card = lowest(left)
        left &= left - 1
        place = search.likeness.alike[card]
        while result >> place & 1 or search.likeness.alike[place] != search.likeness.alike[card]:
            place += 1
        result |= <cards_t>1 << place
    return result


cdef tuple class_of_move(const Search* search, const Move* move):
    """A key that is equal for moves of one position that are equivalent."""
    return (search.likeness.alike[move.card], canonical_cards(search, move.loose), move.builds,
            move.kind, move.value)


cdef void sort_moves(Move* moves, int64_t count) noexcept nogil:
    """Sort by the spare byte, largest first. Shell sort: insertion sort for the usual few moves,
    without quadratic time for many."""
    cdef int64_t i, j, gap = 1
    cdef Move move
    while gap < count // 9:
        gap = 3 * gap + 1
    while gap:
        for i in range(gap, count):
            move = moves[i]
            j = i
            while j >= gap and moves[j - gap].unused < move.unused:
                moves[j] = moves[j - gap]
                j -= gap
            moves[j] = move
        gap //= 3
