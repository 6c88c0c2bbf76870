# How far bounds of the value to go hold for other leads in cards and spades.
#
# An upper bound that a search finds holds for larger leads too, as long as no majority would score
# more at any end of the round that the search has seen; a lower bound for smaller leads, as long as
# none would score less. `search.limit` has these largest or smallest leads of the side to play. It
# is valid only in searches with `tracks`, and only after null windows, whose value is a bound.
from casino_core.evaluation.estimate cimport Standing
from casino_core.rules.types cimport SPADES, cards_t, popcount
from casino_core.search.context cimport Search, lead_code
from casino_core.search.table cimport ANY_LEAD, DECIDED, Entry, Found, Leads


cdef inline int cards_lead(const Standing* standing) noexcept nogil:
    return standing.cards_mine - standing.cards_others


cdef inline int spades_lead(const Standing* standing) noexcept nogil:
    return standing.spades_mine - standing.spades_others


cdef inline void set_codes(const Search* search, const Standing* standing, int cards, int spades,
                           Leads* codes) noexcept nogil:
    """Two leads as the table holds them."""
    codes.cards = lead_code(cards, standing.cards_left)
    codes.spades = (lead_code(spades, standing.spades_left) if search.rules.most_spades else 0)


cdef inline int room(int final, bint upper) noexcept nogil:
    """How much larger a lead can be for an upper bound to hold, or smaller for a lower one, if the
    lead in the end is `final`."""
    if upper:
        return ANY_LEAD if final > 0 else 0 if final == 0 else -1 - final
    return -ANY_LEAD if final < 0 else 0 if final == 0 else 1 - final


cdef inline void limit_at_end(Search* search, const Standing* standing, bint upper) noexcept nogil:
    """Set the limit of a value at the end of the round, `search.final`."""
    search.limit.cards = cards_lead(standing) + room(search.final.cards, upper)
    search.limit.spades = spades_lead(standing) + room(search.final.spades, upper)


cdef inline void limit_of_most(Search* search, const Standing* standing) noexcept nogil:
    """Set the limit of an upper bound with all cards for the side to play."""
    search.final.cards = cards_lead(standing) + standing.cards_left
    search.final.spades = spades_lead(standing) + standing.spades_left
    limit_at_end(search, standing, True)


cdef inline void limit_of_least(Search* search, const Standing* standing) noexcept nogil:
    """Set the limit of a lower bound with all cards for the other side."""
    search.final.cards = cards_lead(standing) - standing.cards_left
    search.final.spades = spades_lead(standing) - standing.spades_left
    limit_at_end(search, standing, False)


cdef inline void limit_of_entry(Search* search, const Standing* standing, const Found* found,
                                bint upper) noexcept nogil:
    """Set the limit of a bound in the table."""
    cdef const Entry* entry = found.upper_from if upper else found.lower_from
    search.limit.cards = decoded(entry.bounds.shared.cards, standing.cards_left, upper)
    search.limit.spades = decoded(entry.bounds.shared.spades, standing.spades_left, upper)


cdef inline int decoded(int code, int left, bint upper) noexcept nogil:
    """The largest lead of a code for an upper bound, else the smallest."""
    if code == DECIDED:
        return ANY_LEAD if upper else left + 1
    if code == -DECIDED:
        return -left - 1 if upper else -ANY_LEAD
    return code


cdef inline void limit_before(Search* search, cards_t taken, bint swap) noexcept nogil:
    """Turn the limit after a move that takes cards, and with `swap` gives the turn to the other
    side, into that of the move."""
    if swap:
        search.limit.cards = -search.limit.cards
        search.limit.spades = -search.limit.spades
    search.limit.cards -= popcount(taken)
    search.limit.spades -= popcount(taken & SPADES)


cdef inline void narrow_limit(const Search* search, Leads* limit) noexcept nogil:
    """Narrow the limit of an upper bound by that of one more move."""
    if search.limit.cards < limit.cards:
        limit.cards = search.limit.cards
    if search.limit.spades < limit.spades:
        limit.spades = search.limit.spades
