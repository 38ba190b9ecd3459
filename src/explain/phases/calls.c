#include "explain/phases/calls.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "explain/explain_run.h"
#include "measure/statistics/mean_interval.h"

int explain_calls_open(struct explain_calls *calls, size_t slow_wanted, struct error *error)
{
    *calls = (struct explain_calls){.slow_wanted = slow_wanted};
    calls->slow = calloc(slow_wanted + 1, sizeof *calls->slow);
    return calls->slow
               ? 0
               : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the slowest calls");
}

void explain_calls_clear(struct explain_calls *calls)
{
    calls->count = calls->block_count = calls->slow_count = 0;
}

/* Keep CALL with notes if it is among the slowest so far. */
static void note_slow(struct explain_calls *calls, const struct call_times *call,
                      const struct server_side *server)
{
    size_t at = calls->slow_count;

    while (at > 0 && calls->slow[at - 1].times.lifetime_ns < call->lifetime_ns)
        at--;
    if (at >= calls->slow_wanted)
        return;
    if (calls->slow_count < calls->slow_wanted)
        calls->slow_count++;
    memmove(&calls->slow[at + 1], &calls->slow[at],
            (calls->slow_count - 1 - at) * sizeof *calls->slow);
    calls->slow[at] = (struct explain_single_call){.times = *call};
    server_side_note(server, &calls->slow[at]);
}

int explain_calls_add(struct explain_calls *calls, const struct call_times *times,
                      const struct server_side *server)
{
    struct call_times call = *times;
    double ns[PHASE_TYPES];

    call.number = calls->count;
    if (phases_of_call(server->view, &call, ns) == PHASE_EXPLAINED)
        note_slow(calls, &call, server);
    return array_add(&calls->calls, &calls->count, &calls->capacity, &call, sizeof call);
}

int explain_calls_end_block(struct explain_calls *calls)
{
    return array_add(&calls->ends, &calls->block_count, &calls->block_capacity, &calls->count,
                     sizeof calls->count);
}

int explain_calls_sum(struct explain_calls *calls, const struct phase_view *view,
                      struct error *error)
{
    size_t kept = 0, blocks = 0;

    calls->seen = calls->count;
    if (phases_open(&calls->phases, view) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the phases");
    for (size_t block = 0, i = 0; block < calls->block_count; block++) {
        size_t before = kept;

        for (; i < calls->ends[block]; i++)
            if (phases_add(&calls->phases, &calls->calls[i]) == PHASE_EXPLAINED)
                calls->calls[kept++] = calls->calls[i];
        if (kept > before)
            calls->ends[blocks++] = kept;
    }
    calls->count = kept;
    calls->block_count = blocks;
    return 0;
}

/* Examples */

static int compare_lifetimes(const void *first, const void *second)
{
    const struct call_times *a = *(const struct call_times *const *)first;
    const struct call_times *b = *(const struct call_times *const *)second;

    return (a->lifetime_ns > b->lifetime_ns) - (a->lifetime_ns < b->lifetime_ns);
}

static void fill_examples(const struct explain_calls *calls, struct explanation *explanation)
{
    const struct {
        const char *which;
        size_t rank;
    } examples[EXPLAIN_EXAMPLES] = {
        {"slowest", calls->count - 1}, {"median", (calls->count - 1) / 2}, {"fastest", 0}};
    const struct call_times **order = calloc(calls->count + 1, sizeof *order);

    if (!order || calls->count == 0) {
        free(order);
        return;
    }
    for (size_t i = 0; i < calls->count; i++)
        order[i] = &calls->calls[i];
    qsort(order, calls->count, sizeof *order, compare_lifetimes);
    for (size_t i = 0; i < EXPLAIN_EXAMPLES; i++)
        explanation->examples[explanation->example_count++] =
            (struct explain_single_call){.which = examples[i].which,
                                         .times = *order[examples[i].rank],
                                         .view = explanation->view};
    free(order);
}

/* Set SLOW's view, and the row whose time in SLOW's call exceeds the row's median most. */
static void find_longest(const struct explanation *explanation, struct explain_single_call *slow)
{
    double ns[PHASE_TYPES], most = -INFINITY;

    slow->view = explanation->view;
    phases_of_call(slow->view, &slow->times, ns);
    phases_join(ns);
    for (size_t i = 0; i < explanation->row_count; i++) {
        const struct phase_row *row = &explanation->rows[i];
        double took = isnan(ns[row->phase]) ? 0 : ns[row->phase];

        if (took - row->p50 <= most)
            continue;
        most = took - row->p50;
        slow->longest = row;
        slow->longest_ns = took;
    }
}

static void fill_slow(const struct explain_calls *calls, struct explanation *explanation)
{
    explanation->slow_beyond = histogram_quantile(&calls->phases.lifetime, 0.999);
    for (size_t i = 0; i < calls->count; i++)
        explanation->slow_total += (double)calls->calls[i].lifetime_ns > explanation->slow_beyond;
    for (size_t i = 0; i < explanation->slow_count; i++)
        find_longest(explanation, &explanation->slow[i]);
}

/* Confidence intervals of means, from the variation between blocks */

enum {
    LIFETIME = PHASE_TYPES, /* index of the lifetime, after the phases */
    TIMES,
    BLOCKS_LEAST = 6, /* fewest blocks for an interval, as for the cost of timestamps */
};

/* Sums over a block's calls, ns. */
struct block_sums {
    double ns[TIMES];
    double calls;
};

static void add_call(const struct phase_view *view, const struct call_times *call,
                     struct block_sums *sums)
{
    double ns[PHASE_TYPES];

    if (phases_of_call(view, call, ns) != PHASE_EXPLAINED)
        return;
    phases_join(ns);
    for (size_t i = 0; i < PHASE_TYPES; i++)
        sums->ns[i] += isnan(ns[i]) ? 0 : ns[i];
    sums->ns[LIFETIME] += (double)call->lifetime_ns;
    sums->calls++;
}

static struct block_sums *sum_blocks(const struct explain_calls *calls,
                                     const struct phase_view *view)
{
    struct block_sums *sums = calloc(calls->block_count + 1, sizeof *sums);

    for (size_t block = 0, i = 0; sums && block < calls->block_count; block++)
        for (; i < calls->ends[block]; i++)
            add_call(view, &calls->calls[i], &sums[block]);
    return sums;
}

/* Set VALUES, one for each of COUNT blocks, so that their mean is MEAN and their variation gives
 * MEAN's interval (delta method). MEAN is the mean of TIME (a phase or LIFETIME) over all calls: a
 * ratio of two sums, because blocks may differ in their number of calls, which is USUAL on average.
 */
static void linear_parts(const struct block_sums *sums, size_t count, size_t time, double usual,
                         double mean, double *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = mean + (sums[i].ns[time] - mean * sums[i].calls) / usual;
}

/* Set MEAN's bounds. MEAN is of TIME (a phase or LIFETIME). VALUES has room for one per block. */
static void set_mean_interval(const struct explain_calls *calls, const struct block_sums *sums,
                              size_t time, uint64_t seed, double *values, struct interval *mean)
{
    const size_t n = calls->block_count;
    struct interval interval;
    struct error ignored;

    linear_parts(sums, n, time, (double)calls->count / (double)n, mean->estimate, values);
    if (mean_interval(values, n, estimate_block_length(values, n), seed, &interval, &ignored) != 0)
        return;
    mean->low = interval.low;
    mean->high = interval.high;
}

/* Return true if the mean of each time is as precise as PRECISION asks for, relative to the mean
 * lifetime; false if no call was explained. SUMS and VALUES have one item per block. */
static bool means_are_precise(const struct explain_calls *calls, const struct block_sums *sums,
                              const struct precision *precision, double *values)
{
    const size_t n = calls->block_count;
    struct block_sums all = {.calls = 0};
    bool precise = true;

    for (size_t i = 0; i < n; i++) {
        all.calls += sums[i].calls;
        for (size_t time = 0; time < TIMES; time++)
            all.ns[time] += sums[i].ns[time];
    }
    for (size_t time = 0; time < TIMES && precise && all.calls > 0; time++) {
        linear_parts(sums, n, time, all.calls / (double)n, all.ns[time] / all.calls, values);
        precise = explain_mean_is_precise(precision, values, n, all.ns[LIFETIME] / all.calls);
    }
    return precise && all.calls > 0;
}

bool explain_calls_are_precise(const struct explain_calls *calls, const struct phase_view *view,
                               const struct precision *precision)
{
    struct block_sums *sums = sum_blocks(calls, view);
    double *values = calloc(calls->block_count + 1, sizeof *values);
    const bool precise = sums && values && means_are_precise(calls, sums, precision, values);

    free(sums);
    free(values);
    return precise;
}

/* Set intervals from the blocks, because calls within a block are not independent. With too few
 * blocks, or without memory, there are no intervals. */
static void fill_intervals(const struct explain_calls *calls, struct explanation *explanation)
{
    uint64_t seed = explanation->origin.seed;
    struct block_sums *sums = NULL;
    double *values = NULL;

    if (calls->block_count < BLOCKS_LEAST)
        return;
    sums = sum_blocks(calls, calls->phases.view);
    values = calloc(calls->block_count, sizeof *values);
    for (size_t i = 0; sums && values && i < explanation->row_count; i++)
        set_mean_interval(calls, sums, explanation->rows[i].phase, seed, values,
                          &explanation->rows[i].added);
    if (sums && values)
        set_mean_interval(calls, sums, LIFETIME, seed, values, &explanation->lifetime);
    free(sums);
    free(values);
}

void explain_calls_set_intervals(struct explain_calls *calls, struct explanation *explanation)
{
    fill_intervals(calls, explanation);
    explanation->slow = calls->slow;
    explanation->slow_count = calls->slow_count;
    fill_examples(calls, explanation);
    fill_slow(calls, explanation);
}

void explain_calls_close(struct explain_calls *calls)
{
    phases_close(&calls->phases);
    free(calls->slow);
    free(calls->calls);
    free(calls->ends);
    *calls = (struct explain_calls){.calls = NULL};
}
