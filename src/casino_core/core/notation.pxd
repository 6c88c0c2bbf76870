# Text of positions and moves, read into and written from the plain structs. Layer 4.
from libc.stdint cimport int32_t, uint32_t

from casino_core.core.rulesets cimport CompiledRules
from casino_core.core.types cimport MAX_SEATS, Move, State, Stock, cards_t


cdef struct Writer:                      # a buffer that the longest position fits
    int length
    char text[2048]


cdef struct Layout:                      # a position beside its rules
    State state
    Stock stock                          # in the order known; count 0 where it is not
    cards_t out                          # cards that are not in the game
    int32_t score[MAX_SEATS]             # match score before the round, per side


cdef CompiledRules parse_layout(str text, Layout* layout, list warnings)
cdef str layout_text(const Layout* layout, CompiledRules compiled)
cdef void write_move(Writer* writer, const State* state, const Move* move) noexcept nogil
cdef int parse_move(str text, const State* state, Move* move) except -1
cdef void sort_builds(State* state) noexcept nogil
cdef str names_of(cards_t cards)
