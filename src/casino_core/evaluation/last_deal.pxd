# The value of the last deal before its hands are known, by a fitted network.
from casino_core.evaluation.estimate cimport Standing
from casino_core.evaluation.network cimport Network
from casino_core.rules.types cimport Ruleset, cards_t

cdef const Network* network_for(const Ruleset* rules) noexcept nogil
cdef int last_deal_value(const Network* network, const Ruleset* rules, const Standing* standing,
                         cards_t table, cards_t stock, int last_side, int unit,
                         int side) noexcept nogil
