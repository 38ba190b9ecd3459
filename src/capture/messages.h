/* RPC messages of a capture, matched with each other and counted. */
#pragma once

#include "capture/flows.h"
#include "capture/profile.h"
#include "capture/records.h"
#include "capture/workload_fill.h"

/* Where a message was sent. */
struct message_way {
    uint64_t flow; /* its number */
    unsigned side; /* of the flow: that sent it */
    bool is_tcp;
    const uint8_t *from, *to; /* addresses */
    struct workload_connection *connection;
};

/* Where messages are counted. */
struct message_counts {
    struct profile *profile;
    struct workload_fill *fill; /* NULL: no workload is wanted */
    struct calls *calls;
    struct flows *flows; /* those of the calls */
};

/* How long a call without a reply counts as in flight. */
#define MESSAGES_PATIENCE_NS UINT64_C(10000000000)

/* Count MESSAGE, which looks like one of RPC (capture/rpc_shape.h). */
void messages_add(const struct message_counts *counts, const struct message_way *way,
                  const struct record *message);
