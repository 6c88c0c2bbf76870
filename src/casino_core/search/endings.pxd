# The standing of a side, bounds that follow from it, and values at the end of a round.
from casino_core.evaluation.estimate cimport MOST_CARDS, Standing, majority_most
from casino_core.moves.state cimport card_points
from casino_core.rules.types cimport DECK, Ruleset, SPADES, State, cards_t, popcount
from casino_core.search.context cimport Search, all_in_play

cdef int end_value(Search* search, const State* state, int side) noexcept nogil
cdef int midway_value(const Search* search, const State* state, int side) noexcept nogil
cdef int deal_end_value(const Search* search, const State* state, int side) noexcept nogil
cdef void stop_bounds(const Search* search, const State* state, const Standing* standing, int mine,
                      int others, int* lower, int* upper) noexcept nogil
cdef void deal_bounds(const Search* search, const State* state, const Standing* standing, int mine,
                      int others, int* lower, int* upper) noexcept nogil
cdef int last_of_deal(Search* search, const State* state, int side,
                      const Standing* standing) noexcept nogil
cdef int last_play(Search* search, const State* state, int side) noexcept nogil
cdef bint settled_value(Search* search, const State* state, int side,
                        const Standing* standing, int* lower, int* upper) noexcept nogil
cdef int last_two(Search* search, const State* state, int side, const Standing* standing,
                  int beta) noexcept nogil


cdef inline void take_stock_of(const Search* search, const State* state, int side,
                               Standing* standing) noexcept nogil:
    cdef cards_t mine = state.piles[side], others = state.piles[side ^ 1]
    cdef cards_t left = all_in_play(state) | search.stock_left[state.stock]
    standing.cards_mine = popcount(mine) + state.forgotten[side]
    standing.cards_others = popcount(others) + state.forgotten[side ^ 1]
    standing.cards_left = popcount(left)
    standing.spades_mine = popcount(mine & SPADES)
    standing.spades_others = popcount(others & SPADES)
    standing.spades_left = popcount(left & SPADES)
    standing.points_left = card_points(search.rules, left)
    cdef int unknown = (state.stock + state.hidden[0] + state.hidden[1] + state.hidden[2]
                        + state.hidden[3])
    if unknown and search.stock == NULL:   # in the stock, or just dealt from it
        left = ((<cards_t>1 << DECK) - 1) & ~(left | mine | others | search.out)
        standing.cards_left += unknown
        standing.spades_left += popcount(left & SPADES)
        standing.points_left += card_points(search.rules, left)


cdef inline void standing_after(const Search* search, const Standing* before, cards_t taken,
                                bint swap, Standing* after) noexcept nogil:
    """Standing once the side to play has taken cards; with `swap`, as the other side sees it."""
    after[0] = before[0]
    if taken:
        after.cards_mine += popcount(taken)
        after.cards_left -= popcount(taken)
        after.spades_mine += popcount(taken & SPADES)
        after.spades_left -= popcount(taken & SPADES)
        after.points_left -= card_points(search.rules, taken)
    if swap:
        after.cards_mine, after.cards_others = after.cards_others, after.cards_mine
        after.spades_mine, after.spades_others = after.spades_others, after.spades_mine


cdef inline int most_points(const Search* search, const Standing* standing, int cards_lead,
                            int spades_lead, int plays) noexcept nogil:
    """The most that a side with these leads can still gain on the other, in units, with that many
    plays of its own."""
    return search.unit * (standing.points_left + search.rules.sweep * plays
                          + majority_most(cards_lead, standing.cards_left, MOST_CARDS)
                          + majority_most(spades_lead, standing.spades_left,
                                          search.rules.most_spades))


cdef inline int most_gain(const Search* search, const Standing* standing, int plays) noexcept nogil:
    """No more than this can still be gained on the other side."""
    return most_points(search, standing, standing.cards_mine - standing.cards_others,
                       standing.spades_mine - standing.spades_others, plays)


cdef inline int most_loss(const Search* search, const Standing* standing, int plays) noexcept nogil:
    """No more than this can still be lost to the other side, with that many plays of its own."""
    return most_points(search, standing, standing.cards_others - standing.cards_mine,
                       standing.spades_others - standing.spades_mine, plays)
