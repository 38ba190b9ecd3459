/* Transaction ids (xids, RFC 5531 section 9) that a server can't predict. If xids counted up, a
 * server could reply to a call before receiving it, and would seem fast. The xids of a series are
 * successive numbers from a random one on, mixed with random keys.
 *
 * Mixing is one-to-one. So a series uses all xids before it repeats one, which matters because
 * servers keep replies to recent xids. And an xid can be converted back to its call number, which
 * shows whether that call was made. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { XID_ROUNDS = 2 };

struct xid_series {
    uint32_t keys[XID_ROUNDS];     /* random odd factors */
    uint32_t inverses[XID_ROUNDS]; /* inverses of the keys modulo 2^32 */
    uint32_t mask;                 /* mask of the bits that xids use */
    unsigned shift;                /* half of the number of bits, rounded up */
    uint32_t first;                /* random; the first call has number FIRST + 1 */
};

/* Begin a series of xids of BITS bits (1 to 32), with new keys. */
void xid_series_begin(struct xid_series *series, unsigned bits);

/* Return the xid of call NUMBER. Bits of NUMBER that an xid of the series lacks are ignored. */
static inline uint32_t xid_for(const struct xid_series *series, uint32_t number)
{
    uint32_t xid = number & series->mask;

    for (int i = 0; i < XID_ROUNDS; i++) {
        xid = xid * series->keys[i] & series->mask;
        xid ^= xid >> series->shift;
    }
    return xid;
}

/* Return whether XID belongs to one of the calls with numbers FIRST to LATEST. */
bool xid_was_used(const struct xid_series *series, uint32_t first, uint32_t latest, uint32_t xid);
