# Legal moves as Python objects.
from libc.stdint cimport int64_t

from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport Move as MoveData, Ruleset, State


cdef list sorted_moves(const State* state, const Ruleset* rules, bint some=*)
cdef int64_t count_moves(const State* state, const Ruleset* rules) except -1
cdef bint is_listed(const State* state, const Ruleset* rules, const MoveData* move) except -1
cdef object lazy_moves(const State* state, CompiledRules compiled)
