/* Bare exchanges: send some bytes, receive a given number of bytes, and look at none of them. This
 * is what a call and its reply cost without any RPC: the system calls, the network, and waking both
 * ends. The bytes go to an echo (rpc/echo.h), or to whatever else answers them. */
#pragma once

#include "engine/channel.h"

struct bare;

/* Connect as a channel does. OPTIONS say how to wait and how long an answer may be. Returns 0, or a
 * negative errno with ERROR set. */
int bare_open(struct bare **bare, const struct endpoint *endpoint,
              const struct channel_options *options, struct error *error);
void bare_close(struct bare *bare);

/* What is sent, and how many bytes are to come back (over UDP, in a single datagram). */
struct bare_message {
    const uint8_t *bytes;
    size_t length;
    size_t answer; /* 1 to the maximum in the options */
};

/* Make one exchange and set *TICKS to its time by CLOCK. Returns 0; 1 when a datagram was lost and
 * sent again, so that the ticks mean nothing; -EINTR when asked to stop; or a negative errno with
 * ERROR set. */
int bare_exchange(struct bare *bare, const struct bare_message *message, const struct clock *clock,
                  uint64_t *ticks, struct error *error);
