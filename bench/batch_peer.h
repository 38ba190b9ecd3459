/* Servers without RPC or NFS code, for comparison. Each is a process of its own on the last
 * processor that may be used. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

enum { BATCH_MAXIMUM = 256 }; /* most messages in one system call */

/* A prepared reply. All calls have one length, and all replies differ only in their xid. */
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

/* Start a server that answers as CANNED says: the calls of one receive with one send. Returns 0, or
 * a negative errno with ERROR set. */
int batch_peer_stub(struct batch_peer *peer, const struct batch_canned *canned,
                    struct error *error);

/* Start a server over TCP. A request is a number of eight bytes in the host's byte order; the
 * server sends that many bytes. Returns 0, or a negative errno with ERROR set. */
int batch_peer_stream(struct batch_peer *peer, struct error *error);

void batch_peer_stop(struct batch_peer *peer);
