/* The calls of an op: a table of their timestamps. A phase is the difference of two timestamps. */
#pragma once

#include "explain/kernel/server_side.h"
#include "explain/phases/explain.h"
#include "measure/statistics/precision.h"

struct explain_calls {
    struct call_times *calls; /* explain_calls_sum() removes calls that can't be explained */
    size_t count, capacity;
    size_t *ends; /* for each block, the index in CALLS after its last call */
    size_t block_count, block_capacity;
    struct explain_single_call *slow; /* slowest first */
    size_t slow_count, slow_wanted;
    struct phases phases; /* phases of all calls, set by explain_calls_sum() */
    uint64_t seen;        /* number of all calls, explained or not; set by explain_calls_sum() */
};

/* Initialize CALLS, without calls. Notes will be kept for the SLOW_WANTED slowest calls. Returns 0,
 * or -ENOMEM with ERROR set; call explain_calls_close() in either case. */
int explain_calls_open(struct explain_calls *calls, size_t slow_wanted, struct error *error);

void explain_calls_clear(struct explain_calls *calls);

/* Add the call with TIMES. SERVER has the current view, and must still have the call's events.
 * Returns 0 or -ENOMEM. */
int explain_calls_add(struct explain_calls *calls, const struct call_times *times,
                      const struct server_side *server);

/* End a block: it consists of the calls added since the last block. Returns 0 or -ENOMEM. */
int explain_calls_end_block(struct explain_calls *calls);

/* Return true if the mean lifetime of the calls so far, and their mean time in each phase of VIEW,
 * are as precise as PRECISION asks for, relative to the lifetime; false also if no call is
 * explained, or without memory. */
bool explain_calls_are_precise(const struct explain_calls *calls, const struct phase_view *view,
                               const struct precision *precision);

/* Compute the phases of all calls by VIEW, and remove unexplained calls. Call this function after
 * the last explain_calls_add(). Returns 0, or -ENOMEM with ERROR set. */
int explain_calls_sum(struct explain_calls *calls, const struct phase_view *view,
                      struct error *error);

/* Set EXPLANATION's intervals, examples and slow calls, after its rows were set. CALLS owns the
 * slow calls. */
void explain_calls_set_intervals(struct explain_calls *calls, struct explanation *explanation);

void explain_calls_close(struct explain_calls *calls);
