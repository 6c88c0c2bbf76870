# Alpha-beta on the chance to win the match, for two sides. It does without the bounds and the table
# of the search for points, as chances do not add up: they depend on all that either side has
# captured.
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

from casino_core.evaluation.goal cimport Chances
from casino_core.rules.types cimport Move, State, cards_t
from casino_core.search.context cimport Likeness, Search


cdef struct ChanceEntry:                 # 24 bytes: bounds of the chance of the side to play
    uint64_t key
    int32_t lower
    int32_t upper
    uint32_t world                       # entries of other worlds are empty
    uint16_t move                        # tag of the best move, 0 for none


cdef struct ChanceSearch:
    Search* search                       # generator, memory for moves, limits, stock
    const Chances* goal
    cards_t counted                      # cards of which it matters who has each
    ChanceEntry* entries
    uint64_t mask                        # entries - 1
    uint32_t world                       # the one under way, from 1
    Likeness likeness


cdef int open_chances(ChanceSearch* chances, Search* search, const Chances* goal,
                      int plays) noexcept nogil
cdef void close_chances(ChanceSearch* chances) noexcept nogil
cdef void tell_apart(const Chances* goal, Search* search, Likeness* own) noexcept nogil
cdef void set_chances(ChanceSearch* chances) noexcept nogil
cdef int32_t deal_end_chance(const Chances* goal, const Search* search,
                             const State* state) noexcept nogil
cdef int32_t chance_of_move(ChanceSearch* chances, const State* state,
                            const Move* move) noexcept nogil
