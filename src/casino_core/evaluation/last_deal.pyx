"""The value of the last deal before its hands are known, by a network fitted to exact means.

Cards that count the same are the same to it. `tools/fit_last_deal.py` fits it.
"""
from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t
from libc.string cimport memcpy

from casino_core.evaluation.estimate cimport MOST_CARDS, Standing, majority_most
from casino_core.moves.state cimport card_points
from casino_core.moves.sums cimport reachable_sums
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport DECK, Ruleset, SPADES, cards_t, popcount

from casino_core.errors import CasinoError

cdef extern from "last_deal.h" nogil:
    ctypedef struct Net "cc_last_deal_net":
        int16_t first_bias[1]
    enum:
        FIRST "CC_NET_FIRST"
        LEAD_MOST "CC_LEAD_MOST"
        SPADES_LEAD_MOST "CC_SPADES_LEAD_MOST"
        SPADES_LEAD_AT "CC_SPADES_LEAD_AT"
        RANKS_AT "CC_RANKS_AT"
        OF_RANK "CC_OF_RANK"
        LAST_AT "CC_LAST_AT"
        TABLE_SPADES_AT "CC_TABLE_SPADES_AT"
        STOCK_SPADES_AT "CC_STOCK_SPADES_AT"
        POINTS_AT "CC_POINTS_AT"
        TABLE_AT "CC_TABLE_AT"
        MOST_TABLE "CC_MOST_TABLE"
    const Net* THE_NETS "CC_LAST_DEAL_NETS"
    int within "cc_within"(int value, int most)
    enum:
        STANDARD "CC_STANDARD"
        HOYLE "CC_HOYLE"
        ROYAL "CC_ROYAL"
        SPADE "CC_SPADE"
    void add_row "cc_add_row"(int16_t* sums, const Net* net, int row)
    int32_t last_layers "cc_last_layers"(const Net* net, const int16_t* sums)

cdef enum:
    RANKS = 13
    JACK = 10
    POINTERS = 4                         # single cards with points


cdef const Net* net_for(const Ruleset* rules) noexcept nogil:
    """The network for a rule set of two players; NULL if there is none."""
    cdef bint numbered = rules.sum_value[JACK] == JACK + 1
    cdef bint spade = rules.point_cards[0] & SPADES == SPADES
    if (rules.seats != 2 or rules.draw or rules.sweep > 1 or rules.point_cards[2]
            or (rules.sum_value[JACK] and not numbered) or (spade and numbered)):
        return NULL
    if spade:
        return &THE_NETS[SPADE]
    return &THE_NETS[ROYAL if numbered else HOYLE if rules.sweep else STANDARD]


cdef inline int pointer(int number) noexcept nogil:
    """The ten of diamonds, and the two, the ace and the jack of spades."""
    return 38 if number == 0 else 4 if number == 1 else 0 if number == 2 else 40


cdef inline void add_count(int16_t* sums, const Net* net, int at, int count,
                           int most) noexcept nogil:
    """Add the row of a number of cards from 1; there is none for 0."""
    if count:
        add_row(sums, net, at + (count if count < most else most) - 1)


cdef int last_deal_value(const Net* net, const Ruleset* rules, const Standing* standing,
                         cards_t table, cards_t stock, int last_side, int unit,
                         int side) noexcept nogil:
    """What a side still gains on the other, in units.

    Args:
        standing: of the side.
        table: the loose cards.
        stock: the cards of the last deal.
        last_side: of the last capturer; anything else than 0 or 1 for none.
    """
    cdef int16_t sums[FIRST]
    cdef uint32_t reach = reachable_sums(rules, table)
    cdef int sign = -1 if side else 1, rank, lying, coming, at
    cdef int cards = standing.cards_mine - standing.cards_others
    cdef int spades = standing.spades_mine - standing.spades_others
    cdef int64_t value
    cdef int most, least
    memcpy(sums, net.first_bias, sizeof(sums))
    add_row(sums, net, LEAD_MOST + within(sign * cards, LEAD_MOST))
    add_row(sums, net, SPADES_LEAD_AT + SPADES_LEAD_MOST + within(sign * spades, SPADES_LEAD_MOST))
    for rank in range(RANKS):
        lying = popcount(table >> 4 * rank & 15)
        coming = popcount(stock >> 4 * rank & 15)
        at = RANKS_AT + OF_RANK * rank
        add_count(sums, net, at, lying, 4)
        if lying or reach & rules.values_of_rank[rank]:
            at += 4
        add_count(sums, net, at + 4, coming, 4)
    if last_side != 0:
        add_row(sums, net, LAST_AT)
    add_count(sums, net, TABLE_SPADES_AT, popcount(table & SPADES), 5)
    add_count(sums, net, STOCK_SPADES_AT, popcount(stock & SPADES), 6)
    for at in range(POINTERS):
        if table >> pointer(at) & 1:
            add_row(sums, net, POINTS_AT + 2 * at)
        if stock >> pointer(at) & 1:
            add_row(sums, net, POINTS_AT + 2 * at + 1)
    add_count(sums, net, TABLE_AT, popcount(table), MOST_TABLE)
    value = last_layers(net, sums) * <int64_t>unit >> 15
    most = unit * (standing.points_left + majority_most(cards, standing.cards_left, MOST_CARDS)
                   + majority_most(spades, standing.spades_left, rules.most_spades))
    least = -unit * (standing.points_left + majority_most(-cards, standing.cards_left, MOST_CARDS)
                     + majority_most(-spades, standing.spades_left, rules.most_spades))
    value *= sign
    return <int>(most if value > most else least if value < least else value)


def last_deal_estimate(CompiledRules compiled not None, *, int unit, tuple piles not None, table,
                       int last=2, int side=0, cards_t out=0):
    """What a side still gains on the other before the last deal, in units, by the network.

    Args:
        compiled: the rules of two players.
        unit: the value of one point.
        piles: two `CardSet`s, the captured cards of both sides.
        table: a `CardSet`, the loose cards; all other cards come in the last deal.
        last: the side of the last capturer, 2 for none.
        side: 0 or 1.
        out: mask of the cards that are not in the game.

    Raises:
        CasinoError: there is no network for these rules.

    Example:
        >>> from casino_core import CardSet, Rules
        >>> from casino_core.rules.cards import ALL_CARDS
        >>> from casino_core.rules.ruleset import CompiledRules
        >>> stock, table = CardSet("2c3c4c5c6c7c8c9c"), CardSet("TdQh")
        >>> rest = CardSet(ALL_CARDS & ~(stock | table).mask)
        >>> piles = (rest, CardSet())
        >>> 0 < last_deal_estimate(CompiledRules(Rules()), unit=60, piles=piles, table=table) < 600
        True
    """
    cdef const Net* net = net_for(&compiled.ruleset)
    cdef cards_t mine = piles[side].mask, others = piles[1 - side].mask, lying = table.mask
    cdef cards_t left = ((<cards_t>1 << DECK) - 1) & ~(mine | others | out)
    cdef Standing standing
    if net == NULL:
        raise CasinoError(f"no network values the last deal of {compiled.rules}")
    standing.cards_mine = popcount(mine)
    standing.cards_others = popcount(others)
    standing.cards_left = popcount(left)
    standing.spades_mine = popcount(mine & SPADES)
    standing.spades_others = popcount(others & SPADES)
    standing.spades_left = popcount(left & SPADES)
    standing.points_left = card_points(&compiled.ruleset, left)
    return last_deal_value(net, &compiled.ruleset, &standing, lying, left & ~lying, last, unit,
                           side)
