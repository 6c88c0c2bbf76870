"""Questions about what may be captured or made, answered without a list of moves."""
from libc.stdint cimport uint16_t, uint8_t

from casino_core.moves.sums cimport count_values, splits
from casino_core.rules.types cimport (
    COURT_CAPTURE_ALL, COURT_CAPTURE_ANY, COURT_CAPTURE_ONE_OR_THREE, TRAIL_LAST_RESORT,
    build_owner, build_value, lowest, popcount,
)


cdef bint can_sweep(const Ruleset* rules, const State* state, cards_t table, uint32_t gone,
                    int card) noexcept nogil:
    """Whether a card can capture all of `table` and all builds but those in `gone` in one play;
    False if there is nothing to capture."""
    cdef uint16_t values = rules.values_of_rank[card >> 2]
    cdef uint32_t standing = ((<uint32_t>1 << state.build_count) - 1) & ~gone
    cdef uint8_t counts[16]
    cdef int i, value, count
    if not values:
        count = popcount(table)
        if standing or table & ~(<cards_t>15 << (card & ~3)) or not count:
            return False
        return (count == 1 or rules.court_capture == COURT_CAPTURE_ALL
                or rules.court_capture == COURT_CAPTURE_ANY
                or (count == 3 and rules.court_capture == COURT_CAPTURE_ONE_OR_THREE))
    if table & ~rules.valued or not (table or standing):
        return False
    for i in range(state.build_count):
        if standing >> i & 1:
            values &= <uint16_t>(1 << build_value(state.builds[i]))
    while values:
        value = lowest(values)
        values &= values - 1
        count_values(rules, table, counts)
        if splits(counts, value, rules.aces_high):
            return True
    return False


cdef inline bint owns_both_of_an_ace(const State* state, uint32_t gone, int seat) noexcept nogil:
    """Whether a seat owns builds of 1 and of 14."""
    cdef uint16_t owned = 0
    cdef int i
    for i in range(state.build_count):
        if not gone >> i & 1 and build_owner(state.builds[i]) == seat:
            owned |= <uint16_t>(1 << build_value(state.builds[i]))
    return owned & 0x4002 == 0x4002


cdef bint can_capture(const Ruleset* rules, const State* state, cards_t table, uint32_t gone,
                      int seat, int card) noexcept nogil:
    """Whether a seat's only card can capture anything of `table`, or a build not in `gone`."""
    cdef uint16_t values = rules.values_of_rank[card >> 2]
    cdef cards_t left = table & rules.valued
    cdef unsigned int sums = 1
    cdef int i
    if rules.aces_high and card < 4 and owns_both_of_an_ace(state, gone, seat):
        return False                     # after taking one build it could not take the other
    if table >> (card & ~3) & 15:
        return True
    if not values:
        return False
    for i in range(state.build_count):
        if values >> build_value(state.builds[i]) & 1 and not gone >> i & 1:
            return True
    if rules.aces_high and values >> 14 & 1 and left & 15:
        return True
    while left:
        sums |= sums << rules.sum_value[lowest(left) >> 2]
        left &= left - 1
    return (sums & values & 0x7FFE) != 0


cdef bint may_capture(const Ruleset* rules, cards_t hand, cards_t others) noexcept nogil:
    """Whether any card of a hand may still capture something, now or later.

    `others` are all other cards outside the piles. A card captures cards of its rank or sums of
    its value, loose or in a build.
    """
    cdef cards_t left, rest = hand | others
    cdef unsigned int sums = 1, with_hand
    cdef uint16_t values = 0
    cdef int rank
    left = hand
    while left:
        rank = lowest(left) >> 2
        if rest >> 4 * rank & 15 & ~(<cards_t>1 << (lowest(left) & 3)):
            return True
        values |= rules.values_of_rank[rank]
        left &= left - 1
    rest = others & rules.valued
    while rest:
        sums |= sums << rules.sum_value[lowest(rest) >> 2]
        if sums & values:
            return True
        rest &= rest - 1
    if hand & (hand - 1):
        left = hand & rules.valued
        while left:                      # after the rest of the hand is trailed
            with_hand = sums
            rest = hand & rules.valued & ~(left & (0 - left))
            while rest:
                with_hand |= with_hand << rules.sum_value[lowest(rest) >> 2]
                rest &= rest - 1
            if with_hand & rules.values_of_rank[lowest(left) >> 2]:
                return True
            left &= left - 1
    return False


cdef bint each_by_itself(const Ruleset* rules, const State* state) noexcept nogil:
    """Whether the legal moves of a card are independent of the rest of the hand, except that a
    build needs another card of its value there.

    They are, unless the seat to play owns a build, may build for a value that its partner has
    declared, or may trail only if no card of its hand has another play.
    """
    cdef int i
    if rules.partner_builds or rules.trail == TRAIL_LAST_RESORT:
        return False
    for i in range(state.build_count):
        if build_owner(state.builds[i]) == state.turn:
            return False
    return True
