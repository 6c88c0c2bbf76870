# The same families where the loose cards are too many for words: counted by value, and never all at
# once in memory.
from casino_core.moves.segments cimport Family, Generator, Segment
from casino_core.rules.types cimport Ruleset, State


cdef void write_crowded(Generator* generator, const State* state, const Ruleset* rules,
                        const Family* family, Segment* play) noexcept nogil
