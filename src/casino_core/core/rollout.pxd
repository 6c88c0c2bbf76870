# How good a play looks at a glance, for playing a deal out quickly. Layer 4.
#
# Looked at are the table, the mover's own hand, the captured cards, and how many cards the others hold: never which.
from libc.stdint cimport int32_t

from casino_core.core.types cimport MAX_BUILDS, Move, Ruleset, State, cards_t

cdef enum:
    GLANCE_POINT = 128                   # a point, in the unit of what a play looks to be worth
    GLANCE_COUNTED = 17                  # cards of one value in a pack, and none


cdef struct Glance:                      # what the seat to play makes of a position before it looks at plays
    cards_t unseen
    unsigned int reach                   # bit s: some loose cards sum to s
    bint last_card                       # of its own, and no more are dealt
    int others                           # cards in the hands of the other sides
    int32_t absent[GLANCE_COUNTED]       # [n]: chance, 256 being one, that the others hold none of n cards not seen
    int32_t standing[MAX_BUILDS]         # what each build promises its side


cdef void take_glance(Glance* glance, const State* state, const Ruleset* rules) noexcept nogil
cdef int32_t glance_worth(const Glance* glance, const State* state, const Ruleset* rules, const Move* move) noexcept nogil
