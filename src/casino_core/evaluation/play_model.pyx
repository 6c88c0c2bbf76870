"""How a strong player values its moves before the last deal, for the likelihood of plays.

A network fitted to the values that hints give. It sees what the player sees: its own hand, the
table, builds, captured cards. `tools/fit_play_model.py` fits it.
"""
from libc.stdint cimport int16_t, uint32_t

from casino_core.evaluation.network cimport (
    AFTER_LEADS, FIRST, Network, ONE_POINT, POINTERS, RANKS, add_count, add_leads, add_row,
    begin_sums, pointer, value_of_sums,
)
from casino_core.game.position cimport Move as PublicMove, Position
from casino_core.moves.state cimport card_points, copy_state, hand_size, play_move, points_ahead
from casino_core.moves.sums cimport reachable_sums
from casino_core.rules.types cimport (
    DECK, NOBODY, SPADES, build_cards, build_owner, build_value, cards_t, popcount,
)

from casino_core.errors import CasinoError

cdef extern from "play_model_weights.h" nogil:
    const Network* NETWORKS "CC_PLAY_MODEL"

cdef enum:
    JACK = 10
    LAST_STOCK = 8                       # cards before the last deal of two players
    OF_RANK = 18                         # on the table 1 to 4; in the own hand 1 to 3, out of sight
                                         # 1 to 4, each first those that capture nothing
    OWN = 4
    UNSEEN = 10
    BUILDS_AT = AFTER_LEADS + RANKS * OF_RANK
    OF_BUILDS = 24                       # of a side: values, cards in them, points in them
    CARDS_IN_BUILDS = 14
    POINTS_IN_BUILDS = 20
    HANDS_AT = BUILDS_AT + 2 * OF_BUILDS
    HANDS = 20                           # numbers of cards in both hands
    LEADS_NEXT_AT = HANDS_AT + HANDS
    LAST_AT = LEADS_NEXT_AT + 1
    POINTS_AT = LAST_AT + 2
    TABLE_AT = POINTS_AT + 3 * POINTERS
    TABLE_SPADES_AT = TABLE_AT + 10
    UNSEEN_SPADES_AT = TABLE_SPADES_AT + 5
    OWN_SPADES_AT = UNSEEN_SPADES_AT + 8


cdef bint is_modelled(const Ruleset* rules, const State* state) noexcept nogil:
    """Whether the moves of the seat to play have a score: two players before the last deal, under
    rules with the scoring of `standard` whose court cards have no value."""
    return (rules.seats == 2 and not rules.draw and state.stock == LAST_STOCK
            and not state.forgotten[0] and not state.forgotten[1]
            and not rules.sum_value[JACK] and rules.most_spades and not rules.point_cards[2])


cdef inline uint32_t add_builds(int16_t* sums, const Ruleset* rules, const State* state, int seat,
                                cards_t* cards) noexcept nogil:
    """Add the rows of the builds. Returns their values as bits, and their cards."""
    cdef uint32_t values = 0
    cdef int number[2]
    cdef int points[2]
    cdef int i, other, at
    number[0] = number[1] = points[0] = points[1] = 0
    cards[0] = 0
    for i in range(state.build_count):
        other = build_owner(state.builds[i]) != seat
        cards[0] |= build_cards(state.builds[i])
        number[other] += popcount(build_cards(state.builds[i]))
        points[other] += card_points(rules, build_cards(state.builds[i]))
        add_row(NETWORKS, sums, BUILDS_AT + OF_BUILDS * other + build_value(state.builds[i]) - 1)
        values |= <uint32_t>1 << build_value(state.builds[i])
    for other in range(2):
        at = BUILDS_AT + OF_BUILDS * other
        add_count(NETWORKS, sums, at + CARDS_IN_BUILDS, number[other], 6)
        add_count(NETWORKS, sums, at + POINTS_IN_BUILDS, points[other], 4)
    return values


cdef inline void add_cards(int16_t* sums, const Ruleset* rules, cards_t table, cards_t own,
                           cards_t unseen, uint32_t takes) noexcept nogil:
    """Add the rows of cards on the table, in the own hand and out of sight.

    Args:
        takes: values with which something can be captured, besides those of loose cards.
    """
    cdef int rank, at, captures, i
    for rank in range(RANKS):
        at = AFTER_LEADS + OF_RANK * rank
        captures = (table >> 4 * rank & 15) != 0 or (takes & rules.values_of_rank[rank]) != 0
        add_count(NETWORKS, sums, at, popcount(table >> 4 * rank & 15), 4)
        add_count(NETWORKS, sums, at + OWN + 3 * captures, popcount(own >> 4 * rank & 15), 3)
        add_count(NETWORKS, sums, at + UNSEEN + 4 * captures, popcount(unseen >> 4 * rank & 15), 4)
    for i in range(POINTERS):
        at = POINTS_AT + 3 * i
        if table >> pointer(i) & 1:
            add_row(NETWORKS, sums, at)
        if own >> pointer(i) & 1:
            add_row(NETWORKS, sums, at + 1)
        if unseen >> pointer(i) & 1:
            add_row(NETWORKS, sums, at + 2)
    add_count(NETWORKS, sums, TABLE_AT, popcount(table), 10)
    add_count(NETWORKS, sums, TABLE_SPADES_AT, popcount(table & SPADES), 5)
    add_count(NETWORKS, sums, UNSEEN_SPADES_AT, popcount(unseen & SPADES), 8)
    add_count(NETWORKS, sums, OWN_SPADES_AT, popcount(own & SPADES), 3)


cdef double strong_score(const Ruleset* rules, const State* state,
                         const Move* move) noexcept nogil:
    """What the seat to play gains by a move in the rest of the round, in points, as a strong player
    would value it without knowing the other hand."""
    cdef int16_t sums[FIRST]
    cdef State after
    cdef int seat = state.turn, other = seat ^ 1, hands = 0
    cdef cards_t own = 0, cards, captured
    cdef uint32_t takes
    copy_state(&after, state)
    play_move(&after, rules, NULL, move)
    begin_sums(NETWORKS, sums)
    add_leads(NETWORKS, sums, popcount(after.piles[seat]) - popcount(after.piles[other]),
              popcount(after.piles[seat] & SPADES) - popcount(after.piles[other] & SPADES))
    if after.stock == state.stock:       # else the last deal has come
        own = after.hands[seat]
        hands = 5 * popcount(own) + hand_size(&after, other)
    takes = add_builds(sums, rules, &after, seat, &cards) | reachable_sums(rules, after.table)
    captured = after.piles[seat] | after.piles[other]
    add_cards(sums, rules, after.table, own,
              ((<cards_t>1 << DECK) - 1) & ~(after.table | own | captured | cards), takes)
    add_row(NETWORKS, sums, HANDS_AT + min(hands, HANDS - 1))
    if seat == 0:
        add_row(NETWORKS, sums, LEADS_NEXT_AT)
    if after.last != NOBODY:
        add_row(NETWORKS, sums, LAST_AT + (after.last != seat))
    return (value_of_sums(NETWORKS, sums) / <double>ONE_POINT
            + points_ahead(rules, &after, seat) - points_ahead(rules, state, seat))


def strong_scores(Position position not None):
    """The score of each legal move of the seat to play.

    Args:
        position: two players before the last deal, the hand of the seat to play known.

    Raises:
        CasinoError: the moves of the position are not modelled.

    Example:
        >>> from casino_core import Position
        >>> position = Position.parse(
        ...     "table=5dQd hands=6dKh/?? piles=AsAc3s3h7s7dQsQc/Ah2s2h2d2c3d3c4s4h4d5s5h5c6s6h6c7c"
        ...     "8s8h8c9s9h9dTsThTdJsJhKsKc last=b"
        ... )
        >>> len(strong_scores(position)) == len(position.legal_moves())
        True
    """
    cdef PublicMove move
    position.need_hand()
    if not is_modelled(&position.compiled.ruleset, &position.layout.state):
        raise CasinoError("plays are modelled for two players before the last deal, with "
                          "standard scoring")
    return [strong_score(&position.compiled.ruleset, &position.layout.state, &move.data)
            for move in position.legal_moves()]
