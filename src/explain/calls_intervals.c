/* How far the phases' means may be off, by how they differ from block to block. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/calls.h"
#include "measure/mean_cost.h"

enum {
    LIFETIME = PHASES_MAXIMUM, /* after the phases */
    TIMES,
    BLOCKS_LEAST = 6, /* as for the cost of timestamps */
};

/* What a block's calls add up to. */
struct block_sums {
    double ns[TIMES];
    double calls;
};

static void add_call(const struct phase_view *view, const struct call_times *call,
                     struct block_sums *sums)
{
    double ns[PHASES_MAXIMUM];

    if (phases_of_call(view, call, ns) != PHASE_EXPLAINED)
        return;
    for (size_t i = 0; i < view->count; i++)
        sums->ns[i] += isnan(ns[i]) ? 0 : ns[i];
    sums->ns[LIFETIME] += (double)call->lifetime_ns;
    sums->calls++;
}

static struct block_sums *add_up(const struct explain_calls *calls)
{
    struct block_sums *sums = calloc(calls->block_count, sizeof *sums);

    for (size_t block = 0, i = 0; sums && block < calls->block_count; block++)
        for (; i < calls->ends[block]; i++)
            add_call(calls->phases.view, &calls->calls[i], &sums[block]);
    return sums;
}

/* The sum of the block's time in the phases with KEY; NULL: the lifetimes. */
static double time_with_key(const struct block_sums *sums, const struct phase_view *view,
                            const char *key)
{
    double ns = 0;

    if (!key)
        return sums->ns[LIFETIME];
    for (size_t i = 0; i < view->count; i++)
        ns += strcmp(view->phases[i]->key, key) == 0 ? sums->ns[i] : 0;
    return ns;
}

/* MEAN's interval. Blocks may have different numbers of calls, so it is the ratio of two sums over
 * the blocks; a block's value is its linear part (the delta method), and the mean of these is
 * MEAN. VALUES has room for them. */
static void find_interval(const struct explain_calls *calls, const struct block_sums *sums,
                          const char *key, uint64_t seed, double *values, struct interval *mean)
{
    size_t n = calls->block_count;
    double usual = (double)calls->count / (double)n;
    struct interval interval;
    struct error ignored;

    for (size_t i = 0; i < n; i++) {
        double ns = time_with_key(&sums[i], calls->phases.view, key);

        values[i] = mean->estimate + (ns - mean->estimate * sums[i].calls) / usual;
    }
    if (mean_interval(values, n, estimate_block_length(values, n), seed, &interval, &ignored) != 0)
        return;
    mean->low = interval.low;
    mean->high = interval.high;
}

void explain_calls_intervals(const struct explain_calls *calls, struct explanation *explanation)
{
    uint64_t seed = explanation->origin.seed;
    struct block_sums *sums = NULL;
    double *values = NULL;

    if (calls->block_count < BLOCKS_LEAST)
        return;
    sums = add_up(calls);
    values = calloc(calls->block_count, sizeof *values);
    for (size_t i = 0; sums && values && i < explanation->row_count; i++)
        find_interval(calls, sums, explanation->rows[i].type->key, seed, values,
                      &explanation->rows[i].added);
    if (sums && values)
        find_interval(calls, sums, NULL, seed, values, &explanation->lifetime);
    free(sums);
    free(values);
}
