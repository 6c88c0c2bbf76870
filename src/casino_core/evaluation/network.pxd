# Small networks with integer weights, and inputs that several of them have.
from libc.stdint cimport int16_t, int32_t

cdef extern from "network.h" nogil:
    enum:
        FIRST "CC_FIRST"
    ctypedef struct Network "cc_network":
        pass
    void begin_sums "cc_begin_sums"(const Network* network, int16_t* sums)
    void add_row "cc_add_row"(const Network* network, int16_t* sums, int row)
    int32_t value_of_sums "cc_value_of_sums"(const Network* network, const int16_t* sums)


cdef enum:
    LEAD_MOST = 20                       # larger leads count as this
    SPADES_LEAD_MOST = 7
    SPADES_LEAD_AT = 2 * LEAD_MOST + 1
    AFTER_LEADS = SPADES_LEAD_AT + 2 * SPADES_LEAD_MOST + 1
    POINTERS = 4                         # single cards with points
    RANKS = 13
    ONE_POINT = 32768                    # of a network's value


cdef inline int within(int value, int most) noexcept nogil:
    """The value, no further from 0 than `most`."""
    return most if value > most else -most if value < -most else value


cdef inline void add_leads(const Network* network, int16_t* sums, int cards,
                           int spades) noexcept nogil:
    """Add the rows of the leads, which come first."""
    add_row(network, sums, LEAD_MOST + within(cards, LEAD_MOST))
    add_row(network, sums, SPADES_LEAD_AT + SPADES_LEAD_MOST + within(spades, SPADES_LEAD_MOST))


cdef inline void add_count(const Network* network, int16_t* sums, int at, int count,
                           int most) noexcept nogil:
    """Add the row of a number of cards from 1; there is none for 0."""
    if count:
        add_row(network, sums, at + (count if count < most else most) - 1)


cdef inline int pointer(int number) noexcept nogil:
    """The ten of diamonds, and the two, the ace and the jack of spades."""
    return 38 if number == 0 else 4 if number == 1 else 0 if number == 2 else 40
