"""Streams of chance for Python, from the core's generator: the same on every platform.

A stream belongs to a seed, a purpose and numbers, such as those of a deck and a seat. Its generator
(`rng.h`) is seeded by a hash of these, so that streams of different purposes have nothing in
common. The hash goes through 64-bit words, `h = mix(h, word)` (`bits.h`) from h = 0: the number of
words of the seed, the number of bytes of the purpose, the words of the seed from the lowest, the
bytes of the purpose in UTF-8, eight a word and the first byte lowest, and the numbers.
"""
cimport cython
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memset

from casino_core.rules.types cimport Rng, mix, rng_below, rng_next, rng_seed

cdef object CasinoError, Kind, whole           # imported into C variables: no names of the module

from casino_core._arguments import Kind, whole
from casino_core.errors import CasinoError

cdef object SEED_OF_STREAM = whole(0, 2**128 - 1)
cdef object NUMBER = whole(0, 2**64 - 1)
cdef object BOUND = whole(1, 2**64 - 1)


def as_bytes(purpose):
    """A purpose as bytes; TypeError if it is not a text."""
    if not isinstance(purpose, str):
        raise TypeError
    return purpose.encode()


cdef object PURPOSE = Kind("a text", as_bytes)


cdef inline bint happens(Rng* rng, double exponent) noexcept nogil:
    """True with the probability exp(-exponent), of an exponent from 0 to 1 (J. von Neumann 1951).

    The run of fractions that fall, from the exponent on, has an even length; no function of the C
    library rounds differently elsewhere.
    """
    cdef double last = exponent, next_one
    cdef bint even = True
    while True:
        next_one = fraction(rng)
        if next_one >= last:
            return even
        last = next_one
        even = not even


cdef double normal(Rng* rng) noexcept nogil:
    """A number of the standard normal distribution (C. F. F. Karney, "Sampling exactly from the
    normal distribution", 2016): a whole part, a fraction, a sign."""
    cdef int whole_part, _i
    cdef double part
    cdef bint fits
    while True:
        whole_part = 0
        while happens(rng, 0.5):
            whole_part += 1
        fits = True
        for _i in range(whole_part * (whole_part - 1)):
            fits = fits and happens(rng, 0.5)
        part = fraction(rng)
        for _i in range(whole_part):
            fits = fits and happens(rng, part)
        if fits and happens(rng, part * part * 0.5):
            part += whole_part
            return part if rng_next(rng) >> 63 else -part


@cython.final
cdef class Stream:
    """A stream of chance, the same on every platform for the same seed, purpose and numbers.

    It is not for two threads at once. A copy, also by `pickle`, goes on from the same place by
    itself.

    Args:
        seed: 0 to 2**128 - 1.
        purpose: a `Purpose`, or any other text.
        numbers: which of the streams of that purpose, each 0 to 2**64 - 1.

    Raises:
        CasinoError: a seed or number out of range.

    Example:
        >>> stream = Stream(1, "example", 3)
        >>> stream.below(6) < 6, 0 <= stream.random() < 1
        (True, True)
        >>> Stream(1, "example").bits() == Stream(1, "example", 0).bits()
        False
    """

    def __cinit__(self, seed, purpose, *numbers):
        cdef uint64_t key
        text = PURPOSE("purpose", purpose)
        seed = SEED_OF_STREAM("seed", seed)
        words = [seed & 0xFFFFFFFFFFFFFFFF, seed >> 64][:1 + (seed >> 64 != 0)]
        key = mix(mix(0, <uint64_t>len(words)), <uint64_t>len(text))
        words += [int.from_bytes(text[i:i + 8], "little") for i in range(0, len(text), 8)]
        words += [NUMBER("numbers", number) for number in numbers]
        for word in words:
            key = mix(key, <uint64_t>word)
        rng_seed(&self.rng, key)

    def bits(self):
        """64 random bits as a whole number."""
        return rng_next(&self.rng)

    def below(self, bound):
        """A whole number from 0 to `bound` - 1, each equally likely.

        Args:
            bound: 1 to 2**64 - 1.
        """
        return rng_below(&self.rng, BOUND("bound", bound))

    def random(self):
        """A number from 0 up to 1, a multiple of 2**-53."""
        return fraction(&self.rng)

    def choice(self, items):
        """One of a sequence, each equally likely.

        Args:
            items: at least one.
        """
        return items[self.below(len(items))]

    def shuffle(self, items):
        """Shuffle a list.

        Args:
            items: the list, changed in place.

        Example:
            >>> items = [1, 2, 3]
            >>> Stream(1, "example").shuffle(items)
            >>> sorted(items)
            [1, 2, 3]
        """
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def fill_random(self, double[:, ::1] out not None):
        """Fill an array with numbers from 0 up to 1.

        Args:
            out: of doubles in two dimensions.
        """
        cdef Py_ssize_t i, j
        with nogil:
            for i in range(out.shape[0]):
                for j in range(out.shape[1]):
                    out[i, j] = fraction(&self.rng)

    def fill_normal(self, double[:, ::1] out not None):
        """Fill an array with numbers of the standard normal distribution.

        Args:
            out: of doubles in two dimensions.
        """
        cdef Py_ssize_t i, j
        with nogil:
            for i in range(out.shape[0]):
                for j in range(out.shape[1]):
                    out[i, j] = normal(&self.rng)

    def fill_permutation(self, int64_t[::1] out not None):
        """Fill an array with a random permutation of 0, 1, 2 and so on.

        Args:
            out: of 64-bit integers in one dimension.
        """
        cdef Py_ssize_t i, j
        with nogil:
            for i in range(out.shape[0]):
                j = <Py_ssize_t>rng_below(&self.rng, <uint64_t>i + 1)
                out[i] = out[j]
                out[j] = i

    def fill_resampled(self, double[:, ::1] out not None):
        """Fill each row with how often each column is drawn, in as many draws as there are columns.

        Args:
            out: of doubles in two dimensions.
        """
        cdef Py_ssize_t i, _k
        with nogil:
            for i in range(out.shape[0]):
                memset(&out[i, 0], 0, <size_t>out.shape[1] * sizeof(double))
                for _k in range(out.shape[1]):
                    out[i, <Py_ssize_t>rng_below(&self.rng, <uint64_t>out.shape[1])] += 1

    def __eq__(self, other):
        if not isinstance(other, Stream):
            return NotImplemented
        return self.state() == other.state()

    __hash__ = None

    def state(self):
        """The four words of the generator."""
        return tuple([word for word in self.rng.word])

    def __reduce__(self):
        return restored, self.state()


def restored(*words):
    """A stream that goes on from the state of another, for `pickle`.

    Args:
        words: four of 64 bits.

    Example:
        >>> restored(*Stream(1, "example").__reduce__()[1]) == Stream(1, "example")
        True
    """
    cdef Stream made = Stream(0, "")
    if len(words) != 4:
        raise CasinoError("the state of a stream has four words")
    made.rng.word = [NUMBER("word", word) for word in words]
    return made
