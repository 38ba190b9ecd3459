/* Silences: times in which a worker had calls in flight and received no reply. They show how long a
 * server stood still. The latencies of calls don't show this, because a call that was lost
 * meanwhile is answered only after a retransmission, and a call that was sent later waits for all
 * calls before it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/resent.h"
#include "measure/clock.h"

#define SILENCE_LEAST_NS 10e6 /* shorter waits are not noted */

/* Times of a worker's calls and replies, in ticks. */
struct silences {
    uint64_t answered_at;      /* latest time when a call was answered or none was in flight */
    uint64_t latest_sent;      /* send time of the answered call that was sent last */
    struct engine_gap longest; /* longest silence that a call in flight has waited through */
};

static inline bool silence_is_noted(const struct clock *clock, uint64_t ticks)
{
    return (double)ticks * clock->ns_per_tick >= SILENCE_LEAST_NS;
}

/* Add SILENCE, which has ended and is long enough to be noted, to WAITS, and update SILENCES.
 * OLDEST is the send time, in ticks, of the oldest call that waited through SILENCE. */
void silences_note(struct silences *silences, struct engine_gaps *waits,
                   const struct engine_gap *silence, uint64_t oldest);

/* Note a call, sent at SENT and answered at NOW after a wait that is long enough to be noted. If a
 * call is already answered that was sent more than half of the wait later than SENT and than the
 * end of the longest silence, the server did not stand still, and the wait is added to WAITS. */
void silences_note_call(const struct silences *silences, struct engine_gaps *waits, uint64_t sent,
                        uint64_t now);

/* Note a call that was sent at SENT and answered after a retransmission. If it has waited through
 * silences, add the longest one to GAPS. Otherwise the server answered other calls meanwhile, so
 * only a message was lost, and no gap is added. */
void silences_note_resent(const struct silences *silences, struct engine_gaps *gaps, uint64_t sent);
