/* The duplicate request cache: a client that missed a reply repeats the request with the same xid,
 * and a request that must not be executed twice is then answered with the first reply (Juszczak,
 * "Improving the Performance and Correctness of an NFS Server", USENIX Winter 1989). For several
 * threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { REPLIES_SIZE = 288 }; /* bytes in the longest reply of procedures whose replies are kept */

struct replies;

/* Clients repeat requests within less time. */
enum { REPLIES_LIFETIME_S = 120 };

/* Make an empty cache that keeps the newest CAPACITY replies (a power of two) for at most
 * LIFETIME_S seconds. NULL without memory. */
struct replies *replies_open(uint32_t capacity, unsigned lifetime_s);
void replies_close(struct replies *replies);

/* A request of LENGTH bytes, from its xid on, and its sender. */
struct replies_request {
    const uint8_t *bytes;
    size_t length;
    const struct sockaddr_storage *peer;
    bool stream; /* it came over TCP */
};

enum replies_found {
    REPLIES_NEW,       /* execute it, then call replies_keep() */
    REPLIES_UNDER_WAY, /* it is being executed: no answer */
    REPLIES_KNOWN,     /* its reply was copied */
};

/* Is REQUEST a repetition? Transport, host, port, xid and bytes must be the same: programs on one
 * host may use the same xids, and a client that reconnects and repeats its requests binds the same
 * port. *TICKET is for replies_keep(); the reply is copied to REPLY, its length to *REPLY_LENGTH.
 */
enum replies_found replies_find(struct replies *replies, const struct replies_request *request,
                                uint64_t *ticket, uint8_t *reply, size_t *reply_length);

/* Keep the reply of the request that got TICKET. */
void replies_keep(struct replies *replies, uint64_t ticket, const uint8_t *reply, size_t length);
