# Estimates of what is still to come if a search stops before the end of a round, with the bounds by
# which the search may cut.
#
# An estimate has a number, such as FITTED or MATERIAL. It depends on the leads in cards and spades,
# on what is not yet captured, and on the number of loose cards of each rank and their points, so
# that it is equal for cards that count the same. To add one, give it a number and a name, its value
# in `estimated` and its range in `estimate_bounds`; the searches need no change.
from casino_core.rules.types cimport Ruleset, cards_t

cdef enum:                               # estimates
    FITTED = 0                           # leads and table, by statistics of rounds
    MATERIAL = 1                         # leads alone, by plain proportion
    NONSENSE = 2                         # any value, wide bounds: to test that cuts are sound
    LEARNED = 3                          # a network of the cards of the last deal, where these are
                                         # known (`last_deal`), else FITTED


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


cdef enum:
    WHOLE_SHARE = 32767                  # the share of a majority that is certain


cdef struct Shares:                      # the parts of an estimate, for side 0
    int cards                            # of most cards, from -WHOLE_SHARE to WHOLE_SHARE
    int spades
    int lead                             # of the table without its points, in thousandths of a
                                         # point
    int lying                            # for each point that lies on the table, the same


cdef int estimated(const Estimate* estimate, const Standing* standing, cards_t table, int stop,
                   int side) noexcept nogil
cdef void estimated_shares(const Estimate* estimate, const Standing* standing, cards_t table,
                           int stop, Shares* shares) noexcept nogil
cdef void estimate_bounds(const Estimate* estimate, const Standing* standing, const Stake* stake,
                          int stop, int side, int* lower, int* upper) noexcept nogil
cpdef int estimate_number(str name) except -1


cdef inline int majority_most(int lead, int left, int points) noexcept nogil:
    """The best result that a majority can still have: `points`, 0 or -`points`."""
    if lead + left > 0:
        return points
    return 0 if lead + left == 0 else -points
