/* An engine that takes the timestamps of each call that it makes: it encodes each anew, as clients
 * do, notes the time at each step, and has the kernel stamp what it sends and receives. */
#ifndef NFSBENCH_EXPLAIN_STAMPED_H
#define NFSBENCH_EXPLAIN_STAMPED_H

#include "engine/engine.h"
#include "measure/timestamp.h"

/* The kernel's stamps of a call. */
enum stamp_kind { STAMP_SCHEDULED, STAMP_TRANSMITTED, STAMP_RECEIVED, STAMP_KINDS };

/* As the kernel calls them: "TX_SCHED". */
extern const char *const stamp_names[STAMP_KINDS];

struct stamped_log {
    struct call_times *calls; /* of the latest block; one entry for each call that was made */
    size_t count, capacity;
    uint64_t
        lost[STAMP_KINDS]; /* in all blocks: stamps that never came of calls that were sent once */
    uint64_t stamps_unmatched; /* and those that came, and are of no call */
    uint64_t dropped;          /* calls of blocks in which CLOCK_REALTIME was set */
    uint16_t port;             /* that calls come from: another one after a reconnection */
};

/* Connect. With STAMPING, engine_run() logs its calls in LOG, which must outlive the engine;
 * without, it makes the same calls and takes no stamps: what those cost is the difference. The
 * ticks that engine_run() writes are of a call's whole life, encoding and decoding included. 0, or
 * a negative errno with ERROR set: -ENOTSUP where the kernel has no such stamps. */
int stamped_open(struct engine **engine, const struct engine_config *config, bool stamping,
                 struct stamped_log *log, struct error *error);

/* Release what LOG holds. */
void stamped_log_free(struct stamped_log *log);

#endif
