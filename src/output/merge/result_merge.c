#include "output/merge/result_merge.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/merge/merging.h"
#include "output/result/result_fields.h"

enum { NAMED_MAXIMUM = 10, NAMED_RANKS = 3, LAUNCHES_NAME_SIZE = 120, REASON_SIZE = 800 };

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
            ledger->server_pid = 0; /* 0: the launches have different servers */
        if (!ledger->server_missing)
            ledger->server_missing = own->server_missing;
        if (!ledger->cut_short_by)
            ledger->cut_short_by = own->cut_short_by;
    }
}

static void merge_members(struct merging *merging)
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

static void note_states(struct merging *merging)
{
    struct result_launch **launches = merging_room(merging, merging->count, sizeof *launches);

    for (size_t i = 0; launches && i < merging->count; i++)
        launches[i] = merging->results[i].launches;
    if (launches)
        result_find_other_states(launches, merging->count);
}

/* Set the number of planned launches, and number the stalls' launches from 1, not 0. */
static void complete_launches(struct merging *merging, size_t planned)
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

/* Write the launches or ranks whose FLAGS are set to BUFFER of SIZE bytes: "launches 1, 3 and 4",
 * "rank 2 (host)", or only how many if there are many. Returns BUFFER. */
static const char *name_launches(const struct merging *merging, const bool *flags, char *buffer,
                                 size_t size)
{
    const bool ranks = merging->ranks;
    const char *before = " ";
    size_t left = 0;

    for (size_t i = 0; i < merging->count; i++)
        left += flags[i];
    if (left > (ranks ? NAMED_RANKS : NAMED_MAXIMUM)) {
        snprintf(buffer, size, "%zu of %zu %s", left, merging->count, ranks ? "ranks" : "launches");
        return buffer;
    }
    snprintf(buffer, size, "%s%s", ranks ? "rank" : "launch", left == 1 ? "" : ranks ? "s" : "es");
    for (size_t i = 0; i < merging->count; i++) {
        const size_t used = strlen(buffer);

        if (!flags[i])
            continue;
        snprintf(buffer + used, size - used, "%s%zu%s%.24s%s", before, i + !ranks,
                 ranks ? " (" : "", ranks ? merging->merged->ranks[i].host : "", ranks ? ")" : "");
        before = --left == 1 ? " and " : ", ";
    }
    return buffer;
}

/* Return whether all launches or ranks measured OP. If not, the merged result has it as skipped. */
static bool is_everywhere(const struct merging *merging, const char *op)
{
    for (size_t i = 0; i < merging->count; i++)
        if (!result_find(&merging->results[i], op))
            return false;
    return true;
}

static const struct result_skipped *find_skipped(const struct result *result, const char *op)
{
    for (size_t i = 0; i < result->skipped_count; i++)
        if (strcmp(result->skipped[i].op, op) == 0)
            return &result->skipped[i];
    return NULL;
}

/* Return the op of RESULT with the same name as OTHER; NULL if RESULT has none or OTHER is NULL. */
static const struct result_op *same_op(const struct result *result, const struct result_op *other)
{
    return other ? result_find(result, other->op) : NULL;
}

/* Remove from OWN, a copy of a launch's result, the ops that another launch lacks. */
static void keep_common(struct merging *merging, struct result *own)
{
    struct result_op *ops = merging_room(merging, own->op_count, sizeof *ops);
    size_t count = 0;

    for (size_t i = 0; ops && i < own->op_count; i++)
        if (is_everywhere(merging, own->ops[i].op))
            ops[count++] = own->ops[i];
    if (!ops)
        return;
    own->ops = ops;
    own->op_count = count;
    own->null_calls = same_op(own, own->null_calls);
    own->null_control = same_op(own, own->null_control);
    for (size_t i = 0; i < count; i++)
        ops[i].baseline = same_op(own, ops[i].baseline);
}

/* Replace MERGING's results by copies with only the ops that all launches have. */
static void keep_common_ops(struct merging *merging)
{
    struct result *own = merging_room(merging, merging->count, sizeof *own);

    for (size_t i = 0; own && i < merging->count; i++) {
        own[i] = merging->results[i];
        keep_common(merging, &own[i]);
    }
    if (own)
        merging->results = own;
}

/* Return the reason why SKIPPED, an op, was skipped. Names the launches that skipped the op, unless
 * all launches did. */
static const char *reason_of(struct merging *merging, const struct result_skipped *skipped)
{
    char names[LAUNCHES_NAME_SIZE], reason[REASON_SIZE];
    bool *flags = merging_room(merging, merging->count, sizeof *flags);
    size_t left_out = 0;

    for (size_t i = 0; flags && i < merging->count; i++) {
        flags[i] = find_skipped(&merging->results[i], skipped->op) != NULL;
        left_out += flags[i];
    }
    if (!flags || left_out == merging->count)
        return skipped->reason;
    snprintf(reason, sizeof reason, "%s: %s", name_launches(merging, flags, names, sizeof names),
             skipped->reason);
    return arena_copy(&merging->merged->arena, reason);
}

/* Reduce MERGED's skipped ops, joined from all launches, to one per op, with its reason_of(). */
static void list_left_out(struct merging *merging)
{
    struct result *merged = merging->merged;
    const size_t joined = merged->skipped_count;

    merged->skipped_count = 0;
    for (size_t i = 0; i < joined; i++) {
        const struct result_skipped own = merged->skipped[i];

        if (!find_skipped(merged, own.op))
            merged->skipped[merged->skipped_count++] =
                (struct result_skipped){own.op, reason_of(merging, &own)};
    }
}

/* Return whether the merged result takes over REASON from a single launch or rank. If not, only the
 * judgement of the merged result decides whether it has REASON. */
static bool applies_to_merged(const struct merging *merging, enum reason reason)
{
    return !reason_has(reason, merging->ranks ? REASON_OF_ALL_RANKS : REASON_OF_AMOUNT);
}

/* Return whether the interval over all launches already includes the effect of REASON. It does if
 * REASON is that other work disturbed the calls, no launch is invalid because of REASON, and only
 * few of many launches have REASON. HAVING is the number of launches that have it. The function
 * returns false for ranks. */
static bool is_in_interval(const struct merging *merging, const struct validity_reason *reason,
                           size_t having)
{
    return reason_has(reason->reason, REASON_IN_INTERVAL) && !merging->ranks &&
           reason->verdict == VERDICT_SUSPECT && merging->count >= LAUNCHES_LEAST &&
           having <= LAUNCHES_DISTURBED_MOST;
}

/* Return the entry of VALIDITY for REASON: the entry of the same name, or a new one. Returns NULL
 * if the entry of the same name has a worse verdict, or if VALIDITY is full. */
static struct validity_reason *place_reason(struct validity *validity,
                                            const struct validity_reason *reason)
{
    const struct validity_reason *judged = validity_find(validity, reason->reason);

    if (judged)
        return judged->verdict > reason->verdict ? NULL
                                                 : &validity->reasons[judged - validity->reasons];
    return validity->count < VALIDITY_REASONS_MAXIMUM ? &validity->reasons[validity->count++]
                                                      : NULL;
}

/* Add REASON, which at least one launch or rank has, unless is_in_interval(). The text names all
 * launches or ranks that have it, and is that of the one with the worst verdict. */
static void add_reason(struct merging *merging, const struct validity_reason *reason)
{
    struct validity *validity = &merging->merged->validity;
    const struct validity_reason *loudest = reason;
    struct validity_reason *added = NULL;
    bool *flags = calloc(merging->count, sizeof *flags);
    char names[LAUNCHES_NAME_SIZE];
    size_t having = 0;

    for (size_t i = 0; flags && i < merging->count; i++) {
        const struct validity_reason *own =
            validity_find(&merging->results[i].validity, reason->reason);

        flags[i] = own != NULL;
        having += flags[i];
        if (own && own->verdict > loudest->verdict)
            loudest = own;
    }
    if (flags && !is_in_interval(merging, loudest, having))
        added = place_reason(validity, loudest);
    if (added) {
        *added = *loudest;
        snprintf(added->text, sizeof added->text, "%s: %.160s",
                 name_launches(merging, flags, names, sizeof names), loudest->text);
        if (added->verdict > validity->verdict)
            validity->verdict = added->verdict;
    }
    free(flags);
}

static void judge_together(struct merging *merging)
{
    struct result *merged = merging->merged;
    const struct result_op *control = merged->null_control;
    struct validity_evidence evidence = {.rounds = merged->rounds.done, .warmed_up_steady = true};

    if (control && control->has_above_null && isfinite(control->above_null.cost.low)) {
        evidence.has_control = true;
        evidence.null_ns = merged->null_calls->latency.mean;
        evidence.control_ns = control->above_null.cost.estimate;
        evidence.control_low_ns = control->above_null.cost.low;
        evidence.control_high_ns = control->above_null.cost.high;
    }
    result_observe_model(merged, &evidence);
    validity_judge(&merged->validity, &evidence);
    result_add_regime_reason(merged, VALIDITY_STATES_SUSPECT);
}

static bool has_earlier(const struct merging *merging, size_t number, enum reason reason)
{
    for (size_t i = 0; i < number; i++)
        if (validity_find(&merging->results[i].validity, reason))
            return true;
    return false;
}

/* Add each reason that a launch or rank has, once, if applies_to_merged(). The added reason
 * replaces the merged result's entry of the same name, unless the verdict of that entry is worse.
 * For ranks, the merged result's entries are judged by the first rank's evidence. */
static void add_reasons(struct merging *merging)
{
    for (size_t i = 0; i < merging->count; i++) {
        const struct validity *own = &merging->results[i].validity;

        for (size_t j = 0; j < own->count; j++)
            if (applies_to_merged(merging, own->reasons[j].reason) &&
                !has_earlier(merging, i, own->reasons[j].reason))
                add_reason(merging, &own->reasons[j]);
    }
}

/* Return the number of RESULT's ops without null, its control and local ops. */
static size_t measured_ops(const struct result *result)
{
    size_t count = 0;

    for (size_t i = 0; i < result->op_count; i++)
        count += result->ops[i].role >= RESULT_MIX;
    return count;
}

/* Check that each of RESULTS has one launch, and all share a measured op if the first has any. */
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

/* Merge the ops. The pointers to ops in MERGED then point to MERGED's own ops. */
static void merge_ops(struct merging *merging)
{
    const struct result *first = &merging->results[0];
    struct result *merged = merging->merged;

    merged->ops = merging_room(merging, first->op_count, sizeof *merged->ops);
    for (size_t i = 0; i < first->op_count && !merging->failed; i++) {
        const struct result_op *from = &first->ops[i];
        struct result_op *op = &merged->ops[i];

        *op = *from;
        op->map = NULL; /* the maps cannot be joined, because each launch has its own time axis */
        op->baseline = from->baseline ? merged->ops + (from->baseline - first->ops) : NULL;
        merge_op(merging, i);
    }
    merged->op_count = first->op_count;
    merged->null_calls = first->null_calls ? merged->ops + (first->null_calls - first->ops) : NULL;
    merged->null_control =
        first->null_control ? merged->ops + (first->null_control - first->ops) : NULL;
}

/* For each op, set the cost's share of the mean latency, its TSC cycles, and whether it is
 * significant. Also set whether the mean cost disagrees: rare slow calls add more than noise. */
static void set_significance(struct result *merged)
{
    for (size_t i = 0; i < merged->op_count; i++) {
        struct result_op *op = &merged->ops[i];
        struct result_cost *above = &op->above_null;
        double estimate = above->cost.estimate;

        if (op->has_mean_cost && op != merged->null_control)
            op->mean_cost.disagrees =
                op->mean_cost.rare.low > 0 &&
                op->mean_cost.rare.estimate > result_noise(merged, RESULT_MEAN_COST);
        if (!op->has_above_null)
            continue;
        above->share = estimate / op->latency.mean;
        above->tsc_cycles = estimate * merged->host.tsc_hz / 1e9;
        above->distinguishable = (above->cost.low > 0 || above->cost.high < 0) &&
                                 fabs(estimate) > result_noise(merged, RESULT_COST);
    }
}

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
    if (!merging->failed && !merging->ranks)
        note_states(merging);
    if (!merging->failed)
        merge_members(merging);
    if (!merging->failed && merging->ranks)
        list_ranks(merging);
    else if (!merging->failed)
        complete_launches(merging, planned);
    if (!merging->failed)
        merge_ops(merging);
    if (!merging->failed)
        list_left_out(merging);
    if (merging->failed || merging->ranks)
        return;
    set_significance(merging->merged);
    merging->merged->config.precision_reached = all_precise(merging->merged);
    judge_together(merging);
    add_reasons(merging);
}

static int merge(struct merging *merging, size_t planned, struct error *error)
{
    const struct result *results = merging->results;
    struct result *merged = merging->merged;
    int code = 0;

    *merged = results[0];
    merged->arena = (struct arena){.last = NULL};
    keep_common_ops(merging);
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

void result_merge_reasons(struct result *merged, const struct result *results, size_t count)
{
    struct merging merging = {.merged = merged, .results = results, .count = count, .ranks = true};

    add_reasons(&merging);
}
