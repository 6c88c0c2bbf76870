# How many plays of the deal can still sweep, for two seats whose cards are all known.
#
# A sweep takes all that lies on the table. What lies there and can be taken by no card in a hand
# stays to the end of the deal, and nobody sweeps before it.
from casino_core.moves.state cimport set_value_sum
from casino_core.rules.types cimport (
    Ruleset, State, build_value, cards_t, highest, lowest, popcount, values_of,
)
from casino_core.search.context cimport Search


cdef inline int value_on_top(const Ruleset* rules, cards_t cards) noexcept nogil:
    """The largest value of one of the cards; 0 if none has a value."""
    cards &= rules.valued
    if not cards:
        return 0
    if rules.aces_high and cards & 15:
        return 14
    return rules.sum_value[highest(cards) >> 2]


cdef inline int value_to_take(const Ruleset* rules, const State* state) noexcept nogil:
    """No card of a smaller value takes all that lies on the table, now or later."""
    cdef cards_t valued = state.table & rules.valued
    cdef int i, value = rules.sum_value[highest(valued) >> 2] if valued else 0
    for i in range(state.build_count):
        value = max(value, build_value(state.builds[i]))
    return value


cdef inline bint nothing_sweeps(const Ruleset* rules, const State* state,
                                cards_t hands) noexcept nogil:
    """Whether something lies on the table that no card of the hands can ever take."""
    cdef cards_t without = state.table & ~rules.valued
    if value_to_take(rules, state) > value_on_top(rules, hands):
        return True
    while without:                       # taken by a card of their rank only
        if not hands >> (lowest(without) & ~3) & 15:
            return True
        without &= without - 1
    return False


cdef inline bint may_sweep_now(const Ruleset* rules, const State* state,
                               cards_t hand) noexcept nogil:
    """Whether a card of a hand might sweep with the next play; False only if none does."""
    cdef cards_t without = state.table & ~rules.valued, rank
    cdef int value, least, total
    cdef unsigned int values
    if without:                          # taken by cards of their rank, with nothing else
        rank = <cards_t>15 << (lowest(without) & ~3)
        return not state.build_count and not state.table & ~rank and (hand & rank) != 0
    least = value_to_take(rules, state)
    if least == 0:
        return False                     # an empty table
    total = set_value_sum(rules, state.table)
    values = values_of(rules, hand) >> least << least
    while values:
        value = lowest(values)
        if total % value == 0 or (value == 14 and rules.aces_high and state.table & 15):
            return True
        values &= values - 1
    return False


cdef inline bint hands_stay(const Ruleset* rules, const State* state) noexcept nogil:
    """Whether sweeps score and two seats play the deal with the cards in their hands alone."""
    return rules.sweep and rules.seats == 2 and not (rules.draw and state.stock)


cdef inline void limit_sweeps(const Search* search, const State* state, int alpha, int beta,
                              int* lower, int* upper) noexcept nogil:
    """Narrow bounds of the value to go, in which each play left may sweep, where that may take them
    out of the window; where `hands_stay`."""
    cdef int worth = search.unit * search.rules.sweep
    cdef int mine = worth * popcount(state.hands[state.turn])
    cdef int others = worth * popcount(state.hands[state.turn ^ 1])
    if upper[0] <= alpha or lower[0] >= beta:
        return
    if upper[0] - mine > alpha and lower[0] + others < beta:
        return
    if nothing_sweeps(search.rules, state, state.hands[0] | state.hands[1]):
        upper[0] -= mine
        lower[0] += others
    elif not may_sweep_now(search.rules, state, state.hands[state.turn]):
        upper[0] -= worth
