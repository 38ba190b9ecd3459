/* The calls of an op with their timestamps: a table, of which phases are the differences. */
#pragma once

#include "explain/kernel/server_side.h"
#include "explain/phases/explain.h"
#include "measure/statistics/precision.h"

struct explain_calls {
    struct call_times *calls; /* explain_calls_sum() leaves those that can be explained */
    size_t count, capacity;
    size_t *ends; /* of each block: the number of calls until there */
    size_t block_count, block_capacity;
    struct explain_single_call *slow; /* slowest first */
    size_t slow_count, slow_wanted;
    struct phases phases; /* of all calls, after explain_calls_sum() */
    uint64_t seen;        /* explained or not, likewise */
};

/* Begin without calls; the SLOW_WANTED slowest ones will be noted. Returns 0, or -ENOMEM with ERROR
 * set; call explain_calls_close() in either case. */
int explain_calls_open(struct explain_calls *calls, size_t slow_wanted, struct error *error);

/* Remove all calls. */
void explain_calls_clear(struct explain_calls *calls);

/* Add a call, while SERVER, which has the view, still has its events. Returns 0 or -ENOMEM. */
int explain_calls_add(struct explain_calls *calls, const struct call_times *times,
                      const struct server_side *server);

/* The calls added since the last block are one. Returns 0 or -ENOMEM. */
int explain_calls_end_block(struct explain_calls *calls);

/* Are the mean lifetime of the calls so far, and all its phases in VIEW, known as well as PRECISION
 * asks for, relative to the lifetime? Not without memory. */
bool explain_calls_are_precise(const struct explain_calls *calls, const struct phase_view *view,
                               const struct precision *precision);

/* Once all are there: explain them by VIEW. Returns 0, or -ENOMEM with ERROR set. */
int explain_calls_sum(struct explain_calls *calls, const struct phase_view *view,
                      struct error *error);

/* Fill in EXPLANATION's intervals, examples and slow calls; its rows are filled in. */
void explain_calls_fill(struct explain_calls *calls, struct explanation *explanation);

void explain_calls_close(struct explain_calls *calls);
