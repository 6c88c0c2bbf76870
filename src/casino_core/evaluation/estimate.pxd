# What is still to come is worth where a search stops before the end of a round, and the bounds by which it may cut.
#
# An estimate is a number, FITTED, MATERIAL or another. It goes by the leads in cards and spades, by what is not yet
# captured, and by how many loose cards of each rank lie on the table and their points: cards that count the same are one
# to it. To add one, give it a number and a name, and say in `estimated` what it is worth and in `estimate_bounds` which
# values it may have; no search need know.
from casino_core.rules.types cimport Ruleset, cards_t

cdef enum:                               # estimates
    FITTED = 0                           # leads, and the table for who leads in the next deal, as statistics have it
    MATERIAL = 1                         # leads alone, by plain proportion
    NONSENSE = 2                         # any value, wide bounds: for tests of what searches cut


cdef enum:                               # where a search stops
    MIDWAY = 0                           # in a deal
    DEAL_COMES = 1                       # at the end of a deal that is followed by two or more
    LAST_DEAL_COMES = 2


cdef enum:
    MOST_CARDS = 3                       # points


cdef struct Standing:                    # of a side against the other
    int cards_mine
    int cards_others
    int spades_mine
    int spades_others
    int cards_left                       # outside the piles
    int spades_left
    int points_left                      # of cards outside the piles


cdef struct Stake:                       # what may be captured before a search stops
    int points
    int cards
    int spades
    int mine                             # plays of the side
    int others                           # plays of the other side


cdef struct Estimate:
    int kind
    int unit                             # value of one point
    const Ruleset* rules                 # of two sides


cdef int estimated(const Estimate* estimate, const Standing* standing, cards_t table, int stop, int side) noexcept nogil
cdef void estimate_bounds(const Estimate* estimate, const Standing* standing, const Stake* stake, int stop, int side,
                          int* lower, int* upper) noexcept nogil
cpdef int estimate_number(str name) except -1


cdef inline int majority_most(int lead, int left, int points) noexcept nogil:
    """The best that a majority can still bring: points, 0 or minus points."""
    if lead + left > 0:
        return points
    return 0 if lead + left == 0 else -points
