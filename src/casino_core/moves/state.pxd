# Playing a move on a state, dealing, scoring, hashing, and the slow check of a state's invariants.
from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy

from casino_core.rules.types cimport (
    MAX_BUILDS, Move, Rng, Ruleset, State, Stock, build_t, cards_t, popcount,
)


cdef void play_move(State* state, const Ruleset* rules, const Stock* stock,
                    const Move* move) noexcept nogil
cdef int owner_of_build(const State* state, const Ruleset* rules, int value) noexcept nogil
cdef void sort_builds(State* state) noexcept nogil
cdef uint64_t hash_state(const State* state) noexcept nogil
cdef int set_value_sum(const Ruleset* rules, cards_t cards) noexcept nogil
cdef void score_round(const State* state, const Ruleset* rules, int32_t* points) noexcept nogil
cdef const char* inconsistency(const State* state, const Ruleset* rules) noexcept nogil
cdef void deal(State* state, const Ruleset* rules, const Stock* stock) noexcept nogil
cdef void start_round(State* state, const Ruleset* rules, Stock* stock, Rng* rng) noexcept nogil
cdef void deal_round(State* state, const Ruleset* rules, Stock* stock,
                     const uint8_t* deck) noexcept nogil


cdef inline void copy_state(State* out, const State* state) noexcept nogil:
    """`out` becomes `state`; builds beyond the count are not copied."""
    cdef int i = 2
    # The first builds with the rest: a constant size, so that no library function is called.
    memcpy(out, state, sizeof(State) - (MAX_BUILDS - 2) * sizeof(build_t))
    while i < state.build_count:
        out.builds[i] = state.builds[i]
        i += 1


cdef inline bint is_over(const State* state) noexcept nogil:
    """No card is in a hand or in the stock."""
    return not (state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3] | state.hidden[0]
                | state.hidden[1] | state.hidden[2] | state.hidden[3] | state.stock)


cdef inline int hand_size(const State* state, int seat) noexcept nogil:
    return popcount(state.hands[seat]) + state.hidden[seat]


cdef inline int card_points(const Ruleset* rules, cards_t cards) noexcept nogil:
    """Points of captured cards, without most cards and most spades."""
    return (popcount(cards & rules.point_cards[0]) + popcount(cards & rules.point_cards[1])
            + popcount(cards & rules.point_cards[2]))


cdef inline int points_ahead(const Ruleset* rules, const State* state, int side) noexcept nogil:
    """Points that one of two sides has gained on the other so far, without most cards and most
    spades."""
    return (card_points(rules, state.piles[side]) - card_points(rules, state.piles[side ^ 1])
            + rules.sweep * (<int>state.sweeps[side] - <int>state.sweeps[side ^ 1]))
