# Positions as records in arrays, checked before anything works on them.
from libc.stdint cimport uint16_t

from casino_core.rules.types cimport Layout, Ruleset


cdef enum:
    MOST_RULES = 256                     # rule sets of an array
    UNREADABLE_RULES = 0xFFFF            # the rules' index of an item that could not be read


# An element of a position array, 344 bytes; batch.arrays names the fields.
cdef struct Record:
    Layout layout                        # its stock has the cards to come only, or none
                                         # if their order is not known
    uint16_t rules                       # index of the rule set, or UNREADABLE_RULES

cdef bint is_sound(const Layout* layout, const Ruleset* rules) noexcept nogil
