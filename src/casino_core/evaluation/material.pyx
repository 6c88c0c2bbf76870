"""The worth of captured cards: how a side stands at the end of a round or before it."""
from libc.stdint cimport int32_t

from casino_core.moves.state cimport is_over, score_round
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport MAX_SEATS

cdef enum:
    FAR_BEHIND = -(1 << 30)
    CARD = 9 * WORTH_POINT // 100        # a captured card towards most
                                         # cards, with three sides or more
    SPADE = 6 * WORTH_POINT // 100       # a spade towards most spades


cdef int side_worth(const Ruleset* rules, const State* state, int side) noexcept nogil:
    """Worth of what a side has gained so far, before the end of the round."""
    return captured_worth(rules, state.piles[side], CARD,
                          SPADE) + WORTH_POINT * rules.sweep * state.sweeps[side]


cdef int material_lead(const Ruleset* rules, const State* state, int own) noexcept nogil:
    """Worth of a side minus that of the best other side: exact at the end of the round, by captured
    cards before it."""
    cdef int32_t worth[MAX_SEATS]
    cdef int side, best = FAR_BEHIND
    cdef bint over = is_over(state)
    if over:
        score_round(state, rules, worth)
    for side in range(rules.sides):
        worth[side] = WORTH_POINT * worth[side] if over else side_worth(rules, state, side)
        if side != own and worth[side] > best:
            best = worth[side]
    return worth[own] - best


def worth_of(CompiledRules compiled not None, cards, *, int card, int spade):
    """Worth of captured cards, in points.

    Args:
        compiled: the rules.
        cards: a `CardSet`.
        card: worth of a card towards most cards, in 3200ths of a point.
        spade: worth of a spade towards each point of most spades, in 3200ths of a point.

    Example:
        >>> from casino_core import CardSet, Rules
        >>> from casino_core.rules.ruleset import CompiledRules
        >>> worth_of(CompiledRules(Rules()), CardSet("As7s"), card=320, spade=640)
        1.6
    """
    return captured_worth(&compiled.ruleset, cards.mask, card, spade) / <double>WORTH_POINT
