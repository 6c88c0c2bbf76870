/* Small networks of three layers with integer weights, so that every machine finds the same values.
   Inputs are zeros and ones: the first layer is a sum of rows. `tools/network.py` fits them. */
#ifndef CASINO_CORE_NETWORK_H
#define CASINO_CORE_NETWORK_H

#include <stdint.h>

enum { CC_FIRST = 32, CC_SECOND = 16 };

typedef struct {
    const int16_t (*first)[CC_FIRST];       /* a row for each input, in 1 / 128 */
    int16_t first_bias[CC_FIRST];
    int16_t second[CC_SECOND][CC_FIRST];    /* 1 / 256 */
    int32_t second_bias[CC_SECOND];         /* 1 / 32768 */
    int16_t last[CC_SECOND];                /* 1 / 256 */
    int32_t last_bias;                      /* 1 / 32768 */
} cc_network;

static inline void cc_begin_sums(const cc_network *network, int16_t *restrict sums) {
    for (int i = 0; i < CC_FIRST; i++)
        sums[i] = network->first_bias[i];
}

static inline void cc_add_row(const cc_network *network, int16_t *restrict sums, int row) {
    const int16_t *added = network->first[row];
    for (int i = 0; i < CC_FIRST; i++)
        sums[i] = (int16_t)(sums[i] + added[i]);
}

/* The value in 1 / 32768 points, from the sums of the first layer. */
static inline int32_t cc_value_of_sums(const cc_network *network, const int16_t *restrict sums) {
    int16_t first[CC_FIRST];
    int32_t value = network->last_bias;
    for (int i = 0; i < CC_FIRST; i++)
        first[i] = sums[i] > 0 ? sums[i] : 0;
    for (int k = 0; k < CC_SECOND; k++) {
        int32_t sum = network->second_bias[k];
        for (int i = 0; i < CC_FIRST; i++)
            sum += (int32_t)first[i] * network->second[k][i];
        if (sum > 0)
            value += (sum >> 8) * network->last[k];
    }
    return value;
}

#endif
