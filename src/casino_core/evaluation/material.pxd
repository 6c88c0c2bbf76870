# What captured cards are worth before the end of a round: their points, and what they count for the
# two majorities.
from casino_core.moves.state cimport card_points
from casino_core.rules.types cimport Ruleset, SPADES, State, cards_t, popcount

cdef enum:
    WORTH_POINT = 3200                   # a point, in the one unit of worths: 100 and 128 divide it


cdef inline int captured_worth(const Ruleset* rules, cards_t cards, int card,
                               int spade) noexcept nogil:
    """Worth of cards that one side has captured: their points, `card` for each card towards most
    cards, and `spade` for each spade and each point of most spades."""
    return (WORTH_POINT * card_points(rules, cards) + card * popcount(cards)
            + spade * rules.most_spades * popcount(cards & SPADES))


cdef int side_worth(const Ruleset* rules, const State* state, int side) noexcept nogil
cdef int material_lead(const Ruleset* rules, const State* state, int own) noexcept nogil
