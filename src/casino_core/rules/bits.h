/* Bit operations on card masks and the hash mix. No Python.h: pure C, inlined into every core module. */
#ifndef CASINO_CORE_BITS_H
#define CASINO_CORE_BITS_H

#include <assert.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define CC_INLINE static inline __attribute__((always_inline, unused))
#define CC_LIKELY(x) __builtin_expect(!!(x), 1)

CC_INLINE int cc_popcount(uint64_t x) { return __builtin_popcountll(x); }

/* Index of the lowest set bit; x is not 0. */
CC_INLINE int cc_lowest(uint64_t x)
{
    assert(x != 0);
    return __builtin_ctzll(x);
}

/* Index of the highest set bit; x is not 0. */
CC_INLINE int cc_highest(uint64_t x)
{
    assert(x != 0);
    return 63 - __builtin_clzll(x);
}

/* Upper half of the 128-bit product. */
CC_INLINE uint64_t cc_multiply_high(uint64_t a, uint64_t b)
{
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
}
#elif defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#define CC_INLINE static __forceinline
#define CC_LIKELY(x) (x)

CC_INLINE int cc_popcount(uint64_t x) { return (int)__popcnt64(x); }

CC_INLINE int cc_lowest(uint64_t x)
{
    unsigned long index;
    assert(x != 0);
    _BitScanForward64(&index, x);
    return (int)index;
}

CC_INLINE int cc_highest(uint64_t x)
{
    unsigned long index;
    assert(x != 0);
    _BitScanReverse64(&index, x);
    return (int)index;
}

CC_INLINE uint64_t cc_multiply_high(uint64_t a, uint64_t b) { return __umulh(a, b); }
#else
#error "casino_core needs GCC, Clang or 64-bit MSVC"
#endif

#define CC_SPADES UINT64_C(0x1111111111111)

/* A set of subsets of six cards is one 64-bit word: bit i stands for the subset whose members are the bits of i.
   CC_HAS(k) is the word of all subsets that contain card k. */
#define CC_HAS0 UINT64_C(0xAAAAAAAAAAAAAAAA)
#define CC_HAS1 UINT64_C(0xCCCCCCCCCCCCCCCC)
#define CC_HAS2 UINT64_C(0xF0F0F0F0F0F0F0F0)
#define CC_HAS3 UINT64_C(0xFF00FF00FF00FF00)
#define CC_HAS4 UINT64_C(0xFFFF0000FFFF0000)
#define CC_HAS5 UINT64_C(0xFFFFFFFF00000000)

#define CC_DISJOINT1(i)                                                                                  \
    ((((i)&1) ? ~CC_HAS0 : ~UINT64_C(0)) & (((i)&2) ? ~CC_HAS1 : ~UINT64_C(0)) &                         \
     (((i)&4) ? ~CC_HAS2 : ~UINT64_C(0)) & (((i)&8) ? ~CC_HAS3 : ~UINT64_C(0)) &                         \
     (((i)&16) ? ~CC_HAS4 : ~UINT64_C(0)) & (((i)&32) ? ~CC_HAS5 : ~UINT64_C(0)))
#define CC_DISJOINT4(i) CC_DISJOINT1(i), CC_DISJOINT1((i) + 1), CC_DISJOINT1((i) + 2), CC_DISJOINT1((i) + 3)
#define CC_DISJOINT16(i) CC_DISJOINT4(i), CC_DISJOINT4((i) + 4), CC_DISJOINT4((i) + 8), CC_DISJOINT4((i) + 12)

/* The word of all subsets that share no card with subset i. */
static const uint64_t CC_DISJOINT[64] = {CC_DISJOINT16(0), CC_DISJOINT16(16), CC_DISJOINT16(32), CC_DISJOINT16(48)};
static const uint64_t CC_HAS[6] = {CC_HAS0, CC_HAS1, CC_HAS2, CC_HAS3, CC_HAS4, CC_HAS5};

/* Every member of `families` that shares no card with subset i, with i added to it. */
CC_INLINE uint64_t cc_join(uint64_t families, int i) { return (families & CC_DISJOINT[i]) << i; }

/* The word of all subsets that contain subset i. */
CC_INLINE uint64_t cc_containing(int i)
{
    uint64_t word = ~UINT64_C(0);
    for (int k = 0; k < 6; k++)
        if ((i >> k) & 1) word &= CC_HAS[k];
    return word;
}

/* The strict subsets, within six cards, of all members of `families`. */
CC_INLINE uint64_t cc_strict_subsets(uint64_t families)
{
    uint64_t below = 0;
    for (int k = 0; k < 6; k++) below |= (families & CC_HAS[k]) >> (1 << k);
    for (int k = 0; k < 6; k++) below |= (below & CC_HAS[k]) >> (1 << k);
    return below;
}

/* `families` and all subsets of its members. */
CC_INLINE uint64_t cc_all_subsets(uint64_t families) { return families | cc_strict_subsets(families); }

/* A 64-bit mixing of x under a salt: two rounds of multiply and fold (the high half of a 128-bit product folded on
   the low half, as in the wyhash family of hashes). */
CC_INLINE uint64_t cc_mix(uint64_t x, uint64_t salt)
{
    uint64_t a = x ^ salt, b = x * UINT64_C(0x9E3779B97F4A7C15) + salt;
    uint64_t low = a * (b | 1), high = cc_multiply_high(a, b | 1);
    uint64_t folded = low ^ high ^ x;
    folded ^= folded >> 29;
    folded *= UINT64_C(0xBF58476D1CE4E5B9);
    return folded ^ (folded >> 32);
}

#endif
