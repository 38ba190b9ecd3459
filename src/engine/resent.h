/* Times in which calls had to be sent again. Such calls leave no sample, since a latency would tell
 * more of a client's timeouts than of the server; so that nothing of them stays hidden, the times
 * are recorded here. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { ENGINE_GAPS_MAXIMUM = 16 };

/* The time for which such calls waited for any reply; those that overlap are one. Times are in
 * ticks. */
struct engine_gap {
    uint64_t began, ended;
    uint64_t calls;
};

struct engine_gaps {
    struct engine_gap longest[ENGINE_GAPS_MAXIMUM]; /* in no order */
    size_t kept;
    uint64_t count; /* all of them */
};

/* Note that a call, which had been sent again, waited for its reply from BEGAN to ENDED. */
void engine_gaps_note(struct engine_gaps *gaps, uint64_t began, uint64_t ended);

/* Add GAP as it is, without joining it to those that it overlaps. */
void engine_gaps_keep(struct engine_gaps *gaps, const struct engine_gap *gap);

/* Add ADDED to SUM. */
void engine_gaps_add(struct engine_gaps *sum, const struct engine_gaps *added);
