"""Estimates of what is still to come if a search stops before the end of a round, with bounds."""
from libc.stdint cimport int16_t, uint32_t, uint64_t

from casino_core.moves.state cimport card_points
from casino_core.moves.sums cimport reachable_sums
from casino_core.rules.ruleset cimport CompiledRules
from casino_core.rules.types cimport mix, popcount

from casino_core.errors import CasinoError, quoted

cdef extern from "leads.h" nogil:
    const int16_t* CARDS_LEAD "CC_CARDS_LEAD"
    const int16_t* SPADES_LEAD "CC_SPADES_LEAD"
    const int LEADER "CC_LEADER", TAKERS_SQUARED "CC_TAKERS_SQUARED", LIES_OPEN "CC_LIES_OPEN"
    const int LEADER_LAST "CC_LEADER_LAST", TAKERS_SQUARED_LAST "CC_TAKERS_SQUARED_LAST"
    const int LIES_OPEN_LAST "CC_LIES_OPEN_LAST"

cdef enum:
    RANKS = 13
    MOST_NONSENSE = 30                   # points either way

cdef dict NUMBERS = {"fitted": FITTED, "learned": LEARNED, "material": MATERIAL,
                     "nonsense": NONSENSE}
cdef tuple STOPS = ("midway", "deal", "last deal")


cpdef int estimate_number(str name) except -1:
    """The number of an estimate.

    Args:
        name: "fitted", "learned" or "material".

    Raises:
        CasinoError: there is no such estimate.

    Example:
        >>> estimate_number("material")
        1
    """
    if name not in NUMBERS:
        raise CasinoError(f"estimate: {quoted(name)} is not fitted, learned or material")
    return NUMBERS[name]


cdef struct Leads:                       # of a side, and the cards left outside the piles
    int cards
    int spades
    int cards_left
    int spades_left


cdef inline void set_leads(const Estimate* estimate, const Standing* standing, int cards,
                           int spades, Leads* leads) noexcept nogil:
    """The leads after the side has captured `cards` and `spades` more, or the other side if these
    are negative."""
    leads.cards = standing.cards_mine - standing.cards_others + cards
    leads.spades = standing.spades_mine - standing.spades_others + spades
    leads.cards_left = standing.cards_left - (cards if cards >= 0 else -cards)
    leads.spades_left = standing.spades_left - (spades if spades >= 0 else -spades)


cdef inline void settle_spades(const Estimate* estimate, Leads* leads) noexcept nogil:
    """Make a majority of spades that is decided, or that nobody scores, independent of the number
    of spades left.

    To a search, cards that differ only in being spades are then one. The shares of majorities below
    do so already.
    """
    if not estimate.rules.most_spades:
        leads.spades = leads.spades_left = 0
    elif leads.spades > leads.spades_left:
        leads.spades = 1
        leads.spades_left = 0
    elif -leads.spades > leads.spades_left:
        leads.spades = -1
        leads.spades_left = 0


cdef inline int fitted_share(const int16_t* leads, int lead, int left, int points,
                             int unit) noexcept nogil:
    """The expected points of a majority, from the fitted table of leads in `leads.h`."""
    cdef int size = lead if lead >= 0 else -lead
    cdef int value = unit * points
    if size <= left:
        value = value * leads[left * (left + 1) // 2 + size] // 32767
    return value if lead >= 0 else -value


cdef inline int plain_share(int lead, int left, int points, int unit) noexcept nogil:
    """The expected points of a majority in proportion to the lead, all of them from a lead of half
    the cards left."""
    cdef int size = 2 * unit * points * (lead if lead >= 0 else -lead) // (left + 1)
    cdef int value = size if lead >= 0 else -size
    if value > unit * points:
        return unit * points
    return value if value > -unit * points else -unit * points


cdef inline int majorities(const Estimate* estimate, const Leads* leads) noexcept nogil:
    """The expected points of both majorities. They never fall as a lead grows, so that each
    captured card serves its side."""
    cdef int unit = estimate.unit, most_spades = estimate.rules.most_spades
    if estimate.kind == MATERIAL:
        return (plain_share(leads.cards, leads.cards_left, MOST_CARDS, unit)
                + plain_share(leads.spades, leads.spades_left, most_spades, unit))
    return (fitted_share(CARDS_LEAD, leads.cards, leads.cards_left, MOST_CARDS, unit)
            + fitted_share(SPADES_LEAD, leads.spades, leads.spades_left, most_spades, unit))


cdef inline bint table_counts(const Estimate* estimate, int stop) noexcept nogil:
    """Whether the cards that a deal leaves on the table are part of the fitted estimate."""
    return stop != MIDWAY and estimate.rules.seats == 2 and not estimate.rules.draw


cdef inline int table_value(const Estimate* estimate, int takers, int points, int stop,
                            int side) noexcept nogil:
    """The value of the table at the end of a deal to a side of two players, in units; seat a leads
    in the next deal."""
    cdef int value
    if stop == LAST_DEAL_COMES:
        value = LEADER_LAST + TAKERS_SQUARED_LAST * takers * takers + LIES_OPEN_LAST * points
    else:
        value = LEADER + TAKERS_SQUARED * takers * takers + LIES_OPEN * points
    value = value * estimate.unit // 1000
    return value if side == 0 else -value


cdef inline int takers_of(const Estimate* estimate, cards_t table) noexcept nogil:
    """How many ranks could capture something of these loose cards."""
    cdef uint32_t reach = reachable_sums(estimate.rules, table)
    cdef int rank, takers = 0
    for rank in range(RANKS):
        takers += table >> 4 * rank & 15 != 0 or reach & estimate.rules.values_of_rank[rank] != 0
    return takers


cdef inline int table_left(const Estimate* estimate, cards_t table, int stop,
                           int side) noexcept nogil:
    """The value of loose cards to a side if another deal comes."""
    return table_value(estimate, takers_of(estimate, table), card_points(estimate.rules, table),
                       stop, side)


cdef int nonsense(const Estimate* estimate, const Leads* leads, cards_t table, int stop,
                  int side) noexcept nogil:
    """A pseudo-random value, the same for both sides up to the sign."""
    cdef int sign = 1 if side == 0 else -1, rank, most = MOST_NONSENSE * estimate.unit
    cdef uint64_t hashed = mix(<uint64_t>(64 + sign * leads.cards)
                               | <uint64_t>(64 + sign * leads.spades) << 8
                               | <uint64_t>leads.cards_left << 16
                               | <uint64_t>leads.spades_left << 24 | <uint64_t>stop << 32,
                               card_points(estimate.rules, table))
    for rank in range(RANKS):
        hashed = mix(hashed, popcount(table >> 4 * rank & 15))
    return sign * (<int>(hashed % <uint64_t>(2 * most + 1)) - most)


cdef int estimated(const Estimate* estimate, const Standing* standing, cards_t table, int stop,
                   int side) noexcept nogil:
    """The estimate for a side, in units, with these loose cards on the table.

    Args:
        standing: of the side.
        stop: where the search stops.
    """
    cdef Leads leads
    cdef int value
    set_leads(estimate, standing, 0, 0, &leads)
    if estimate.kind == NONSENSE:
        settle_spades(estimate, &leads)
        return nonsense(estimate, &leads, table, stop, side)
    value = majorities(estimate, &leads)
    if estimate.kind != MATERIAL and table_counts(estimate, stop):
        value += table_left(estimate, table, stop, side)
    return value


cdef void estimated_shares(const Estimate* estimate, const Standing* standing, cards_t table,
                           int stop, Shares* shares) noexcept nogil:
    """The parts of the fitted estimate for side 0, whose standing it is."""
    cdef Leads leads
    cdef int takers
    set_leads(estimate, standing, 0, 0, &leads)
    shares.cards = fitted_share(CARDS_LEAD, leads.cards, leads.cards_left, 1, WHOLE_SHARE)
    shares.spades = fitted_share(SPADES_LEAD, leads.spades, leads.spades_left, 1, WHOLE_SHARE)
    shares.lead = shares.lying = 0
    if table_counts(estimate, stop):
        takers = takers_of(estimate, table)
        if stop == LAST_DEAL_COMES:
            shares.lead = LEADER_LAST + TAKERS_SQUARED_LAST * takers * takers
            shares.lying = LIES_OPEN_LAST
        else:
            shares.lead = LEADER + TAKERS_SQUARED * takers * takers
            shares.lying = LIES_OPEN


cdef inline int with_all(const Estimate* estimate, const Standing* standing, const Stake* stake,
                         int plays, int sign) noexcept nogil:
    """Gains and majorities if one side captures everything and sweeps with each of its plays;
    `sign` is 1 for the side, -1 for the other."""
    cdef Leads leads
    cdef int gained = estimate.unit * (stake.points + estimate.rules.sweep * plays)
    set_leads(estimate, standing, sign * stake.cards, sign * stake.spades, &leads)
    return sign * gained + majorities(estimate, &leads)


cdef void estimate_bounds(const Estimate* estimate, const Standing* standing, const Stake* stake,
                          int stop, int side, int* lower, int* upper) noexcept nogil:
    """Bounds of the sum of what a side gains on the other before the search stops and of
    `estimated` there."""
    cdef int least, most
    if estimate.kind == NONSENSE:        # nothing is known of it
        lower[0] = -estimate.unit * (stake.points + estimate.rules.sweep * stake.others
                                     + MOST_NONSENSE)
        upper[0] = estimate.unit * (stake.points + estimate.rules.sweep * stake.mine
                                    + MOST_NONSENSE)
        return
    lower[0] = with_all(estimate, standing, stake, stake.others, -1)
    upper[0] = with_all(estimate, standing, stake, stake.mine, 1)
    if estimate.kind != MATERIAL and table_counts(estimate, stop):
        least = table_value(estimate, 0, 0, stop, side)
        most = table_value(estimate, RANKS, stake.points, stop, side)
        lower[0] += min(least, most)
        upper[0] += max(least, most)


cdef int check_side(CompiledRules compiled, str name, int unit, tuple cards, tuple spades,
                    Estimate* estimate, Standing* standing) except -1:
    """Read the arguments that the functions below share."""
    estimate.kind = estimate_number(name)
    estimate.unit = unit
    estimate.rules = &compiled.ruleset
    standing.cards_mine, standing.cards_others, standing.cards_left = cards
    standing.spades_mine, standing.spades_others, standing.spades_left = spades
    standing.points_left = 0
    return 0


def estimated_value(CompiledRules compiled not None, str name not None, *, int unit,
                    tuple cards not None, tuple spades not None, table, str stop="deal",
                    int side=0):
    """The estimate for a side, in units.

    Args:
        compiled: the rules, of two sides.
        name: of the estimate, as for `estimate_number`.
        unit: the value of one point.
        cards: numbers of cards captured by the side, captured by the other side, and not yet
            captured.
        spades: the same numbers of spades.
        table: a `CardSet`, the loose cards.
        stop: where the search stops: "midway" in a deal, "deal" at the end of a deal, or "last
            deal" before the last deal.
        side: 0 or 1.

    Raises:
        CasinoError: there is no such estimate.

    Example:
        >>> from casino_core import CardSet, Rules
        >>> from casino_core.rules.ruleset import CompiledRules
        >>> rules = CompiledRules(Rules())
        >>> cards, spades = (12, 8, 32), (2, 2, 9)
        >>> table = CardSet("7h")
        >>> estimated_value(rules, "material", unit=100, cards=cards, spades=spades, table=table)
        72
    """
    cdef Estimate estimate
    cdef Standing standing
    check_side(compiled, name, unit, cards, spades, &estimate, &standing)
    return estimated(&estimate, &standing, table.mask, STOPS.index(stop), side)


def value_bounds(CompiledRules compiled not None, str name not None, *, int unit,
                 tuple cards not None, tuple spades not None, tuple stake not None, str stop="deal",
                 int side=0):
    """Bounds of the sum of what a side gains before a search stops and of the estimate there.

    Args:
        compiled: the rules, of two sides.
        name: of the estimate.
        unit: the value of one point.
        cards: as in `estimated_value`.
        spades: as in `estimated_value`.
        stake: the points, cards and spades that may be captured before the stop, and the numbers of
            plays of the side and of the other.
        stop: as in `estimated_value`.
        side: 0 or 1.

    Returns:
        The lower and the upper bound, in units.

    Raises:
        CasinoError: there is no such estimate.

    Example:
        >>> from casino_core import Rules
        >>> from casino_core.rules.ruleset import CompiledRules
        >>> rules = CompiledRules(Rules())
        >>> cards, spades, stake = (12, 8, 32), (2, 2, 9), (0, 0, 0, 1, 1)
        >>> value_bounds(rules, "material", unit=100, cards=cards, spades=spades, stake=stake)
        (72, 72)
    """
    cdef Estimate estimate
    cdef Standing standing
    cdef Stake most
    cdef int lower, upper
    check_side(compiled, name, unit, cards, spades, &estimate, &standing)
    most.points, most.cards, most.spades, most.mine, most.others = stake
    estimate_bounds(&estimate, &standing, &most, STOPS.index(stop), side, &lower, &upper)
    return lower, upper
