# The goal of a hint that plays for the match: the chance to win it, by what a round brings.
#
# At the end of a round the chance is known from the points of both sides, and under
# `finish=count_out` from the order in which they are counted. Before the end it is expected: most
# cards goes to either side or to nobody, and then each other point that is still open goes to
# either side with a chance of its own.
from libc.stdint cimport int32_t, uint8_t

from casino_core.evaluation.estimate cimport Estimate, Standing
from casino_core.rules.types cimport Ruleset, State, cards_t

cdef enum:
    CERTAIN_WIN = 1000000000             # the unit of chances
    MOST_STEPS = 24                      # of counting
    MOST_OPEN = 48                       # points that may be open before sweeps


cdef struct Chances:                     # of side 0, of two; made for a score and rules
    int needs[2]                         # points that each side still needs
    bint counts_out                      # the first to get there wins
    int steps                            # of counting, before sweeps
    cards_t cards[MOST_STEPS]            # the card of a step; 0 for a majority
    uint8_t spades[MOST_STEPS]           # whether a majority is that of spades
    uint8_t points[MOST_STEPS]
    int size                             # rows and columns of the tables
    const int32_t* ended                 # by points of side 0, then of side 1: where a round ends
    const int32_t* coming                # the same where the sweeps of its rest are still to come


cdef int32_t ended_chance(const Chances* chances, const Ruleset* rules,
                          const State* state) noexcept nogil
cdef int32_t best_chance(const Chances* chances, const Ruleset* rules, const State* state,
                         cards_t left, int side, int sweeps) noexcept nogil
cdef int32_t expected_chance(const Chances* chances, const Estimate* estimate, const State* state,
                             const Standing* standing, cards_t out, int stop) noexcept nogil


cdef class Goal:
    cdef Chances chances
    cdef bytes ended
    cdef bytes coming
