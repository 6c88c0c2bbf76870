# Exact search of positions in which every card is known, and to the end of a deal. Layer 6.
from libc.stdint cimport int64_t, uint64_t, uint8_t

from casino_core.core.playout cimport Arena
from casino_core.core.segments cimport Generator
from casino_core.core.table cimport Table
from casino_core.core.types cimport DECK, MAX_SEATS, Move, Ruleset, State, Stock, cards_t

cdef enum:
    PLACES = 6                           # hands of the seats, the table, builds
    TABLE_PLACE = 4
    BUILD_PLACE = 5


cdef struct Search:                      # everything that a search owns
    Table table
    Generator generator
    Arena arena
    const Ruleset* rules                 # NULL before the first search, else &own_rules
    Ruleset own_rules
    const Stock* stock
    int unit                             # value of one point
    int horizon                          # 0: to the end of the round; else plays after which values are estimated
    bint plain                           # two players, to the end of the round
    bint to_deal                         # stop where the next deal comes, and estimate
    bint spades_alike                    # most spades is settled: suits without points are alike
    uint64_t place_hash[PLACES][DECK]    # by place and card, the same for cards that are alike
    uint8_t alike[DECK]                  # lowest card that is like this one
    uint64_t rules_salt
    uint64_t salt                        # of rules and kind of search
    uint64_t stock_hash[DECK + 1]        # by cards to come: their order
    cards_t stock_left[DECK + 1]         # by cards to come: which they are, where that is known
    int64_t nodes
    int64_t node_limit                   # 0: none
    double deadline                      # on the clock of time.perf_counter; 0: none
    int stopped                          # 0, or why the search has ended early


cdef enum:
    STOPPED_LIMIT = 1
    STOPPED_SIGNAL = 2
    STOPPED_FULL = 3


cdef int open_search(Search* search, double mib) noexcept nogil
cdef void close_search(Search* search) noexcept nogil
cdef void set_search(Search* search, const Ruleset* rules, const State* state, const Stock* stock, int unit,
                     bint to_deal, int horizon) noexcept nogil
cdef uint64_t search_hash(const Search* search, const State* state) noexcept nogil
cdef int64_t root_moves(Search* search, const State* state) noexcept nogil
cdef int move_value(Search* search, const State* state, const Move* move, int* lower, int* upper) noexcept nogil
cdef void move_bounds(Search* search, const State* state, const Move* move, int* lower, int* upper) noexcept nogil
cdef int tests_above(Search* search, const State* state, const Move* move, int bound) noexcept nogil
cdef cards_t canonical_cards(const Search* search, cards_t cards) noexcept nogil
