# Many positions in one call: records of them in arrays, and loops over these. Layer 9.
from libc.stdint cimport uint16_t

from casino_core.core.types cimport Layout


cdef struct Record:                      # an element of a position array, 344 bytes; casino_core.arrays names the fields
    Layout layout                        # of its stock the cards to come only, or none where their order is not known
    uint16_t rules                       # index of the rule set, or UNREADABLE
