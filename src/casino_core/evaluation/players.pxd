# Two quick players, greedy and careful: a score of each legal move from what its seat sees.
#
# The greedy player captures what is worth most, and trails low if it cannot capture. The careful
# player also weighs, by the chances of unseen cards, what builds promise and what a trail gives
# away; it is the better player and the better model of a player. Both read the table, the mover's
# own hand, the captured cards and the sizes of the other hands: never their cards, nor the stock.
# `look_around` is called once for a position, the score once for each move.
from libc.stdint cimport int32_t, uint64_t

from casino_core.moves.segments cimport Generator
from casino_core.moves.workspace cimport Arena
from casino_core.rules.types cimport MAX_BUILDS, Move, Ruleset, State, Stock, cards_t

cdef enum:
    POINT = 128                          # one point, in the unit of the scores of moves
    CERTAIN = 256                        # probability 1, in the unit of chances
    MOST_COUNTED = 17                    # numbers of cards of one value in a pack, from 0


cdef struct Outlook:                     # a position as the seat to play evaluates it
    const State* state
    const Ruleset* rules
    cards_t hand
    cards_t unseen
    int others                           # cards in the hands of the other sides
    unsigned int reach                   # bit s: some loose cards sum to s
    bint plays_last_card                 # of its hand, and no more are dealt
    int32_t absent[MOST_COUNTED]         # [n]: chance that the other sides hold none of
                                         # n unseen cards
    int32_t standing[MAX_BUILDS]         # expected worth of each build to the mover


cdef void look_around(Outlook* outlook, const Ruleset* rules, const State* state) noexcept nogil
cdef int32_t greedy_score(const Outlook* outlook, const Move* move) noexcept nogil
cdef int32_t careful_score(const Outlook* outlook, const Move* move) noexcept nogil
cdef int pick_greedy(Arena* arena, Generator* generator, const State* state, const Ruleset* rules,
                     bint careful, Move* best, int32_t* score) noexcept nogil
cdef int play_greedily(Arena* arena, Generator* generator, State* state, const Ruleset* rules,
                       const Stock* stock, bint careful, int plays) noexcept nogil
