/* The duplicate request cache: a client that missed a reply asks again with the same xid, and what
 * must not be done twice is then answered by the first reply (Juszczak, "Improving the Performance
 * and Correctness of an NFS Server", USENIX Winter 1989). For several threads. */
#ifndef NFSBENCH_SERVER_REPLIES_H
#define NFSBENCH_SERVER_REPLIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { REPLIES_SIZE = 288 }; /* bytes in the longest that procedures which are remembered give */

struct replies;

/* An empty cache that keeps CAPACITY replies (a power of two), the newest, for two minutes at most.
 * NULL without memory. */
struct replies *replies_open(uint32_t capacity);
void replies_close(struct replies *replies);

/* A request, of LENGTH bytes from its xid on, and by whom. */
struct replies_request {
    const uint8_t *bytes;
    size_t length;
    const struct sockaddr_storage *peer;
    bool stream; /* it came over TCP */
};

enum replies_found {
    REPLIES_NEW,       /* carry it out, then call replies_keep() */
    REPLIES_UNDER_WAY, /* it is being carried out: no answer */
    REPLIES_KNOWN,     /* its reply was copied */
};

/* Is REQUEST one that was made before? The same transport, host, port, xid and bytes: programs of
 * one host know nothing of each other's xids, and a client that connects again and goes on with its
 * requests binds the same port again. *TICKET is for replies_keep(); the reply goes to REPLY, its
 * length to *REPLY_LENGTH. */
enum replies_found replies_find(struct replies *replies, const struct replies_request *request,
                                uint64_t *ticket, uint8_t *reply, size_t *reply_length);

/* Keep the reply of the request that got TICKET. */
void replies_keep(struct replies *replies, uint64_t ticket, const uint8_t *reply, size_t length);

#endif
