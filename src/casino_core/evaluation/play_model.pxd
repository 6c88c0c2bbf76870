# How a strong player values its moves before the last deal, for the likelihood of plays.
from casino_core.rules.types cimport Move, Ruleset, State

cdef bint is_modelled(const Ruleset* rules, const State* state) noexcept nogil
cdef double strong_score(const Ruleset* rules, const State* state,
                         const Move* move) noexcept nogil
