/* A reply that takes several receives over TLS is decrypted piece by piece, while the client waits
 * for the rest, and the server and the network work on it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* What one recv() brought was decrypted: FROM, UNTIL in ns of CLOCK_MONOTONIC. */
struct decryption {
    uint32_t end; /* of calls under load: the position after its last byte, once decrypted */
    uint64_t from, until;
};

struct decryptions {
    struct decryption *list; /* in order */
    size_t count, capacity;
};

/* Returns 0 or -ENOMEM. */
int decryptions_add(struct decryptions *decryptions, struct decryption decryption);

/* Count the time of the COUNT decryptions in LIST, which are of one reply, as if all of them came
 * after the last recv(): AT are the call's timestamps, of which those up to REPLY_READ become
 * earlier by the time that was spent on decryption before them. Their order stays the same. */
void decryption_gather(uint64_t *at, const struct decryption *list, size_t count);
