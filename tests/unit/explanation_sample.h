/* An explanation of made-up calls, for what shows explanations. */
#ifndef NFSBENCH_TESTS_UNIT_EXPLANATION_SAMPLE_H
#define NFSBENCH_TESTS_UNIT_EXPLANATION_SAMPLE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "output/explain.h"
#include "output/file.h"

enum { SAMPLE_SLOW = 2 };

struct explanation_sample {
    struct explanation explanation;
    struct phases phases;
    struct explain_slow_call slow[SAMPLE_SLOW];
};

/* How long after the one before a moment comes, in ns: at least LEAST, on average MORE more. 0:
 * never. */
static const struct {
    double least, more;
} sample_steps[MOMENTS] = {
    [MOMENT_SEND_ENTERED] = {180, 20},  [MOMENT_SCHEDULED] = {1600, 90},
    [MOMENT_TRANSMITTED] = {60, 25},    [MOMENT_REQUEST_ARRIVED] = {820, 60},
    [MOMENT_SERVER_WOKEN] = {240, 30},  [MOMENT_SERVER_RUNS] = {1900, 700},
    [MOMENT_REQUEST_READ] = {900, 110}, [MOMENT_REPLY_ENTERED] = {260, 45},
    [MOMENT_REPLY_SENT] = {1350, 120},  [MOMENT_REPLY_RECEIVED] = {240, 30},
    [MOMENT_REPLY_ARRIVED] = {560, 60}, [MOMENT_CLIENT_WOKEN] = {250, 40},
    [MOMENT_CLIENT_RUNS] = {1800, 900}, [MOMENT_REPLY_READ] = {820, 80},
    [MOMENT_DECODED] = {110, 15},
};

/* One call that begins at BEGUN. The server of one that is AWAKE was not woken for it. */
static inline struct call_times sample_call(struct random *random, uint64_t begun, bool awake)
{
    struct call_times call = {.xid = 1};
    double at = (double)begun;

    call.at[MOMENT_BEGUN] = begun;
    for (int i = 1; i < MOMENTS; i++) {
        double spread = -log((random_below(random, 10000) + 1) / 1e4); /* exponential */

        if (sample_steps[i].least <= 0)
            continue;
        if (awake && (i == MOMENT_SERVER_WOKEN || i == MOMENT_SERVER_RUNS))
            continue;
        at += round(sample_steps[i].least + sample_steps[i].more * spread);
        call.at[i] = (uint64_t)at;
    }
    call.send_returned = call.at[MOMENT_TRANSMITTED] + 2400;
    call.lifetime_ns = call.at[MOMENT_DECODED] - begun + 40; /* that no phase tells of */
    return call;
}

static inline void sample_add_slow(struct explanation_sample *sample, struct random *random)
{
    for (size_t i = 0; i < SAMPLE_SLOW; i++) {
        struct explain_slow_call *slow = &sample->slow[i];

        slow->times = sample_call(random, 1000, false);
        slow->times.number = 712 + 31 * i;
        slow->longest = sample->explanation.row_count - 2;
        slow->longest_ns = 41300 - 20000. * (double)i;
        slow->times.lifetime_ns = 55100 - 20000 * i;
        slow->note_count = 2 - i;
        strcpy(slow->notes[0],
               "client gets processor: on CPU 1, which ran kworker/1:2 (thread 4711) "
               "in the meantime");
        strcpy(slow->notes[1], "the client was preempted once, by ksoftirqd/1 (thread 21)");
    }
    sample->explanation.slow = sample->slow;
    sample->explanation.slow_count = SAMPLE_SLOW;
    sample->explanation.slow_total = 10;
    sample->explanation.slow_beyond = 25020;
}

/* CALLS calls as VIEW tells of them; every fourth server was awake. */
static inline void explanation_sample_fill(struct explanation_sample *sample,
                                           const struct phase_view *view, size_t calls)
{
    static const char *const names[EXPLAIN_EXAMPLES] = {"slowest", "median", "fastest"};
    struct explanation *explanation = &sample->explanation;
    struct random random;

    memset(sample, 0, sizeof *sample);
    random_seed(&random, 42);
    phases_clear(&sample->phases, view);
    for (size_t i = 0; i < calls; i++) {
        struct call_times call = sample_call(&random, 1000 + i * 30000, i % 4 == 0);

        phases_add(&sample->phases, &call);
    }
    *explanation = (struct explanation){.start = "2026-01-02T03:04:05Z",
                                        .target = "self:",
                                        .op = "getattr",
                                        .transport = "TCP",
                                        .kernel = "6.18.0",
                                        .cpu = "Example CPU @ 2.70GHz",
                                        .client_cpus = "0",
                                        .server_cpu = 1,
                                        .seed = 42,
                                        .call_bytes = 120,
                                        .reply_bytes = 116,
                                        .phases = &sample->phases,
                                        .calls = calls,
                                        .stamping = {231, 210, 252},
                                        .has_stamping = true,
                                        .unstamped_mean = 12640};
    explain_rows(explanation);
    for (size_t i = 0; i < EXPLAIN_EXAMPLES; i++)
        explanation->examples[explanation->example_count++] =
            (struct explain_example){names[i], sample_call(&random, 5000, i % 2 == 1)};
    sample_add_slow(sample, &random);
}

/* What WRITER makes of it; free() it. NULL where it fails. */
static inline char *explanation_written(const struct explanation *explanation, file_writer writer)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    if (writer(explanation, out) == 0 && fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

#endif
