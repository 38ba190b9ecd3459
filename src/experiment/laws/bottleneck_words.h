/* Interface between the rules (bottleneck.c) and the texts of answers (bottleneck_words.c). */
#pragma once

#include "experiment/laws/bottleneck.h"

/* Signs: quantities derived from evidence. NAN: unknown. */
struct bottleneck_signs {
    const struct bottleneck_evidence *of;
    /* Share of a side's processors or of its busiest thread's processor, the larger. */
    double client, server;
    double stalled;      /* 1 - typical time / mean time of a call: the share of rare long waits */
    double null_wait;    /* extra wait of a NULL during the load / extra wait of a call */
    double network_wait; /* growth of TCP's RTT / extra wait of a NULL during the load */
    /* All processors of the client's machine are busy, but neither side's are. Every call also
     * waits for a processor, so no trial is clear. */
    bool is_machine_busy;
};

struct bottleneck_signs bottleneck_signs_of(const struct bottleneck_evidence *evidence);

/* Write evidence and advice of ANSWER, whose limit and sureness are set. */
void bottleneck_write_texts(const struct bottleneck_signs *signs, struct bottleneck_answer *answer);
