#include "engine/silence.h"

static uint64_t length_of(const struct engine_gap *gap)
{
    return gap->ended - gap->began;
}

void silences_note(struct silences *silences, struct engine_gaps *waits,
                   const struct engine_gap *silence, uint64_t oldest)
{
    engine_gaps_keep(waits, silence);
    if (length_of(silence) > length_of(&silences->longest) || silences->longest.ended <= oldest)
        silences->longest = *silence;
}

void silences_note_call(const struct silences *silences, struct engine_gaps *waits, uint64_t sent,
                        uint64_t now)
{
    const uint64_t silent_until = silences->longest.ended;
    const uint64_t from = silent_until > sent ? silent_until : sent;

    if (silences->latest_sent > from + (now - sent) / 2)
        engine_gaps_keep(waits, &(struct engine_gap){.began = sent, .ended = now, .calls = 1});
}

void silences_note_resent(const struct silences *silences, struct engine_gaps *gaps, uint64_t sent)
{
    if (silences->longest.ended > sent)
        engine_gaps_note(gaps, silences->longest.began, silences->longest.ended);
}
