# The value of the last deal before its hands are known, by a fitted network.
from libc.stdint cimport int16_t, int32_t

from casino_core.evaluation.estimate cimport Standing
from casino_core.rules.types cimport Ruleset, cards_t

cdef extern from "last_deal.h" nogil:
    ctypedef struct Net "cc_last_deal_net":
        int16_t first_bias[1]

cdef const Net* net_for(const Ruleset* rules) noexcept nogil
cdef int last_deal_value(const Net* net, const Ruleset* rules, const Standing* standing,
                         cards_t table, cards_t stock, int last_side, int unit,
                         int side) noexcept nogil
