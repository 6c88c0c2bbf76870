"""Exact search: alpha-beta on the value to go.

The value of a node is what the side to play will still gain on the other side. Points already
captured are left out, so that positions transpose whatever was scored before them. Cards of one
rank that count the same are one card to the search. Values are integers, `unit` to a point. If the
search stops at the end of a deal, the rest of the round is estimated. Leads in cards and spades are
not part of a position of the table where its bounds hold for many leads: see `table` and `leads`.
"""
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from casino_core.evaluation.estimate cimport Standing
from casino_core.moves.state cimport card_points, copy_state, is_over, play_move, start_round
from casino_core.moves.workspace cimport push_moves, push_some
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport (
    CAPTURE, DECK, NOBODY, Rng, SPADES, STATUS_OK, Stock, TRAIL, cards_in_builds, cards_t, mix,
    next_subset, popcount, rng_below, rng_seed, side_of, values_of,
)
from casino_core.search.context cimport (
    LARGE, LIST_LIMIT, TABLE_PLACE, all_in_play, close_search, hash_after, hash_cards,
    open_search, score_move, search_hash, set_search, sort_moves,
)
from casino_core.search.endings cimport (
    deal_bounds, deal_end_value, end_value, last_of_deal, last_play, last_two, midway_value,
    most_gain, most_loss, settled_value, standing_after, stop_bounds, take_stock_of,
)
from casino_core.search.leads cimport (
    cards_lead, limit_at_end, limit_before, limit_of_entry, limit_of_least, limit_of_most,
    narrow_limit, set_codes, spades_lead,
)
from casino_core.search.limits cimport STOPPED_FULL, STOPPED_NODES, look_outside
from casino_core.search.sweeps cimport hands_stay, limit_sweeps, may_sweep_now, nothing_sweeps
from casino_core.search.table cimport (
    ANY_LEAD, Entry, Found, Leads, NO_BOUND, bucket_of, find_entry, find_shared, prefetch,
    store_entry, store_shared,
)

cdef enum:
    TABLE_PLAYS = 3                      # positions with more plays left use the table


cdef int move_tag(const Search* search, const Move* move) noexcept nogil:
    """A non-zero 16-bit hash that distinguishes moves of one position well enough to order them."""
    cdef uint64_t hashed = hash_cards(search, TABLE_PLACE, move.loose)
    hashed += search.likeness.place_hash[0][move.card]
    hashed += move.builds * <uint64_t>0x9E3779B97F4A7C15 + (move.kind | move.value << 4)
    return <int>(mix(hashed, 5) & 0xFFFF) | 1


# Terms of the move ordering, found by random search for the fewest nodes on recorded last deals and
# last two deals of `standard` and `royal`.
cdef enum:
    CAPTURE_FIRST = 18
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


cdef int order_score(const Search* search, const State* state, const Move* move, uint16_t threats,
                     cards_t next_hand) noexcept nogil:
    """Move ordering, larger first: captures and builds by what they take, then trails. `next_hand`
    is the hand of the next player, and `threats` has a bit for each value in it."""
    cdef cards_t card = <cards_t>1 << move.card
    cdef cards_t rank = <cards_t>15 << (move.card & ~3)
    cdef cards_t taken
    cdef int score
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
    taken = move.loose | card | cards_in_builds(state, move.builds)
    score = PER_POINT * card_points(search.rules, taken) + PER_CARD * popcount(taken)
    if move.kind == CAPTURE:
        score += CAPTURE_FIRST
        if taken & state.table == state.table and popcount(move.builds) == state.build_count:
            score += CAPTURE_CLEARS + 20 * search.rules.sweep
        return score + CAPTURE_OF_SHARED if shared else score
    return BUILD_LOST + score // 2 if threats >> move.value & 1 else BUILD_FIRST + score


cdef int look_around(Search* search) noexcept nogil:
    """Whether a limit is met or a signal has come."""
    search.limits.until_look = LOOK_EVERY
    if search.limits.node_limit:
        if search.nodes >= search.limits.node_limit:
            search.limits.stopped = STOPPED_NODES
        elif search.limits.node_limit - search.nodes < LOOK_EVERY:
            search.limits.until_look = search.limits.node_limit - search.nodes
    if not search.limits.stopped:
        look_outside(&search.limits)
    return search.limits.stopped


cdef int child_value(Search* search, const State* state, const Standing* standing, uint64_t hashed,
                     const Move* move, int left, int plays, int alpha, int beta) noexcept nogil:
    """Value of a move for the side that makes it; `left` plays are to come before it, `plays` have
    been made."""
    cdef State child
    cdef Standing after
    cdef int side = side_of(search.rules, state.turn)
    cdef int gain = 0, next_side, value
    cdef cards_t taken = 0
    cdef uint64_t child_hash = 0
    copy_state(&child, state)
    play_move(&child, search.rules, search.stock, move)
    if move.kind == CAPTURE:
        taken = child.piles[side] ^ state.piles[side]
        gain = search.unit * (card_points(search.rules, taken)
                              + search.rules.sweep * (child.sweeps[side] - state.sweeps[side]))
    if left == 1:
        value = gain + end_value(search, &child, side)
        if search.tracks:
            limit_at_end(search, standing, value < beta)
        return value
    next_side = side_of(search.rules, child.turn)
    if search.to_deal and child.stock != state.stock and not search.rules.draw:
        if not search.expects:
            return gain + deal_end_value(search, &child, side)
        child_hash = hash_after(search, state, &child, move, hashed)
        return gain + expected_deal(search, &child, side, child_hash, alpha - gain, beta - gain)
    if plays + 1 == search.horizon:
        return gain + midway_value(search, &child, side)
    if left > TABLE_PLAYS:
        child_hash = hash_after(search, state, &child, move, hashed)
    standing_after(search, standing, taken, next_side != side, &after)
    if search.tracks and left > TABLE_PLAYS:
        prefetch(bucket_of(&search.table, node_key(search, &child, &after, child_hash, plays + 1)))
    if next_side == side:
        value = gain + search_node(search, &child, &after, child_hash, left - 1, plays + 1,
                                   alpha - gain, beta - gain)
    else:
        value = gain - search_node(search, &child, &after, child_hash, left - 1, plays + 1,
                                   gain - beta, gain - alpha)
    if search.tracks:
        limit_before(search, taken, next_side != side)
    return value


cdef void expect_last_deal(Search* search, Search* inner, cards_t unseen) noexcept nogil:
    """Make a prepared search to the end of the deal value the last deal, which comes next, by its
    exact mean over all splits of its cards; `unit` is the number of splits.

    Args:
        inner: the search of last deals.
        unseen: the cards of the last deal.
    """
    search.expects = True
    search.inner = inner
    search.unseen = unseen
    search.salt ^= mix(unseen, 77)
    inner.limits.stopped = 0
    inner.limits.until_look = 0
    inner.nodes = 0
    inner.arena.used = 0


cdef int expected_deal(Search* search, const State* dealt, int side, uint64_t hashed, int alpha,
                       int beta) noexcept nogil:
    """Sum of the value to go over all splits of the unseen cards of the last deal; `unit` is the
    number of splits.

    Outside the window a bound is returned, as soon as the splits left cannot lead back into the
    window.
    """
    cdef Search* inner = search.inner
    cdef State state
    cdef Standing standing
    cdef Entry* entry
    cdef cards_t cards[DECK]
    cdef cards_t left = search.unseen
    cdef int first_side = side_of(search.rules, dealt.turn)
    cdef int count = 0, i, value, total = 0, most, least, splits = search.unit
    cdef uint64_t key
    cdef uint32_t chosen = (<uint32_t>1 << dealt.hidden[0]) - 1
    copy_state(&state, dealt)
    take_stock_of(search, dealt, side, &standing)
    standing.cards_left = popcount(all_in_play(dealt) | search.unseen)
    standing.spades_left = popcount((all_in_play(dealt) | search.unseen) & SPADES)
    standing.points_left = card_points(search.rules, all_in_play(dealt) | search.unseen)
    key = node_key(search, dealt, &standing, hashed ^ side, 0)
    entry = find_entry(&search.table, key)
    if entry != NULL and (entry.bounds.own.lower == entry.bounds.own.upper
                          or entry.bounds.own.lower >= beta):
        return entry.bounds.own.lower
    if entry != NULL and entry.bounds.own.upper <= alpha:
        return entry.bounds.own.upper
    most = most_gain(search, &standing, dealt.hidden[side]) // search.unit
    least = -most_loss(search, &standing, dealt.hidden[side ^ 1]) // search.unit
    state.hidden[0] = state.hidden[1] = 0
    while left:
        cards[count] = left & (0 - left)
        left &= left - 1
        count += 1
    while True:
        state.hands[0] = 0
        for i in range(count):
            if chosen >> i & 1:
                state.hands[0] |= cards[i]
        state.hands[1] = search.unseen ^ state.hands[0]
        set_search(inner, search.rules, &state, NULL, 1, False, 0)
        inner.table.window = inner.table.mask  # the splits share it
        take_stock_of(inner, &state, first_side, &standing)
        value = search_node(inner, &state, &standing, search_hash(inner, &state), count, 0, -LARGE,
                            LARGE)
        search.nodes += inner.nodes
        search.limits.until_look -= inner.nodes
        inner.nodes = 0
        if inner.limits.stopped:
            search.limits.stopped = inner.limits.stopped
        elif search.limits.until_look <= 0:
            look_around(search)
        if search.limits.stopped:
            return 0
        total += value if first_side == side else -value
        splits -= 1
        if not splits:
            store_entry(&search.table, key, total, total, 0, count)
            return total
        if total + splits * most <= alpha:
            store_entry(&search.table, key, -LARGE, total + splits * most, 0, count)
            return total + splits * most
        if total + splits * least >= beta:
            store_entry(&search.table, key, total + splits * least, LARGE, 0, count)
            return total + splits * least
        chosen = next_subset(chosen)


cdef void order_moves(const Search* search, const State* state, Move* moves, int64_t count,
                      int tag) noexcept nogil:
    """Sort moves by their ordering score, the table's move first. The score is stored in the moves'
    spare byte."""
    cdef int64_t i
    cdef cards_t next_hand = state.hands[state.turn + 1
                                         if state.turn + 1 < search.rules.seats else 0]
    cdef uint16_t threats
    if count == 1:
        return
    threats = values_of(search.rules, next_hand)
    for i in range(count):
        score_move(&moves[i], 128 + order_score(search, state, &moves[i], threats, next_hand))
        if tag and move_tag(search, &moves[i]) == tag:
            moves[i].unused = 255
    sort_moves(moves, count)


cdef int cards_held(const Search* search, const State* state, int side) noexcept nogil:
    cdef int seat, count = 0
    if search.rules.seats == 2:
        return popcount(state.hands[side])
    for seat in range(search.rules.seats):
        if side_of(search.rules, seat) == side:
            count += popcount(state.hands[seat])
    return count


cdef inline uint64_t node_key(const Search* search, const State* state,
                              const Standing* standing, uint64_t hashed, int plays) noexcept nogil:
    """The key of the table: a hash of the cards outside the piles and of all else that the value to
    go depends on."""
    cdef uint64_t rest = state.turn
    cdef Leads leads
    rest |= <uint64_t>(2 if state.last == NOBODY else side_of(search.rules, state.last)) << 2
    rest |= <uint64_t>state.stock << 24
    if not search.shares:
        leads.cards = cards_lead(standing)
        leads.spades = spades_lead(standing)
        if not search.to_deal and not search.horizon:
            set_codes(search, standing, leads.cards, leads.spades, &leads)
        rest |= <uint64_t>(leads.cards + 64) << 8 | <uint64_t>(leads.spades + 64) << 16
    if search.horizon:
        rest |= <uint64_t>plays << 32
    hashed += search.stock_hash[state.stock]
    if search.rules.partners:
        hashed += mix(<uint64_t>state.declared[0] | <uint64_t>state.declared[1] << 16
                      | <uint64_t>state.declared[2] << 32 | <uint64_t>state.declared[3] << 48, 75)
    return mix(hashed ^ rest * <uint64_t>0xD6E8FEB86659FD93, 76)


cdef inline void find_bounds(const Search* search, const Standing* standing, uint64_t key,
                             Leads* codes, Found* found) noexcept nogil:
    """Narrow bounds by what the table knows, and find a move for the ordering. With `shares` the
    codes of the leads are set."""
    cdef const Entry* entry
    found.lower_from = found.upper_from = NULL
    found.move = 0
    if search.shares:
        set_codes(search, standing, cards_lead(standing), spades_lead(standing), codes)
        find_shared(&search.table, key, codes, found)
        return
    entry = find_entry(&search.table, key)
    if entry != NULL:
        found.lower = max(found.lower, <int>entry.bounds.own.lower)
        found.upper = min(found.upper, <int>entry.bounds.own.upper)
        found.move = entry.move


cdef inline void store_bounds(Search* search, uint64_t key, const Leads* codes, int lower,
                              int upper, int tag, int left) noexcept nogil:
    """Keep bounds that are proven for the leads of a node."""
    if search.shares:
        store_shared(&search.table, key, codes, lower, upper, tag, left)
    else:
        store_entry(&search.table, key, lower, upper, tag, left)


cdef inline void store_limited(Search* search, const Standing* standing, uint64_t key, int value,
                               bint upper, int tag, int left) noexcept nogil:
    """Keep a bound that is proven up to a limit, or down to it."""
    cdef Leads codes
    set_codes(search, standing, search.limit.cards, search.limit.spades, &codes)
    store_shared(&search.table, key, &codes, -NO_BOUND if upper else value,
                 value if upper else NO_BOUND, tag, left)


cdef int search_node(Search* search, const State* state, const Standing* standing, uint64_t hashed,
                     int left, int plays, int alpha, int beta) noexcept nogil:
    """Value to go for the side to play if it is between alpha and beta, else a bound of it
    (fail-soft).

    `left` plays are to come, `plays` have been made since the root; `hashed` is only valid if the
    table is used.
    """
    cdef int side = side_of(search.rules, state.turn)
    cdef int mine, value, best = -LARGE, first_alpha, upper = LARGE, lower = -LARGE, tag = 0
    cdef int least = 0, most = 0
    cdef int64_t first, count, k
    cdef uint64_t key = 0
    cdef Found found
    cdef Leads codes = [0, 0], limit
    cdef bint tracks = search.tracks and beta - alpha == 1
    cdef Move move
    search.nodes += 1
    search.limits.until_look -= 1
    if search.limits.until_look <= 0 and look_around(search):
        return 0
    if left == 1:
        value = last_play(search, state, side)
        if tracks:
            limit_at_end(search, standing, value < beta)
        return value
    mine = cards_held(search, state, side)
    if (not search.to_deal or search.expects) and not search.horizon:
        upper = most_gain(search, standing, mine + state.stock)
        lower = -most_loss(search, standing, left - mine)
        if hands_stay(search.rules, state):
            limit_sweeps(search, state, alpha, beta, &lower, &upper)
        if upper <= alpha:
            if tracks:
                limit_of_most(search, standing)
            return upper
        if lower >= beta:
            if tracks:
                limit_of_least(search, standing)
            return lower
    elif search.ends_deal:
        if left - state.stock == 1:
            return last_of_deal(search, state, side, standing)
        deal_bounds(search, state, standing, mine, left - state.stock - mine, &lower, &upper)
        if hands_stay(search.rules, state):
            limit_sweeps(search, state, alpha, beta, &lower, &upper)
        if upper <= alpha:
            return upper
        if lower >= beta:
            return lower
    if (search.plain and not state.stock
            and settled_value(search, state, side, standing, &least, &most)):
        if least == most or most <= alpha or least >= beta:
            if tracks:
                limit_at_end(search, standing, most <= alpha)
            return least if least >= beta else most
        lower = least if least > lower else lower
        upper = most if most < upper else upper
    if left == 2 and mine == 1 and search.plain:
        return last_two(search, state, side, standing, beta)
    if left >= TABLE_PLAYS:
        key = node_key(search, state, standing, hashed, plays)
        found.lower = lower
        found.upper = upper
        find_bounds(search, standing, key, &codes, &found)
        lower = found.lower
        upper = found.upper
        tag = found.move
        if lower >= beta or upper <= alpha or lower == upper:
            if tracks:
                limit_of_entry(search, standing, &found, upper <= alpha)
            return upper if upper <= alpha else lower
    limit.cards = limit.spades = ANY_LEAD
    alpha = lower if lower > alpha else alpha
    beta = upper if upper < beta else beta
    first_alpha = alpha
    first = search.arena.used
    search.generator.alike = search.likeness.alike
    count = push_moves(&search.arena, &search.generator, state, search.rules, LIST_LIMIT)
    if count < 0:
        search.limits.stopped = STOPPED_FULL
        return 0
    # Long lists take time.
    search.limits.until_look -= LOOK_EVERY >> 3 if search.generator.sums.crowded else count >> 4
    order_moves(search, state, &search.arena.moves[first], count, tag)
    for k in range(first, first + count):
        move = search.arena.moves[k]     # a copy: the arena may move
        if k > first and beta - alpha > 1:
            value = child_value(search, state, standing, hashed, &move, left, plays, alpha,
                                alpha + 1)
            if alpha < value < beta and not search.limits.stopped:
                value = child_value(search, state, standing, hashed, &move, left, plays, value,
                                    beta)
        else:
            value = child_value(search, state, standing, hashed, &move, left, plays, alpha, beta)
        if search.limits.stopped:
            break
        if tracks:
            narrow_limit(search, &limit)
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                tag = move_tag(search, &move)
                if value >= beta:
                    break
    search.arena.used = first
    if search.limits.stopped:
        return 0
    if tracks:
        if best < beta:
            search.limit = limit
        if left >= TABLE_PLAYS:
            store_limited(search, standing, key, best, best < beta, tag, left)
        return best
    if best >= beta:
        lower = best if best > lower else lower
    elif best <= first_alpha:
        upper = best if best < upper else upper
    else:
        lower = upper = best
    if left >= TABLE_PLAYS:
        store_bounds(search, key, &codes, lower, upper, tag, left)
    return best


# The root

cdef int64_t root_moves(Search* search, const State* state) noexcept nogil:
    """List one of each class of equivalent root moves in the arena, in the order of search. Returns
    their number, or STATUS_FULL."""
    cdef int64_t count
    search.arena.used = 0
    search.generator.alike = search.likeness.alike
    count = push_moves(&search.arena, &search.generator, state, search.rules, LIST_LIMIT)
    if count > 0:
        order_moves(search, state, search.arena.moves, count, 0)
    return count


cdef int64_t some_root_moves(Search* search, const State* state) noexcept nogil:
    """`root_moves`, but where they are many only some: those of `push_some`."""
    cdef int64_t count
    search.arena.used = 0
    search.generator.alike = search.likeness.alike
    count = push_some(&search.arena, &search.generator, state, search.rules)
    if count > 0:
        order_moves(search, state, search.arena.moves, count, 0)
    return count


cdef void move_bounds(Search* search, const State* state, int* lower, int* upper) noexcept nogil:
    """Bounds of a root move without a search."""
    cdef int side = side_of(search.rules, state.turn)
    cdef int mine = cards_held(search, state, side), others = cards_held(search, state, side ^ 1)
    cdef Standing standing
    take_stock_of(search, state, side, &standing)
    if search.ends_deal and not search.expects:
        deal_bounds(search, state, &standing, mine, others, lower, upper)
        return
    upper[0] = most_gain(search, &standing, mine + state.stock)
    lower[0] = -most_loss(search, &standing, others + state.stock)
    if search.horizon or (search.to_deal and state.stock and not search.expects):
        stop_bounds(search, state, &standing, mine + state.stock, others + state.stock, lower,
                    upper)


cdef int root_value(Search* search, const State* state, const Move* move, int alpha,
                    int beta) noexcept nogil:
    """Value of a root move within a window."""
    cdef int side = side_of(search.rules, state.turn)
    cdef int left = (cards_held(search, state, side) + cards_held(search, state, side ^ 1)
                     + state.stock)
    cdef Standing standing
    cdef Move copy = move[0]             # the arena may move
    take_stock_of(search, state, side, &standing)
    return child_value(search, state, &standing, search_hash(search, state), &copy, left, 0, alpha,
                       beta)


cdef int move_value(Search* search, const State* state, const Move* move, int* lower,
                    int* upper) noexcept nogil:
    """Exact value of a root move within its bounds, which it sets equal; they are unchanged if the
    search is stopped."""
    cdef int value = root_value(search, state, move, lower[0] - 1, upper[0] + 1)
    if not search.limits.stopped:
        lower[0] = upper[0] = value
    return value


cdef int tests_above(Search* search, const State* state, const Move* move,
                     int bound) noexcept nogil:
    """A null-window search whether a root move is worth more than a bound. Returns a proven bound
    of its value."""
    return root_value(search, state, move, bound, bound + 1)


def check_hashes(CompiledRules compiled not None, int64_t rounds, uint64_t seed):
    """Count the plays of random rounds after which the incremental hash differs from a new one: 0
    unless something is wrong.

    Args:
        compiled: the rule set.
        rounds: the number of rounds.
        seed: of the generator.

    Example:
        >>> from casino_core import Rules
        >>> from casino_core.rules.ruleset import CompiledRules
        >>> check_hashes(CompiledRules(Rules()), 3, 1)
        0
    """
    cdef Search search
    cdef State state, child
    cdef Stock stock
    cdef Rng rng
    cdef Move move
    cdef uint64_t hashed
    cdef int64_t _i, count, wrong = 0
    rng_seed(&rng, seed)
    if open_search(&search, 0.01) != STATUS_OK:
        raise MemoryError
    with nogil:
        for _i in range(rounds):
            start_round(&state, &compiled.ruleset, &stock, &rng)
            set_search(&search, &compiled.ruleset, &state, &stock, 1, False, 0)
            hashed = search_hash(&search, &state)
            while not is_over(&state):
                search.arena.used = 0
                count = push_moves(&search.arena, &search.generator, &state, &compiled.ruleset,
                                   LIST_LIMIT)
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


def sweeps_to_come(CompiledRules compiled not None, bytes data not None):
    """Whether a play to come may sweep, and whether the next one may: what the bounds of the value
    to go rest on. False only if none does, in the last deal of two seats.

    Args:
        compiled: the rule set.
        data: the state of a position.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse("rules=royal table=Kh hands=2d/3s piles=" + 49 * "?" + "/-")
        >>> data, compiled = position._state()
        >>> sweeps_to_come(compiled, data)
        (False, False)
    """
    cdef State state
    if len(data) != sizeof(State):
        raise ValueError("these bytes are not a state")
    memcpy(&state, <const char*>data, sizeof(State))
    return (not nothing_sweeps(&compiled.ruleset, &state, state.hands[0] | state.hands[1]),
            bool(may_sweep_now(&compiled.ruleset, &state, state.hands[state.turn])))
