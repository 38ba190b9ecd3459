/* A guard checks received messages before a library decodes them. There are two reasons.
 *
 * Crashes: libnfs 4.0 trusts lengths. An opaque of 0x80000000 bytes makes it read outside of the
 * record, and the count of an array makes it write outside of its memory. A separate process or a
 * relay would prevent a crash of this process, but change the measured times.
 *
 * Early replies: a library silently skips replies to calls that were not sent yet.
 *
 * recv(), read() and recvfrom(), which libnfs and libtirpc use, are replaced in the whole program.
 * Between guard_begin() and guard_end(), the replacements follow the messages that a thread
 * receives, and deliver the last bytes of a message only if it is good. Outside of guard_begin()
 * and guard_end(), the replacements only call the originals. The replacements make no additional
 * system calls, and copy only messages in several fragments. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rpc/record.h"

struct guard {
    bool datagrams;
    size_t maximum; /* maximum length of a good message, in bytes */
    /* Called when the XID of a message has been received. Must not be NULL. */
    void (*note)(void *context, uint32_t xid);
    /* Return 0 if the message of LENGTH BYTES (from the xid on) is good, or a negative errno. With
     * this check, a library must receive each TCP fragment into contiguous memory. NULL: all
     * messages are good. */
    int (*check)(void *context, const uint8_t *bytes, size_t length);
    void *context; /* passed to NOTE and CHECK */

    uint64_t good; /* number of good messages so far */
    int code;      /* why receiving has ended, such as an error of CHECK; 0: not ended */
    size_t length; /* length of the message that was checked last */

    /* Members for the current record (TCP): */
    uint8_t mark[RPC_RECORD_MARK_SIZE]; /* mark of the record's latest fragment */
    size_t mark_filled;                 /* received bytes of MARK */
    size_t marks;                       /* number of the record's fragments so far */
    uint8_t xid[4];
    size_t total;          /* received bytes of the record, without marks */
    const uint8_t *bytes;  /* latest fragment */
    size_t filled, wanted; /* FILLED: received bytes of the latest fragment; WANTED: its length */
    uint8_t *joined;       /* bytes of the earlier fragments; NULL: none, or CHECK is NULL */
    size_t joined_length;
};

/* Until guard_end(), GUARD checks what this thread receives by recv(), read() and recvfrom() from
 * one socket. Once a message is bad, these calls fail with EBADMSG until guard_reset(). */
void guard_begin(struct guard *guard);
void guard_end(void);

/* Forget the current record and CODE, because the connection is lost, and free memory. */
void guard_reset(struct guard *guard);
