# The exact mean of the last deal over its splits, for searches that stop before it.
from libc.stdint cimport uint64_t

from casino_core.rules.types cimport State
from casino_core.search.context cimport Search
from casino_core.search.limits cimport Limits


cdef struct DealMeans:
    Search means                         # its table holds the means
    Search deals                         # of last deals
    uint64_t salt                        # of the means, without the cards of the deal


cdef class LastDeals:
    cdef DealMeans data
    cdef readonly int splits


cdef int last_deal_mean(DealMeans* data, const State* dealt, int side,
                        Limits* limits) noexcept nogil
