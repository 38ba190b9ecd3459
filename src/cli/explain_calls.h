/* The calls that were explained: what all spent in each phase, and some of them by themselves. */
#ifndef NFSBENCH_CLI_EXPLAIN_CALLS_H
#define NFSBENCH_CLI_EXPLAIN_CALLS_H

#include "cli/explain_server.h"
#include "output/explain.h"

struct explain_calls {
    struct phases phases;
    struct call_times *calls; /* all that were explained */
    size_t count, capacity;
    uint64_t seen;                                       /* explained or not */
    struct explain_slow_call slow[EXPLAIN_SLOW_MAXIMUM]; /* slowest first */
    size_t slow_count, slow_wanted;
};

/* Begin with none. */
void explain_calls_begin(struct explain_calls *calls, const struct phase_view *view,
                         size_t slow_wanted);

/* Add a block's COUNT calls, whose events SERVER still has. 0 or -ENOMEM. */
int explain_calls_add(struct explain_calls *calls, const struct call_times *block, size_t count,
                      const struct explain_server *server);

/* Fill in what EXPLANATION, which has its rows, tells of single ones. */
void explain_calls_tell(struct explain_calls *calls, struct explanation *explanation);

void explain_calls_free(struct explain_calls *calls);

#endif
