#include "output/result_merge.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "output/merging.h"
#include "output/result_fields.h"

/* The run as a whole */

static void merge_clock(struct merging *merging)
{
    struct result_clock *clock = &merging->merged->clock;

    for (size_t i = 1; i < merging->count; i++) {
        const struct result_clock *own = &merging->results[i].clock;

        if (fabs(own->disagreement_ppm) > fabs(clock->disagreement_ppm))
            clock->disagreement_ppm = own->disagreement_ppm;
        for (size_t j = 0; j < CLOCK_COST_LOG2; j++)
            clock->cost_log2[j] += own->cost_log2[j];
    }
}

static void merge_ledger(struct merging *merging)
{
    struct result_ledger *ledger = &merging->merged->ledger;

    for (size_t i = 1; i < merging->count; i++) {
        const struct result_ledger *own = &merging->results[i].ledger;

        if (own->server_pid != ledger->server_pid)
            ledger->server_pid = 0; /* each launch has its own */
        if (!ledger->server_missing)
            ledger->server_missing = own->server_missing;
        if (!ledger->cut_short_by)
            ledger->cut_short_by = own->cut_short_by;
    }
}

static void merge_whole(struct merging *merging)
{
    const void **parts = merging_room(merging, merging->count, sizeof *parts);

    for (size_t i = 0; parts && i < merging->count; i++)
        parts[i] = &merging->results[i];
    if (!parts)
        return;
    merging_fields(merging, result_fields, parts, merging->merged);
    merge_clock(merging);
    merge_ledger(merging);
}

/* A stall's launch counts from 1, as 0 says that there are no others. */
static void finish_launches(struct merging *merging, size_t planned)
{
    struct result *merged = merging->merged;

    merged->launches_planned = planned;
    for (size_t i = 0; i < merged->stall_count; i++)
        merged->stalls[i].launch++;
}

static void list_ranks(struct merging *merging)
{
    struct result *merged = merging->merged;
    struct load *load = &merged->config.load;
    struct result_rank *ranks = merging_room(merging, merging->count, sizeof *ranks);

    load->clients *= (unsigned)merging->count;
    load->rate *= (double)merging->count;
    load->threads = 0;
    merged->ranks = ranks;
    merged->rank_count = ranks ? merging->count : 0;
    for (size_t i = 0; i < merged->rank_count; i++) {
        const struct result *own = &merging->results[i];

        load->threads += own->config.load.threads;
        ranks[i] = (struct result_rank){.host = own->host.name ? own->host.name : "?",
                                        .client_cpu_share = own->client_cpu_share,
                                        .validity = own->validity,
                                        .ops = own->ops,
                                        .op_count = own->op_count};
    }
}

/* The whole */

/* Ops beside the baseline. */
static size_t measured_ops(const struct result *result)
{
    size_t count = 0;

    for (size_t i = 0; i < result->op_count; i++)
        count += result->ops[i].role >= RESULT_MIX;
    return count;
}

/* Does MERGING, of COUNT RESULTS, have anything that all of them measured? */
static int check_ops(const struct merging *merging, const struct result *results,
                     struct error *error)
{
    bool one_each = true;

    for (size_t i = 0; i < merging->count; i++)
        one_each = one_each && results[i].launch_count == 1;
    if (one_each && measured_ops(&merging->results[0]) >= (measured_ops(&results[0]) > 0))
        return 0;
    return error_set(error, ERROR_FAILED, -EINVAL,
                     "no op was measured in all of %zu %s; what the server has changed meanwhile",
                     merging->count, merging->ranks ? "ranks" : "launches");
}

/* Pointers from op to op, and to them, are into MERGED's own. */
static void merge_ops(struct merging *merging)
{
    const struct result *first = &merging->results[0];
    struct result *merged = merging->merged;

    merged->ops = merging_room(merging, first->op_count, sizeof *merged->ops);
    for (size_t i = 0; i < first->op_count && !merging->failed; i++) {
        const struct result_op *from = &first->ops[i];
        struct result_op *op = &merged->ops[i];

        *op = *from;
        op->map = NULL; /* each launch has a time of its own */
        op->baseline = from->baseline ? merged->ops + (from->baseline - first->ops) : NULL;
        merge_op(merging, i);
    }
    merged->op_count = first->op_count;
    merged->null_calls = first->null_calls ? merged->ops + (first->null_calls - first->ops) : NULL;
    merged->null_control =
        first->null_control ? merged->ops + (first->null_control - first->ops) : NULL;
}

/* Here a cost's share of the mean latency is found, and whether it is significant. */
static void finish_costs(struct result *merged)
{
    for (size_t i = 0; i < merged->op_count; i++) {
        struct result_op *op = &merged->ops[i];
        struct result_cost *above = &op->above_null;
        double estimate = above->cost.estimate;

        if (op->has_mean_cost && op != merged->null_control)
            op->mean_cost.disagrees = op->mean_cost.rare.low > 0 &&
                                      op->mean_cost.rare.estimate > result_mean_noise(merged);
        if (!op->has_above_null)
            continue;
        above->share = estimate / op->latency.mean;
        above->tsc_cycles = estimate * merged->host.tsc_hz / 1e9;
        above->distinguishable = (above->cost.low > 0 || above->cost.high < 0) &&
                                 fabs(estimate) > result_noise_floor(merged);
    }
}

/* Is every interval narrow enough? */
static bool all_precise(const struct result *merged)
{
    for (size_t i = 0; i < merged->op_count; i++)
        if (merged->ops[i].role >= RESULT_MIX && merged->ops[i].has_above_null &&
            !precision_reached(&merged->config.precision, &merged->ops[i].above_null.cost))
            return false;
    return true;
}

static void merge_all(struct merging *merging, size_t planned)
{
    merging->estimates = merging_room(merging, merging->count, sizeof *merging->estimates);
    if (!merging->failed)
        merge_whole(merging);
    if (!merging->failed && merging->ranks)
        list_ranks(merging);
    else if (!merging->failed)
        finish_launches(merging, planned);
    if (!merging->failed)
        merge_ops(merging);
    if (!merging->failed)
        merging_list_left_out(merging);
    if (merging->failed || merging->ranks)
        return;
    finish_costs(merging->merged);
    merging->merged->config.precision_reached = all_precise(merging->merged);
    merge_verdict(merging);
}

static int merge(struct merging *merging, size_t planned, struct error *error)
{
    const struct result *results = merging->results;
    struct result *merged = merging->merged;
    int code = 0;

    *merged = results[0];
    merged->arena = (struct arena){.last = NULL};
    merging_keep_common_ops(merging);
    if (!merging->failed)
        code = check_ops(merging, results, error);
    if (code == 0 && !merging->failed)
        merge_all(merging, planned);
    if (code == 0 && !merging->failed)
        return 0;
    result_free(merged);
    return code ? code
                : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for merging %zu results",
                            merging->count);
}

int result_merge(struct result *merged, const struct result *results, size_t count, size_t planned,
                 struct error *error)
{
    struct merging merging = {.merged = merged, .results = results, .count = count};

    return merge(&merging, planned, error);
}

int result_merge_ranks(struct result *merged, const struct result *results, size_t count,
                       struct error *error)
{
    struct merging merging = {.merged = merged, .results = results, .count = count, .ranks = true};

    return merge(&merging, 0, error);
}
