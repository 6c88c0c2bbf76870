# How much a greedy player likes a move: the model that plays are weighed by.
from casino_core.rules.types cimport Move, Ruleset, State


cdef double move_score(const Ruleset* rules, const State* state, const Move* move) noexcept nogil
