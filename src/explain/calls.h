/* The explained calls: the time that all of them spent in each phase, and some single calls. */
#pragma once

#include "explain/explain.h"
#include "explain/server_side.h"

struct explain_calls {
    struct phases phases;
    struct call_times *calls; /* all explained calls */
    size_t count, capacity;
    size_t *ends; /* of each block with such calls: their number until there */
    size_t block_count, block_capacity;
    uint64_t seen;                    /* explained or not */
    struct explain_single_call *slow; /* slowest first */
    size_t slow_count, slow_wanted;
};

/* Begin without calls; the SLOW_WANTED slowest ones will be kept. Returns 0, or -ENOMEM with ERROR
 * set; call explain_calls_close() in either case. */
int explain_calls_open(struct explain_calls *calls, const struct phase_view *view,
                       size_t slow_wanted, struct error *error);

/* Remove all calls, and set the view. */
void explain_calls_begin(struct explain_calls *calls, const struct phase_view *view);

/* Explain by VIEW from now on, also the calls already added, which have all of its timestamps. */
void explain_calls_change_view(struct explain_calls *calls, const struct phase_view *view);

/* Add a call, while SERVER (NULL: none) still has its events. Returns 0 or -ENOMEM. */
int explain_calls_add(struct explain_calls *calls, const struct call_times *times,
                      const struct server_side *server);

/* The calls added since the last block are one, unless none was explained. Returns 0 or -ENOMEM. */
int explain_calls_end_block(struct explain_calls *calls);

/* Fill in EXPLANATION's intervals, examples and slow calls; its rows are filled in. */
void explain_calls_fill(struct explain_calls *calls, struct explanation *explanation);

/* Fill in the intervals over the blocks alone: what is independent of one another are blocks, not
 * calls. Without several blocks, or memory, there are none. */
void explain_calls_intervals(const struct explain_calls *calls, struct explanation *explanation);

void explain_calls_close(struct explain_calls *calls);
