# Loops over the root moves, for the search as Python calls it and for batches.
from libc.stdint cimport int64_t

from casino_core.rules.types cimport Move, State
from casino_core.search.context cimport Search


cdef void best_value(Search* search, const State* state, int64_t count, int* best, int* most,
                     Move* best_move) noexcept nogil
cdef void narrow_bounds(Search* search, const State* state, const Move* moves, int* bounds,
                        int64_t count) noexcept nogil
