"""How much a greedy player likes a move: the model that plays are weighed by."""
from casino_core.moves.state cimport card_points
from casino_core.rules.types cimport CAPTURE, SPADES, TRAIL, cards_in_builds, cards_t, popcount

cdef double CARD_WORTH = 0.3             # its part in most cards
cdef double SPADE_WORTH = 0.3            # its part in most spades
cdef double BUILD_SHARE = 0.5            # of what a build holds: it may be lost
cdef double RANK_COST = 0.02             # of trailing a card, for each rank above the ace


cdef inline double worth(const Ruleset* rules, cards_t cards) noexcept nogil:
    """Points of cards, and their part in most cards and most spades."""
    return (card_points(rules, cards) + CARD_WORTH * popcount(cards)
            + SPADE_WORTH * rules.most_spades * popcount(cards & SPADES))


cdef double move_score(const Ruleset* rules, const State* state, const Move* move) noexcept nogil:
    """In points, roughly. It reads the move and what lies open, never a hand: likelihoods of many hands rely on it."""
    cdef cards_t cards = move.loose | <cards_t>1 << move.card | cards_in_builds(state, move.builds)
    cdef double score = worth(rules, cards)
    if move.kind == TRAIL:
        return -score - RANK_COST * (move.card >> 2)
    if move.kind != CAPTURE:
        return BUILD_SHARE * score
    if move.loose == state.table and popcount(move.builds) == state.build_count:
        score += rules.sweep
    return score
