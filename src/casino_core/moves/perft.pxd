# Loops over the generator: perft, random rounds, lists of many positions.
from libc.stdint cimport int64_t

from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport State, Stock


cdef int64_t perft_state(const State* state, CompiledRules compiled, const Stock* stock,
                         int depth) except -1
