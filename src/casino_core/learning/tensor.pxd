# What a seat knows as one row of small numbers.
from libc.stdint cimport int16_t, int32_t, uint8_t

from casino_core.learning.steps cimport Prefix
from casino_core.rules.types cimport Layout, Ruleset, cards_t

ctypedef int16_t cell_t


cdef struct Shown:                       # a play of the deal, as all seats see it
    cards_t loose
    cards_t built
    uint8_t card
    uint8_t what
    uint8_t seat


cdef struct Fields:                      # where each field begins in a row
    int32_t own
    int32_t turn
    int32_t hand
    int32_t table
    int32_t owners
    int32_t values
    int32_t multiple
    int32_t numbers
    int32_t piles
    int32_t out
    int32_t declared
    int32_t last
    int32_t cards
    int32_t stock
    int32_t captured
    int32_t sweeps
    int32_t score
    int32_t plays
    int32_t played
    int32_t what
    int32_t taken
    int32_t size
    int32_t most_plays                   # plays that there is room for


cdef void lay_out(const Ruleset* rules, Fields* fields) noexcept nogil
cdef void write_row(cell_t* row, const Fields* fields, const Ruleset* rules, const Layout* layout,
                    const Shown* plays, int count, const Prefix* prefix, int seat) noexcept nogil
