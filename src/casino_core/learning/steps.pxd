# A turn as steps over 121 numbers: the card, what it does, the cards taken one by one, done.
#
# A play is one word: bits 0-51 the cards taken, 52-55 what the card does, 56-61 the card. Of a
# build on the table its lowest card stands for the build. A set of cards is taken in the order of
# their numbers, so that each play has one sequence of steps.
from libc.stdint cimport int64_t, uint32_t, uint64_t, uint8_t

from casino_core.game.position cimport Position
from casino_core.moves.segments cimport Generator
from casino_core.moves.workspace cimport Arena
from casino_core.rules.types cimport Move, Ruleset, State, cards_t

ctypedef uint64_t play_t

cdef enum:
    STEP_TAKE = 52                       # and the card's number; below it, the card is played
    STEP_WHAT = 104                      # and what it does: 0 trail, 1 capture, 1 + V build of V
    STEP_DONE = 120
    STEPS = 121
    WHATS = 16
    TRAILS = 0
    CAPTURES = 1
    PLAY_WHAT = 52
    PLAY_CARD = 56


cdef struct Prefix:                      # the steps of an unfinished turn
    cards_t taken
    uint8_t count                        # steps; 1 and more: the card, 2 and more: what
    uint8_t card
    uint8_t what


cdef struct Offer:                       # the steps that may follow, a bit for each
    cards_t cards                        # cards to play, or cards to take
    uint32_t whats                       # what the card may do
    bint done
    bint playing                         # `cards` are cards to play


cdef inline cards_t play_taken(play_t play) noexcept nogil:
    return play & ((<cards_t>1 << 52) - 1)


cdef inline int play_what(play_t play) noexcept nogil:
    return <int>(play >> PLAY_WHAT) & 15


cdef inline int play_card(play_t play) noexcept nogil:
    return <int>(play >> PLAY_CARD)


cdef play_t play_of(const State* state, const Move* move) noexcept nogil
cdef void move_of(const State* state, play_t play, Move* move) noexcept nogil
cdef int64_t list_plays(Generator* generator, Arena* arena, const State* state,
                        const Ruleset* rules, bint some) noexcept nogil
cdef void offer_steps(const play_t* plays, int64_t count, const Prefix* prefix,
                      Offer* offer) noexcept nogil
cdef bint is_offered(const Offer* offer, int64_t step) noexcept nogil
cdef bint take_step(play_t* plays, int64_t* count, Prefix* prefix, int step) noexcept nogil


cdef class Choice:
    cdef bytes plays                     # words, those that begin with the steps so far
    cdef int64_t count
    cdef Prefix prefix
    cdef readonly Position position
    cdef readonly tuple steps
    cdef bint some                       # of very many moves, some are offered
    cdef readonly bint complete          # the steps make a move

    cdef const play_t* first(self) noexcept
