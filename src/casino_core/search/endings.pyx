"""Values at the end of a round: finished, its last play, its last two plays; and estimates before
it.
"""
from libc.stdint cimport int64_t, uint32_t

from casino_core.evaluation.estimate cimport (
    DEAL_COMES, LAST_DEAL_COMES, MIDWAY, Stake, estimate_bounds, estimated,
)
from casino_core.evaluation.last_deal cimport last_deal_value
from casino_core.moves.captures cimport can_capture, can_sweep, may_capture
from casino_core.moves.state cimport copy_state
from casino_core.moves.workspace cimport push_moves
from casino_core.rules.types cimport (
    CAPTURE, Move, NOBODY, TRAIL, cards_in_builds, lowest, side_of,
)
from casino_core.search.context cimport CARDS_DEALT, LARGE, LIST_LIMIT, unknown_cards
from casino_core.search.leads cimport limit_at_end, narrow_limit
from casino_core.search.limits cimport STOPPED_FULL
from casino_core.search.table cimport ANY_LEAD, Leads


cdef inline int final_majorities(Search* search, int cards, int spades) noexcept nogil:
    """Points of the majorities, from the leads in the end, which the search keeps."""
    cdef int value = 0
    search.final.cards = cards
    search.final.spades = spades
    if cards:
        value += MOST_CARDS if cards > 0 else -MOST_CARDS
    if spades:
        value += search.rules.most_spades if spades > 0 else -<int>search.rules.most_spades
    return value


cdef int end_value(Search* search, const State* state, int side) noexcept nogil:
    """Value to go of a finished round: the last capturer gets the cards on the table, then
    majorities are scored."""
    cdef cards_t left = all_in_play(state)
    cdef int cards = popcount(state.piles[side]) - popcount(state.piles[side ^ 1])
    cdef int spades = popcount(state.piles[side] & SPADES) - popcount(state.piles[side ^ 1]
                                                                      & SPADES)
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


cdef inline int coming(const Search* search, int stock) noexcept nogil:
    """The kind of the next deal, given the number of cards in the stock."""
    return LAST_DEAL_COMES if stock <= CARDS_DEALT * search.rules.seats else DEAL_COMES


cdef int midway_value(const Search* search, const State* state, int side) noexcept nogil:
    """Estimated value to go where the search stops within a deal."""
    cdef Standing standing
    take_stock_of(search, state, side, &standing)
    return estimated(&search.estimate, &standing, state.table, MIDWAY, side)


cdef inline int side_of_last(const Search* search, int last) noexcept nogil:
    """The side of a last capturer; 2 for none."""
    return 2 if last == NOBODY else side_of(search.rules, last)


cdef int deal_end_value(const Search* search, const State* state, int side) noexcept nogil:
    """Estimated value to go where the search stops after the next deal has come."""
    cdef Standing standing
    take_stock_of(search, state, side, &standing)
    if search.network != NULL and not state.stock:
        return last_deal_value(search.network, search.rules, &standing, state.table,
                               unknown_cards(search, state), side_of_last(search, state.last),
                               search.unit, side)
    return estimated(&search.estimate, &standing, state.table,
                     DEAL_COMES if state.stock else LAST_DEAL_COMES, side)


cdef void deal_bounds(const Search* search, const State* state, const Standing* standing, int mine,
                      int others, int* lower, int* upper) noexcept nogil:
    """Bounds of the value to go of a search to the end of the deal, with `mine` plays of the side
    to play and `others` of the other side left."""
    cdef cards_t cards = all_in_play(state)
    cdef Stake stake
    if search.network != NULL:           # within what the round can still bring
        upper[0] = most_gain(search, standing, mine)
        lower[0] = -most_loss(search, standing, others)
        return
    stake.points = card_points(search.rules, cards)
    stake.cards = popcount(cards)
    stake.spades = popcount(cards & SPADES)
    stake.mine = mine
    stake.others = others
    estimate_bounds(&search.estimate, standing, &stake, coming(search, state.stock),
                    side_of(search.rules, state.turn), lower, upper)


cdef void stop_bounds(const Search* search, const State* state, const Standing* standing, int mine,
                      int others, int* lower, int* upper) noexcept nogil:
    """Widen bounds of the value to go at the end of the round to cover the estimates at any earlier
    stop."""
    cdef int side = side_of(search.rules, state.turn), stop, least = 0, most = 0
    cdef Stake stake
    stake.points = standing.points_left
    stake.cards = standing.cards_left
    stake.spades = standing.spades_left
    stake.mine = mine
    stake.others = others
    for stop in range(MIDWAY, LAST_DEAL_COMES + 1):
        if stop == MIDWAY or search.to_deal:
            estimate_bounds(&search.estimate, standing, &stake, stop, side, &least, &most)
            lower[0] = min(lower[0], least)
            upper[0] = max(upper[0], most)
    if search.network != NULL:
        upper[0] = max(upper[0], most_gain(search, standing, mine))
        lower[0] = min(lower[0], -most_loss(search, standing, others))


cdef inline int left_over(const Search* search, const State* state, const Standing* after,
                          cards_t table, bint captures, int side) noexcept nogil:
    """The value of the rest of the round after the last play of a deal.

    Args:
        state: before the play.
        after: the standing of the side after it.
        table: what it leaves.
        captures: whether the side has captured.
    """
    cdef int last
    if search.network != NULL:
        last = side if captures else side_of_last(search, state.last)
        return last_deal_value(search.network, search.rules, after, table,
                               unknown_cards(search, state), last, search.unit, side)
    return estimated(&search.estimate, after, table, coming(search, state.stock), side)


cdef int last_of_deal(Search* search, const State* state, int side,
                      const Standing* standing) noexcept nogil:
    """Value to go of the last play of a deal with two players: what it captures, and the estimate
    of the table that it leaves."""
    cdef int card = lowest(state.hands[state.turn])
    cdef int64_t i, first = search.arena.used
    cdef int best = -LARGE, value
    cdef Standing after
    cdef cards_t taken
    cdef const Move* move
    if not can_capture(search.rules, state, state.table, 0, state.turn, card):
        return left_over(search, state, standing, state.table | <cards_t>1 << card, False, side)
    search.generator.alike = search.likeness.alike
    if push_moves(&search.arena, &search.generator, state, search.rules, LIST_LIMIT) < 0:
        search.limits.stopped = STOPPED_FULL
        return 0
    for i in range(first, search.arena.used):
        move = &search.arena.moves[i]
        taken = 0
        if move.kind == CAPTURE:
            taken = move.loose | <cards_t>1 << card | cards_in_builds(state, move.builds)
        elif move.kind != TRAIL:
            continue
        standing_after(search, standing, taken, False, &after)
        value = left_over(search, state, &after, (state.table | <cards_t>1 << card) & ~taken,
                          taken != 0, side)
        value += search.unit * (standing.points_left - after.points_left)
        if (move.kind == CAPTURE and move.loose == state.table
                and popcount(move.builds) == state.build_count):
            value += search.unit * search.rules.sweep
        if value > best:
            best = value
    search.arena.used = first
    return best


cdef int last_play(Search* search, const State* state, int side) noexcept nogil:
    """Value to go of the last play of the round.

    A card that captures anything is the last capture and gets all cards on the table; otherwise it
    is trailed, and they go to the last capturer. Capturing is never worse than not capturing.
    """
    cdef int card = lowest(state.hands[state.turn])
    cdef State after
    cdef bint captures = can_capture(search.rules, state, state.table, 0, state.turn, card)
    copy_state(&after, state)
    after.hands[state.turn] = 0
    after.table |= <cards_t>1 << card
    if captures:
        after.last = state.turn
    if captures and search.rules.sweep and can_sweep(search.rules, state, state.table, 0, card):
        return end_value(search, &after, side) + search.unit * search.rules.sweep
    return end_value(search, &after, side)


cdef inline int split_value(Search* search, cards_t mine, cards_t others,
                            const Standing* standing) noexcept nogil:
    """Value to go if the cards outside the piles are split between the two sides."""
    cdef int cards = standing.cards_mine - standing.cards_others + popcount(mine) - popcount(others)
    cdef int spades = (standing.spades_mine - standing.spades_others + popcount(mine & SPADES)
                       - popcount(others & SPADES))
    return search.unit * (card_points(search.rules, mine) - card_points(search.rules, others)
                          + final_majorities(search, cards, spades))


cdef bint settled_value(Search* search, const State* state, int side,
                        const Standing* standing, int* lower, int* upper) noexcept nogil:
    """Whether all cards left go to the last capturer, because the other side can capture nothing
    more; for two players without a stock.

    The bounds are then those of the value to go. They are equal unless sweeps score.
    """
    cdef int seat = state.turn
    cdef cards_t everything, hand
    if state.last == NOBODY:
        return False
    everything = all_in_play(state)
    seat = state.last ^ 1
    hand = state.hands[seat]
    if may_capture(search.rules, hand, everything ^ hand):
        return False
    lower[0] = upper[0] = (split_value(search, 0, everything, standing) if seat == state.turn
                           else split_value(search, everything, 0, standing))
    if search.rules.sweep:
        if seat == state.turn:
            lower[0] -= search.unit * search.rules.sweep * popcount(state.hands[seat ^ 1])
        else:
            upper[0] += search.unit * search.rules.sweep * popcount(state.hands[seat ^ 1])
    return True


cdef int after_last_but_one(Search* search, const State* state, int side,
                            const Standing* standing, cards_t table, cards_t taken, uint32_t gone,
                            int last, int card) noexcept nogil:
    """Value to go for `side` before the other player's last `card`, with `table` and the builds
    outside `gone` left; `taken` has been captured, and `last` is the side that captured last."""
    cdef cards_t everything = all_in_play(state)
    cdef int value
    if can_capture(search.rules, state, table, gone, state.turn ^ 1, card):
        value = split_value(search, taken, everything ^ taken, standing)
        if search.rules.sweep and can_sweep(search.rules, state, table, gone, card):
            value -= search.unit * search.rules.sweep
        return value
    if last == side:
        return split_value(search, everything, 0, standing)
    return split_value(search, 0, everything if last == (side ^ 1) else 0, standing)


cdef int last_two(Search* search, const State* state, int side, const Standing* standing,
                  int beta) noexcept nogil:
    """Value to go, or a bound not below beta, of the last two plays of the round, with two players.

    The last capturer gets all cards left. So the value of a play depends only on what it captures
    and on whether the other card can then capture anything.
    """
    cdef int card = lowest(state.hands[state.turn])
    cdef int other_card = lowest(state.hands[state.turn ^ 1])
    cdef int last = NOBODY if state.last == NOBODY else side_of(search.rules, state.last)
    cdef cards_t played = <cards_t>1 << card
    cdef cards_t taken, table
    cdef int64_t i, first = search.arena.used
    cdef int value, best = -LARGE
    cdef uint32_t gone
    cdef Leads limit
    cdef const Move* move
    if not can_capture(search.rules, state, state.table, 0, state.turn, card):
        best = after_last_but_one(search, state, side, standing, state.table | played, 0, 0, last,
                                  other_card)
        if search.tracks:
            limit_at_end(search, standing, best < beta)
        return best
    limit.cards = limit.spades = ANY_LEAD
    search.generator.alike = search.likeness.alike
    if push_moves(&search.arena, &search.generator, state, search.rules, LIST_LIMIT) < 0:
        search.limits.stopped = STOPPED_FULL
        return 0
    for i in range(first, search.arena.used):
        move = &search.arena.moves[i]
        if move.kind != CAPTURE:
            # A trail leaves more to the other card than any capture does; only the points of a
            # sweep can make up for that.
            if not search.rules.sweep:
                continue
            value = after_last_but_one(search, state, side, standing, state.table | played, 0, 0,
                                       last, other_card)
        else:
            table = state.table ^ move.loose
            gone = move.builds
            taken = played | move.loose | cards_in_builds(state, gone)
            value = after_last_but_one(search, state, side, standing, table, taken, gone, side,
                                       other_card)
            if search.rules.sweep and not table and popcount(gone) == state.build_count:
                value += search.unit * search.rules.sweep
        if search.tracks:
            limit_at_end(search, standing, value < beta)
            narrow_limit(search, &limit)
        if value > best:
            best = value
            if best >= beta:
                break
    search.arena.used = first
    if search.tracks and best < beta:
        search.limit = limit
    return best
