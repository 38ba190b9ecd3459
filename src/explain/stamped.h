/* An engine that takes timestamps of each call: it encodes each call, as real clients do, notes the
 * time of each step, and has the kernel timestamp what it sends and receives. */
#pragma once

#include "engine/engine.h"
#include "explain/load_tls.h"
#include "measure/timestamp.h"

/* The kernel's timestamps of a call. */
enum stamp_kind { STAMP_SCHEDULED, STAMP_TRANSMITTED, STAMP_RECEIVED, STAMP_KINDS };

/* The kernel's names: "TX_SCHED". */
extern const char *const stamp_names[STAMP_KINDS];

struct stamped_log {
    uint32_t sample; /* one of so many calls is logged, and has timestamps; 1 or more */
    /* Called before and after each such call, unless it is every one. NULL: not wanted. */
    void (*sampling)(void *context, bool on);
    void *context;
    struct call_times *calls; /* of the last block; one entry per logged call */
    size_t count, capacity;
    struct decryptions decryptions; /* of their replies */
    /* In all blocks: timestamps that never arrived for calls sent once. */
    uint64_t lost[STAMP_KINDS];
    uint64_t stamps_unmatched; /* in all blocks: timestamps that belong to no call */
    uint64_t dropped;          /* calls in blocks during which CLOCK_REALTIME was set */
    uint16_t port;             /* of the client; changes after a reconnection */
};

/* Connect. With STAMPING, engine_run() logs some of its calls in LOG, whose first members are set
 * and which must outlive the engine, and times only these; without, it makes the same calls without
 * timestamps, so that the difference is their cost. The ticks from engine_run() include encoding
 * and decoding. Returns 0, or a negative errno with ERROR set: -ENOTSUP if the kernel lacks these
 * timestamps. */
int stamped_open(struct engine **engine, const struct engine_config *config, bool stamping,
                 struct stamped_log *log, struct error *error);

/* When the server's timestamps of LOG's calls are filled in, too: gather the time in which TLS
 * decrypted long replies piece by piece (decryption_gather()). */
void stamped_log_gather_decryption(struct stamped_log *log);

/* Free the contents of LOG. */
void stamped_log_free(struct stamped_log *log);
