/* A measurement as JSON: its ops. */
#include <math.h>

#include "output/json.h"
#include "output/result_json.h"

static json_t *errors_object(const struct result_op *op)
{
    json_t *errors = json_object();

    for (size_t i = 0; i < op->error_count; i++)
        json_object_set_new(errors, op->errors[i].name, json_count(op->errors[i].count));
    return errors;
}

/* Only buckets that hold something. */
static json_t *histogram_object(const struct histogram *histogram)
{
    json_t *lows = json_array(), *counts = json_array();

    for (size_t i = histogram_next(histogram, 0); i < HISTOGRAM_BUCKETS;
         i = histogram_next(histogram, i + 1)) {
        json_array_append_new(lows, json_count((uint64_t)histogram_bucket_low(i)));
        json_array_append_new(counts, json_count(histogram->buckets[i]));
    }
    return json_pack("{s:o, s:o, s:f}", "low_ns", lows, "count", counts, "relative_error",
                     HISTOGRAM_RELATIVE_ERROR);
}

/* To a tenth of a nanosecond: a round's mean knows no more. */
static json_t *blocks_array(const double *values, size_t rounds)
{
    json_t *blocks = json_array();

    for (size_t i = 0; i < rounds; i++)
        json_array_append_new(blocks, json_known(round(values[i] * 10) / 10));
    return blocks;
}

/* The cost */

static json_t *cost_object(const struct result_op *op)
{
    const struct result_cost *above = &op->above_null;
    json_t *object = json_pack("{s:o}", "baseline", json_text(op->baseline->op));

    json_object_update_new(object, json_interval(&above->cost));
    json_object_set_new(object, "mean_difference", json_known(above->mean_difference));
    json_object_set_new(object, "tsc_cycles", json_known(above->tsc_cycles));
    json_object_set_new(object, "share", json_known(above->share));
    json_object_set_new(object, "distinguishable", json_boolean(above->distinguishable));
    json_object_set_new(object, "p50", json_interval(&above->p50));
    json_object_set_new(object, "p90", json_interval(&above->p90));
    json_object_set_new(object, "p99", json_interval(&above->p99));
    return object;
}

static json_t *mean_cost_object(const struct result_mean_cost *mean)
{
    json_t *object = json_interval(&mean->cost);

    json_object_set_new(object, "rare", json_interval(&mean->rare));
    json_object_set_new(object, "rare_share", json_known(mean->rare_share));
    json_object_set_new(object, "disagrees", json_boolean(mean->disagrees));
    return object;
}

static json_t *split_object(const struct result *result, const struct result_split *split)
{
    json_t *object = json_pack("{s:o, s:o, s:o, s:b}", "bytes_ns", json_interval(&split->bytes),
                               "pause_ns", json_interval(&split->pause), "server_ns",
                               json_interval(&split->server), "extrapolated", split->extrapolated);

    if (result->model)
        json_set_rates(object, result->model);
    return object;
}

/* Load */

static json_t *clients_array(const struct result_load *load)
{
    json_t *clients = json_array();

    for (size_t i = 0; i < load->client_count; i++)
        json_array_append_new(clients,
                              json_pack("{s:o, s:o}", "calls", json_count(load->clients[i].calls),
                                        "mean_ns", json_known(load->clients[i].mean_ns)));
    return clients;
}

static json_t *timeline_array(const struct result_load *load)
{
    json_t *points = json_array();

    for (size_t i = 0; i < load->timeline_count; i++) {
        const struct timeline_point *point = &load->timeline[i];
        double rate = point->active_ns ? (double)point->calls * 1e9 / (double)point->active_ns : 0;

        json_array_append_new(points, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "at_ns",
                                                json_count(point->step * TIMELINE_STEP_NS), "calls",
                                                json_count(point->calls), "active_ns",
                                                json_count(point->active_ns), "rate_per_s",
                                                json_known(rate), "p50", json_known(point->p50),
                                                "p99", json_known(point->p99)));
    }
    return points;
}

static json_t *load_object(const struct result_load *load)
{
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o}", "in_flight", json_known(load->in_flight), "client_cpu_ns",
        json_known(load->client_cpu_ns), "fairness", json_known(load->fairness), "clients",
        clients_array(load), "timeline", timeline_array(load));

    if (load->open_loop) {
        json_object_set_new(object, "service_ns", json_latency(&load->service));
        json_object_set_new(object, "lateness_ns", json_latency(&load->lateness));
    }
    return object;
}

/* The slowest calls */

static json_t *around_object(const struct machine_change *change)
{
    json_t *around = json_pack("{s:o}", "span_ns", json_count(change->span_ns));

    for (size_t i = 0; i < COUNTERS_FIRST_OF_PROCESS; i++)
        json_object_set_new(around, counter_names[i], json_known(change->values[i]));
    return around;
}

static json_t *slowest_array(const struct result *result, const struct result_op *op)
{
    json_t *array = json_array();

    for (size_t i = 0; i < op->slowest_count; i++) {
        const struct result_slow_call *call = &op->slowest[i];
        json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:o}", "ns", json_known(call->ns), "round",
                                   json_count(call->round), "call", json_count(call->call), "at_s",
                                   json_known(call->at_s), "involuntary_switches",
                                   json_count(call->involuntary_switches));

        if (result->rank_count > 0)
            json_object_set_new(object, "rank", json_count(call->rank));
        if (result->launch_count > 1)
            json_object_set_new(object, "launch", json_count(call->launch));
        if (call->has_around)
            json_object_set_new(object, "around", around_object(&call->around));
        json_array_append_new(array, object);
    }
    return array;
}

/* The op */

static json_t *lengths_object(const struct result_op *op)
{
    return json_pack("{s:o, s:o}", "call", json_bytes(op->call_bytes), "reply",
                     json_bytes(op->reply_bytes));
}

static void set_counts(json_t *object, const struct result_op *op)
{
    json_object_set_new(object, "calls", json_count(op->calls));
    json_object_set_new(object, "timed", json_count(op->timed));
    json_object_set_new(object, "errors", errors_object(op));
    json_object_set_new(object, "retransmits",
                        op->retransmissions_known ? json_count(op->retransmissions) : json_null());
    json_object_set_new(object, "reconnects", json_count(op->reconnections));
    json_object_set_new(object, "unmatched_replies", json_count(op->unmatched));
    json_object_set_new(object, "elapsed_ns",
                        op->elapsed_ns ? json_count(op->elapsed_ns) : json_null());
    json_object_set_new(object, "rate_per_s",
                        op->rate_per_s > 0 ? json_known(op->rate_per_s) : json_null());
}

json_t *json_op(const struct result *result, const struct result_op *op)
{
    json_t *object =
        json_pack("{s:o, s:s}", "op", json_text(op->op), "role", result_role_keys[op->role]);

    json_set_text(object, "object", op->object);
    set_counts(object, op);
    json_object_set_new(object, "bytes", lengths_object(op));
    json_object_set_new(object, "reply_packets", json_bytes(op->reply_packets));
    json_object_set_new(object, "latency_ns", json_latency(&op->latency));
    if (op->has_above_null)
        json_object_set_new(object, "above_null_ns", cost_object(op));
    if (op->has_mean_cost)
        json_object_set_new(object, "mean_above_null_ns", mean_cost_object(&op->mean_cost));
    if (op->has_split)
        json_object_set_new(object, "model", split_object(result, &op->split));
    if (op->has_spread)
        json_set_spread(object, op);
    if (op->client && op->server)
        json_object_set_new(object, "ledger",
                            json_pack("{s:o, s:o}", "client", json_ledger_entry(op->client),
                                      "server", json_ledger_entry(op->server)));
    if (op->load)
        json_object_set_new(object, "load", load_object(op->load));
    json_object_set_new(object, "slowest", slowest_array(result, op));
    json_object_set_new(object, "blocks", blocks_array(op->blocks, result->rounds.done));
    if (op->block_means)
        json_object_set_new(object, "block_means",
                            blocks_array(op->block_means, result->rounds.done));
    if (op->histogram)
        json_object_set_new(object, "histogram", histogram_object(op->histogram));
    return object;
}
