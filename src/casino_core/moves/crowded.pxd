# The same families where there are too many loose cards for machine words: counted by value, and
# never all at once in memory.
from casino_core.moves.segments cimport Family, Generator, Segment
from casino_core.rules.types cimport Ruleset, State


cdef void write_crowded(Generator* generator, const State* state, const Ruleset* rules,
                        const Family* family, Segment* play) noexcept nogil
