# Random determinizations: the unseen cards of a position, dealt to hands, piles and stock.
from libc.stdint cimport int64_t, uint8_t, uint64_t

from casino_core.rules.types cimport (
    DECK, MAX_BUILDS, MAX_SEATS, Rng, Ruleset, State, Stock, cards_t,
)

cdef enum:
    MAX_NEEDS = MAX_BUILDS + 14 * MAX_SEATS   # builds, and values that seats may declare


cdef struct Need:                        # the hand of a seat holds one of these cards, by the rules
    cards_t cards
    int seat


cdef struct Hidden:
    State seen                           # the known part of the position
    Stock stock                          # its order if known
    bint draws                           # draw casino: an unknown stock gets an order
    int count                            # unseen cards
    int spots                            # unseen cards that get a place
    int need_count
    uint8_t cards[DECK]                  # unseen cards, shuffled further with each deal
    Need needs[MAX_NEEDS]
    # Hidden hands with weights from the caller, or NULL: `seats` masks for each deal of hands, and
    # the cumulative weights.
    const cards_t* hands
    const double* sums
    int64_t hand_count
    int seats


cdef void set_hidden(Hidden* hidden, const State* seen, const Ruleset* rules, const Stock* stock,
                     cards_t out) noexcept nogil
cdef void deal_hidden(Hidden* hidden, State* state, Stock* stock, Rng* rng) noexcept nogil
