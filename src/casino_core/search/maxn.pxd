# max^n: exact play of more than two sides, each for itself.
from libc.stdint cimport int16_t, int64_t, uint64_t

from casino_core.moves.segments cimport Generator
from casino_core.moves.workspace cimport Arena
from casino_core.rules.types cimport DECK, MAX_SEATS, Ruleset, Stock
from casino_core.search.context cimport PLACES
from casino_core.search.limits cimport Limits


cdef struct Outcome:                     # final points of each side
    int16_t points[MAX_SEATS]


cdef struct Known:                       # an entry of the table
    uint64_t key                         # 0: empty
    Outcome outcome                      # without the points of `fixed_points`


cdef struct Maxn:
    Generator generator
    Arena arena
    const Ruleset* rules
    const Stock* stock
    Known* table
    int64_t table_mask                   # entries less one
    uint64_t place_hash[PLACES][DECK]    # by place and card, the same for
                                         # cards of a rank that score alike
    uint64_t stock_hash[DECK + 1]        # by cards to come: their order
    int64_t nodes
    Limits limits
