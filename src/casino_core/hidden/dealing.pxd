# The cards that a player, or a looker-on, cannot see, dealt at random to where they may lie.
from libc.stdint cimport int64_t, uint8_t, uint64_t

from casino_core.rules.types cimport DECK, MAX_BUILDS, MAX_SEATS, Rng, Ruleset, State, Stock, cards_t

cdef enum:
    MAX_NEEDS = MAX_BUILDS + 14 * MAX_SEATS   # a build each, and every value that a seat may declare


cdef struct Need:                        # what the rules say of a hand: it holds one of these cards
    cards_t cards
    int seat


cdef struct Hidden:
    State seen                           # what is known
    Stock stock                          # its order where that is known
    bint draws                           # the stock is needed in an order
    int count                            # cards not seen
    int spots                            # of them, those that lie in hands and piles
    int need_count
    uint8_t cards[DECK]                  # those not seen, in an order that changes from deal to deal
    Need needs[MAX_NEEDS]
    # Hands that the caller has weighed, or NULL: `seats` masks a hand, and the sums of the weights so far.
    const cards_t* hands
    const double* sums
    int64_t hand_count
    int seats


cdef void set_hidden(Hidden* hidden, const State* seen, const Ruleset* rules, const Stock* stock,
                     cards_t out) noexcept nogil
cdef void deal_hidden(Hidden* hidden, State* state, Stock* stock, Rng* rng) noexcept nogil
