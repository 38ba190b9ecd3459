/* What a library's client receives is looked at before the library decodes it, for two reasons.
 *
 * Crashes: libnfs 4.0 trusts lengths. An opaque of 0x80000000 bytes makes it read outside of the
 * record, and the count of an array makes it write outside of its memory. A crash can't be handled
 * once it has happened, as it may have destroyed the results; and a process of its own, or a relay
 * between it and the server, would change the times that the engine is there to measure.
 *
 * Early replies: a library skips replies to calls that were not sent, and says nothing.
 *
 * So recv(), read() and recvfrom(), by which libnfs and libtirpc receive, are replaced for the
 * whole program. In a thread between guard_begin() and guard_end() they follow the messages in the
 * stream, and hand the last bytes of a message over only if it is good. In all other threads they
 * are what they always are. There are no more system calls, and messages are copied only if they
 * come in several fragments. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rpc/record.h"

struct guard {
    bool datagrams;
    size_t maximum; /* bytes of a message; one that is longer is not good */
    /* A message with XID has come, or at least its first bytes. */
    void (*note)(void *context, uint32_t xid);
    /* Is the message of LENGTH BYTES, which begin with the xid, good? 0, or a negative errno. NULL:
     * all are. Over TCP, the library must receive each fragment into memory of its own. */
    int (*check)(void *context, const uint8_t *bytes, size_t length);
    void *context; /* of both */

    uint64_t good; /* messages so far */
    int code;      /* why nothing more is received: -EMSGSIZE, or what CHECK returned; 0: nothing */
    size_t length; /* of the message that was refused by CHECK */

    /* Over TCP, the record that is being received. */
    uint8_t mark[RPC_RECORD_MARK_SIZE]; /* of its latest fragment */
    size_t mark_filled;                 /* bytes */
    size_t marks;                       /* fragments so far */
    uint8_t xid[4];
    size_t total;          /* bytes so far, without marks */
    const uint8_t *bytes;  /* the latest fragment */
    size_t filled, wanted; /* bytes of that fragment: received, and in all */
    uint8_t *joined;       /* the fragments before it; NULL: there are none, or no CHECK */
    size_t joined_length;
};

/* Until guard_end(), GUARD looks at what this thread receives by recv(), read() and recvfrom(),
 * which must be from one socket. A call that brings what is not good fails with EBADMSG. */
void guard_begin(struct guard *guard);
void guard_end(void);

/* Forget what is being received, because the connection is lost; free its memory. */
void guard_reset(struct guard *guard);
