# The information set of a seat as one 64-bit key, the same for all states that the seat cannot
# distinguish.
#
# The key hashes what lies open (`public_key`), the plays of the deal, which a caller chains with
# `after_play`, and a hand (`seat_key`). From one start the plays alone determine what lies open,
# except the owners of builds if partners may build for each other, and declared values
# (`builds_key`). Cards with the same entry in `alike` are one to a key; NULL keeps all apart.
from libc.stdint cimport uint64_t, uint8_t

from casino_core.rules.types cimport State, cards_t, mix

cdef enum:
    SALT_PLAYS = 600


cdef uint64_t public_key(const State* state, const uint8_t* alike) noexcept nogil
cdef uint64_t builds_key(const State* state, const uint8_t* alike) noexcept nogil
cdef uint64_t seat_key(uint64_t seen, int seat, cards_t hand, const uint8_t* alike) noexcept nogil


cdef inline uint64_t after_play(uint64_t plays, uint64_t play) noexcept nogil:
    """The key of plays in their order, with one more; 0 stands for no plays."""
    return mix(plays ^ play, SALT_PLAYS)
