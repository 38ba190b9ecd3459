/* The calls that were explained: what all spent in each phase, and some of them by themselves. */
#ifndef NFSBENCH_EXPLAIN_CALLS_H
#define NFSBENCH_EXPLAIN_CALLS_H

#include "explain/explain.h"
#include "explain/server_side.h"

struct explain_calls {
    struct phases phases;
    struct call_times *calls; /* all that were explained */
    size_t count, capacity;
    uint64_t seen;                  /* explained or not */
    struct explain_slow_call *slow; /* slowest first */
    size_t slow_count, slow_wanted;
};

/* Begin with none; the SLOW_WANTED slowest ones are to be kept. 0, or -ENOMEM with ERROR set. To be
 * closed in any case. */
int explain_calls_open(struct explain_calls *calls, const struct phase_view *view,
                       size_t slow_wanted, struct error *error);

/* Begin anew with none. */
void explain_calls_begin(struct explain_calls *calls, const struct phase_view *view);

/* Explain them by VIEW from now on, and those that were added, too: they have all of its moments.
 */
void explain_calls_change_view(struct explain_calls *calls, const struct phase_view *view);

/* Add a block's COUNT calls, whose events SERVER still has. 0 or -ENOMEM. */
int explain_calls_add(struct explain_calls *calls, const struct call_times *block, size_t count,
                      const struct server_side *server);

/* Fill in what EXPLANATION, which has its rows, says of single ones. */
void explain_calls_fill(struct explain_calls *calls, struct explanation *explanation);

void explain_calls_close(struct explain_calls *calls);

#endif
