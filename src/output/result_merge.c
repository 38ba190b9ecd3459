#include "output/result_merge.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/merging.h"

void *merging_room(struct merging *merging, size_t count, size_t size)
{
    void *made = arena_alloc(&merging->merged->arena, count, size);

    merging->failed = merging->failed || !made;
    return made;
}

/* Estimates over launches */

static double standard_error(const struct interval *interval)
{
    double error = (interval->high - interval->low) / 2 / 1.959963984540054;

    return isfinite(error) ? error : 0;
}

struct interval merging_estimate(const struct merging *merging, size_t offset)
{
    struct interval merged = {NAN, NAN, NAN}, own;
    size_t known = 0;

    for (size_t i = 0; i < merging->count; i++) {
        if (!merging->parts[i])
            continue;
        memcpy(&own, (const char *)merging->parts[i] + offset, sizeof own);
        if (!isnan(own.estimate))
            merging->estimates[known++] =
                (struct launch){.server = merging->results[i].launches[0].server,
                                .estimate = own.estimate,
                                .within = standard_error(&own)};
    }
    if (known > 0)
        launches_estimate(merging->estimates, known, &merged);
    return merged;
}

double merging_mean(const struct merging *merging, size_t offset)
{
    double sum = 0, value;
    size_t known = 0;

    for (size_t i = 0; i < merging->count; i++) {
        if (!merging->parts[i])
            continue;
        memcpy(&value, (const char *)merging->parts[i] + offset, sizeof value);
        sum += isnan(value) ? 0 : value;
        known += isnan(value) ? 0 : 1;
    }
    return known ? sum / (double)known : NAN;
}

/* The model */

static struct result_rate merge_rate(const struct merging *merging, size_t offset)
{
    struct result_rate merged = {.known = true};

    for (size_t i = 0; i < merging->count; i++) {
        struct result_rate own;

        memcpy(&own, (const char *)merging->parts[i] + offset, sizeof own);
        merged.known = merged.known && own.known;
    }
    if (merged.known)
        merged.ns = merging_estimate(merging, offset + offsetof(struct result_rate, ns));
    return merged;
}

/* The points are the first launch's lengths; their calls and medians are all launches'. */
static void merge_points(struct merging *merging, struct result_model *model)
{
    const struct result_point *from = merging->results[0].model->points;
    struct result_point *points = merging_room(merging, model->point_count, sizeof *points);

    for (size_t p = 0; points && p < model->point_count; p++) {
        points[p] = from[p];
        points[p].calls = 0;
        for (size_t i = 0; i < merging->count; i++) {
            merging->parts[i] = &merging->results[i].model->points[p];
            points[p].calls += merging->results[i].model->points[p].calls;
        }
        points[p].p50 = merging_mean(merging, offsetof(struct result_point, p50));
    }
    model->points = points;
}

static double worst(const struct merging *merging, size_t offset)
{
    double largest = 0, value;

    for (size_t i = 0; i < merging->count; i++) {
        memcpy(&value, (const char *)merging->parts[i] + offset, sizeof value);
        largest = fmax(largest, value);
    }
    return largest;
}

static void merge_model(struct merging *merging)
{
    const struct result_model *first = merging->results[0].model;
    struct result_model *model = first ? merging_room(merging, 1, sizeof *model) : NULL;

    merging->merged->model = model;
    for (size_t i = 0; i < merging->count && model; i++) {
        merging->parts[i] = merging->results[i].model;
        if (!merging->parts[i] || merging->results[i].model->point_count != first->point_count)
            merging->merged->model = NULL;
    }
    if (!merging->merged->model)
        return;
    model->call = merge_rate(merging, offsetof(struct result_model, call));
    model->reply = merge_rate(merging, offsetof(struct result_model, reply));
    model->packet = merge_rate(merging, offsetof(struct result_model, packet));
    model->pause = merge_rate(merging, offsetof(struct result_model, pause));
    model->call_misfit_ns = worst(merging, offsetof(struct result_model, call_misfit_ns));
    model->reply_misfit_ns = worst(merging, offsetof(struct result_model, reply_misfit_ns));
    model->pause_misfit_ns = worst(merging, offsetof(struct result_model, pause_misfit_ns));
    model->point_count = first->point_count;
    merge_points(merging, model);
}

/* The run as a whole */

static void merge_rounds(struct merging *merging)
{
    struct result_rounds *rounds = &merging->merged->rounds;

    *rounds = (struct result_rounds){.steady = true};
    for (size_t i = 0; i < merging->count; i++) {
        rounds->done += merging->results[i].rounds.done;
        rounds->planned += merging->results[i].rounds.planned;
        rounds->warmup += merging->results[i].rounds.warmup;
        rounds->steady = rounds->steady && merging->results[i].rounds.steady;
    }
}

static void merge_clock(struct merging *merging)
{
    struct result_clock *clock = &merging->merged->clock;

    for (size_t i = 1; i < merging->count; i++) {
        const struct result_clock *own = &merging->results[i].clock;

        if (fabs(own->disagreement_ppm) > fabs(clock->disagreement_ppm))
            clock->disagreement_ppm = own->disagreement_ppm;
        clock->largest_step_ns = fmax(clock->largest_step_ns, own->largest_step_ns);
        for (size_t j = 0; j < CLOCK_COST_LOG2; j++)
            clock->cost_log2[j] += own->cost_log2[j];
    }
    clock->cost_ns = merging_mean(merging, offsetof(struct result, clock.cost_ns));
}

static void merge_whole(struct merging *merging)
{
    struct result *merged = merging->merged;

    for (size_t i = 0; i < merging->count; i++)
        merging->parts[i] = &merging->results[i];
    merge_rounds(merging);
    merge_clock(merging);
    for (size_t i = 0; i < COUNTERS; i++)
        merged->usage[i] =
            merging_mean(merging, offsetof(struct result, usage) + i * sizeof merged->usage[0]);
    merged->client_cpu_share = merging_mean(merging, offsetof(struct result, client_cpu_share));
    merged->host.steal = merging_mean(merging, offsetof(struct result, host.steal));
}

static void merge_ledgers(struct merging *merging)
{
    struct result_ledger *ledger = &merging->merged->ledger;

    for (size_t i = 0; i < merging->count; i++)
        merging->parts[i] = merging->results[i].ledger.client_idle;
    ledger->client_idle = merge_ledger(merging);
    for (size_t i = 0; i < merging->count; i++)
        merging->parts[i] = merging->results[i].ledger.server_idle;
    ledger->server_idle = merge_ledger(merging);
    ledger->counted = ledger->client_idle && ledger->server_idle;
    for (size_t i = 0; i < merging->count; i++)
        ledger->counted = ledger->counted && merging->results[i].ledger.counted;
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

static void merge_launches(struct merging *merging, size_t planned)
{
    struct result *merged = merging->merged;

    merged->launches = merging_room(merging, merging->count, sizeof *merged->launches);
    merged->launch_count = merged->launches ? merging->count : 0;
    merged->launches_planned = planned;
    for (size_t i = 0; i < merged->launch_count; i++)
        merged->launches[i] = merging->results[i].launches[0];
}

/* The verdict */

const char *merging_name_launches(const bool *flags, size_t count, char *buffer, size_t size)
{
    size_t used = 0, left = 0, named = 0;

    for (size_t i = 0; i < count; i++)
        left += flags[i];
    snprintf(buffer, size, "launch%s", left == 1 ? "" : "es");
    for (size_t i = 0; i < count; i++) {
        used = strlen(buffer);
        if (!flags[i])
            continue;
        snprintf(buffer + used, size - used, "%s%zu",
                 named == 0  ? " "
                 : left == 1 ? " and "
                             : ", ",
                 i + 1);
        left--;
        named++;
    }
    return buffer;
}

/* What is judged of all launches together, below. */
static bool is_of_amount(const char *reason)
{
    return strcmp(reason, "too-few-rounds") == 0 || strcmp(reason, "noise-floor-too-high") == 0;
}

static const struct validity_reason *find_reason(const struct validity *validity, const char *name)
{
    for (size_t i = 0; i < validity->count; i++)
        if (strcmp(validity->reasons[i].name, name) == 0)
            return &validity->reasons[i];
    return NULL;
}

/* REASON, of one launch, with all launches that have it, in the words of the worst. */
static void add_reason(struct merging *merging, const struct validity_reason *reason)
{
    struct validity *validity = &merging->merged->validity;
    struct validity_reason *added = &validity->reasons[validity->count];
    const struct validity_reason *loudest = reason;
    bool *flags = calloc(merging->count, sizeof *flags);
    char names[120];

    if (find_reason(validity, reason->name) || validity->count == VALIDITY_REASONS_MAXIMUM ||
        !flags) {
        free(flags);
        return;
    }
    for (size_t i = 0; i < merging->count; i++) {
        const struct validity_reason *own =
            find_reason(&merging->results[i].validity, reason->name);

        flags[i] = own != NULL;
        if (own && own->verdict > loudest->verdict)
            loudest = own;
    }
    *added = *loudest;
    snprintf(added->text, sizeof added->text, "%s: %.160s",
             merging_name_launches(flags, merging->count, names, sizeof names), loudest->text);
    validity->count++;
    if (added->verdict > validity->verdict)
        validity->verdict = added->verdict;
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
    validity_judge(&merged->validity, &evidence);
}

static void merge_validity(struct merging *merging)
{
    judge_together(merging);
    for (size_t i = 0; i < merging->count; i++) {
        const struct validity *own = &merging->results[i].validity;

        for (size_t j = 0; j < own->count; j++)
            if (!is_of_amount(own->reasons[j].name))
                add_reason(merging, &own->reasons[j]);
    }
}

/* The whole */

static int check_ops(const struct merging *merging, struct error *error)
{
    const struct result *first = &merging->results[0];

    for (size_t i = 0; i < merging->count; i++) {
        const struct result *result = &merging->results[i];
        bool same = result->op_count == first->op_count && result->launch_count == 1;

        for (size_t j = 0; same && j < first->op_count; j++)
            same = strcmp(result->ops[j].op, first->ops[j].op) == 0;
        if (!same)
            return error_set(error, ERROR_FAILED, -EINVAL,
                             "launch %zu measured other ops than launch 1; what the server has "
                             "changed meanwhile",
                             i + 1);
    }
    return 0;
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
        op->baseline = from->baseline ? merged->ops + (from->baseline - first->ops) : NULL;
        merge_op(merging, i);
    }
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

int result_merge(struct result *merged, const struct result *results, size_t count, size_t planned,
                 struct error *error)
{
    struct merging merging = {.merged = merged, .results = results, .count = count};
    int code = check_ops(&merging, error);

    *merged = results[0];
    merged->arena = (struct arena){.last = NULL};
    if (code)
        return code;
    merging.parts = calloc(count, sizeof *merging.parts);
    merging.estimates = calloc(count, sizeof *merging.estimates);
    merging.failed = !merging.parts || !merging.estimates;
    if (!merging.failed)
        merge_whole(&merging);
    if (!merging.failed)
        merge_launches(&merging, planned);
    if (!merging.failed)
        merge_ops(&merging);
    if (!merging.failed) {
        merge_model(&merging);
        merge_ledgers(&merging);
        finish_costs(merged);
        merged->config.precision_reached = all_precise(merged);
        merge_validity(&merging);
    }
    free(merging.parts);
    free(merging.estimates);
    if (!merging.failed)
        return 0;
    result_free(merged);
    return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the launches' results");
}
