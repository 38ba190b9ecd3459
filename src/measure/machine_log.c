#include "measure/machine_log.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "measure/clock.h"

enum { INTERVAL_NS = 100 * 1000 * 1000, OVERHEAD = 1000 };

static struct machine_sample *next_sample(struct machine_log *log)
{
    struct machine_sample *samples =
        array_grow(log->samples, log->count, &log->capacity, 256, sizeof *samples);

    if (!samples)
        return NULL;
    log->samples = samples;
    return &log->samples[log->count++];
}

void machine_log_update(struct machine_log *log, bool now)
{
    struct machine_sample *sample;
    uint64_t began = clock_raw_ns(), pause;
    struct counters counters;

    if (began < log->next_ns && !now)
        return;
    sample = next_sample(log);
    counters_clear(&counters);
    counters_read_machine(&counters);
    if (sample) {
        sample->at_ns = counters.at_ns;
        memcpy(sample->values, counters.values, sizeof sample->values);
    }
    pause = OVERHEAD * (counters.at_ns - began);
    log->next_ns = counters.at_ns + (pause > INTERVAL_NS ? pause : INTERVAL_NS);
}

bool machine_log_around(const struct machine_log *log, uint64_t at_ns,
                        struct machine_change *change)
{
    size_t after = 0;

    while (after < log->count && log->samples[after].at_ns <= at_ns)
        after++;
    if (after == 0 || after == log->count)
        return false;
    change->span_ns = log->samples[after].at_ns - log->samples[after - 1].at_ns;
    for (size_t i = 0; i < COUNTERS_FIRST_OF_PROCESS; i++)
        change->values[i] = log->samples[after].values[i] - log->samples[after - 1].values[i];
    return true;
}

void machine_log_close(struct machine_log *log)
{
    free(log->samples);
    *log = (struct machine_log){.samples = NULL};
}
