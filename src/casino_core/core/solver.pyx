"""Exact search: alpha-beta on the points still to come.

The value of a node is what the side to play will still gain on the other side: points already in the piles are left
out, so that positions meet in the table whatever was scored before them. Cards of one rank that count the same are
one card to the search. Values are integers, `unit` to a point; where a search stops at the end of a deal, what
follows is estimated.
"""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from casino_core.core.playout cimport close_generator, open_generator, push_moves, start_round
from casino_core.core.rulesets cimport CompiledRules
from casino_core.core.state cimport card_points, copy_state, is_over, play_move
from casino_core.core.sums cimport splits
from casino_core.core.table cimport Entry, close_table, find_entry, open_table, store_entry
from casino_core.core.types cimport (
    CAPTURE, COURT_CAPTURE_ALL, COURT_CAPTURE_ANY, COURT_CAPTURE_ONE_OR_THREE, MAX_SEATS, NOBODY, SPADES, STATUS_FULL, STATUS_OK,
    TRAIL, build_cards, build_t, build_value, lowest, mix, popcount, rng_below, rng_seed, side_of, Rng,
)

from time import perf_counter

cdef enum:
    MOST_CARDS = 3                       # points
    CHECK_EVERY = 0x3FFF                 # nodes between looks at limits and signals
    LIST_LIMIT = 1 << 20                 # moves of one position
    LARGE = 16000                        # beyond every value
    TABLE_PLAYS = 3                      # plays left from which positions are kept


cdef int open_search(Search* search, double mib) noexcept nogil:
    """Memory for a search; STATUS_FULL without it."""
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


# Which cards are alike, and the hash

cdef enum:
    SETTLED_MINE = 126
    SETTLED_OTHERS = 127


cdef inline int majority_code(int mine, int others, int left) noexcept nogil:
    """What a majority still depends on: who has it once it is settled, else the lead, from 0 to 104."""
    if mine > others + left:
        return SETTLED_MINE
    if others > mine + left:
        return SETTLED_OTHERS
    return mine - others + 52


cdef inline cards_t all_in_play(const State* state) noexcept nogil:
    """Cards known outside the piles, without the stock."""
    cdef cards_t cards = state.table | state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3]
    cdef int i
    for i in range(state.build_count):
        cards |= build_cards(state.builds[i])
    return cards


cdef cards_t stock_cards(const Stock* stock, const State* state) noexcept nogil:
    cdef cards_t cards = 0
    cdef int i
    if stock != NULL:
        for i in range(stock.count - state.stock, stock.count):
            cards |= <cards_t>1 << stock.cards[i]
    return cards


cdef inline bint same_worth(const Search* search, int card, int other) noexcept nogil:
    """Whether two cards of one rank count the same in every score."""
    cdef cards_t both = <cards_t>1 << card | <cards_t>1 << other
    cdef int k
    for k in range(3):
        if (search.rules.point_cards[k] >> card ^ search.rules.point_cards[k] >> other) & 1:
            return False
    return search.spades_alike or (both & SPADES) == 0


cdef void set_alike(Search* search, bint spades_alike) noexcept nogil:
    """Which cards are alike, and the hashes that follow from it."""
    cdef int card, other, place
    search.spades_alike = spades_alike
    for card in range(DECK):
        search.alike[card] = <uint8_t>card
        for other in range(card & ~3, card):
            if same_worth(search, card, other):
                search.alike[card] = search.alike[other]
                break
    for place in range(PLACES):
        for card in range(DECK):
            search.place_hash[place][card] = mix(search.alike[card] + 1, 100 + place)


cdef void set_search(Search* search, const Ruleset* rules, const State* state, const Stock* stock, int unit,
                     bint to_deal, int horizon) noexcept nogil:
    """Make a search ready for positions that follow from `state`. The table stays: its keys tell searches apart."""
    cdef int card
    cdef cards_t left = all_in_play(state) | stock_cards(stock, state)
    cdef bint alike = not rules.most_spades
    cdef bint same_rules = search.rules != NULL and memcmp(&search.own_rules, rules, sizeof(Ruleset)) == 0
    search.own_rules = rules[0]
    search.rules = &search.own_rules
    search.stock = stock
    search.unit = unit
    search.to_deal = to_deal
    search.horizon = horizon
    search.plain = rules.seats == 2 and not to_deal and not horizon
    if stock != NULL or not state.stock:
        alike |= majority_code(popcount(state.piles[0] & SPADES), popcount(state.piles[1] & SPADES),
                               popcount(left & SPADES)) >= SETTLED_MINE
    if not same_rules or alike != search.spades_alike:
        set_alike(search, alike)
        search.rules_salt = rules_hash(rules)
    search.salt = search.rules_salt ^ mix(unit | to_deal << 16 | <uint64_t>horizon << 20 | <uint64_t>alike << 17, 71)
    search.stock_hash[0] = search.stock_left[0] = 0
    for card in range(1, state.stock + 1):
        search.stock_hash[card] = search.stock_left[card] = 0
        if stock != NULL:
            search.stock_hash[card] = mix(search.stock_hash[card - 1] ^ stock.cards[stock.count - card], 73)
            search.stock_left[card] = search.stock_left[card - 1] | <cards_t>1 << stock.cards[stock.count - card]
    if stock == NULL and state.stock:    # what is not seen follows from what has been captured
        search.salt ^= mix(left | state.piles[0] | state.piles[1], 74)


cdef uint64_t rules_hash(const Ruleset* rules) noexcept nogil:
    cdef const uint8_t* bytes_ = <const uint8_t*>rules
    cdef uint64_t hashed = 0
    cdef size_t i
    for i in range(sizeof(Ruleset)):
        hashed = mix(hashed ^ bytes_[i], 70)
    return hashed


cdef inline uint64_t hash_cards(const Search* search, int place, cards_t cards) noexcept nogil:
    cdef uint64_t hashed = 0
    while cards:
        hashed += search.place_hash[place][lowest(cards)]
        cards &= cards - 1
    return hashed


cdef inline uint64_t hash_build(const Search* search, build_t build) noexcept nogil:
    return mix(hash_cards(search, BUILD_PLACE, build_cards(build)), 200 + (build >> 52))


cdef uint64_t search_hash(const Search* search, const State* state) noexcept nogil:
    """Hash of what lies outside the piles: a sum over cards and builds, so that a play adds and subtracts."""
    cdef uint64_t hashed = search.salt + hash_cards(search, TABLE_PLACE, state.table)
    cdef int i
    for i in range(MAX_SEATS):
        hashed += hash_cards(search, i, state.hands[i])
    for i in range(state.build_count):
        hashed += hash_build(search, state.builds[i])
    return hashed


cdef uint64_t hash_after(const Search* search, const State* before, const State* after, const Move* move,
                         uint64_t hashed) noexcept nogil:
    """`search_hash` of the state after a move, from that before it."""
    cdef int i, seat = before.turn
    cdef cards_t dealt
    hashed -= search.place_hash[seat][move.card]
    if move.kind == TRAIL:
        hashed += search.place_hash[TABLE_PLACE][move.card]
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


# Bounds and ends

cdef struct Standing:                    # of the side to play against the other
    int cards_mine
    int cards_others
    int spades_mine
    int spades_others
    int cards_left                       # outside the piles
    int spades_left
    int points_left                      # of cards outside the piles


cdef inline int majority_most(int mine, int others, int left, int points) noexcept nogil:
    """The best that a majority can still bring: points, 0 or minus points."""
    if mine + left > others:
        return points
    return 0 if mine + left == others else -points


cdef inline void take_stock_of(const Search* search, const State* state, int side, Standing* standing) noexcept nogil:
    cdef cards_t mine = state.piles[side], others = state.piles[side ^ 1]
    cdef cards_t left = all_in_play(state) | search.stock_left[state.stock]
    standing.cards_mine = popcount(mine) + state.forgotten[side]
    standing.cards_others = popcount(others) + state.forgotten[side ^ 1]
    standing.cards_left = popcount(left)
    standing.spades_mine = popcount(mine & SPADES)
    standing.spades_others = popcount(others & SPADES)
    standing.spades_left = popcount(left & SPADES)
    standing.points_left = card_points(search.rules, left)
    if state.stock and search.stock == NULL:
        left = ((<cards_t>1 << DECK) - 1) & ~(left | mine | others)
        standing.cards_left += state.stock
        standing.spades_left += popcount(left & SPADES)
        standing.points_left += card_points(search.rules, left)


cdef inline int final_majorities(const Search* search, int cards, int spades) noexcept nogil:
    """Points of majorities from the differences of counts."""
    cdef int value = 0
    if cards:
        value += MOST_CARDS if cards > 0 else -MOST_CARDS
    if spades:
        value += search.rules.most_spades if spades > 0 else -<int>search.rules.most_spades
    return value


cdef int end_value(const Search* search, const State* state, int side) noexcept nogil:
    """Value to go of a finished round: what lies on the table to the last capturer, then the majorities."""
    cdef cards_t left = all_in_play(state)
    cdef int cards = popcount(state.piles[side]) - popcount(state.piles[side ^ 1])
    cdef int spades = popcount(state.piles[side] & SPADES) - popcount(state.piles[side ^ 1] & SPADES)
    cdef int value = 0
    cards += state.forgotten[side] - state.forgotten[side ^ 1]
    if state.last != NOBODY:
        if side_of(search.rules, state.last) == side:
            value = card_points(search.rules, left)
            cards += popcount(left)
            spades += popcount(left & SPADES)
        else:
            value = -card_points(search.rules, left)
            cards -= popcount(left)
            spades -= popcount(left & SPADES)
    return search.unit * (value + final_majorities(search, cards, spades))


cdef inline int share(int difference, int left, int points, int unit) noexcept nogil:
    """A majority that is still open, in proportion to the lead: sure once the lead is half of what is left."""
    cdef int value
    if not points:
        return 0
    value = 2 * unit * points * difference // (left + 1) if difference >= 0 \
        else -(2 * unit * points * -difference // (left + 1))
    if value > unit * points:
        return unit * points
    return value if value > -unit * points else -unit * points


cdef int estimate(const Search* search, const State* state, int side) noexcept nogil:
    """Value to go where the search stops before the end: the majorities by the lead in them, and a small part of the
    points on the table for who captured last."""
    cdef Standing standing
    cdef int value
    take_stock_of(search, state, side, &standing)
    value = share(standing.cards_mine - standing.cards_others, standing.cards_left, MOST_CARDS, search.unit)
    value += share(standing.spades_mine - standing.spades_others, standing.spades_left, search.rules.most_spades,
                   search.unit)
    return value


cdef bint can_sweep(const Ruleset* rules, const State* state, cards_t table, uint32_t gone, int card) noexcept nogil:
    """Whether a card can take at once all of `table` and all builds but those in `gone`, there being anything."""
    cdef uint16_t values = rules.values_of_rank[card >> 2]
    cdef uint32_t standing = ((<uint32_t>1 << state.build_count) - 1) & ~gone
    cdef cards_t left
    cdef uint8_t counts[16]
    cdef int i, value, count
    if not values:
        count = popcount(table)
        if standing or table & ~(<cards_t>15 << (card & ~3)) or not count:
            return False
        return (count == 1 or rules.court_capture == COURT_CAPTURE_ALL or rules.court_capture == COURT_CAPTURE_ANY
                or (count == 3 and rules.court_capture == COURT_CAPTURE_ONE_OR_THREE))
    if table & ~rules.valued or not (table or standing):
        return False
    for i in range(state.build_count):
        if standing >> i & 1:
            values &= <uint16_t>(1 << build_value(state.builds[i]))
    while values:
        value = lowest(values)
        values &= values - 1
        memset(counts, 0, 16)
        left = table
        while left:
            counts[rules.sum_value[lowest(left) >> 2]] += 1
            left &= left - 1
        if splits(counts, value, rules.aces_high):
            return True
    return False


cdef inline bint can_capture(const Ruleset* rules, const State* state, cards_t table, uint32_t gone, int card) noexcept nogil:
    """Whether a hand's only card can capture anything: of `table`, or a build that is not in `gone`."""
    cdef uint16_t values = rules.values_of_rank[card >> 2]
    cdef cards_t left = table & rules.valued
    cdef unsigned int sums = 1
    cdef int i
    if table >> (card & ~3) & 15:
        return True
    if not values:
        return False
    for i in range(state.build_count):
        if values >> build_value(state.builds[i]) & 1 and not gone >> i & 1:
            return True
    if rules.aces_high and values >> 14 & 1 and left & 15:
        return True
    while left:
        sums |= sums << rules.sum_value[lowest(left) >> 2]
        left &= left - 1
    return (sums & values & 0x7FFE) != 0


cdef int last_play(const Search* search, const State* state, int side) noexcept nogil:
    """Value to go of the round's last play. Who captures anything with it has captured last and gets all that lies
    there; who cannot, lays his card to it, and it goes to the last capturer. Nothing is gained by not capturing."""
    cdef int card = lowest(state.hands[state.turn])
    cdef State after
    cdef bint captures = can_capture(search.rules, state, state.table, 0, card)
    copy_state(&after, state)
    after.hands[state.turn] = 0
    after.table |= <cards_t>1 << card
    if captures:
        after.last = state.turn
    if captures and search.rules.sweep and can_sweep(search.rules, state, state.table, 0, card):
        return end_value(search, &after, side) + search.unit * search.rules.sweep
    return end_value(search, &after, side)


cdef inline int split_value(const Search* search, cards_t mine, cards_t others, const Standing* standing) noexcept nogil:
    """Value to go when the cards outside the piles go to the two sides."""
    cdef int cards = standing.cards_mine - standing.cards_others + popcount(mine) - popcount(others)
    cdef int spades = (standing.spades_mine - standing.spades_others + popcount(mine & SPADES)
                       - popcount(others & SPADES))
    return search.unit * (card_points(search.rules, mine) - card_points(search.rules, others)
                          + final_majorities(search, cards, spades))


cdef int after_last_but_one(const Search* search, const State* state, int side, const Standing* standing, cards_t table,
                            cards_t taken, uint32_t gone, int last, int card) noexcept nogil:
    """Value to go for `side` when only the other player's `card` is to come, and nothing else is left but `table` and
    the builds that are not `gone`; `taken` has been captured, and `last` is the side that captured last."""
    cdef cards_t everything = all_in_play(state)
    cdef int value
    if can_capture(search.rules, state, table, gone, card):
        value = split_value(search, taken, everything ^ taken, standing)
        if search.rules.sweep and can_sweep(search.rules, state, table, gone, card):
            value -= search.unit * search.rules.sweep
        return value
    if last == side:
        return split_value(search, everything, 0, standing)
    return split_value(search, 0, everything if last == (side ^ 1) else 0, standing)


cdef int last_two(Search* search, const State* state, int side, const Standing* standing, int beta) noexcept nogil:
    """Value to go, or a bound not below beta, of the round's last two plays, by two players.

    Whoever captures last gets all that is left. So a play is told by what it takes, and by whether the other card
    can then capture anything.
    """
    cdef int card = lowest(state.hands[state.turn]), other_card = lowest(state.hands[state.turn ^ 1])
    cdef int last = NOBODY if state.last == NOBODY else side_of(search.rules, state.last)
    cdef cards_t played = <cards_t>1 << card
    cdef cards_t taken, table
    cdef int64_t i, first = search.arena.used
    cdef int value, k, best = -LARGE
    cdef uint32_t gone
    cdef const Move* move
    if not can_capture(search.rules, state, state.table, 0, card):
        return after_last_but_one(search, state, side, standing, state.table | played, 0, 0, last, other_card)
    search.generator.alike = search.alike
    if push_moves(&search.arena, &search.generator, state, search.rules, LIST_LIMIT) < 0:
        search.stopped = STOPPED_FULL
        return 0
    for i in range(first, search.arena.used):
        move = &search.arena.moves[i]
        if move.kind != CAPTURE:
            # A trail leaves more to the other card than any capture; only what a sweep scores can make up for it.
            if not search.rules.sweep:
                continue
            value = after_last_but_one(search, state, side, standing, state.table | played, 0, 0, last, other_card)
        else:
            table = state.table ^ move.loose
            taken = played | move.loose
            gone = move.builds
            for k in range(state.build_count):
                if gone >> k & 1:
                    taken |= build_cards(state.builds[k])
            value = after_last_but_one(search, state, side, standing, table, taken, gone, side, other_card)
            if search.rules.sweep and not table and popcount(gone) == state.build_count:
                value += search.unit * search.rules.sweep
        if value > best:
            best = value
            if best >= beta:
                break
    search.arena.used = first
    return best


# The search

cdef inline cards_t canonical_cards(const Search* search, cards_t cards) noexcept nogil:
    """The set with each card's place taken by the lowest ones alike that are not yet in it."""
    cdef cards_t result = 0, left = cards
    cdef int card, place
    while left:
        card = lowest(left)
        left &= left - 1
        place = search.alike[card]
        while result >> place & 1 or search.alike[place] != search.alike[card]:
            place += 1
        result |= <cards_t>1 << place
    return result


cdef inline int move_tag(const Search* search, const Move* move) noexcept nogil:
    """Sixteen bits, not 0, that tell moves of one position apart well enough to order them."""
    cdef uint64_t hashed = hash_cards(search, TABLE_PLACE, move.loose) + search.place_hash[0][move.card]
    hashed += move.builds * <uint64_t>0x9E3779B97F4A7C15 + (move.kind | move.value << 4)
    return <int>(mix(hashed, 5) & 0xFFFF) | 1


cdef enum:                               # order of moves; found by random search for the fewest nodes on recorded
    CAPTURE_FIRST = 18                   # last deals and last two deals of `standard` and `royal`
    CAPTURE_CLEARS = 13
    CAPTURE_OF_SHARED = 10
    BUILD_FIRST = 9
    BUILD_LOST = -28
    PER_POINT = 17
    PER_CARD = 7
    TRAIL_FIRST = -44
    TRAIL_POINT = -7
    TRAIL_SPADE = 6
    TRAIL_LOST = -30
    TRAIL_PAIR = 11


cdef int order_score(const Search* search, const State* state, const Move* move, uint16_t threats, cards_t next_hand) noexcept nogil:
    """Larger is searched earlier: captures and builds by what they take in, then trails. `next_hand` is that of the
    next player, and `threats` the values in it."""
    cdef cards_t card = <cards_t>1 << move.card
    cdef cards_t rank = <cards_t>15 << (move.card & ~3)
    cdef cards_t taken
    cdef int i, score
    cdef bint shared = threats & search.rules.values_of_rank[move.card >> 2] or next_hand & rank
    if move.kind == TRAIL:
        score = TRAIL_FIRST + TRAIL_POINT * card_points(search.rules, card) - (move.card >> 2)
        if card & SPADES:
            score += TRAIL_SPADE
        if shared:
            score += TRAIL_LOST
        if state.hands[state.turn] & rank & ~card:
            score += TRAIL_PAIR
        return score
    taken = move.loose | card
    if move.builds:
        for i in range(state.build_count):
            if move.builds >> i & 1:
                taken |= build_cards(state.builds[i])
    score = PER_POINT * card_points(search.rules, taken) + PER_CARD * popcount(taken)
    if move.kind == CAPTURE:
        score += CAPTURE_FIRST
        if taken & state.table == state.table and popcount(move.builds) == state.build_count:
            score += CAPTURE_CLEARS + 20 * search.rules.sweep
        return score + CAPTURE_OF_SHARED if shared else score
    return BUILD_LOST + score // 2 if threats >> move.value & 1 else BUILD_FIRST + score


cdef int look_around(Search* search) noexcept nogil:
    """Whether a limit is reached or a signal has come."""
    if search.node_limit and search.nodes >= search.node_limit:
        search.stopped = STOPPED_LIMIT
    with gil:
        try:
            PyErr_CheckSignals()
            if search.deadline and perf_counter() >= search.deadline:
                search.stopped = STOPPED_LIMIT
        except:  # raised again where the search was called
            search.stopped = STOPPED_SIGNAL
    return search.stopped


cdef int child_value(Search* search, const State* state, uint64_t hashed, const Move* move, int plays, int alpha,
                     int beta) noexcept nogil:
    """Value of a move for the side that makes it."""
    cdef State child
    cdef int side = side_of(search.rules, state.turn)
    cdef int gain, next_side
    cdef uint64_t child_hash
    copy_state(&child, state)
    play_move(&child, search.rules, search.stock, move)
    gain = 0
    if move.kind == CAPTURE:
        gain = search.unit * (card_points(search.rules, child.piles[side] ^ state.piles[side])
                              + search.rules.sweep * (child.sweeps[side] - state.sweeps[side]))
    if is_over(&child):
        return gain + end_value(search, &child, side)
    if (search.to_deal and child.stock != state.stock and not search.rules.draw) or plays + 1 == search.horizon:
        return gain + estimate(search, &child, side)
    next_side = side_of(search.rules, child.turn)
    child_hash = hash_after(search, state, &child, move, hashed)
    if next_side == side:
        return gain + search_node(search, &child, child_hash, plays + 1, alpha - gain, beta - gain)
    return gain - search_node(search, &child, child_hash, plays + 1, gain - beta, gain - alpha)


cdef inline uint64_t node_key(const Search* search, const State* state, int side, const Standing* standing,
                              uint64_t hashed, int plays) noexcept nogil:
    """The table's key: what lies outside the piles, and what else the value to go depends on."""
    cdef uint64_t rest = state.turn
    cdef int cards, spades
    if search.to_deal or search.horizon:
        cards = standing.cards_mine - standing.cards_others + 52
        spades = standing.spades_mine - standing.spades_others + 52
    else:
        cards = majority_code(standing.cards_mine, standing.cards_others, standing.cards_left)
        spades = 0
        if search.rules.most_spades:
            spades = majority_code(standing.spades_mine, standing.spades_others, standing.spades_left)
    rest |= <uint64_t>(2 if state.last == NOBODY else side_of(search.rules, state.last)) << 2
    rest |= <uint64_t>cards << 8 | <uint64_t>spades << 16 | <uint64_t>state.stock << 24
    if search.horizon:
        rest |= <uint64_t>plays << 32
    hashed += search.stock_hash[state.stock]
    if search.rules.partners:
        hashed += mix(<uint64_t>state.declared[0] | <uint64_t>state.declared[1] << 16
                      | <uint64_t>state.declared[2] << 32 | <uint64_t>state.declared[3] << 48, 75)
    return mix(hashed ^ rest * <uint64_t>0xD6E8FEB86659FD93, 76)


cdef inline uint16_t values_in(const Search* search, cards_t hand) noexcept nogil:
    """Bit V for each value V in a hand."""
    cdef uint16_t values = 0
    while hand:
        values |= search.rules.values_of_rank[lowest(hand) >> 2]
        hand &= hand - 1
    return values


cdef inline void order_moves(const Search* search, const State* state, Move* moves, int64_t count, int tag) noexcept nogil:
    """Sort by promise, the table's move first. The score is kept in the moves' spare byte."""
    cdef int64_t i, j
    cdef int score
    cdef Move move
    cdef cards_t next_hand = state.hands[state.turn + 1 if state.turn + 1 < search.rules.seats else 0]
    cdef uint16_t threats = values_in(search, next_hand)
    for i in range(count):
        score = 128 + order_score(search, state, &moves[i], threats, next_hand)
        score = 0 if score < 0 else 254 if score > 254 else score
        if tag and move_tag(search, &moves[i]) == tag:
            score = 255
        move = moves[i]
        move.unused = <uint8_t>score
        j = i
        while j and moves[j - 1].unused < score:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = move


cdef inline int most_gain(const Search* search, const Standing* standing, int plays) noexcept nogil:
    """No more than this can still be gained on the other side."""
    return search.unit * (standing.points_left
                          + majority_most(standing.cards_mine, standing.cards_others, standing.cards_left, MOST_CARDS)
                          + majority_most(standing.spades_mine, standing.spades_others, standing.spades_left,
                                          search.rules.most_spades)
                          + search.rules.sweep * plays)


cdef inline int most_loss(const Search* search, const Standing* standing, int plays) noexcept nogil:
    """No more than this can still be lost to the other side, with that many plays of its own."""
    return search.unit * (standing.points_left
                          + majority_most(standing.cards_others, standing.cards_mine, standing.cards_left, MOST_CARDS)
                          + majority_most(standing.spades_others, standing.spades_mine, standing.spades_left,
                                          search.rules.most_spades)
                          + search.rules.sweep * plays)


cdef inline int cards_held(const Search* search, const State* state, int side) noexcept nogil:
    cdef int seat, count = 0
    for seat in range(search.rules.seats):
        if side_of(search.rules, seat) == side:
            count += popcount(state.hands[seat])
    return count


cdef int search_node(Search* search, const State* state, uint64_t hashed, int plays, int alpha, int beta) noexcept nogil:
    """Value to go for the side to play, if it lies between alpha and beta; else a bound of it (fail-soft)."""
    cdef int side = side_of(search.rules, state.turn)
    cdef int mine, left, value, best = -LARGE, first_alpha, upper = LARGE, lower = -LARGE, tag = 0
    cdef int64_t first, count, k
    cdef uint64_t key = 0
    cdef Standing standing
    cdef Entry* entry
    cdef Move move
    search.nodes += 1
    if search.nodes & CHECK_EVERY == 0 and look_around(search):
        return 0
    mine = cards_held(search, state, side)
    left = mine + cards_held(search, state, side ^ 1) + state.stock
    if left == 1:
        return last_play(search, state, side)
    take_stock_of(search, state, side, &standing)
    if not search.to_deal and not search.horizon:
        upper = most_gain(search, &standing, mine + state.stock)
        if upper <= alpha:
            return upper
        lower = -most_loss(search, &standing, left - mine)
        if lower >= beta:
            return lower
    if left == 2 and mine == 1 and search.plain:
        return last_two(search, state, side, &standing, beta)
    if left >= TABLE_PLAYS:
        key = node_key(search, state, side, &standing, hashed, plays)
        entry = find_entry(&search.table, key)
        if entry != NULL:
            lower = entry.lower if entry.lower > lower else lower
            upper = entry.upper if entry.upper < upper else upper
            if lower >= beta or lower == upper:
                return lower
            if upper <= alpha:
                return upper
            tag = entry.move
    alpha = lower if lower > alpha else alpha
    beta = upper if upper < beta else beta
    first_alpha = alpha
    first = search.arena.used
    search.generator.alike = search.alike
    count = push_moves(&search.arena, &search.generator, state, search.rules, LIST_LIMIT)
    if count < 0:
        search.stopped = STOPPED_FULL
        return 0
    order_moves(search, state, &search.arena.moves[first], count, tag)
    for k in range(first, first + count):
        move = search.arena.moves[k]     # a copy: the arena may move
        if k > first and beta - alpha > 1:
            value = child_value(search, state, hashed, &move, plays, alpha, alpha + 1)
            if alpha < value < beta and not search.stopped:
                value = child_value(search, state, hashed, &move, plays, value, beta)
        else:
            value = child_value(search, state, hashed, &move, plays, alpha, beta)
        if search.stopped:
            break
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                tag = move_tag(search, &move)
                if value >= beta:
                    break
    search.arena.used = first
    if search.stopped:
        return 0
    if best >= beta:
        lower = best if best > lower else lower
    elif best <= first_alpha:
        upper = best if best < upper else upper
    else:
        lower = upper = best
    if left >= TABLE_PLAYS:
        store_entry(&search.table, key, lower, upper, tag, left)
    return best


# At the root

cdef int64_t root_moves(Search* search, const State* state) noexcept nogil:
    """Put the moves of the root, of those alike one, into the arena in the order of search; how many, or STATUS_FULL."""
    cdef int64_t count
    search.arena.used = 0
    search.generator.alike = search.alike
    count = push_moves(&search.arena, &search.generator, state, search.rules, LIST_LIMIT)
    if count > 0:
        order_moves(search, state, search.arena.moves, count, 0)
    return count


cdef void move_bounds(Search* search, const State* state, const Move* move, int* lower, int* upper) noexcept nogil:
    """Bounds of a root move without search."""
    cdef int side = side_of(search.rules, state.turn)
    cdef int mine = cards_held(search, state, side)
    cdef Standing standing
    take_stock_of(search, state, side, &standing)
    upper[0] = most_gain(search, &standing, mine + state.stock)
    lower[0] = -most_loss(search, &standing, cards_held(search, state, side ^ 1) + state.stock)


cdef int move_value(Search* search, const State* state, const Move* move, int* lower, int* upper) noexcept nogil:
    """Exact value of a root move within its bounds, which then meet; they stay as they are when the search is stopped."""
    cdef Move copy = move[0]
    cdef int value = child_value(search, state, search_hash(search, state), &copy, 0, lower[0] - 1, upper[0] + 1)
    if not search.stopped:
        lower[0] = upper[0] = value
    return value


cdef int tests_above(Search* search, const State* state, const Move* move, int bound) noexcept nogil:
    """Whether a root move is worth more than a bound; its value where it is, as far as proven."""
    cdef Move copy = move[0]
    return child_value(search, state, search_hash(search, state), &copy, 0, bound, bound + 1)


def check_hashes(CompiledRules compiled not None, int64_t rounds, uint64_t seed):
    """Plays of random rounds after which the updated hash is not the one made anew: 0, or something is wrong.

    Arguments: compiled, the rule set; rounds, how many; seed, of the generator.

    >>> from casino_core import Rules
    >>> check_hashes(CompiledRules(Rules()), 3, 1)
    0
    """
    cdef Search search
    cdef State state, child
    cdef Stock stock
    cdef Rng rng
    cdef Move move
    cdef uint64_t hashed
    cdef int64_t i, count, wrong = 0
    rng_seed(&rng, seed)
    if open_search(&search, 0.01) != STATUS_OK:
        raise MemoryError
    with nogil:
        for i in range(rounds):
            start_round(&state, &compiled.ruleset, &stock, &rng)
            set_search(&search, &compiled.ruleset, &state, &stock, 1, False, 0)
            hashed = search_hash(&search, &state)
            while not is_over(&state):
                search.arena.used = 0
                count = push_moves(&search.arena, &search.generator, &state, &compiled.ruleset, LIST_LIMIT)
                if count <= 0:
                    break
                move = search.arena.moves[<int64_t>rng_below(&rng, count)]
                copy_state(&child, &state)
                play_move(&child, &compiled.ruleset, &stock, &move)
                hashed = hash_after(&search, &state, &child, &move, hashed)
                copy_state(&state, &child)
                wrong += hashed != search_hash(&search, &state)
        close_search(&search)
    return wrong
