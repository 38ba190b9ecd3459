/* Replies that are known to be good. Most replies to the calls of a block are equal but for their
 * xids. A reply that equals the last good one to the same call is good, too, which one comparison
 * shows. All others are checked whole. */
#ifndef NFSBENCH_ENGINE_KNOWN_REPLY_H
#define NFSBENCH_ENGINE_KNOWN_REPLY_H

#include "engine/engine.h"

/* Bytes. A longer reply is always checked: most of it is data or entries, and to check it takes
 * less time than to compare it. */
enum { KNOWN_REPLY_MAXIMUM = 512 };

/* The last good reply. Zeroed, there is none yet. */
struct known_reply {
    const struct engine_call *call; /* that it answered */
    size_t length;
    uint8_t bytes[KNOWN_REPLY_MAXIMUM];
};

/* Forget the reply, because what it was checked against may have changed since. */
static inline void known_reply_forget(struct known_reply *known)
{
    known->call = NULL;
}

/* As engine_check_reply(), for a reply of at least 4 bytes, its xid. A reply with trailing bytes is
 * never taken as known, since each is counted in TALLY. */
int known_reply_check(struct known_reply *known, const struct engine_call *call,
                      const uint8_t *bytes, size_t length, struct engine_tally *tally);

#endif
