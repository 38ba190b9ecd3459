#include "engine/channel/xid.h"

#include "common/random.h"

/* Return the inverse of the odd number KEY modulo 2^32, by Newton's iteration. KEY itself equals
 * its inverse in the lowest 3 bits; each step doubles the number of correct bits. */
static uint32_t inverse_of(uint32_t key)
{
    uint32_t inverse = key;

    for (int right_bits = 3; right_bits < 32; right_bits *= 2)
        inverse *= 2 - key * inverse;
    return inverse;
}

void xid_series_begin(struct xid_series *series, unsigned bits)
{
    for (int i = 0; i < XID_ROUNDS; i++) {
        series->keys[i] = (uint32_t)random_system_seed() | 1;
        series->inverses[i] = inverse_of(series->keys[i]);
    }
    series->mask = UINT32_MAX >> (32 - bits);
    series->shift = (bits + 1) / 2;
    series->first = (uint32_t)random_system_seed();
}

/* Return the number of XID: the inverse of xid_for(). An xor with a shift by half of the bits,
 * rounded up, is its own inverse. */
static uint32_t number_of(const struct xid_series *series, uint32_t xid)
{
    for (int i = XID_ROUNDS - 1; i >= 0; i--) {
        xid ^= xid >> series->shift;
        xid = xid * series->inverses[i] & series->mask;
    }
    return xid;
}

bool xid_was_used(const struct xid_series *series, uint32_t first, uint32_t latest, uint32_t xid)
{
    return latest - first >= series->mask ||
           ((number_of(series, xid) - first) & series->mask) <= latest - first;
}
