/* An op of several launches' results made one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/fairness.h"
#include "measure/rounds.h"
#include "output/merging.h"

#define AT(member) offsetof(struct result_op, member)

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
    for (size_t i = 0; op->errors && i < merging->count; i++)
        for (size_t j = 0; j < op_of(merging, i, index)->error_count; j++)
            add_error(op, &op_of(merging, i, index)->errors[j]);
}

static void add_counts(struct result_op *op, const struct result_op *added)
{
    op->calls += added->calls;
    op->timed += added->timed;
    op->elapsed_ns += added->elapsed_ns;
    op->failed += added->failed;
    op->retransmissions += added->retransmissions;
    op->reconnections += added->reconnections;
    op->unmatched += added->unmatched;
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

/* Costs */

static void merge_cost(struct merging *merging, struct result_op *op)
{
    struct result_cost *above = &op->above_null;

    if (!op->has_above_null)
        return;
    above->cost = merging_estimate(merging, AT(above_null.cost));
    above->p50 = merging_estimate(merging, AT(above_null.p50));
    above->p90 = merging_estimate(merging, AT(above_null.p90));
    above->p99 = merging_estimate(merging, AT(above_null.p99));
    above->mean_difference = merging_mean(merging, AT(above_null.mean_difference));
}

/* Whether the two costs disagree is known once the control's is there (finish_costs()). */
static void merge_mean_cost(struct merging *merging, struct result_op *op)
{
    if (!op->has_mean_cost)
        return;
    op->mean_cost.cost = merging_estimate(merging, AT(mean_cost.cost));
    op->mean_cost.rare = merging_estimate(merging, AT(mean_cost.rare));
    op->mean_cost.rare_share = merging_mean(merging, AT(mean_cost.rare_share));
}

static void merge_split(struct merging *merging, struct result_op *op, size_t index)
{
    for (size_t i = 0; i < merging->count; i++) {
        op->has_split = op->has_split && op_of(merging, i, index)->has_split;
        op->split.extrapolated =
            op->split.extrapolated || op_of(merging, i, index)->split.extrapolated;
    }
    if (!op->has_split)
        return;
    op->split.bytes = merging_estimate(merging, AT(split.bytes));
    op->split.pause = merging_estimate(merging, AT(split.pause));
    op->split.server = merging_estimate(merging, AT(split.server));
}

static void merge_spread(struct merging *merging, struct result_op *op)
{
    size_t n = result_launches_of(merging->merged, op->op, op->has_above_null, merging->estimates);
    struct error ignored;

    op->has_spread = n > 1;
    if (!op->has_spread)
        return;
    launches_spread(merging->estimates, n, &op->spread);
    if (launches_levels(merging->estimates, n, &op->levels, &ignored) != 0)
        merging->failed = true;
}

/* The ledger */

/* How many of the first interfaces are the same. */
static size_t same_interfaces(const struct ledger_entry *a, const struct ledger_entry *b)
{
    size_t same = 0;

    while (same < a->interface_count && same < b->interface_count &&
           strcmp(a->interfaces[same].name, b->interfaces[same].name) == 0)
        same++;
    return same;
}

const struct ledger_entry *merge_ledger(struct merging *merging)
{
    struct ledger_entry *merged;

    for (size_t i = 0; i < merging->count; i++)
        if (!merging->parts[i])
            return NULL;
    merged = merging_room(merging, 1, sizeof *merged);
    if (!merged)
        return NULL;
    *merged = *(const struct ledger_entry *)merging->parts[0];
    for (size_t i = 0; i < COUNTERS; i++)
        merged->values[i] = merging_mean(merging, offsetof(struct ledger_entry, values) +
                                                      i * sizeof merged->values[0]);
    for (size_t i = 1; i < merging->count; i++) {
        const struct ledger_entry *own = merging->parts[i];

        merged->disturbed = merged->disturbed || own->disturbed;
        merged->interface_count = same_interfaces(merged, own);
    }
    for (size_t i = 0; i < merged->interface_count; i++)
        for (size_t j = 0; j < INTERFACE_COUNTERS; j++)
            merged->interfaces[i].values[j] = merging_mean(
                merging, offsetof(struct ledger_entry, interfaces) +
                             i * sizeof merged->interfaces[0] +
                             offsetof(struct interface_counters, values) + j * sizeof(double));
    return merged;
}

static void merge_op_ledger(struct merging *merging, struct result_op *op, size_t index)
{
    for (size_t i = 0; i < merging->count; i++)
        merging->parts[i] = op_of(merging, i, index)->client;
    op->client = merge_ledger(merging);
    for (size_t i = 0; i < merging->count; i++)
        merging->parts[i] = op_of(merging, i, index)->server;
    op->server = merge_ledger(merging);
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
        calls && load->client_count > 0 ? fairness_index(calls, load->client_count) : NAN;
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

/* The launches' histograms of these are not known. */
static struct result_latency mean_latency(const struct merging *merging, size_t offset)
{
    enum { FIGURES = sizeof(struct result_latency) / sizeof(double) };
    struct result_latency merged;
    double figures[FIGURES];

    for (size_t i = 0; i < FIGURES; i++)
        figures[i] = merging_mean(merging, offset + i * sizeof(double));
    memcpy(&merged, figures, sizeof merged);
    for (size_t i = 0; i < merging->count; i++) {
        const struct result_latency *own =
            (const struct result_latency *)(const void *)((const char *)merging->parts[i] + offset);

        merged.minimum = fmin(merged.minimum, own->minimum);
        merged.maximum = fmax(merged.maximum, own->maximum);
    }
    return merged;
}

static void merge_load(struct merging *merging, struct result_op *op, size_t index)
{
    struct result_load *load;

    for (size_t i = 0; i < merging->count; i++) {
        merging->parts[i] = op_of(merging, i, index)->load;
        if (!merging->parts[i])
            op->load = NULL;
    }
    load = op->load ? merging_room(merging, 1, sizeof *load) : NULL;
    if (!load)
        return;
    *load = *op_of(merging, 0, index)->load;
    load->in_flight = merging_mean(merging, offsetof(struct result_load, in_flight));
    load->client_cpu_ns = merging_mean(merging, offsetof(struct result_load, client_cpu_ns));
    if (load->open_loop) {
        load->service = mean_latency(merging, offsetof(struct result_load, service));
        load->lateness = mean_latency(merging, offsetof(struct result_load, lateness));
    }
    merge_clients(merging, load, index);
    merge_timeline(merging, load, index);
    op->load = load;
}

/* The whole */

void merge_op(struct merging *merging, size_t index)
{
    struct result_op *op = &merging->merged->ops[index];

    for (size_t i = 1; i < merging->count; i++)
        add_counts(op, op_of(merging, i, index));
    merge_errors(merging, op, index);
    op->blocks = join_rounds(merging, index, AT(blocks));
    op->block_means = join_rounds(merging, index, AT(block_means));
    merge_histogram(merging, op, index);
    merge_slowest(merging, op, index);
    for (size_t i = 0; i < merging->count; i++) {
        merging->parts[i] = op_of(merging, i, index);
        op->has_above_null = op->has_above_null && op_of(merging, i, index)->has_above_null;
        op->has_mean_cost = op->has_mean_cost && op_of(merging, i, index)->has_mean_cost;
    }
    op->rate_per_s = merging_mean(merging, AT(rate_per_s));
    merge_cost(merging, op);
    merge_mean_cost(merging, op);
    merge_split(merging, op, index);
    merge_spread(merging, op);
    merge_op_ledger(merging, op, index);
    merge_load(merging, op, index);
}
