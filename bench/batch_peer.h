/* Servers without RPC or NFS code, for comparison. Each is a separate process on the last processor
 * that may be used. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

enum { BATCH_MAXIMUM = 256 }; /* maximum number of calls in flight on a connection */

/* A prepared reply. All calls have the same length, and replies differ only in their xids. */
struct batch_canned {
    bool tcp;
    size_t connections; /* with more than one connection, the server uses epoll */
    size_t call_length;
    const uint8_t *reply; /* reply as bytes on the wire */
    size_t reply_length;
};

struct batch_peer {
    pid_t pid;
    uint16_t port; /* port on 127.0.0.1 */
};

/* Start a server that answers every call by CANNED's reply with the call's xid. If it receives
 * several calls at once, it sends their replies at once. Returns 0, or a negative errno with ERROR
 * set. */
int batch_peer_stub(struct batch_peer *peer, const struct batch_canned *canned,
                    struct error *error);

/* Start a server for one connection over TCP. A request is an eight-byte number in the host's byte
 * order; the server sends this number of bytes. Returns 0, or a negative errno with ERROR set. */
int batch_peer_stream(struct batch_peer *peer, struct error *error);

void batch_peer_stop(struct batch_peer *peer);
