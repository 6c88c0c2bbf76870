# Hidden hands of a seat that fit what is known, listed with their posterior weights or sampled.
from libc.stdint cimport int64_t, uint16_t

from casino_core.moves.segments cimport Generator
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport DECK, Move, Rng, Ruleset, State, cards_t

cdef enum:
    MAX_NEEDS = 64
    MAX_PLAYS = 12                       # plays of one seat in one deal
    MAX_HANDS = 1 << 18                  # hands listed at once


cdef struct Need:                        # the hand has at least `count` of these cards
    cards_t cards
    int count


cdef struct PastPlay:                    # a play of the seat in this deal, with its likelihoods
    State state                          # before it; the mover's hand is filled in
    Move move
    cards_t later                        # cards that the seat has played since, this one included
    bint modelled                        # a strong player's scores count, too
    bint by_card                         # likelihoods come from the tables below
    bint possible                        # by_card: the play is legal for some hand
    double chosen                        # by_card: exp(score / temperature) of the play
    double total[DECK][16]               # [card][V]: its sum over builds of V,
                                         # [card][0]: over other moves
    int counts[DECK][16]                 # the numbers of these moves


cdef struct Knowledge:                   # all that is known of one seat's hand
    cards_t known                        # known cards of the hand
    cards_t unseen                       # cards that the hidden ones may be
    int size                             # number of hidden cards
    int needs
    Need need[MAX_NEEDS]
    bint weighted                        # odds other than 1
    double odds[DECK]
    int plays
    PastPlay* play
    bint legal_only                      # a play only excludes hands for which it is illegal
    double temperature                   # of the softmax over scores, in points
    double chance                        # share of plays that are any legal move


cdef double hand_weight(Knowledge* knowledge, Generator* generator, const Ruleset* rules,
                        cards_t hidden) noexcept nogil


cdef class Hands:
    cdef CompiledRules compiled
    cdef Knowledge knowledge
    cdef Generator generator
    cdef cards_t* hand                   # hidden cards of each hand that fits
    cdef double* upto                    # cumulative weights
    cdef double most                     # upper bound of the weights
    cdef readonly int64_t count          # hands that fit; -1 if too many to list
    cdef object made_of                  # the arguments, for copies and comparison
    cdef cards_t draw(self, Rng* rng) noexcept nogil
