# A greedy score of moves: the player model of the likelihood of plays.
from casino_core.rules.types cimport Move, Ruleset, State


cdef double move_score(const Ruleset* rules, const State* state, const Move* move) noexcept nogil
