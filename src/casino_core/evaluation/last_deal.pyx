"""The value of the last deal before its hands are known, by a network fitted to exact means.

Cards that count the same are the same to it. `tools/fit_last_deal.py` fits it.
"""
from libc.stdint cimport int16_t, int64_t, uint32_t

from casino_core.evaluation.estimate cimport MOST_CARDS, Standing, majority_most
from casino_core.evaluation.network cimport (
    AFTER_LEADS, FIRST, Network, ONE_POINT, POINTERS, RANKS, add_count, add_leads, add_row,
    begin_sums, pointer, value_of_sums,
)
from casino_core.moves.state cimport card_points
from casino_core.moves.sums cimport reachable_sums
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport DECK, Ruleset, SPADES, cards_t, popcount

from casino_core.errors import CasinoError

cdef extern from "last_deal_weights.h" nogil:
    enum:
        STANDARD "CC_STANDARD"
        HOYLE "CC_HOYLE"
        ROYAL "CC_ROYAL"
        SPADE "CC_SPADE"
    const Network* NETWORKS "CC_LAST_DEAL"

cdef enum:
    JACK = 10
    OF_RANK = 12                         # on the table; to come, and captures nothing; the same,
                                         # and captures: 1 to 4 cards of each
    LAST_AT = AFTER_LEADS + RANKS * OF_RANK
    TABLE_SPADES_AT = LAST_AT + 1
    STOCK_SPADES_AT = TABLE_SPADES_AT + 5
    POINTS_AT = STOCK_SPADES_AT + 6
    TABLE_AT = POINTS_AT + 2 * POINTERS


cdef const Network* network_for(const Ruleset* rules) noexcept nogil:
    """The network for a rule set of two players; NULL if there is none."""
    cdef bint numbered = rules.sum_value[JACK] == JACK + 1
    cdef bint spade = rules.point_cards[0] & SPADES == SPADES
    if (rules.seats != 2 or rules.draw or rules.sweep > 1 or rules.point_cards[2]
            or (rules.sum_value[JACK] and not numbered) or (spade and numbered)):
        return NULL
    if spade:
        return &NETWORKS[SPADE]
    return &NETWORKS[ROYAL if numbered else HOYLE if rules.sweep else STANDARD]


cdef int last_deal_value(const Network* network, const Ruleset* rules, const Standing* standing,
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
    begin_sums(network, sums)
    add_leads(network, sums, sign * cards, sign * spades)
    for rank in range(RANKS):
        lying = popcount(table >> 4 * rank & 15)
        coming = popcount(stock >> 4 * rank & 15)
        at = AFTER_LEADS + OF_RANK * rank
        add_count(network, sums, at, lying, 4)
        if lying or reach & rules.values_of_rank[rank]:
            at += 4
        add_count(network, sums, at + 4, coming, 4)
    if last_side != 0:
        add_row(network, sums, LAST_AT)
    add_count(network, sums, TABLE_SPADES_AT, popcount(table & SPADES), 5)
    add_count(network, sums, STOCK_SPADES_AT, popcount(stock & SPADES), 6)
    for at in range(POINTERS):
        if table >> pointer(at) & 1:
            add_row(network, sums, POINTS_AT + 2 * at)
        if stock >> pointer(at) & 1:
            add_row(network, sums, POINTS_AT + 2 * at + 1)
    add_count(network, sums, TABLE_AT, popcount(table), 10)
    value = value_of_sums(network, sums) * <int64_t>unit // ONE_POINT
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
    cdef const Network* network = network_for(&compiled.ruleset)
    cdef cards_t mine = piles[side].mask, others = piles[1 - side].mask, lying = table.mask
    cdef cards_t left = ((<cards_t>1 << DECK) - 1) & ~(mine | others | out)
    cdef Standing standing
    if network == NULL:
        raise CasinoError(f"no network values the last deal of {compiled.rules}")
    standing.cards_mine = popcount(mine)
    standing.cards_others = popcount(others)
    standing.cards_left = popcount(left)
    standing.spades_mine = popcount(mine & SPADES)
    standing.spades_others = popcount(others & SPADES)
    standing.spades_left = popcount(left & SPADES)
    standing.points_left = card_points(&compiled.ruleset, left)
    return last_deal_value(network, &compiled.ruleset, &standing, lying, left & ~lying, last, unit,
                           side)
