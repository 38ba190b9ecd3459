/* A quick check of replies. Most replies to the calls of a block are identical except for their
 * xids. If a reply equals the last good reply to the same struct engine_call, it is good, too, and
 * one comparison is enough. All other replies are checked in full. */
#pragma once

#include <string.h>

#include "engine/engine.h"

/* Longest known reply, in bytes. A longer reply is always checked in full, because most of it is
 * data or entries, which take longer to compare than to check. */
enum { KNOWN_REPLY_MAXIMUM = 512 };

/* The last good reply. Zeroed: there is no good reply yet. */
struct known_reply {
    const struct engine_call *call; /* the call that the reply answered */
    uint64_t compared;              /* value of *CALL->compared before the reply was checked */
    size_t length;
    uint8_t bytes[KNOWN_REPLY_MAXIMUM];
};

/* Forget the reply, because the values that it was checked against may have changed. */
static inline void known_reply_forget(struct known_reply *known)
{
    known->call = NULL;
}

/* Return the value that replies to CALL are currently compared with; 0 if there is none. */
static inline uint64_t known_reply_compared(const struct engine_call *call)
{
    return call->compared ? atomic_load_explicit(call->compared, memory_order_relaxed) : 0;
}

/* Check a reply in full. Remember it if it is good, not too long, and without trailing bytes. TALLY
 * is not NULL. Returns as engine_check_reply() does. */
int known_reply_learn(struct known_reply *known, const struct engine_call *call,
                      const uint8_t *bytes, size_t length, struct engine_tally *tally);

/* Check a reply of at least 4 bytes (the xid), and return as engine_check_reply() does. A reply
 * with trailing bytes is never remembered, because each must be counted in TALLY. */
static inline int known_reply_check(struct known_reply *known, const struct engine_call *call,
                                    const uint8_t *bytes, size_t length, struct engine_tally *tally)
{
    enum { XID_SIZE = 4 };

    if (call == known->call && length == known->length &&
        known_reply_compared(call) == known->compared &&
        memcmp(bytes + XID_SIZE, known->bytes + XID_SIZE, length - XID_SIZE) == 0)
        return 0;
    return known_reply_learn(known, call, bytes, length, tally);
}
