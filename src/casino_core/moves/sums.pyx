"""Membership in the families of `sums.pxd` for any number of cards, and wrappers for tests."""
from libc.stdint cimport uint8_t
from libc.string cimport memcpy, memset


cdef bint split_rest(uint8_t* counts, int largest, int value) noexcept nogil:
    """Whether the cards counted split into groups(value); none is larger than `largest`."""
    while largest > 0 and counts[largest] == 0:
        largest -= 1
    if largest == 0:
        return True
    counts[largest] -= 1
    if fill_group(counts, largest, value - largest, largest, value):
        return True
    counts[largest] += 1
    return False


cdef bint fill_group(uint8_t* counts, int biggest, int rest, int largest, int value) noexcept nogil:
    """Fill the group begun, which still needs `rest`, with cards up to `biggest`, then split what
    is left."""
    cdef int next_card
    if rest == 0:
        return split_rest(counts, largest, value)
    for next_card in range(biggest if biggest < rest else rest, 0, -1):
        if counts[next_card]:
            counts[next_card] -= 1
            if fill_group(counts, next_card, rest - next_card, largest, value):
                return True
            counts[next_card] += 1
    return False


cdef bint splits(uint8_t* counts, int value, bint aces_high) noexcept nogil:
    """Whether cards, counts[v] of each value v from 1 to 13, split into groups(value). `counts` is
    used up.

    Two cards that make a group together may always be put together: were they in two groups,
    exchanging the rest of one for the other card gives two groups again. What is left then has at
    most one value of each such pair, and the search over it is short.
    """
    cdef int v, total = 0, lone, pairs
    for v in range(1, 14):
        total += v * counts[v]
        if v > value and counts[v]:
            return False
    lone = total % value
    if lone:
        # An ace alone is 14 where it would be 1 in a sum: the total says how many aces stand alone.
        if not aces_high or value != 14 or lone > counts[1]:
            return False
        counts[1] -= <uint8_t>lone
    if value < 14:
        counts[value] = 0
    for v in range(1, (value + 1) // 2):
        pairs = counts[v] if counts[v] < counts[value - v] else counts[value - v]
        counts[v] -= <uint8_t>pairs
        counts[value - v] -= <uint8_t>pairs
    if value % 2 == 0:
        counts[value // 2] &= 1
    return split_rest(counts, 13 if value > 13 else value, value)


cdef bint family_has(const uint8_t* counts, int value, int need, bint absorb,
                     bint aces_high) noexcept nogil:
    """Whether cards so counted are D and X as in `family_word`. A need of 13 for the value 14 is
    that of an ace played, which may stand alone as well: the answer is then that for both.
    """
    cdef uint8_t left[16]
    cdef int v, total = 0
    if not absorb:
        for v in range(1, 14):
            total += v * counts[v]
        return total == need
    memcpy(left, counts, 16)
    if need:
        left[value - need] += 1
    return splits(left, value, aces_high)


def split_counts(counts, int value, bint aces_high=False):
    """Whether cards split into groups of a value.

    Args:
        counts: a sequence of 14 numbers, counts[v] cards of value v (counts[0] is ignored).
        value: 1 to 14.
        aces_high: whether an ace alone is also a group of 14.

    Raises:
        ValueError: there are not 14 counts, or the value is out of range.

    Example:
        >>> split_counts([0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0], 7)  # 2 5 and 3 4
        True
    """
    cdef uint8_t left[16]
    cdef int v
    if len(counts) != 14 or not 1 <= value <= 14:
        raise ValueError("fourteen counts and a value from 1 to 14 are needed")
    memset(left, 0, 16)
    for v in range(1, 14):
        left[v] = counts[v]
    return bool(splits(left, value, aces_high))
