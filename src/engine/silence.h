/* Silences: times in which a worker had calls in flight and received no reply. The length of a
 * silence shows how long a server stood still. Latencies do not show this: a call that was lost in
 * a silence is answered only after a retransmission, and a call that was sent later waits for all
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

/* Add SILENCE to WAITS, and update SILENCES. SILENCE has ended and is long enough to be noted.
 * OLDEST is the send time, in ticks, of the oldest call that waited through SILENCE. */
void silences_note(struct silences *silences, struct engine_gaps *waits,
                   const struct engine_gap *silence, uint64_t oldest);

/* Note a call that was sent at SENT and answered at NOW. Its wait is long enough to be noted. The
 * call was overtaken if the server has already answered a call that was sent much later: by more
 * than half of the wait, counted from SENT or from the end of the longest silence, whichever is
 * later. If so, the server did not stand still, and the wait is added to WAITS. Otherwise nothing
 * is added. */
void silences_note_call(const struct silences *silences, struct engine_gaps *waits, uint64_t sent,
                        uint64_t now);

/* Note a call that was sent at SENT and answered after a retransmission. If it has waited through
 * silences, add the longest one to GAPS. Otherwise the server answered other calls meanwhile, so
 * only a message was lost, and no gap is added. */
void silences_note_resent(const struct silences *silences, struct engine_gaps *gaps, uint64_t sent);
