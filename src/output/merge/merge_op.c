/* Merges the results of an op from several launches or ranks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/load.h"
#include "measure/rounds.h"
#include "output/merge/merging.h"
#include "output/result/result_fields.h"

#define AT(member) offsetof(struct result_op, member)

enum { PLAN_LAUNCHES_MAXIMUM = 100000 };

static const struct result_op *op_of(const struct merging *merging, size_t launch, size_t index)
{
    return &merging->results[launch].ops[index];
}

static void add_error(struct result_op *op, const struct result_error *added)
{
    for (size_t i = 0; i < op->error_count; i++)
        if (strcmp(op->errors[i].name, added->name) == 0) {
            op->errors[i].count += added->count;
            return;
        }
    op->errors[op->error_count++] = *added;
}

static void merge_errors(struct result_op *op)
{
    const size_t joined = op->error_count;

    op->error_count = 0;
    for (size_t i = 0; i < joined; i++) {
        const struct result_error error = op->errors[i];

        add_error(op, &error);
    }
}

/* Join the launches' arrays of values by round for op INDEX. OFFSET is the place of the array's
 * pointer in struct result_op. Returns NULL without memory, or if a launch has no array. */
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

/* Keep the slowest calls of all launches or ranks in OP. Round numbers continue from launch to
 * launch, but not from rank to rank. */
static void merge_slowest(const struct merging *merging, struct result_op *op, size_t index)
{
    struct result_slow_call *call = op->slowest;
    size_t rounds = 0;

    for (size_t i = 0; call && i < merging->count; i++) {
        for (size_t j = 0; j < op_of(merging, i, index)->slowest_count; j++)
            call++->round += merging->ranks ? 0 : rounds;
        rounds += merging->results[i].rounds.done;
    }
    if (op->slowest_count > 0)
        qsort(op->slowest, op->slowest_count, sizeof *op->slowest, slower_first);
    if (op->slowest_count > ROUNDS_SLOWEST)
        op->slowest_count = ROUNDS_SLOWEST;
}

/* Set OP's plan for the requested precision. MERGING's first N estimates are those of OP's
 * launches. OP gets no plan if OP was not requested, if no precision was requested, if the
 * launches' times are not known, or if more than PLAN_LAUNCHES_MAXIMUM launches are needed. */
static void merge_plan(struct merging *merging, struct result_op *op, size_t n)
{
    const struct result *merged = merging->merged;
    const struct precision *precision = &merged->config.precision;
    struct result_plan *plan = &op->plan;
    struct launches_times times;
    struct interval interval;

    launches_estimate(merging->estimates, n, &interval);
    plan->half_width_ns = fmax(precision->share * fabs(interval.estimate), precision->ns) / 2;
    if (op->role < RESULT_MIX || plan->half_width_ns <= 0 || !result_launch_times(merged, &times))
        return;
    launches_plan(&op->spread, merged->rounds.done / merging->count, &times, plan->half_width_ns,
                  &plan->launches);
    plan->rounds_seconds = (double)plan->launches.rounds * times.round;
    op->has_plan = plan->launches.servers * plan->launches.clients <= PLAN_LAUNCHES_MAXIMUM;
}

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

static double weighted_mean(uint64_t calls, double mean, uint64_t other_calls, double other_mean)
{
    double all = (double)calls + (double)other_calls;

    return all > 0 ? ((double)calls * mean + (double)other_calls * other_mean) / all : 0;
}

/* Merge the clients of op INDEX, and set LOAD's fairness. Each client's calls are summed over
 * launches; ranks have clients of their own. Since all ranks make the same number of calls,
 * fairness compares throughputs of ranks' clients: a client's share of its rank's calls times the
 * rank's rate. */
static void merge_clients(struct merging *merging, struct result_load *load, size_t index)
{
    const size_t each = load->client_count, count = each * (merging->ranks ? merging->count : 1);
    double *got = calloc(count + 1, sizeof *got);
    struct result_client *clients = merging_room(merging, count, sizeof *clients);

    for (size_t i = 0; got && clients && i < merging->count; i++) {
        const struct result_op *own = op_of(merging, i, index);
        const double weight = merging->ranks ? own->rate_per_s / fmax(1, (double)own->timed) : 1;

        for (size_t j = 0; j < each && j < own->load->client_count; j++) {
            const struct result_client *from = &own->load->clients[j];
            const size_t to = merging->ranks ? i * each + j : j;

            clients[to].mean_ns =
                weighted_mean(clients[to].calls, clients[to].mean_ns, from->calls, from->mean_ns);
            clients[to].calls += from->calls;
            got[to] += weight * (double)from->calls;
        }
    }
    load->clients = clients;
    load->client_count = clients ? count : 0;
    load->fairness = got && count > 0 ? load_fairness(got, count) : NAN;
    free(got);
}

static int earlier_first(const void *a, const void *b)
{
    uint64_t x = ((const struct timeline_point *)a)->step,
             y = ((const struct timeline_point *)b)->step;

    return (x > y) - (x < y);
}

/* Merge those of the POINT_COUNT sorted POINTS that have the same step. COUNT ranks measured the
 * points. Calls are summed, percentiles become means weighted by calls, and the sums of active
 * times are divided by COUNT. Returns the number of points that remain. */
static size_t join_steps(struct timeline_point *points, size_t point_count, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < point_count; i++) {
        struct timeline_point *to = &points[kept - (kept > 0)];
        const struct timeline_point from = points[i];

        if (kept == 0 || to->step != from.step) {
            points[kept++] = from;
            continue;
        }
        to->p50 = weighted_mean(to->calls, to->p50, from.calls, from.p50);
        to->p99 = weighted_mean(to->calls, to->p99, from.calls, from.p99);
        to->calls += from.calls;
        to->active_ns += from.active_ns;
    }
    for (size_t i = 0; i < kept; i++)
        points[i].active_ns /= count;
    return kept;
}

/* Merge the timelines of op INDEX. Launches' timelines are joined. Ranks' timelines cover the same
 * time, so points of the same step are merged. */
static void merge_timeline(struct merging *merging, struct result_load *load, size_t index)
{
    size_t most = 0, count = 0;
    struct timeline_point *points;

    for (size_t i = 0; i < merging->count; i++)
        most += op_of(merging, i, index)->load->timeline_count;
    points = merging_room(merging, most, sizeof *points);
    for (size_t i = 0; points && i < merging->count; i++) {
        const struct result_load *own = op_of(merging, i, index)->load;
        uint64_t offset = count > 0 && !merging->ranks ? points[count - 1].step + 1 : 0;

        for (size_t j = 0; j < own->timeline_count; j++) {
            points[count] = own->timeline[j];
            points[count++].step += offset;
        }
    }
    if (merging->ranks && count > 0) {
        qsort(points, count, sizeof *points, earlier_first);
        count = join_steps(points, count, merging->count);
    }
    load->timeline = points;
    load->timeline_count = count;
}

void merge_op(struct merging *merging, size_t index)
{
    struct result_op *op = &merging->merged->ops[index];
    const void **parts = merging_room(merging, merging->count, sizeof *parts);

    for (size_t i = 0; parts && i < merging->count; i++)
        parts[i] = op_of(merging, i, index);
    if (!parts)
        return;
    merging_fields(merging, op_fields, parts, op);
    merge_errors(op);
    merge_histogram(merging, op, index);
    merge_slowest(merging, op, index);
    result_sort_gaps(op);
    if (!merging->ranks) {
        op->blocks = join_rounds(merging, index, AT(blocks));
        op->block_means = join_rounds(merging, index, AT(block_means));
        op->echo_blocks = join_rounds(merging, index, AT(echo_blocks));
        merge_spread(merging, op);
    }
    if (op->load) {
        merge_clients(merging, op->load, index);
        merge_timeline(merging, op->load, index);
    }
}
