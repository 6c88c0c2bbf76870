# Memory of loops over the generator: its buffer of segments, and a stack of move lists.
from libc.stdint cimport int64_t

from casino_core.moves.segments cimport Generator
from casino_core.rules.types cimport Move, Ruleset, State


cdef enum:
    MOST_CONSIDERED = 4096               # moves of one position that a hint compares, about


cdef struct Arena:                       # a stack of move lists
    Move* moves
    int64_t capacity
    int64_t used


cdef int open_generator(Generator* generator) noexcept nogil
cdef void close_generator(Generator* generator) noexcept nogil
cdef int list_growing(Generator* generator, const State* state, const Ruleset* rules,
                      int64_t limit) noexcept nogil
cdef int64_t push_moves(Arena* arena, Generator* generator, const State* state,
                        const Ruleset* rules, int64_t limit) noexcept nogil
cdef int64_t push_some(Arena* arena, Generator* generator, const State* state,
                       const Ruleset* rules) noexcept nogil
