"""How good a play looks at a glance, for playing a deal out quickly."""
from libc.stdint cimport int32_t, uint32_t

from casino_core.core.state cimport card_points, hand_size
from casino_core.core.sums cimport reachable_sums
from casino_core.core.types cimport (
    CAPTURE, DECK, RAISE_BUILD, SPADES, TRAIL, build_cards, build_owner, build_value, lowest, popcount, side_of,
)

cdef enum:
    CARD = 26                            # a card, as its part in most cards
    SPADE = 20                           # a spade, as its part in most spades
    HIGHER = 2                           # trailing a card one higher
    CERTAIN = 256


cdef inline int32_t worth(const Ruleset* rules, cards_t cards) noexcept nogil:
    """Captured cards: their points, and their part in most cards and most spades."""
    return (GLANCE_POINT * card_points(rules, cards) + CARD * popcount(cards)
            + SPADE * rules.most_spades * popcount(cards & SPADES))


cdef inline int32_t promise(const Glance* glance, const State* state, const Ruleset* rules, cards_t cards, int value,
                            int owner) noexcept nogil:
    """A build of the mover's side is its own unless another can take it; one of the others is theirs."""
    if side_of(rules, owner) != side_of(rules, state.turn):
        return -worth(rules, cards)
    return worth(rules, cards) * (2 * glance.absent[popcount(rules.by_value[value] & glance.unseen)] - CERTAIN) // CERTAIN


cdef void take_glance(Glance* glance, const State* state, const Ruleset* rules) noexcept nogil:
    """Make ready for the plays of the seat to play, whose hand is known."""
    cdef cards_t seen = state.table | state.hands[state.turn]
    cdef int seat, i, unseen, side = side_of(rules, state.turn), most = 0, count
    glance.others = 0
    for seat in range(rules.seats):
        if side_of(rules, seat) != side:
            glance.others += hand_size(state, seat)
    for i in range(rules.sides):
        seen |= state.piles[i]
    for i in range(state.build_count):
        seen |= build_cards(state.builds[i])
    glance.unseen = ((<cards_t>1 << DECK) - 1) & ~seen
    glance.reach = reachable_sums(rules, state.table)
    glance.last_card = not state.stock and popcount(state.hands[state.turn]) == 1
    unseen = popcount(glance.unseen)
    most = 4
    if popcount(rules.by_value[10]) > 4:   # court cards count ten too
        most = GLANCE_COUNTED - 1
    glance.absent[0] = CERTAIN
    for i in range(most):                # drawn without putting back
        count = unseen - glance.others - i
        glance.absent[i + 1] = glance.absent[i] * count // (unseen - i) if count > 0 else 0
    for i in range(state.build_count):
        glance.standing[i] = promise(glance, state, rules, build_cards(state.builds[i]), build_value(state.builds[i]),
                                     build_owner(state.builds[i]))


cdef int32_t glance_worth(const Glance* glance, const State* state, const Ruleset* rules, const Move* move) noexcept nogil:
    """What a play takes and promises, less what a trail gives away."""
    cdef cards_t cards = move.loose | <cards_t>1 << move.card
    cdef cards_t rest
    cdef uint32_t builds = move.builds
    cdef unsigned int takes
    cdef int32_t score = 0, safe, back = 0
    cdef int i, rank = move.card >> 2
    if move.kind == TRAIL:
        rest = state.hands[state.turn] ^ cards
        safe = glance.absent[popcount(<cards_t>15 << 4 * rank & glance.unseen)]
        if rest >> 4 * rank & 15:
            back = worth(rules, cards) // 2
        if rules.sum_value[rank]:
            takes = glance.reach << rules.sum_value[rank] & 0x7FFE & ~(<unsigned int>1 << rules.sum_value[rank])
            while takes:
                i = lowest(takes)
                takes &= takes - 1
                safe = safe * glance.absent[popcount(rules.by_value[i] & glance.unseen)] // CERTAIN
                if rest & rules.by_value[i]:
                    back = worth(rules, cards) // 2
        return ((safe * back - (CERTAIN - safe) * worth(rules, cards)) // CERTAIN
                - HIGHER * (rules.sum_value[rank] if rules.sum_value[rank] else 2))
    while builds:
        i = lowest(builds)
        builds &= builds - 1
        cards |= build_cards(state.builds[i])
        score -= glance.standing[i]
    if move.kind != CAPTURE:
        if move.kind == RAISE_BUILD and rules.merge:
            for i in range(state.build_count):
                if build_value(state.builds[i]) == move.value:
                    cards |= build_cards(state.builds[i])
                    score -= glance.standing[i]
        return score + promise(glance, state, rules, cards, move.value, state.turn)
    score += worth(rules, cards)
    if move.loose == state.table and popcount(move.builds) == state.build_count:
        return score + GLANCE_POINT * rules.sweep
    if glance.last_card:                 # who captures last gets what lies there
        rest = state.table ^ move.loose
        for i in range(state.build_count):
            if not move.builds >> i & 1:
                rest |= build_cards(state.builds[i])
        score += worth(rules, rest) // (1 + glance.others)
    return score
