# Questions about what may be captured or made, answered without a list of moves.
from libc.stdint cimport uint32_t

from casino_core.rules.types cimport Ruleset, State, cards_t, values_of


cdef bint can_capture(const Ruleset* rules, const State* state, cards_t table, uint32_t gone,
                      int seat, int card) noexcept nogil
cdef bint can_sweep(const Ruleset* rules, const State* state, cards_t table, uint32_t gone,
                    int card) noexcept nogil
cdef bint may_capture(const Ruleset* rules, cards_t hand, cards_t others) noexcept nogil
cdef bint each_by_itself(const Ruleset* rules, const State* state) noexcept nogil


cdef inline bint can_announce(const Ruleset* rules, cards_t hand, int card,
                              int value) noexcept nogil:
    """Whether a hand has another card of the announced value; a `value` of 0 is no build."""
    return not value or values_of(rules, hand & ~(<cards_t>1 << card)) >> value & 1
