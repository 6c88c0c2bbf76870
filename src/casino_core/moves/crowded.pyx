"""Families of loose cards on crowded tables.

Whether a set of loose cards splits into groups does not depend on suits, so the sets are walked as
counts by value: at most five to the power of the number of values, and each answer stands for all
sets with these counts. The walk goes down from all cards, so that
every set comes after its supersets.
"""
from libc.stdint cimport int64_t, uint32_t, uint8_t
from libc.string cimport memcpy, memset

from casino_core.moves.segments cimport add_segment, count_moves, is_stopped
from casino_core.moves.sums cimport count_values, family_has
from casino_core.rules.types cimport TRAIL, cards_t, lowest, next_subset, popcount

cdef enum:
    VALUES = 16                          # counts[v] for v from 1 to 13
    MAX_MAXIMAL = 2048                   # most maximal sets by value that are kept


cdef struct Walk:                        # one family of a crowded table
    uint8_t counts[VALUES]               # the current set
    uint8_t most[VALUES]                 # cards of each value that may be of use
    uint8_t least[VALUES]                # cards of each value that must be in it
    cards_t optional[VALUES]             # cards to choose from, without the required ones
    cards_t required


cdef bint reaches(const uint8_t* counts, int total) noexcept nogil:
    """Whether some of the cards counted sum to `total`, 0 to 14."""
    cdef unsigned int sums = 1
    cdef int v, _i
    for v in range(1, 14):
        for _i in range(counts[v]):
            sums |= sums << v
            sums &= 0x7FFF
    return sums >> total & 1


cdef bint has_any(const uint8_t* counts, const Family* family, bint aces_high) noexcept nogil:
    """Whether the family has any member, whatever the filters."""
    if family.need and reaches(counts, family.need):
        return True
    if family.need and not family.also_alone:
        return False
    if family.empty:
        return True
    if not family.absorb and not family.also_alone:
        return False
    return reaches(counts, family.value) or (family.value == 14 and aces_high and counts[1] > 0)


cdef bint useful(uint8_t* counts, const Family* family, bint aces_high, int value) noexcept nogil:
    """Whether a card of a value can be in a member of the family."""
    cdef bint use
    counts[value] -= 1
    use = ((value <= family.value and reaches(counts, family.value - value))
           or (value <= family.need and reaches(counts, family.need - value))
           or (value == 1 and family.value == 14 and aces_high))
    counts[value] += 1
    return use


cdef bint in_family(const uint8_t* counts, const Family* family,
                    const Ruleset* rules) noexcept nogil:
    return family_has(counts, family.value, family.need, family.absorb, rules.aces_high)


cdef int64_t ways(int n, int k) noexcept nogil:
    """Binomial coefficient."""
    cdef int64_t result = 1
    cdef int i
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


cdef int64_t sets_from(const Walk* walk, int value) noexcept nogil:
    """Sets of cards of `value` and above with the walk's counts."""
    cdef int64_t sets = 1
    cdef int v
    for v in range(value, 14):
        sets *= ways(popcount(walk.optional[v]), walk.counts[v] - walk.least[v])
    return sets


cdef void spread(Generator* generator, Segment* play, const Walk* walk, int value,
                 cards_t chosen) noexcept nogil:
    """Write every set of cards with the walk's counts, from `value` on."""
    cdef cards_t pool, left
    cdef int64_t sets
    cdef int k, i, n
    cdef uint32_t subset
    while value < 14 and walk.counts[value] == walk.least[value]:
        value += 1
    if value == 14:
        add_segment(generator, play, 1, chosen)
        return
    if generator.skip and generator.stride:
        sets = sets_from(walk, value)
        if generator.skip >= sets:
            generator.skip -= sets
            generator.found += sets
            return
    pool = walk.optional[value]
    n = popcount(pool)
    k = walk.counts[value] - walk.least[value]
    subset = (<uint32_t>1 << k) - 1
    while subset >> n == 0:
        if generator.full:
            return
        left = pool
        for i in range(n):
            if subset >> i & 1:
                chosen |= left & (0 - left)
            left &= left - 1
        spread(generator, play, walk, value + 1, chosen)
        chosen &= ~pool
        subset = next_subset(subset)


cdef void write_set(Generator* generator, Segment* play, const Walk* walk) noexcept nogil:
    """All sets of cards with the walk's counts."""
    cdef int64_t sets = sets_from(walk, 1)
    cdef int v
    if generator.counting:
        play.subsets = 1
        play.high = walk.required
        for v in range(1, 14):
            if walk.counts[v]:
                play.high |= walk.optional[v] | 1    # any cards at all: only their
                                                     # being there is counted
        generator.total += sets * count_moves(play)
        generator.found += sets
    elif generator.skip >= sets:
        generator.skip -= sets
        generator.found += sets
    else:
        spread(generator, play, walk, 1, walk.required)


cdef bint next_lower(Walk* walk) noexcept nogil:
    """Step down to the next counts; False after the lowest."""
    cdef int v
    for v in range(1, 14):
        if walk.counts[v] > walk.least[v]:
            walk.counts[v] -= 1
            return True
        walk.counts[v] = walk.most[v]
    return False


cdef bint covered(const uint8_t* counts, const uint8_t* other) noexcept nogil:
    cdef int v
    for v in range(1, 14):
        if counts[v] > other[v]:
            return False
    return True


cdef bint only_aces(const uint8_t* counts) noexcept nogil:
    cdef int v
    for v in range(2, 14):
        if counts[v]:
            return False
    return True


cdef void prepare_walk(Walk* walk, const State* state, const Ruleset* rules,
                       const Family* family) noexcept nogil:
    cdef uint8_t all_counts[VALUES]
    cdef cards_t cards = state.table & rules.valued & ~family.required
    cdef int v
    count_values(rules, state.table & rules.valued, all_counts)
    count_values(rules, family.required, walk.least)
    walk.required = family.required
    memset(walk.most, 0, VALUES)
    for v in range(VALUES):
        walk.optional[v] = 0
    for v in range(1, 14):
        if all_counts[v] and useful(all_counts, family, rules.aces_high, v):
            walk.most[v] = all_counts[v]
    while cards:
        v = rules.sum_value[lowest(cards) >> 2]
        if walk.most[v]:
            walk.optional[v] |= cards & (0 - cards)
        cards &= cards - 1
    for v in range(1, 14):
        if walk.most[v] < walk.least[v]:
            walk.most[v] = walk.least[v]
    memcpy(walk.counts, walk.most, VALUES)


cdef bint is_maximal(Generator* generator, const State* state, const Ruleset* rules,
                     const Family* family, const uint8_t* counts) noexcept nogil:
    """Whether no larger set of the family holds the set counted, which is in it."""
    cdef Walk walk
    prepare_walk(&walk, state, rules, family)
    memcpy(walk.least, counts, VALUES)
    while True:
        if in_family(walk.counts, family, rules):
            return covered(walk.counts, counts)
        if is_stopped(generator) or not next_lower(&walk):
            return True


cdef void write_probed(Generator* generator, const State* state, const Ruleset* rules,
                       const Family* family, Segment* play) noexcept nogil:
    """Only whether the move asked for is there; of a trail, whether the family keeps it from being
    legal."""
    cdef uint8_t counts[VALUES]
    if generator.probe.kind == TRAIL:
        count_values(rules, state.table & rules.valued, counts)
        if has_any(counts, family, rules.aces_high):
            add_segment(generator, play, 1, 0)
        return
    if generator.probe.kind != play.kind or generator.probe.value != play.value:
        return
    if (generator.probe.loose & ~(state.table & rules.valued)
            or family.required & ~generator.probe.loose):
        return
    count_values(rules, generator.probe.loose, counts)
    if generator.probe.loose == 0 and not family.empty:
        return
    if (family.drop_aces and only_aces(counts)) or not in_family(counts, family, rules):
        return
    if family.maximal and not is_maximal(generator, state, rules, family, counts):
        return
    add_segment(generator, play, 1, generator.probe.loose)


cdef void write_crowded(Generator* generator, const State* state, const Ruleset* rules,
                        const Family* family, Segment* play) noexcept nogil:
    """Segments of one move each (but for the builds a capture may take or leave) for a family."""
    cdef uint8_t maximal[MAX_MAXIMAL][VALUES]
    cdef int maximal_count = 0, i, v
    cdef bint inside, nothing
    cdef Walk walk
    if generator.probe.active:
        write_probed(generator, state, rules, family, play)
        return
    if generator.stride:
        generator.skip = 0
    prepare_walk(&walk, state, rules, family)
    while True:
        if is_stopped(generator) or (generator.full and not generator.counting):
            return
        nothing = True
        for v in range(1, 14):
            if walk.counts[v]:
                nothing = False
        if ((family.empty or not nothing) and not (family.drop_aces and only_aces(walk.counts))
                and in_family(walk.counts, family, rules)):
            inside = False
            if family.maximal:
                for i in range(maximal_count):
                    if covered(walk.counts, maximal[i]):
                        inside = True
                        break
                if not inside and maximal_count < MAX_MAXIMAL:
                    memcpy(maximal[maximal_count], walk.counts, VALUES)
                    maximal_count += 1
                elif not inside:
                    inside = not is_maximal(generator, state, rules, family, walk.counts)
            if not inside:
                write_set(generator, play, &walk)
        if not next_lower(&walk):
            return
