/* The bare peers that a batched client is compared with: processes of their own on the last
 * processor that may be used, without RPC or NFS. */
#ifndef NFSBENCH_BENCH_BATCH_PEER_H
#define NFSBENCH_BENCH_BATCH_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

enum { BATCH_MAXIMUM = 256 }; /* messages in one system call */

/* What is canned: all calls are of one length, and all are answered by the same bytes. */
struct batch_canned {
    bool tcp;
    size_t call_length;
    const uint8_t *reply; /* as on the wire */
    size_t reply_length;
};

struct batch_peer {
    pid_t pid;
    uint16_t port; /* on 127.0.0.1 */
};

/* Answer whatever calls one receive brings by one send. 0, or a negative errno with ERROR set. */
int batch_peer_stub(struct batch_peer *peer, const struct batch_canned *canned,
                    struct error *error);

/* Over TCP: for each request of eight bytes, a number in the host's byte order, send so many bytes
 * and nothing else. As above. */
int batch_peer_stream(struct batch_peer *peer, struct error *error);

void batch_peer_stop(struct batch_peer *peer);

#endif
