/* The value of the last deal before its hands are known, by a small network fitted to exact means.
   Integers alone, so that every machine finds the same. `tools/fit_last_deal.py` writes the weights
   and describes the inputs. */
#ifndef CASINO_CORE_LAST_DEAL_H
#define CASINO_CORE_LAST_DEAL_H

#include <stdint.h>

#include "last_deal_weights.h"

enum {
    CC_LEAD_MOST = 20,                  /* larger leads count as this */
    CC_SPADES_LEAD_MOST = 7,
    CC_SPADES_LEAD_AT = 2 * CC_LEAD_MOST + 1,
    CC_RANKS_AT = CC_SPADES_LEAD_AT + 2 * CC_SPADES_LEAD_MOST + 1,
    CC_OF_RANK = 12,                    /* on the table; in the stock, and captures nothing; the
                                           same, and captures: 1 to 4 cards of each */
    CC_LAST_AT = CC_RANKS_AT + 13 * CC_OF_RANK,
    CC_TABLE_SPADES_AT = CC_LAST_AT + 1,
    CC_STOCK_SPADES_AT = CC_TABLE_SPADES_AT + 5,
    CC_POINTS_AT = CC_STOCK_SPADES_AT + 6,
    CC_TABLE_AT = CC_POINTS_AT + 8,
    CC_MOST_TABLE = 10
};

static inline int cc_within(int value, int most) {
    return value > most ? most : value < -most ? -most : value;
}

static inline void cc_add_row(int16_t *restrict sums, const cc_last_deal_net *net, int row) {
    for (int i = 0; i < CC_NET_FIRST; i++)
        sums[i] = (int16_t)(sums[i] + net->first[row][i]);
}

/* The last two layers: value in 1 / 32768 points. */
static inline int32_t cc_last_layers(const cc_last_deal_net *net, const int16_t *restrict sums) {
    int16_t first[CC_NET_FIRST];
    int32_t value = net->last_bias;
    for (int i = 0; i < CC_NET_FIRST; i++)
        first[i] = sums[i] > 0 ? sums[i] : 0;
    for (int k = 0; k < CC_NET_SECOND; k++) {
        int32_t sum = net->second_bias[k];
        for (int i = 0; i < CC_NET_FIRST; i++)
            sum += (int32_t)first[i] * net->second[k][i];
        if (sum > 0)
            value += (sum >> 8) * net->last[k];
    }
    return value;
}

#endif
