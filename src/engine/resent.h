/* Times in which calls had to be sent again. In a closed loop such a call usually leaves no sample,
 * because its latency depends more on a client's timeouts than on the server. The periods in which
 * such calls waited are recorded instead. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { ENGINE_GAPS_MAXIMUM = 16 };

/* A period, in ticks, in which CALLS calls waited for replies. */
struct engine_gap {
    uint64_t began, ended;
    uint64_t calls;
};

struct engine_gaps {
    struct engine_gap longest[ENGINE_GAPS_MAXIMUM]; /* the longest gaps, in no order */
    size_t kept;
    uint64_t count; /* number of all gaps, including those not in LONGEST */
};

/* Add the gap in which a retransmitted call waited for its reply, from BEGAN to ENDED (ticks). Gaps
 * that overlap are merged. */
void engine_gaps_note(struct engine_gaps *gaps, uint64_t began, uint64_t ended);

/* Add GAP without merging overlapping gaps. Only the ENGINE_GAPS_MAXIMUM longest gaps are kept. */
void engine_gaps_keep(struct engine_gaps *gaps, const struct engine_gap *gap);

/* Add the gaps of ADDED to SUM, and merge gaps that overlap. */
void engine_gaps_add(struct engine_gaps *sum, const struct engine_gaps *added);
