/* From a request message to a reply message: RPC's part of a call. Knows no sockets. */
#ifndef NFSBENCH_SERVER_DISPATCH_H
#define NFSBENCH_SERVER_DISPATCH_H

#include "server/call.h"
#include "server/mount.h"
#include "server/service_time.h"

/* All that calls work on. */
struct service {
    struct tree *tree;
    struct mounts mounts;
    const uint64_t *cost_ns;            /* by NFS procedure */
    struct service_time *service_times; /* by NFS procedure; NULL: not kept */
};

/* What dispatch_message() may write at most: a READ's reply over TCP, or a long DUMP. */
enum { DISPATCH_REPLY_MAXIMUM = CALL_READ_MAXIMUM_STREAM + 80 * 1024 };

/* Answer the request in REQUEST (LENGTH bytes) from PEER into REPLY (DISPATCH_REPLY_MAXIMUM bytes),
 * over a stream or in a datagram. Returns the reply's length, or 0 for what is no call and gets no
 * answer. */
size_t dispatch_message(struct service *service, const uint8_t *request, size_t length, bool stream,
                        const struct sockaddr_storage *peer, uint8_t *reply);

#endif
