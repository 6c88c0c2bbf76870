# Loops over the generator: perft and random rounds, and the memory that they share.
from libc.stdint cimport int64_t, uint64_t, uint8_t

from casino_core.moves.segments cimport Generator
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport Move, Rng, Ruleset, State, Stock


cdef struct Arena:                       # move lists, one upon the other
    Move* moves
    int64_t capacity
    int64_t used


cdef int open_generator(Generator* generator) noexcept nogil
cdef void close_generator(Generator* generator) noexcept nogil
cdef int list_growing(Generator* generator, const State* state, const Ruleset* rules, int64_t limit) noexcept nogil
cdef int64_t push_moves(Arena* arena, Generator* generator, const State* state, const Ruleset* rules,
                        int64_t limit) noexcept nogil
cdef void start_round(State* state, const Ruleset* rules, Stock* stock, Rng* rng) noexcept nogil
cdef void deal_round(State* state, const Ruleset* rules, Stock* stock, const uint8_t* deck) noexcept nogil
cdef int64_t perft_state(const State* state, CompiledRules compiled, const Stock* stock, int depth) except -1
