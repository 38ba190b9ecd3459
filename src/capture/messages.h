/* RPC messages of a capture, matched with each other and counted. */
#ifndef NFSBENCH_CAPTURE_MESSAGES_H
#define NFSBENCH_CAPTURE_MESSAGES_H

#include "capture/profile.h"
#include "capture/records.h"

/* Where a message was sent. */
struct message_way {
    uint64_t flow; /* its number */
    unsigned side; /* of the flow: that sent it */
    bool is_tcp;
    const uint8_t *from, *to; /* addresses */
};

/* Count MESSAGE, which looks like one of RPC (capture/rpc_shape.h), in PROFILE. */
void messages_add(struct profile *profile, struct calls *calls, const struct message_way *way,
                  const struct record *message);

#endif
