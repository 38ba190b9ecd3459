/* Interface between the rules (bottleneck.c) and the texts of answers (bottleneck_words.c). */
#pragma once

#include "experiment/laws/bottleneck.h"

/* Signs: quantities derived from evidence. NAN: unknown. */
struct bottleneck_signs {
    const struct bottleneck_evidence *of;
    /* the larger share: of the side's processors, or of one processor by its busiest thread */
    double client, server;
    double stalled;      /* share of rare long waits: 1 - typical time / mean time of a call */
    double null_wait;    /* extra wait of a NULL during the load / extra wait of a call */
    double network_wait; /* growth of TCP's RTT / extra wait of a NULL during the load */
    /* All processes together keep the client's machine busy, but the client or the server alone
     * does not. So calls wait for its processors, and this wait looks like the limit that was
     * found. */
    bool is_machine_busy;
};

struct bottleneck_signs bottleneck_signs_of(const struct bottleneck_evidence *evidence);

/* Write the evidence and advice of ANSWER, whose limit and sureness are set. */
void bottleneck_write_texts(const struct bottleneck_signs *signs, struct bottleneck_answer *answer);
