# Alpha-beta over the positions of a search.
from libc.stdint cimport int64_t, uint64_t

from casino_core.rules.types cimport Move, State, cards_t
from casino_core.search.context cimport Search


cdef enum:
    LOOK_EVERY = 8192                    # nodes between checks of limits and signals


cdef int move_tag(const Search* search, const Move* move) noexcept nogil
cdef void order_moves(const Search* search, const State* state, Move* moves, int64_t count,
                      int tag) noexcept nogil
cdef int look_around(Search* search) noexcept nogil
cdef void expect_last_deal(Search* search, Search* inner, cards_t unseen) noexcept nogil
cdef int expected_deal(Search* search, const State* dealt, int side, uint64_t hashed, int alpha,
                       int beta) noexcept nogil
cdef int cards_held(const Search* search, const State* state, int side) noexcept nogil
cdef int64_t root_moves(Search* search, const State* state) noexcept nogil
cdef int64_t some_root_moves(Search* search, const State* state) noexcept nogil
cdef int move_value(Search* search, const State* state, const Move* move, int* lower,
                    int* upper) noexcept nogil
cdef void move_bounds(Search* search, const State* state, int* lower, int* upper) noexcept nogil
cdef int tests_above(Search* search, const State* state, const Move* move, int bound) noexcept nogil
cdef int root_value(Search* search, const State* state, const Move* move, int alpha,
                    int beta) noexcept nogil
