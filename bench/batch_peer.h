/* The servers of bare exchanges, for comparison with a batched client: separate processes on the
 * last processor that may be used, without RPC or NFS. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

enum { BATCH_MAXIMUM = 256 }; /* messages in one system call */

/* A prepared reply: all calls have one length, and all are answered by the same bytes but for their
 * xids. */
struct batch_canned {
    bool tcp;
    size_t connections; /* of several, those that are ready are found by epoll */
    size_t call_length;
    const uint8_t *reply; /* as on the wire */
    size_t reply_length;
};

struct batch_peer {
    pid_t pid;
    uint16_t port; /* on 127.0.0.1 */
};

/* Answer the calls of one receive by one send, over as many connections. 0, or a negative errno
 * with ERROR set. */
int batch_peer_stub(struct batch_peer *peer, const struct batch_canned *canned,
                    struct error *error);

/* Over TCP: for each request of eight bytes, a number in the host's byte order, send that many
 * bytes and nothing else. Returns the same. */
int batch_peer_stream(struct batch_peer *peer, struct error *error);

void batch_peer_stop(struct batch_peer *peer);
