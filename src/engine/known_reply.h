/* Replies that are known to be good. Most replies to the calls of a block are equal but for their
 * xids. A reply that equals the last good one to the same call is good, too, which one comparison
 * shows. All others are checked whole. */
#pragma once

#include <string.h>

#include "engine/engine.h"

/* Bytes. A longer reply is always checked: most of it is data or entries, and to check it takes
 * less time than to compare it. */
enum { KNOWN_REPLY_MAXIMUM = 512 };

/* The last good reply. Zeroed, there is none yet. */
struct known_reply {
    const struct engine_call *call; /* that it answered */
    uint64_t compared;              /* what it was compared with (struct engine_call) */
    size_t length;
    uint8_t bytes[KNOWN_REPLY_MAXIMUM];
};

/* Forget the reply, because what it was checked against may have changed since. */
static inline void known_reply_forget(struct known_reply *known)
{
    known->call = NULL;
}

/* What replies to CALL are compared with now. */
static inline uint64_t known_reply_compared(const struct engine_call *call)
{
    return call->compared ? atomic_load_explicit(call->compared, memory_order_relaxed) : 0;
}

/* Check a reply whole, and know it if it is good. Returns as below. */
int known_reply_learn(struct known_reply *known, const struct engine_call *call,
                      const uint8_t *bytes, size_t length, struct engine_tally *tally);

/* As engine_check_reply(), for a reply of at least 4 bytes, its xid. A reply with trailing bytes is
 * never taken as known, since each is counted in TALLY. */
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
