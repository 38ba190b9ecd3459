/* Silences: times in which a worker had calls in flight and no reply came. They show how long a
 * server stood still. How long calls waited does not: one that was lost meanwhile is answered only
 * when the client has sent it again, and one that was sent later waits for all those before it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/resent.h"
#include "measure/clock.h"

#define SILENCE_LEAST_NS 10e6 /* shorter waits are not noted */

/* What a worker knows of its replies; times are in ticks. */
struct silences {
    uint64_t answered_at; /* the last time at which a call was answered or no call was in flight */
    uint64_t latest_sent; /* when the latest of the answered calls was sent */
    struct engine_gap longest; /* of the silences that calls in flight have waited through */
};

static inline bool silence_is_noted(const struct clock *clock, uint64_t ticks)
{
    return (double)ticks * clock->ns_per_tick >= SILENCE_LEAST_NS;
}

/* SILENCE, which is long enough to be noted, has ended: add it to WAITS. OLDEST: when the oldest
 * of the calls was sent that waited then. */
void silences_note(struct silences *silences, struct engine_gaps *waits,
                   const struct engine_gap *silence, uint64_t oldest);

/* A call that was sent at SENT was answered at NOW, so long after that it is noted. Where it was
 * not the server that stood still, but calls that were sent later were answered long before, add
 * the call's own wait to WAITS. */
void silences_note_call(const struct silences *silences, struct engine_gaps *waits, uint64_t sent,
                        uint64_t now);

/* A call that was sent at SENT was answered after it was sent again: if it has waited through a
 * silence, this is a gap. (If other calls were answered meanwhile, only a message was lost.) */
void silences_note_resent(const struct silences *silences, struct engine_gaps *gaps, uint64_t sent);
