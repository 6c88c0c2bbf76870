/* Which subsets of up to six cards have a sum: a word of 64 bits, bit i for the subset whose members are the bits of i.
   With SSE2, which every x86-64 has, the sums of all subsets are 64 bytes, and the word of a sum is four comparisons;
   elsewhere the words of all sums are made card by card. */
#ifndef CASINO_CORE_SUBSET_SUMS_H
#define CASINO_CORE_SUBSET_SUMS_H

#include <stdint.h>
#include <string.h>

#include "bits.h"

#define CC_MOST_SUM 14
#define CC_NO_CARD 255 /* the value of a card that is not there */

#if !defined(CC_WITHOUT_SSE2) && (defined(__SSE2__) || (defined(_MSC_VER) && defined(_M_X64)))
#include <emmintrin.h>

typedef struct {
    uint8_t sums[64]; /* 255 for a subset with a card that is not there */
} cc_subset_sums;

/* Take six values, each 1 to 13 or CC_NO_CARD. */
CC_INLINE void cc_set_values(cc_subset_sums *all, const uint8_t *values)
{
    const __m128i has0 = _mm_set1_epi16((short)0xFF00);
    const __m128i has1 = _mm_set1_epi32((int)0xFFFF0000);
    const __m128i has2 = _mm_set_epi32(-1, 0, -1, 0);
    const __m128i has3 = _mm_set_epi32(-1, -1, 0, 0);
    const __m128i value4 = _mm_set1_epi8((char)values[4]), value5 = _mm_set1_epi8((char)values[5]);
    __m128i sums = _mm_and_si128(has0, _mm_set1_epi8((char)values[0]));
    __m128i with4;
    sums = _mm_adds_epu8(sums, _mm_and_si128(has1, _mm_set1_epi8((char)values[1])));
    sums = _mm_adds_epu8(sums, _mm_and_si128(has2, _mm_set1_epi8((char)values[2])));
    sums = _mm_adds_epu8(sums, _mm_and_si128(has3, _mm_set1_epi8((char)values[3])));
    with4 = _mm_adds_epu8(sums, value4);
    _mm_storeu_si128((__m128i *)all->sums, sums);
    _mm_storeu_si128((__m128i *)(all->sums + 16), with4);
    _mm_storeu_si128((__m128i *)(all->sums + 32), _mm_adds_epu8(sums, value5));
    _mm_storeu_si128((__m128i *)(all->sums + 48), _mm_adds_epu8(with4, value5));
}

CC_INLINE uint64_t cc_equal16(const uint8_t *sums, __m128i sum)
{
    return (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)sums), sum));
}

/* The subsets of a sum from 0 to CC_MOST_SUM. */
CC_INLINE uint64_t cc_subsets_of(const cc_subset_sums *all, int sum)
{
    const __m128i wanted = _mm_set1_epi8((char)sum);
    return cc_equal16(all->sums, wanted) | cc_equal16(all->sums + 16, wanted) << 16 |
           cc_equal16(all->sums + 32, wanted) << 32 | cc_equal16(all->sums + 48, wanted) << 48;
}
#else
typedef struct {
    uint64_t groups[CC_MOST_SUM + 1]; /* by sum */
} cc_subset_sums;

CC_INLINE void cc_set_values(cc_subset_sums *all, const uint8_t *values)
{
    int reach = 0;
    memset(all->groups, 0, sizeof all->groups);
    all->groups[0] = 1;
    for (int i = 0; i < 6 && values[i] != CC_NO_CARD; i++) {
        reach = reach + values[i] < CC_MOST_SUM ? reach + values[i] : CC_MOST_SUM;
        for (int s = reach; s >= values[i]; s--) all->groups[s] |= all->groups[s - values[i]] << (1 << i);
    }
}

CC_INLINE uint64_t cc_subsets_of(const cc_subset_sums *all, int sum) { return all->groups[sum]; }
#endif

#endif
