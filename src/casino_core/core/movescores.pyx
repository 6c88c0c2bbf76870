"""How much a greedy player likes a move: the model that plays are weighed by."""
from casino_core.core.types cimport BUILD_VALUE_SHIFT, CAPTURE, SPADES, TRAIL, cards_t, popcount

cdef double CARD_WORTH = 0.3             # its part in most cards
cdef double SPADE_WORTH = 0.3            # its part in most spades
cdef double BUILD_SHARE = 0.5            # of what a build holds: it may be lost
cdef double RANK_COST = 0.02             # of trailing a card, for each rank above the ace


cdef inline double worth(const Ruleset* rules, cards_t cards) noexcept nogil:
    """Points of cards, and their part in most cards and most spades."""
    cdef int points = (popcount(cards & rules.point_cards[0]) + popcount(cards & rules.point_cards[1])
                       + popcount(cards & rules.point_cards[2]))
    return points + CARD_WORTH * popcount(cards) + SPADE_WORTH * popcount(cards & SPADES)


cdef double move_score(const Ruleset* rules, const State* state, const Move* move) noexcept nogil:
    """In points, roughly. It reads the move and what lies open, never a hand: likelihoods of many hands rely on it."""
    cdef cards_t cards = move.loose | <cards_t>1 << move.card
    cdef double score
    cdef int i, taken = 0
    for i in range(state.build_count):
        if move.builds >> i & 1:
            cards |= state.builds[i] & ((<cards_t>1 << BUILD_VALUE_SHIFT) - 1)
            taken += 1
    score = worth(rules, cards)
    if move.kind == TRAIL:
        return -score - RANK_COST * (move.card >> 2)
    if move.kind != CAPTURE:
        return BUILD_SHARE * score
    if move.loose == state.table and taken == state.build_count:
        score += rules.sweep
    return score
