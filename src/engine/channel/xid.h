/* Transaction ids (RFC 5531 section 9) that a server can't predict. If xids counted up, a server
 * could send the reply to the next call before that call, and the reply would pass for a fast
 * answer. The xids of a series are the numbers 0, 1, 2, ... mixed with random keys. Mixing is one
 * to one, which has two uses: a series repeats no xid before it has used all of them, as servers
 * keep their replies to recent xids; and the number of an xid can be found again, which shows
 * whether its call was made. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { XID_ROUNDS = 2 };

struct xid_series {
    uint32_t keys[XID_ROUNDS];     /* odd */
    uint32_t inverses[XID_ROUNDS]; /* of the keys, modulo 2^32 */
    uint32_t mask;                 /* of the xids' bits */
    unsigned shift;                /* half of the number of bits, rounded up */
    uint32_t first;                /* the number to begin with; random */
};

/* Begin a series of xids of BITS bits (1 to 32), with keys of its own. */
void xid_series_begin(struct xid_series *series, unsigned bits);

/* The xid of call NUMBER, of whose bits those beyond the xids' are ignored. */
static inline uint32_t xid_for(const struct xid_series *series, uint32_t number)
{
    uint32_t xid = number & series->mask;

    for (int i = 0; i < XID_ROUNDS; i++) {
        xid = xid * series->keys[i] & series->mask;
        xid ^= xid >> series->shift;
    }
    return xid;
}

/* Is XID that of one of the calls from FIRST to LATEST? */
bool xid_was_used(const struct xid_series *series, uint32_t first, uint32_t latest, uint32_t xid);
