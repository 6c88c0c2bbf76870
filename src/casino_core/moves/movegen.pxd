# The move generator of all rule sets: segments, and lists, counts and single moves of them.
from libc.stdint cimport int64_t

from casino_core.moves.segments cimport Generator, Segment
from casino_core.rules.types cimport Move, Ruleset, State, Stock

cdef enum:
    MAX_SEGMENTS = 16384                 # more than tables that are not crowded
                                         # can need with hands of four cards


cdef int list_segments(Generator* generator, const State* state,
                       const Ruleset* rules) noexcept nogil
cdef void write_moves(const Generator* generator, Move* moves) noexcept nogil
cdef void pick_move(const Generator* generator, int64_t index, Move* move) noexcept nogil
cdef void pick_of_segment(const Generator* generator, const Segment* segment, int64_t index,
                          Move* move) noexcept nogil
