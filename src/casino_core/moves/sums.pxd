# The subset-sum engine: which sets of loose cards split into groups of a value. The kernels are
# inline, so that the generator is one compilation unit: a call through a module's table costs as
# much as a small family.
#
# A *family* is a set of subsets of the loose cards. The first six cards with a value make the low
# part: a family over them is one 64-bit word (bit i: the subset whose members are the bits of i).
# With more cards there is a word for each subset of the others, the high part. Adding a group to a
# set that is disjoint from it is a shift of the word, so all unions of disjoint groups come from
# one pass over the groups, however many ways there are to split a set.
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from casino_core.rules.types cimport (
    HAS, Ruleset, SPADES, cards_t, join_family, lowest, popcount,
)

cdef extern from "subset_sums.h" nogil:
    const uint8_t NO_CARD "CC_NO_CARD"   # the value of a card that is not there

    ctypedef struct SubsetSums "cc_subset_sums":
        pass

    void set_values "cc_set_values"(SubsetSums* sums, const uint8_t* values)
    uint64_t subsets_of "cc_subsets_of"(const SubsetSums* sums, int total)


cdef enum:
    LOW_CARDS = 6
    FAST_CARDS = 12                      # with more loose cards of a value: `crowded`
    FAST_WORDS = 64                      # 1 << (FAST_CARDS - LOW_CARDS)


cdef struct Sums:
    bint ready                           # what stands below is made for the position at hand
    unsigned int reach                   # bit s: some loose cards with a value sum to s, 0 to 14
    int count                            # loose cards that have a value
    int words                            # words of a family: subsets of the high part
    bint crowded                         # too many cards: the families are not made
    bint aces_high
    uint16_t unions_known                # bit V: unions[.][V] are made
    uint64_t lone_aces                   # the low part's one-ace subsets
    SubsetSums low                       # sums of low subsets
    cards_t card[FAST_CARDS]             # the cards, one bit each
    uint8_t high_sum[FAST_WORDS]         # sum of a high subset, at most 255
    cards_t high_cards[FAST_WORDS]
    uint64_t unions[FAST_WORDS][16]      # [high subset][V]: unions of disjoint
                                         # groups(V), the empty one included
    uint64_t distinct[FAST_WORDS]        # where cards are alike: subsets
                                         # that take the first of them first


cdef inline void count_values(const Ruleset* rules, cards_t cards, uint8_t* counts) noexcept nogil:
    """Fill counts[v], sixteen of them: cards of each value v, aces as 1; those without a value are
    left out."""
    memset(counts, 0, 16)
    while cards:
        counts[rules.sum_value[lowest(cards) >> 2]] += 1
        cards &= cards - 1
    counts[0] = 0


cdef inline unsigned int reachable_sums(const Ruleset* rules, cards_t table) noexcept nogil:
    """Bit s for each s from 0 to 14 to which some loose cards sum."""
    cdef unsigned int reach = 1
    table &= rules.valued
    while table:
        reach |= reach << rules.sum_value[lowest(table) >> 2]
        table &= table - 1
    return reach & 0x7FFF


cdef inline void prepare_sums(Sums* sums, const Ruleset* rules, cards_t table) noexcept nogil:
    """Lay out the loose cards with a value and the subset sums of the low part."""
    cdef cards_t left = table & rules.valued
    cdef cards_t one
    cdef int i, k, s, value, high
    cdef uint8_t values[LOW_CARDS]
    sums.ready = True
    sums.count = popcount(left)
    sums.aces_high = rules.aces_high
    sums.unions_known = 0
    sums.lone_aces = 0
    sums.crowded = sums.count > FAST_CARDS
    sums.words = 1
    if sums.crowded:
        return
    memset(values, NO_CARD, LOW_CARDS)
    for i in range(sums.count if sums.count < LOW_CARDS else LOW_CARDS):
        one = left & (0 - left)
        left ^= one
        sums.card[i] = one
        k = lowest(one) >> 2
        values[i] = rules.sum_value[k]
        if k == 0:
            sums.lone_aces |= <uint64_t>1 << (1 << i)
    set_values(&sums.low, values)
    sums.high_sum[0] = 0
    sums.high_cards[0] = 0
    for i in range(LOW_CARDS, sums.count):
        one = left & (0 - left)
        left ^= one
        sums.card[i] = one
        value = rules.sum_value[lowest(one) >> 2]
        for high in range(sums.words):
            s = sums.high_sum[high] + value
            sums.high_sum[high + sums.words] = <uint8_t>(s if s < 255 else 255)
            sums.high_cards[high + sums.words] = sums.high_cards[high] | one
        sums.words *= 2


cdef inline bint shares_rank(cards_t cards) noexcept nogil:
    """Whether two of the cards have the same rank."""
    return (cards & cards >> 1 & 7 * SPADES | cards & cards >> 2 & 3 * SPADES
            | cards & cards >> 3 & SPADES) != 0


cdef inline void find_distinct(Sums* sums, const uint8_t* alike, cards_t table) noexcept nogil:
    """Fill `distinct`: of cards that are alike, a subset that has the later one has the earlier one
    too."""
    cdef int i, j, high
    for high in range(sums.words):
        sums.distinct[high] = ~<uint64_t>0
    if not shares_rank(table):
        return
    for j in range(1, sums.count):
        for i in range(j - 1, -1 if j < 4 else j - 4, -1):
            if alike[lowest(sums.card[i])] != alike[lowest(sums.card[j])]:
                continue
            if j < LOW_CARDS:
                for high in range(sums.words):
                    sums.distinct[high] &= HAS[i] | ~HAS[j]
            else:
                for high in range(sums.words):
                    if not sums.high_cards[high] & sums.card[j]:
                        continue
                    if i < LOW_CARDS:
                        sums.distinct[high] &= HAS[i]
                    elif not sums.high_cards[high] & sums.card[i]:
                        sums.distinct[high] = 0
            break


cdef inline uint64_t groups_of(const Sums* sums, int high, int total) noexcept nogil:
    """The low subsets that sum to `total` together with high subset `high`."""
    cdef int rest = total - sums.high_sum[high]
    return subsets_of(&sums.low, rest) if rest >= 0 else 0


cdef inline uint64_t groups_of_value(const Sums* sums, int high, int value) noexcept nogil:
    """The same for groups(value): with aces high, an ace alone is a group(14) too."""
    cdef uint64_t groups = groups_of(sums, high, value)
    # Aces come first, so they are all in the low part.
    if value == 14 and sums.aces_high and high == 0:
        groups |= sums.lone_aces
    return groups


cdef inline void make_unions(Sums* sums, int value) noexcept nogil:
    """Fill unions[.][value], if not yet there: each group in turn joins every union disjoint from
    it."""
    cdef uint64_t groups, word
    cdef int high, i, other, rest
    if sums.unions_known >> value & 1:
        return
    sums.unions_known |= <uint16_t>(1 << value)
    if sums.words == 1:
        groups = groups_of_value(sums, 0, value)
        word = 1
        while groups:
            word |= join_family(word, lowest(groups))
            groups &= groups - 1
        sums.unions[0][value] = word
        return
    for high in range(sums.words):
        sums.unions[high][value] = 0
    sums.unions[0][value] = 1
    for high in range(sums.words):
        groups = groups_of_value(sums, high, value)
        if not groups:
            continue
        rest = (sums.words - 1) & ~high
        while groups:
            i = lowest(groups)
            groups &= groups - 1
            other = rest                 # all subsets of the high cards outside `high`
            while True:
                word = sums.unions[other][value]
                if word:
                    sums.unions[other | high][value] |= join_family(word, i)
                if other == 0:
                    break
                other = (other - 1) & rest


cdef inline uint64_t family_word(Sums* sums, int value, int need, bint absorb) noexcept nogil:
    """The family of one word: D and X disjoint, D of sum `need` (0: empty), X a union of
    groups(value) or, without `absorb`, empty."""
    cdef uint64_t needed = subsets_of(&sums.low, need)
    cdef uint64_t unions, family
    if not absorb:
        return needed
    make_unions(sums, value)
    unions = sums.unions[0][value]
    if need == 0:
        return unions
    family = 0
    while needed:
        family |= join_family(unions, lowest(needed))
        needed &= needed - 1
    return family


cdef inline void family_words(Sums* sums, int value, int need, bint absorb,
                              uint64_t* family) noexcept nogil:
    """Add the family (as in `family_word`) to the `words` words of `family`."""
    cdef uint64_t needed, word
    cdef int high, i, other, rest
    if absorb:
        make_unions(sums, value)
    for high in range(sums.words):
        needed = groups_of(sums, high, need)
        if not absorb:
            family[high] |= needed
            continue
        rest = (sums.words - 1) & ~high
        while needed:
            i = lowest(needed)
            needed &= needed - 1
            other = rest
            while True:
                word = sums.unions[other][value]
                if word:
                    family[other | high] |= join_family(word, i)
                if other == 0:
                    break
                other = (other - 1) & rest


cdef bint splits(uint8_t* counts, int value, bint aces_high) noexcept nogil
cdef bint family_has(const uint8_t* counts, int value, int need, bint absorb,
                     bint aces_high) noexcept nogil
