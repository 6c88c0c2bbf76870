# Hands that fit what is known of a seat: all of them with their weights, or drawn at random.
from libc.stdint cimport int64_t, uint16_t

from casino_core.moves.segments cimport Generator
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport DECK, Move, Rng, Ruleset, State, cards_t

cdef enum:
    MAX_NEEDS = 64
    MAX_PLAYS = 12                       # plays of one seat in one deal
    MAX_HANDS = 1 << 18                  # hands listed at once


cdef struct Need:                        # the hand has at least so many of these cards
    cards_t cards
    int count


cdef struct PastPlay:                    # a play of the seat in this deal, and what it tells of a hand
    State state                          # before it; the mover's hand is filled in
    Move move
    cards_t later                        # cards that he has played since, this one included
    bint by_card                         # the tables below hold, and no hand need be listed
    bint possible                        # by_card: the play is legal for some hand
    double chosen                        # by_card: exp(score / temperature) of the play
    double total[DECK][16]               # [card][V]: sum of that over builds of V; [card][0]: over other moves
    int counts[DECK][16]                 # and how many moves


cdef struct Knowledge:                   # all that is known of one seat's hand
    cards_t known                        # cards of it that are seen
    cards_t unseen                       # cards that the others may be
    int size                             # how many those are
    int needs
    Need need[MAX_NEEDS]
    bint weighted                        # odds other than 1
    double odds[DECK]
    int plays
    PastPlay* play
    bint legal_only                      # a play tells only what makes it illegal
    double temperature                   # of the softmax over scores, in points
    double chance                        # share of plays that are any legal move


cdef double hand_weight(Knowledge* knowledge, Generator* generator, const Ruleset* rules,
                        cards_t hidden) noexcept nogil


cdef class Hands:
    cdef CompiledRules compiled
    cdef Knowledge knowledge
    cdef Generator generator
    cdef cards_t* hand                   # hidden cards, the ways that fit
    cdef double* upto                    # sum of weights up to and with each
    cdef double most                     # no way has a larger weight
    cdef readonly int64_t count          # ways that fit; -1 where they are too many to list
    cdef object made_of                  # all that it was made of, by which it is copied and compared
    cdef cards_t draw(self, Rng* rng) noexcept nogil
