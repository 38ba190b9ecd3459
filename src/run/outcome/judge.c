/* Collects a run's evidence, and judges whether its result can be trusted (measure/validity.h). */
#include "common/append.h"
#include "run/outcome/outcome_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/counted.h"
#include "measure/warmup.h"
#include "nfs/status.h"

/* Return the relative change of OP's level from the first to the last third of its N rounds, such
 * as 0.1 for 10 % slower; 0 with too few rounds. */
static double level_change(const struct result_op *op, size_t n)
{
    double *blocks = malloc(n * sizeof *blocks), first, last;
    size_t third = n / 3;

    if (!blocks || third < VALIDITY_ROUNDS_SUSPECT / 2) {
        free(blocks);
        return 0;
    }
    memcpy(blocks, op->blocks, n * sizeof *blocks);
    first = estimate_median(blocks, third);
    last = estimate_median(blocks + n - third, third);
    free(blocks);
    return first > 0 ? last / first - 1 : 0;
}

/* Return the largest autocorrelation of any op's costs; 0 with too few rounds. */
static double cost_autocorrelation(const struct result *result)
{
    size_t n = result->rounds.done;
    double *differences = malloc(n * sizeof *differences), largest = 0;

    for (size_t i = 0; differences && i < result->op_count && n >= VALIDITY_ROUNDS_SUSPECT; i++) {
        if (result->ops[i].role < RESULT_MIX)
            continue;
        for (size_t round = 0; round < n; round++)
            differences[round] = result->ops[i].blocks[round] - result->null_calls->blocks[round];
        if (estimate_align(result->regimes, result->regime_count, differences) != 0)
            break;
        largest = fmax(largest, estimate_autocorrelation(differences, n));
    }
    free(differences);
    return largest;
}

/* Set the evidence of other processes' load. OTHERS is the share of processor time that other
 * processes used. It is always known if client and server are bound to one processor. Otherwise, it
 * is NAN on a mount, where kernel threads make calls, and if other ranks or sessions make calls. */
static void observe_others(struct validity_evidence *evidence, const struct measured *measured)
{
    const struct readings *readings = measured->readings;
    const bool alone = evidence->one_processor || (!measured->is_shared && !evidence->on_mount);
    struct contention_shares shares;

    contention_between(&shares, &readings->contention_before, &readings->contention_after,
                       measured->processors,
                       evidence->one_processor ? measured->other_servers_ns : 0);
    evidence->client_waited = shares.client_waited;
    evidence->server_waited = shares.server_waited;
    evidence->others = alone ? shares.others : NAN;
    evidence->others_error = shares.others_error;
    evidence->not_own = shares.not_own;
    evidence->core_shared = speed_probe_shared(readings->speed_probe);
}

/* Set the evidence of outliers from the op with the largest ratio of mean to median or, if no ratio
 * exceeds VALIDITY_MEAN_SUSPECT, from JUDGED. */
static void observe_outliers(struct validity_evidence *evidence, const struct result *result,
                             const struct result_op *judged)
{
    const struct result_op *op = judged;
    double limit;

    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_latency *latency = &result->ops[i].latency;

        if (latency->mean > VALIDITY_MEAN_SUSPECT * latency->p50 &&
            latency->mean / latency->p50 > op->latency.mean / op->latency.p50)
            op = &result->ops[i];
    }
    limit = VALIDITY_OUTLIER * op->latency.p50;
    evidence->spread_of = op->op;
    evidence->mean_over_median = op->latency.mean / op->latency.p50;
    if (op->histogram && op->histogram->count > 0)
        evidence->outlier_share =
            (double)histogram_count_above(op->histogram, limit) / (double)op->histogram->count;
}

static void observe_held(struct validity_evidence *evidence, const struct result_op *op)
{
    const struct result_load *load = op->load;
    double held = 0;

    for (size_t i = 0; i < LOAD_HOLDS; i++)
        held += load->held_ns[i];
    evidence->unanswered += load->unanswered;
    evidence->unsent += load->unsent;
    evidence->interruptions += load->interruptions;
    evidence->interrupted_s += load->interrupted_s;
    evidence->sending_s += op->rate_per_s > 0 ? (double)op->calls / op->rate_per_s : 0;
    if (op->latency.mean <= 0 || held / op->latency.mean <= evidence->held)
        return;
    evidence->held = held / op->latency.mean;
    evidence->held_by = load_longest_hold(load->held_ns);
}

static void observe_op_sender(struct validity_evidence *evidence, const struct result_op *op,
                              const struct load *load)
{
    double response = op->latency.p99, late = op->load->lateness.p99;
    double reached = result_share_reached(op, load);

    if (evidence->rate_reached == 0 || reached < evidence->rate_reached)
        evidence->rate_reached = reached;
    observe_held(evidence, op);
    if (late * evidence->response_p99_ns < evidence->sender_late_ns * response)
        return;
    evidence->sender_late_ns = late;
    evidence->response_p99_ns = response;
}

/* In an open loop, set the evidence of the sender: calls unanswered, unsent or held back,
 * interruptions, the least share of the rate that any op reached, and lateness. The lateness is
 * taken from the op in which it is largest relative to the response time. Ops of a mix are left
 * out, because the mix sends their calls. */
static void observe_sender(struct validity_evidence *evidence, const struct result *result)
{
    for (size_t i = 0; i < result->op_count && result->config.load.rate > 0; i++)
        if (result->ops[i].load)
            observe_op_sender(evidence, &result->ops[i], &result->config.load);
}

/* Set the trend of latencies within blocks under load: that of the series whose trend is largest
 * relative to the width of its confidence interval. */
static void observe_blocks(struct validity_evidence *evidence, const struct measured *measured)
{
    const struct rounds *rounds = measured->rounds;
    double clearest = 0;

    if (rounds->done < VALIDITY_ROUNDS_SUSPECT)
        return;
    for (size_t i = 0; i < measured->count; i++) {
        const struct series *series = measured->series[i].samples;
        double level = histogram_quantile(&series->histogram, 0.5), width;
        struct interval trend;
        struct error ignored;

        if (series->given_up || estimate_median_interval(series->blocks[BLOCK_TREND], rounds->done,
                                                         measured->plan->seed, &trend, &ignored))
            continue;
        width = trend.high - trend.low;
        if (!(fabs(trend.estimate) > clearest * width) || !(level > 0))
            continue;
        clearest = fabs(trend.estimate) / width;
        evidence->trend_of = measured->series[i].name;
        evidence->trend = trend.estimate / level;
        evidence->trend_width = width / level;
    }
}

/* Set the number of replies with trailing bytes, including replies to calls that are not measured,
 * and write to OPS, of SIZE bytes, which ops had such replies. */
static void observe_trailing(struct validity_evidence *evidence, const struct measured *measured,
                             char *ops, size_t size)
{
    const struct channel_trailing *others = measured->trailing;

    ops[0] = '\0';
    for (size_t i = 0; i < measured->count; i++) {
        const struct measured_series *series = &measured->series[i];
        const uint64_t replies = series->tally->trailing + series->trailing;

        evidence->trailing += replies;
        if (series_roles[series->role].is_op && replies)
            append_item(ops, size, "%s", series->name);
    }
    if (evidence->trailing > 0 && !*ops)
        append(ops, size, "null");
    evidence->trailing += others->replies;
    if (others->replies > 0)
        append_item(ops, size, "%s in calls that are not measured", others->procedure);
    evidence->trailing_ops = ops;
}

/* Return the op by which drift and outliers are judged: the first op or, on a mount, the first op
 * that uses the network, because the kernel's client answers other ops in less than a
 * microsecond. */
static const struct result_op *judged_op(const struct result *result)
{
    for (size_t i = 0; i < result->op_count; i++)
        if (!result->ops[i].mounted || result->ops[i].mounted->rpcs > 0)
            return &result->ops[i];
    return &result->ops[0];
}

/* Return the median latency with which the noise floor is compared, ns: that of the first op or, on
 * a mount, the lowest of all ops that use the network. */
static double floor_base(const struct result *result)
{
    double least = result->ops[0].latency.p50;

    if (!result->ops[0].mounted)
        return least;
    least = judged_op(result)->latency.p50;
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].mounted && result->ops[i].mounted->rpcs > 0)
            least = fmin(least, result->ops[i].latency.p50);
    return least;
}

static void doubt_mount(struct validity *validity, const struct measured *measured)
{
    if (measured->mount_change)
        validity_add_reason(validity, VERDICT_INVALID, REASON_MOUNT_CHANGED, "%s during the run",
                            measured->mount_change);
}

static void doubt_stalls(struct validity *validity, const struct result *result)
{
    const struct result_stall *longest = result->stalls;
    const uint64_t others = result->stall_count + result->stalls_not_kept - 1;
    char more[80] = "";

    if (result->stall_count == 0)
        return;
    for (size_t i = 1; i < result->stall_count; i++)
        if (result->stalls[i].length_s > longest->length_s)
            longest = &result->stalls[i];
    if (others > 0)
        snprintf(more, sizeof more, ", and %s", counted(others, "other stall").text);
    validity_add_reason(validity, VERDICT_SUSPECT, REASON_STALLED,
                        "a call of %.60s had no reply for %.3f s, at %.1f s%s: the server, the "
                        "network or this machine stalled",
                        longest->series, longest->length_s, longest->at_s, more);
}

static void doubt_failed(struct validity *validity, const struct measured *measured)
{
    char ops[100] = "";

    for (size_t i = 0; i < measured->skipped_count; i++)
        if (measured->skipped[i].in_rounds)
            append_item(ops, sizeof ops, "%s", measured->skipped[i].op);
    if (*ops)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_OP_FAILED,
                            "failed during the run, and left out: %s", ops);
}

static void doubt_skipped(struct validity *validity, const struct measured *measured)
{
    const char *first = NULL;
    char ops[80] = "";

    for (size_t i = 0; i < measured->skipped_count; i++) {
        if (!measured->skipped[i].doubted)
            continue;
        first = first ? first : measured->skipped[i].reason;
        append_item(ops, sizeof ops, "%s", measured->skipped[i].op);
    }
    if (first)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_OP_SKIPPED, "left out: %s: %s", ops,
                            first);
}

static void doubt_listings(struct validity *validity, const struct measured *measured)
{
    if (measured->listings)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_INCONSISTENT_LISTING, "%s",
                            measured->listings);
}

static uint64_t count_short(const struct measured *measured)
{
    uint64_t count = 0;

    for (size_t i = 0; i < measured->count; i++) {
        const struct engine_tally *tally = measured->series[i].tally;
        const bool in_result = series_roles[measured->series[i].role].in_result;

        for (size_t j = 0; j < tally->error_kinds && in_result; j++)
            if (tally->errors[j].status == NFS_SHORT_READ ||
                tally->errors[j].status == NFS_SHORT_WRITE)
                count += tally->errors[j].count;
    }
    return count;
}

static bool has_write(const struct measured *measured)
{
    for (size_t i = 0; i < measured->count; i++)
        if (series_roles[measured->series[i].role].is_op &&
            measured->series[i].procedure->transfer == NFS_TRANSFER_WRITE)
            return true;
    return false;
}

/* Add doubts about short transfers: if every READ or every WRITE is short, and if COUNT, the number
 * of READs and WRITEs that moved fewer bytes than the remaining ones, is not 0. */
static void doubt_short(struct validity *validity, const struct measured *measured, uint64_t count)
{
    const struct nfs_read_plan *read = &measured->read;
    const struct nfs_write_plan *write = &measured->write;

    if (measured_find_op(measured, "read") && read->is_short)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_SHORT_READS,
                            "each READ of %u bytes returns only %u, which RFC 1813 allows: the "
                            "figures are of such short READs",
                            read->count, read->expected);
    if (has_write(measured) && write->expected < write->count)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_SHORT_WRITES,
                            "each WRITE of %u bytes writes only %u, which RFC 1813 allows: the "
                            "figures are of such short WRITEs",
                            write->count, write->expected);
    if (count > 0)
        validity_add_reason(validity, VERDICT_SUSPECT, REASON_SHORT_CALLS,
                            "%llu READs or WRITEs moved fewer bytes than the remaining ones, which "
                            "RFC 1813 allows; their latencies are not counted",
                            (unsigned long long)count);
}

/* Return the least ratio, over the ops, of the slowest to the fastest rank's rate; 0: no ranks. */
static double evenness(const struct result *result)
{
    double worst = result->rank_count > 0;

    for (size_t i = 0; i < result->op_count; i++) {
        double least = INFINITY, most = 0;

        for (size_t rank = 0; rank < result->rank_count; rank++) {
            least = fmin(least, result->ranks[rank].ops[i].rate_per_s);
            most = fmax(most, result->ranks[rank].ops[i].rate_per_s);
        }
        if (most > 0)
            worst = fmin(worst, least / most);
    }
    return worst;
}

static double late_frames(const struct readings *readings)
{
    uint64_t frames = readings->link_after.frames - readings->link_before.frames;
    uint64_t late = readings->link_after.late - readings->link_before.late;

    return frames ? (double)late / (double)frames : 0;
}

static void observe_calls(struct validity_evidence *evidence, const struct result *result)
{
    for (size_t i = 0; i < result->op_count; i++) {
        evidence->failed += result->ops[i].failed;
        evidence->retransmissions += result->ops[i].retransmissions;
        evidence->reconnections += result->ops[i].reconnections;
        evidence->early += result->ops[i].early;
    }
}

static void observe_control(struct validity_evidence *evidence, const struct result *result)
{
    if (!evidence->has_control)
        return;
    evidence->control_ns = result->null_control->above_null.cost.estimate;
    evidence->control_low_ns = result->null_control->above_null.cost.low;
    evidence->control_high_ns = result->null_control->above_null.cost.high;
}

/* Add the reasons for doubt that do not follow from validity_judge()'s evidence. */
static void doubt_all(struct result *result, const struct measured *measured, uint64_t short_calls)
{
    struct validity *validity = &result->validity;

    result_add_regime_reason(result, REGIMES_SHARE);
    doubt_stalls(validity, result);
    doubt_failed(validity, measured);
    doubt_skipped(validity, measured);
    doubt_listings(validity, measured);
    doubt_short(validity, measured, short_calls);
    doubt_mount(validity, measured);
    if (result->cut_short_by && !measured->is_stopped)
        validity_doubt_end(validity, result->cut_short_by);
}

void judge_result(struct result *result, const struct measured *measured, uint64_t calls)
{
    const struct run_plan *plan = measured->plan;
    const struct readings *readings = measured->readings;
    double before = readings->frequency_before, after = readings->frequency_after;
    const struct result_op *judged = judged_op(result);
    const uint64_t short_calls = count_short(measured);
    char trailing_ops[256];
    struct validity_evidence evidence = {
        .calls = calls,
        .rounds = result->rounds.done,
        .warmed_up_steady = result->rounds.warmup < 2 * WARMUP_WINDOW || result->rounds.steady ||
                            result->config.given_up.warmup,
        .level_change = level_change(judged, result->rounds.done),
        .clock_ppm = result->clock.disagreement_ppm,
        .clock_step_ns = result->clock.largest_step_ns,
        .steal_share = isnan(result->host.steal) ? 0 : result->host.steal,
        .involuntary_switches = result->usage[COUNTER_INVOLUNTARY],
        .client_cpu_share =
            plan->spin ? 0 : result->client_cpu_share / fmax(1, result->config.load.threads),
        .frequency_change = before > 0 && after > 0 ? after / before - 1 : 0,
        .shares_core = measured->shares_core,
        .one_processor = plan->one_processor.of > 0,
        .has_control = result->null_control != NULL,
        .null_ns = floor_base(result),
        .on_mount = plan->target.mounted,
        .counts_resent = result->config.count_resent,
        .autocorrelation = result->null_calls ? cost_autocorrelation(result) : 0,
        .ranks_evenness = evenness(result),
        .late_frames = late_frames(readings),
    };

    if (run_plan_makes_load(plan))
        observe_blocks(&evidence, measured);
    observe_sender(&evidence, result);
    observe_trailing(&evidence, measured, trailing_ops, sizeof trailing_ops);
    observe_others(&evidence, measured);
    observe_outliers(&evidence, result, judged);
    evidence.failed -= short_calls; /* reported by doubt_short() */
    result_observe_model(result, &evidence);
    observe_calls(&evidence, result);
    observe_control(&evidence, result);
    result->evidence = (struct result_evidence){evidence.client_waited,
                                                evidence.server_waited,
                                                evidence.others,
                                                evidence.core_shared,
                                                evidence.mean_over_median,
                                                evidence.outlier_share,
                                                NAN,
                                                NULL};
    validity_judge(&result->validity, &evidence);
    doubt_all(result, measured, short_calls);
}
