/* xoshiro256** 1.0 (D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators", 2018), seeded by
   SplitMix64 as its authors advise. The state is the caller's. */
#ifndef CASINO_CORE_RNG_H
#define CASINO_CORE_RNG_H

#include "bits.h"

typedef struct {
    uint64_t word[4];
} cc_rng;

CC_INLINE uint64_t cc_rotate_left(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

CC_INLINE void cc_rng_seed(cc_rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += UINT64_C(0x9E3779B97F4A7C15));
        z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
        rng->word[i] = z ^ (z >> 31);
    }
}

CC_INLINE uint64_t cc_rng_next(cc_rng *rng)
{
    uint64_t *s = rng->word;
    uint64_t result = cc_rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = cc_rotate_left(s[3], 45);
    return result;
}

/* A number below `bound`, each equally likely (D. Lemire, "Fast random integer generation in an interval", 2019). */
CC_INLINE uint64_t cc_rng_below(cc_rng *rng, uint64_t bound)
{
    uint64_t x = cc_rng_next(rng), low = x * bound;
    if (low < bound) {
        uint64_t threshold = (0 - bound) % bound;
        while (low < threshold) {
            x = cc_rng_next(rng);
            low = x * bound;
        }
    }
    return cc_multiply_high(x, bound);
}

#endif
