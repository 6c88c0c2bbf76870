# The rounds of an information-set tree search: down the tree, to the end of the deal, and what is learnt.
#
# Two kinds of rounds take turns. In a round of the *model* every hand that the table does not show is dealt anew, that of
# the searching seat too, and all seats learn: what they learn is what any looker-on could, so the others' plays never
# rest on cards that they cannot see. In a round of the *search* the searching seat holds its own hand, it alone learns,
# and the others play what the model has found best. Where nothing is hidden from anyone, there is one tree for all.
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from casino_core.hidden.dealing cimport Hidden
from casino_core.hints.tree.memory cimport Play, Tree
from casino_core.rules.types cimport MAX_SEATS, Move, Rng
from casino_core.search.context cimport Search
from casino_core.search.limits cimport Limits

cdef enum:
    TREE_MOVES = 512                     # moves of a position up to which it is part of the tree
    UNIT = 60                            # parts of a point that estimates are counted in
    MOST_PLAYS = 64                      # of a deal, or of the part of a round that is played out


cdef struct RootMove:
    Move move
    uint64_t key
    double total                         # of the values that came of it
    double squares
    double behind                        # points that it looks worse than the best at a glance
    int64_t visits


cdef struct Learner:                     # one kind of rounds
    Hidden hidden
    Rng rng
    int64_t rounds
    double mean                          # of the values of its rounds for the side of the root, and their spread
    double squares
    double spread


cdef struct Step:                        # a play of a round that learns from its end
    Play* play
    int side


cdef struct Searcher:
    Search search                        # generator, memory for moves, and which cards are alike
    Tree tree
    Learner own
    Learner model
    RootMove* root
    int64_t root_count
    int seat                             # whose move is looked for
    int side
    int plays                            # of the rounds: to the end of the deal, or fewer where cards are drawn
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
