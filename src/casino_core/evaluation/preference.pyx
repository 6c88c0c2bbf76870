"""A greedy score of moves: the player model of the likelihood of plays."""
from casino_core.evaluation.material cimport WORTH_POINT, captured_worth
from casino_core.rules.types cimport CAPTURE, TRAIL, cards_in_builds, cards_t, popcount

cdef enum:
    CARD = 3 * WORTH_POINT // 10         # a card towards most cards
    SPADE = 3 * WORTH_POINT // 10        # a spade towards most spades

cdef double BUILD_SHARE = 0.5            # of the cards in a build: it may be lost
cdef double RANK_COST = 0.02             # of trailing a card, for each rank above the ace


cdef double move_score(const Ruleset* rules, const State* state, const Move* move) noexcept nogil:
    """The score of a move, roughly in points. It reads the move and the cards in sight, never a
    hand: tables of likelihoods for many hands rely on it."""
    cdef cards_t cards = move.loose | <cards_t>1 << move.card | cards_in_builds(state, move.builds)
    cdef double score = captured_worth(rules, cards, CARD, SPADE) / <double>WORTH_POINT
    if move.kind == TRAIL:
        return -score - RANK_COST * (move.card >> 2)
    if move.kind != CAPTURE:
        return BUILD_SHARE * score
    if move.loose == state.table and popcount(move.builds) == state.build_count:
        score += rules.sweep
    return score
