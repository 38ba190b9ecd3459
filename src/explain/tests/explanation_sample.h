/* An explanation of made-up calls, for tests of its views. */
#pragma once

#include "explain/phases/explain.h"
#include "sample_hash.h"
#include "test.h"

enum { SAMPLE_SLOW = 2 };

struct explanation_sample {
    struct explanation explanation;
    struct phases phases;
    struct explain_single_call slow[SAMPLE_SLOW];
};

/* Time from the previous timestamp to this one, ns: at least LEAST, on average LEAST + MORE. If the
 * name is NULL, the timestamp is missing. */
#define STEP(timestamp, least, more) [TIMESTAMP_##timestamp] = {#timestamp, least, more}
static const struct {
    const char *name;
    double least, more;
} sample_steps[TIMESTAMPS] = {
    STEP(ENCODED, 180, 20),         STEP(SCHEDULED, 1600, 90),    STEP(TRANSMITTED, 60, 25),
    STEP(REQUEST_ARRIVED, 820, 60), STEP(SERVER_WOKEN, 240, 30),  STEP(SERVER_RUNS, 1900, 700),
    STEP(REQUEST_READ, 900, 110),   STEP(REPLY_ENTERED, 260, 45), STEP(REPLY_SENT, 1350, 120),
    STEP(REPLY_RECEIVED, 240, 30),  STEP(REPLY_ARRIVED, 560, 60), STEP(CLIENT_WOKEN, 250, 40),
    STEP(CLIENT_RUNS, 1800, 900),   STEP(REPLY_READ, 820, 80),    STEP(DECODED, 110, 15),
};
#undef STEP

/* Make call NUMBER, which begins at BEGUN. If AWAKE is true, the server did not sleep before. */
static inline struct call_times sample_call(uint64_t number, uint64_t begun, bool awake)
{
    struct call_times call = {.xid = 1};
    double at = (double)begun;

    call.at[TIMESTAMP_BEGUN] = begun;
    for (int i = 1; i < TIMESTAMPS; i++) {
        double spread;

        if (!sample_steps[i].name)
            continue;
        if (awake && (i == TIMESTAMP_SERVER_WOKEN || i == TIMESTAMP_SERVER_RUNS))
            continue;
        spread = -log((double)(sample_hash(sample_steps[i].name, number) % 10000 + 1) / 1e4);
        at += round(sample_steps[i].least + sample_steps[i].more * spread);
        call.at[i] = (uint64_t)at;
    }
    call.at[TIMESTAMP_SEND_ENTERED] = call.at[TIMESTAMP_ENCODED];
    call.send_returned = call.at[TIMESTAMP_TRANSMITTED] + 2400;
    call.lifetime_ns = call.at[TIMESTAMP_DECODED] - begun + 40; /* 40 ns that no phase covers */
    return call;
}

static inline void sample_add_slow(struct explanation_sample *sample)
{
    for (size_t i = 0; i < SAMPLE_SLOW; i++) {
        struct explain_single_call *slow = &sample->slow[i];

        slow->times = sample_call(712 + 31 * i, 1000, false);
        slow->times.number = 712 + 31 * i;
        slow->longest = sample->explanation.row_count
                            ? &sample->explanation.rows[sample->explanation.row_count - 2]
                            : NULL;
        slow->view = sample->explanation.view;
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

/* Set SAMPLE to an explanation of CALLS calls by VIEW. In every fourth call the server was awake.
 * SAMPLE must be zeroed, or filled by an earlier call. */
static inline void explanation_sample_fill(struct explanation_sample *sample,
                                           const struct phase_view *view, size_t calls)
{
    static const char *const names[EXPLAIN_EXAMPLES] = {"slowest", "median", "fastest"};
    struct explanation *explanation = &sample->explanation;

    phases_close(&sample->phases);
    memset(sample, 0, sizeof *sample);
    assert_int_equal(phases_open(&sample->phases, view), 0);
    for (size_t i = 0; i < calls; i++) {
        struct call_times call = sample_call(i, 1000 + i * 30000, i % 4 == 0);

        phases_add(&sample->phases, &call);
    }
    *explanation = (struct explanation){.origin = {.start = "2026-01-02T03:04:05Z",
                                                   .target = "self:",
                                                   .transport = "TCP",
                                                   .kernel = "6.18.0",
                                                   .cpu = "Example CPU @ 2.70GHz",
                                                   .seed = 42},
                                        .op = "getattr",
                                        .client_cpus = "0",
                                        .server_cpu = 1,
                                        .call_bytes = 120,
                                        .reply_bytes = 116,
                                        .phases = &sample->phases,
                                        .calls = calls,
                                        .stamping = {231, 210, 252},
                                        .has_stamping = true,
                                        .unstamped_mean = 126400,
                                        .unstamped_typical = 12640};
    explain_rows(explanation);
    for (size_t i = 0; i < EXPLAIN_EXAMPLES; i++)
        explanation->examples[explanation->example_count++] =
            (struct explain_single_call){sample_call(calls + i, 5000, i % 2 == 1), view, names[i]};
    sample_add_slow(sample);
}
