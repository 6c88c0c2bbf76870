# Rounds of an information-set tree search: selection, expansion, playout and backpropagation.
#
# Two kinds of rounds alternate. In a round of the *model* every hidden hand is dealt anew, also
# that of the searching seat, and all seats learn. As they learn only what a spectator could, the
# plays of the others never depend on cards that they cannot see. In a round of the *search* the
# searching seat holds its own hand, it alone learns, and the others play the best moves of the
# model. If nothing is hidden from anyone, there is one tree for all seats.
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from casino_core.evaluation.goal cimport Chances
from casino_core.hidden.dealing cimport Hidden
from casino_core.hints.tree.memory cimport Play, Tree
from casino_core.rules.types cimport MAX_SEATS, Move, Rng
from casino_core.search.context cimport Likeness, Search
from casino_core.search.limits cimport Limits

cdef enum:
    TREE_MOVES = 512                     # the most moves of a position in the tree
    UNIT = 60                            # units of a value in one point
    CERTAIN_POINTS = 20                  # points that a certain win counts more than a certain loss
    MOST_PLAYS = 64                      # the most plays of a round of the search


cdef struct RootMove:
    Move move
    uint64_t key
    double total                         # sum of its values
    double squares
    double behind                        # points that its careful score is below the best
    int64_t visits


cdef struct Learner:                     # one kind of rounds
    Hidden hidden
    Rng rng
    int64_t rounds
    double mean                          # of the values for the side of the root
    double squares
    double spread


cdef struct Step:                        # a play whose statistics are updated
    Play* play
    int side


cdef struct Searcher:
    Search search                        # generator, memory for moves, equivalence of cards
    const Chances* goal                  # NULL: the goal is points
    Likeness likeness                    # with a goal
    Tree tree
    Learner own
    Learner model
    RootMove* root
    int64_t root_count
    int seat                             # the searching seat
    int side
    int plays                            # of a round: to the end of the deal, or fewer in draw
    bint open                            # nothing is hidden from anyone
    uint32_t stamp                       # of the last visit to a node
    uint64_t keys[TREE_MOVES]            # of the moves at hand
    Play* found[TREE_MOVES]
    int32_t worth[TREE_MOVES]
    Step steps[MOST_PLAYS]
    int step_count
    double value[MAX_SEATS]              # per side, of the last round


cdef void open_learner(Learner* learner, uint64_t seed) noexcept nogil
cdef double root_worth(const Searcher* searcher, const RootMove* move) noexcept nogil
cdef uint64_t key_of(const Search* search, const Move* move) noexcept nogil
cdef int run_rounds(Searcher* searcher, int64_t rounds, Limits* limits) noexcept nogil
