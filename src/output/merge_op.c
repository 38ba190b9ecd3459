/* An op of several launches' results made one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/load.h"
#include "measure/rounds.h"
#include "output/merging.h"
#include "output/result_fields.h"

#define AT(member) offsetof(struct result_op, member)

enum { PLAN_LAUNCHES_MAXIMUM = 100000 };

static const struct result_op *op_of(const struct merging *merging, size_t launch, size_t index)
{
    return &merging->results[launch].ops[index];
}

/* Counts */

static void add_error(struct result_op *op, const struct result_error *added)
{
    for (size_t i = 0; i < op->error_count; i++)
        if (strcmp(op->errors[i].name, added->name) == 0) {
            op->errors[i].count += added->count;
            return;
        }
    op->errors[op->error_count++] = *added;
}

static void merge_errors(struct merging *merging, struct result_op *op, size_t index)
{
    size_t most = 0;

    for (size_t i = 0; i < merging->count; i++)
        most += op_of(merging, i, index)->error_count;
    op->errors = merging_room(merging, most, sizeof *op->errors);
    op->error_count = 0;
    op->failed = 0;
    for (size_t i = 0; op->errors && i < merging->count; i++) {
        op->failed += op_of(merging, i, index)->failed;
        for (size_t j = 0; j < op_of(merging, i, index)->error_count; j++)
            add_error(op, &op_of(merging, i, index)->errors[j]);
    }
}

/* Times */

/* The rounds of op INDEX at OFFSET, one launch after the other; NULL where one has none. */
static double *join_rounds(struct merging *merging, size_t index, size_t offset)
{
    double *joined = merging_room(merging, merging->merged->rounds.done, sizeof *joined);
    size_t done = 0;

    for (size_t i = 0; joined && i < merging->count; i++) {
        size_t rounds = merging->results[i].rounds.done;
        const double *own;

        memcpy(&own, (const char *)op_of(merging, i, index) + offset, sizeof own);
        if (!own)
            return NULL;
        memcpy(joined + done, own, rounds * sizeof *joined);
        done += rounds;
    }
    return joined;
}

static void merge_histogram(struct merging *merging, struct result_op *op, size_t index)
{
    struct histogram *histogram = merging_room(merging, 1, sizeof *histogram);

    for (size_t i = 0; histogram && i < merging->count; i++)
        if (op_of(merging, i, index)->histogram)
            histogram_add(histogram, op_of(merging, i, index)->histogram);
    if (!histogram || histogram->count == 0)
        return;
    op->histogram = histogram;
    op->latency = result_latency_of(histogram);
}

static int slower_first(const void *a, const void *b)
{
    double x = ((const struct result_slow_call *)a)->ns,
           y = ((const struct result_slow_call *)b)->ns;

    return (x < y) - (x > y);
}

static void merge_slowest(struct merging *merging, struct result_op *op, size_t index)
{
    size_t most = 0, count = 0, rounds = 0;
    struct result_slow_call *calls;

    for (size_t i = 0; i < merging->count; i++)
        most += op_of(merging, i, index)->slowest_count;
    calls = merging_room(merging, most, sizeof *calls);
    for (size_t i = 0; calls && i < merging->count; i++) {
        const struct result_op *from = op_of(merging, i, index);

        for (size_t j = 0; j < from->slowest_count; j++) {
            calls[count] = from->slowest[j];
            calls[count].round += rounds;
            calls[count++].launch = (unsigned)i;
        }
        rounds += merging->results[i].rounds.done;
    }
    if (calls && count > 0)
        qsort(calls, count, sizeof *calls, slower_first);
    op->slowest = calls;
    op->slowest_count = count < ROUNDS_SLOWEST ? count : ROUNDS_SLOWEST;
}

static void merge_gaps(struct merging *merging, struct result_op *op, size_t index)
{
    size_t most = 0, count = 0;
    struct result_gap *gaps;

    for (size_t i = 0; i < merging->count; i++)
        most += op_of(merging, i, index)->gap_count;
    gaps = merging_room(merging, most, sizeof *gaps);
    for (size_t i = 0; gaps && i < merging->count; i++)
        for (size_t j = 0; j < op_of(merging, i, index)->gap_count; j++) {
            gaps[count] = op_of(merging, i, index)->gaps[j];
            gaps[count++].launch = (unsigned)i;
        }
    op->gaps = gaps;
    op->gap_count = gaps ? count : 0;
    result_sort_gaps(op);
}

/* Plan launches that reach the precision that was asked for, unless that takes more launches than
 * there can be. */
static void merge_plan(struct merging *merging, struct result_op *op, size_t n)
{
    const struct result *merged = merging->merged;
    const struct precision *precision = &merged->config.precision;
    struct result_plan *plan = &op->plan;
    struct launches_times times;
    struct interval interval;

    launches_estimate(merging->estimates, n, &interval);
    plan->half_width_ns =
        fmax(precision->share * fabs(interval.estimate), precision->ns) / 2; /* of the width */
    if (op->role < RESULT_MIX || plan->half_width_ns <= 0 || !result_launch_times(merged, &times))
        return;
    launches_plan(&op->spread, merged->rounds.done / merging->count, &times, plan->half_width_ns,
                  &plan->launches);
    plan->rounds_seconds = (double)plan->launches.rounds * times.round;
    op->has_plan = plan->launches.servers * plan->launches.clients <= PLAN_LAUNCHES_MAXIMUM;
}

/* How the figure by which the op is compared varies over the launches. */
static void merge_spread(struct merging *merging, struct result_op *op)
{
    size_t n = result_launches_of(merging->merged, op->op,
                                  op->has_above_null ? RESULT_COST : RESULT_ROUND_TRIP,
                                  merging->estimates);
    struct error ignored;

    op->has_spread = n > 1;
    if (!op->has_spread)
        return;
    launches_spread(merging->estimates, n, &op->spread);
    if (launches_levels(merging->estimates, n, &op->levels, &ignored) != 0)
        merging->failed = true;
    merge_plan(merging, op, n);
}

/* Load */

static double weighted_mean(uint64_t calls, double mean, uint64_t other_calls, double other_mean)
{
    double all = (double)calls + (double)other_calls;

    return all > 0 ? ((double)calls * mean + (double)other_calls * other_mean) / all : 0;
}

static void merge_clients(struct merging *merging, struct result_load *load, size_t index)
{
    double *calls = calloc(load->client_count + 1, sizeof *calls);
    struct result_client *clients = merging_room(merging, load->client_count, sizeof *clients);

    for (size_t i = 0; clients && i < merging->count; i++) {
        const struct result_load *own = op_of(merging, i, index)->load;

        for (size_t j = 0; j < load->client_count && j < own->client_count; j++) {
            clients[j].mean_ns = weighted_mean(clients[j].calls, clients[j].mean_ns,
                                               own->clients[j].calls, own->clients[j].mean_ns);
            clients[j].calls += own->clients[j].calls;
        }
    }
    load->clients = clients;
    for (size_t j = 0; calls && clients && j < load->client_count; j++)
        calls[j] = (double)clients[j].calls;
    load->fairness =
        calls && load->client_count > 0 ? load_fairness(calls, load->client_count) : NAN;
    free(calls);
}

/* One launch after the other. */
static void merge_timeline(struct merging *merging, struct result_load *load, size_t index)
{
    size_t count = 0;
    uint64_t offset = 0;
    struct timeline_point *points;

    for (size_t i = 0; i < merging->count; i++)
        count += op_of(merging, i, index)->load->timeline_count;
    points = merging_room(merging, count, sizeof *points);
    load->timeline = points;
    load->timeline_count = 0;
    for (size_t i = 0; points && i < merging->count; i++) {
        const struct result_load *own = op_of(merging, i, index)->load;

        for (size_t j = 0; j < own->timeline_count; j++) {
            points[load->timeline_count] = own->timeline[j];
            points[load->timeline_count++].step += offset;
        }
        if (load->timeline_count > 0)
            offset = points[load->timeline_count - 1].step + 1;
    }
}

/* The whole */

void merge_op(struct merging *merging, size_t index)
{
    struct result_op *op = &merging->merged->ops[index];
    const void **parts = merging_room(merging, merging->count, sizeof *parts);

    for (size_t i = 0; parts && i < merging->count; i++)
        parts[i] = op_of(merging, i, index);
    if (!parts)
        return;
    merging_fields(merging, op_fields, parts, op);
    merge_errors(merging, op, index);
    op->blocks = join_rounds(merging, index, AT(blocks));
    op->block_means = join_rounds(merging, index, AT(block_means));
    merge_histogram(merging, op, index);
    merge_slowest(merging, op, index);
    merge_gaps(merging, op, index);
    merge_spread(merging, op);
    if (op->load) {
        merge_clients(merging, op->load, index);
        merge_timeline(merging, op->load, index);
    }
}
