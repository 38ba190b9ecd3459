/* What the rules of bottleneck.c look at, and how an answer is put into words. */
#pragma once

#include "experiment/laws/bottleneck.h"

/* What follows from evidence. NAN: unknown. */
struct bottleneck_signs {
    const struct bottleneck_evidence *of;
    double client, server; /* shares: of a side's processors, or of one by its busiest thread */
    double stalled;      /* 1 - typical time of a call / mean time: the share of rare long waits */
    double null_wait;    /* what a NULL beside waits more than alone, over what a call does */
    double network_wait; /* what TCP's round trip grew by, over what a NULL beside waits more */
    /* All processors of the client's machine are in use, though neither side's are: every call also
     * waits for a processor, and no trial is clear. */
    bool is_machine_busy;
};

struct bottleneck_signs bottleneck_signs_of(const struct bottleneck_evidence *evidence);

/* Write the evidence and the advice of ANSWER, whose limit and sureness are set. */
void bottleneck_say(const struct bottleneck_signs *signs, struct bottleneck_answer *answer);
