/* The duplicate request cache, for several threads. A client that missed a reply repeats the
 * request with the same xid. If the request must not be executed twice, it is answered with the
 * first reply (Juszczak, "Improving the Performance and Correctness of an NFS Server", USENIX
 * Winter 1989). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { REPLIES_SIZE = 288 }; /* bytes of the longest reply that is kept */

struct replies;

enum { REPLIES_LIFETIME_S = 120 }; /* time, in s, within which clients repeat a request */

/* Make an empty cache of the replies to the newest CAPACITY requests, each kept for LIFETIME_S to
 * LIFETIME_S + 1 seconds. Returns NULL if there is no memory. */
struct replies *replies_open(uint32_t capacity, unsigned lifetime_s);
void replies_close(struct replies *replies);

/* A request of LENGTH bytes, from its xid on, and its sender. */
struct replies_request {
    const uint8_t *bytes;
    size_t length;
    const struct sockaddr_storage *peer;
    bool stream; /* the request came over TCP */
};

enum replies_found {
    REPLIES_NEW,       /* execute the request, then call replies_keep() */
    REPLIES_UNDER_WAY, /* being executed, or the reply was too long to keep: send no answer */
    REPLIES_KNOWN,     /* the reply was copied */
};

/* Is REQUEST a repetition? A repetition has the same transport, host, port, length and first 256
 * bytes, which begin with the xid. The port counts because programs on one host may use equal xids;
 * a client that reconnects to repeat its requests binds the same port. If the request is new, sets
 * *TICKET for replies_keep(). Copies a known reply to REPLY, and its length to *REPLY_LENGTH. */
enum replies_found replies_find(struct replies *replies, const struct replies_request *request,
                                uint64_t *ticket, uint8_t *reply, size_t *reply_length);

/* Keep REPLY as the reply to the request that got TICKET. If it has more than REPLIES_SIZE bytes,
 * it is not kept: repetitions stay REPLIES_UNDER_WAY. */
void replies_keep(struct replies *replies, uint64_t ticket, const uint8_t *reply, size_t length);
