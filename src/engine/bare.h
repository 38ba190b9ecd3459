/* Bare exchanges: some bytes out, a number of bytes back, and nothing looked at. It is what a call
 * and its reply cost that have no RPC in them: the system calls, the network, and that both ends
 * have to be woken. The bytes go to an echo (rpc/echo.h), or to whatever answers them. */
#ifndef NFSBENCH_ENGINE_BARE_H
#define NFSBENCH_ENGINE_BARE_H

#include "engine/channel.h"

struct bare;

/* Connect, as a channel does: OPTIONS say how to wait, and how long an answer may be. 0, or a
 * negative errno with ERROR set. */
int bare_open(struct bare **bare, const struct endpoint *endpoint,
              const struct channel_options *options, struct error *error);
void bare_close(struct bare *bare);

/* What is sent, and how much is to come back (a single datagram, over UDP). */
struct bare_message {
    const uint8_t *bytes;
    size_t length;
    size_t answer; /* 1 to the options' maximum */
};

/* Make one exchange, which took *TICKS of CLOCK. 0; 1 when a datagram was lost and sent again, so
 * that the ticks tell nothing; -EINTR when told to stop; or a negative errno with ERROR set. */
int bare_exchange(struct bare *bare, const struct bare_message *message, const struct clock *clock,
                  uint64_t *ticks, struct error *error);

#endif
