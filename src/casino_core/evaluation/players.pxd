# Two quick players, greedy and careful: a score of each legal move from what its seat sees.
#
# The greedy one takes what is worth most and else trails low. The careful one also weighs, by the chances of the cards
# that are not seen, what builds promise and what a trail gives away; it is the better player and model of a player.
# Looked at are the table, the mover's own hand, the captured cards, and how many cards the others hold: never which
# ones, nor the stock. `look_around` is called once a position, the score once a move.
from libc.stdint cimport int32_t, uint64_t

from casino_core.moves.segments cimport Generator
from casino_core.moves.workspace cimport Arena
from casino_core.rules.types cimport MAX_BUILDS, Move, Ruleset, State, Stock, cards_t

cdef enum:
    POINT = 128                          # a point of the score, in the unit of the scores of moves
    CERTAIN = 256                        # a chance of one, in the unit of chances
    MOST_COUNTED = 17                    # cards of one value in a pack, and none


cdef struct Outlook:                     # what the seat to play makes of a position before it looks at moves
    const State* state
    const Ruleset* rules
    cards_t hand
    cards_t unseen
    int others                           # cards in the hands of the other sides
    unsigned int reach                   # bit s: some loose cards sum to s
    bint plays_last_card                 # of its own, and no more are dealt
    int32_t absent[MOST_COUNTED]         # [n]: chance that the other sides hold none of n cards that are not seen
    int32_t standing[MAX_BUILDS]         # what each build promises its side, or threatens


cdef void look_around(Outlook* outlook, const Ruleset* rules, const State* state) noexcept nogil
cdef int32_t greedy_score(const Outlook* outlook, const Move* move) noexcept nogil
cdef int32_t careful_score(const Outlook* outlook, const Move* move) noexcept nogil
cdef int pick_greedy(Arena* arena, Generator* generator, const State* state, const Ruleset* rules, bint careful,
                     Move* best, int32_t* score) noexcept nogil
cdef int play_greedily(Arena* arena, Generator* generator, State* state, const Ruleset* rules, const Stock* stock,
                       bint careful, int plays) noexcept nogil
