# Streams of chance for Python, from the core's generator.
from casino_core.rules.types cimport Rng, rng_next


cdef inline double fraction(Rng* rng) noexcept nogil:
    """A number from 0 up to 1, a multiple of 2**-53."""
    return <double>(rng_next(rng) >> 11) * (1.0 / 9007199254740992.0)


cdef class Stream:
    cdef Rng rng
