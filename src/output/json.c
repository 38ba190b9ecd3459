#include "output/json.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "output/counters_json.h"
#include "output/json_ledger.h"
#include "output/json_load.h"
#include "output/json_ranks.h"
#include "version.h"

json_t *json_count(uint64_t count)
{
    return json_integer((json_int_t)count);
}

json_t *json_text(const char *text)
{
    json_t *value = text ? json_string(text) : NULL;

    return value ? value : json_null();
}

json_t *json_tool(void)
{
    return json_pack("{s:s, s:s, s:s}", "name", "nfsbench", "version", NFSBENCH_VERSION, "build",
                     NFSBENCH_BUILD);
}

static json_t *host_object(const struct result *result)
{
    const struct result_host *host = &result->host;
    const struct clock *clock = result->clock;
    bool tsc = clock->tsc;

    return json_pack("{s:o, s:o, s:o, s:i, s:b, s:o, s:o, s:o}", "kernel", json_text(host->kernel),
                     "machine", json_text(host->machine), "cpu", json_text(host->cpu), "cpus",
                     (int)host->cpus, "virtualisation", host->virtual, "clocksource",
                     json_text(host->clocksource), "tsc_hz",
                     tsc ? json_real(1e9 / clock->ns_per_tick) : json_null(), "steal",
                     json_known(result->steal_share));
}

static json_t *target_object(const struct result_target *target)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:i, s:i, s:s, s:s}", "text",
                     json_text(target->text), "host", json_text(target->host), "address",
                     json_text(target->address), "export", json_text(target->export), "path",
                     json_text(target->path), "proto",
                     strcmp(target->transport, "TCP") == 0 ? "tcp" : "udp", "nfs_port",
                     (int)target->nfs_port, "mount_port", (int)target->mount_port, "auth",
                     target->auth, "auth_offered", target->flavors);
}

static json_t *mix_object(const struct result_config *config)
{
    json_t *weights = json_object();

    for (size_t i = 0; i < config->mix_count; i++)
        json_object_set_new(weights, config->mix[i].op, json_count(config->mix[i].weight));
    return json_pack("{s:o, s:o}", "name", json_text(config->mix_name), "weights", weights);
}

static json_t *config_object(const struct result *result)
{
    const struct result_config *config = &result->config;
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:b, s:i, s:i, s:o, s:i, s:o, s:i, s:o, s:b, s:b, s:o, s:o}", "engine",
        config->engine, "clock", result->clock->name, "wait", config->spin ? "spin" : "block",
        "baseline", config->baseline, "clients", (int)config->load.clients, "depth",
        (int)config->load.depth, "calls", config->calls ? json_count(config->calls) : json_null(),
        "block", (int)config->block, "timeout_ns", json_count(config->timeout_ns), "retrans",
        (int)config->retransmissions, "rounds_planned", json_count(result->rounds->planned),
        "warmup_steady", result->rounds->steady, "verify", config->verify, "client_cpus",
        json_text(config->client_cpus), "server_cpu",
        config->server_cpu >= 0 ? json_integer(config->server_cpu) : json_null());

    if (!load_is_single(&config->load))
        json_object_set_new(object, "load", json_load(&config->load));
    if (config->mix_name)
        json_object_set_new(object, "mix", mix_object(config));
    if (config->calls == 0)
        json_object_set_new(object, "precision",
                            json_pack("{s:f, s:f, s:o, s:b}", "share", config->precision.share,
                                      "ns", config->precision.ns, "max_time_ns",
                                      json_count(config->maximum_ns), "reached",
                                      config->precision_reached));
    json_object_set_new(object, "rounds", json_count(result->rounds->done));
    json_object_set_new(object, "warmup_rounds", json_count(result->rounds->warmup));
    json_object_set_new(object, "kept_awake", json_boolean(config->awake));
    if (config->read_size) {
        json_object_set_new(object, "read_size", json_count(config->read_size));
        json_object_set_new(object, "read_offset", json_count(config->read_offset));
    }
    return object;
}

/* What empty windows measured: counts by powers of two. */
static json_t *clock_cost_object(const struct clock *clock)
{
    json_t *lows = json_array(), *counts = json_array();

    for (size_t i = 0; i < CLOCK_COST_LOG2; i++) {
        if (clock->cost_log2[i] == 0)
            continue;
        json_array_append_new(lows, json_count(i ? UINT64_C(1) << i : 0));
        json_array_append_new(counts, json_count(clock->cost_log2[i]));
    }
    return json_pack("{s:o, s:o}", "low_ns", lows, "count", counts);
}

static json_t *clock_object(const struct result *result)
{
    const struct clock *clock = result->clock;

    return json_pack("{s:s, s:f, s:f, s:f, s:f, s:b, s:o}", "name", clock->name, "ns_per_tick",
                     clock->ns_per_tick, "cost_ns", clock->cost_ns, "disagreement_ppm",
                     result->clock_ppm, "largest_step_ns", result->clock_step_ns, "cost_taken_off",
                     true, "cost_histogram", clock_cost_object(clock));
}

static json_t *interval_array(const struct interval *interval)
{
    return json_pack("[f, f]", interval->low, interval->high);
}

static json_t *above_null_object(const struct result *result, const struct result_op *op)
{
    const struct above_null *above = &op->above_null;
    bool tsc = result->clock->tsc;

    return json_pack(
        "{s:s, s:f, s:o, s:f, s:o, s:f, s:b, s:{s:f, s:o}, s:{s:f, s:o}, s:{s:f, s:o}}", "baseline",
        result->ops[op->baseline].op, "estimate", above->cost.estimate, "ci95",
        interval_array(&above->cost), "mean_difference", above->mean_difference, "tsc_cycles",
        tsc ? json_real(above->cost.estimate / result->clock->ns_per_tick) : json_null(), "share",
        above->share, "distinguishable", above->distinguishable, "p50", "estimate",
        above->p50.estimate, "ci95", interval_array(&above->p50), "p90", "estimate",
        above->p90.estimate, "ci95", interval_array(&above->p90), "p99", "estimate",
        above->p99.estimate, "ci95", interval_array(&above->p99));
}

/* Only buckets that hold something. */
static json_t *histogram_object(const struct histogram *histogram)
{
    json_t *lows = json_array(), *counts = json_array();

    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        if (histogram->buckets[i] == 0)
            continue;
        json_array_append_new(lows, json_count((uint64_t)histogram_bucket_low(i)));
        json_array_append_new(counts, json_count(histogram->buckets[i]));
    }
    return json_pack("{s:o, s:o, s:f}", "low_ns", lows, "count", counts, "relative_error",
                     HISTOGRAM_RELATIVE_ERROR);
}

/* To a tenth of a nanosecond: a round's mean knows no more. */
static json_t *blocks_array(const struct series *series, size_t rounds)
{
    json_t *blocks = json_array();

    for (size_t i = 0; i < rounds; i++) {
        double tenths = series->blocks[BLOCK_TRIMMED_MEAN][i] * 10;

        json_array_append_new(blocks, json_real((double)(int64_t)(tenths + 0.5) / 10));
    }
    return blocks;
}

static json_t *errors_object(const struct result_op *op)
{
    json_t *errors = json_object();

    for (size_t i = 0; i < op->error_kinds; i++)
        json_object_set_new(errors, op->errors[i].name, json_count(op->errors[i].count));
    return errors;
}

json_t *json_interval(const struct interval *interval)
{
    return json_pack("{s:f, s:o}", "estimate", interval->estimate, "ci95",
                     interval_array(interval));
}

static json_t *rate_object(const struct cost_rate *rate)
{
    return rate->known ? json_interval(&rate->ns) : json_null();
}

static void add_rates(json_t *object, const struct cost_model *model)
{
    json_object_set_new(object, "tx_ns_per_byte", rate_object(&model->call));
    json_object_set_new(object, "rx_ns_per_byte", rate_object(&model->reply));
    json_object_set_new(object, "rx_ns_per_packet", rate_object(&model->packet));
    json_object_set_new(object, "pace_ns_per_ns", rate_object(&model->pace));
}

static json_t *op_model_object(const struct result *result, const struct result_op *op)
{
    json_t *object = json_pack("{s:o, s:o, s:o, s:b}", "bytes_ns", json_interval(&op->split.bytes),
                               "pace_ns", json_interval(&op->split.pace), "server_ns",
                               json_interval(&op->split.server), "extrapolated", op->beyond_model);

    add_rates(object, &result->model);
    return object;
}

/* The lengths that the model was made from, each with the median of its series. */
static void append_points(json_t *array, const char *op, const struct cost_points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        const struct cost_point *point = &points->points[i];
        const struct histogram *histogram = &point->series->histogram;

        json_array_append_new(array,
                              json_pack("{s:s, s:f, s:f, s:f, s:f, s:I, s:f}", "op", op, "call",
                                        point->lengths.call, "reply", point->lengths.reply,
                                        "reply_packets", point->lengths.packets, "pause_ns",
                                        point->lengths.pause, "calls", (json_int_t)histogram->count,
                                        "p50", histogram_quantile(histogram, 0.5)));
    }
}

static json_t *model_object(const struct result *result)
{
    json_t *object = json_object(), *points = json_array();

    add_rates(object, &result->model);
    json_object_set_new(object, "tx_misfit_ns", json_real(result->model.call_misfit_ns));
    json_object_set_new(object, "rx_misfit_ns", json_real(result->model.reply_misfit_ns));
    json_object_set_new(object, "pace_misfit_ns", json_real(result->model.pace_misfit_ns));
    append_points(points, "null", &result->points.call);
    append_points(points, "read", &result->points.reply);
    append_points(points, "null", &result->points.pause);
    json_object_set_new(object, "points", points);
    return object;
}

static json_t *op_object(const struct result *result, const struct result_op *op)
{
    const struct series *series = op->series;
    json_t *object =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:i, s:i}, s:o, s:o}", "op", op->op,
                  "calls", json_count(series->calls), "timed", json_count(series->histogram.count),
                  "errors", errors_object(op), "retransmits",
                  op->retransmissions_known ? json_count(op->retransmissions) : json_null(),
                  "reconnects", json_count(op->reconnections), "rate_per_s",
                  op->rate_per_s > 0 ? json_real(op->rate_per_s) : json_null(), "latency_ns",
                  json_latency(&series->histogram), "bytes", "call", (int)op->lengths.call, "reply",
                  (int)op->lengths.reply, "blocks", blocks_array(series, result->rounds->done),
                  "histogram", histogram_object(&series->histogram));

    json_object_set_new(object, "stray_replies", json_count(op->strays));
    if (op->object[0])
        json_object_set_new(object, "object", json_text(op->object));
    if (op->has_above_null)
        json_object_set_new(object, "above_null_ns", above_null_object(result, op));
    if (op->has_split)
        json_object_set_new(object, "model", op_model_object(result, op));
    if (op->has_load)
        json_object_set_new(object, "load", json_op_load(result, op));
    if (op->client)
        json_object_set_new(object, "ledger", json_op_ledger(op));
    json_object_set_new(object, "slowest", json_slowest(result, series));
    return object;
}

static json_t *ops_array(const struct result *result)
{
    json_t *ops = json_array();

    for (size_t i = 0; i < result->op_count; i++)
        json_array_append_new(ops, op_object(result, &result->ops[i]));
    return ops;
}

static json_t *skipped_array(const struct result *result)
{
    json_t *skipped = json_array();

    for (size_t i = 0; i < result->skipped_count; i++)
        json_array_append_new(skipped, json_pack("{s:s, s:o}", "op", result->skipped[i].op,
                                                 "reason", json_text(result->skipped[i].reason)));
    return skipped;
}

static json_t *validity_object(const struct validity *validity)
{
    json_t *reasons = json_array();

    for (size_t i = 0; i < validity->count; i++)
        json_array_append_new(reasons,
                              json_pack("{s:s, s:s, s:s}", "name", validity->reasons[i].name,
                                        "verdict", verdict_name(validity->reasons[i].verdict),
                                        "text", validity->reasons[i].text));
    return json_pack("{s:s, s:o}", "verdict", verdict_name(validity->verdict), "reasons", reasons);
}

/* As typed; null where a word is no UTF-8, for then the rest would be another command. */
static json_t *command_array(const struct result *result)
{
    json_t *words = json_array();

    for (size_t i = 0; i < result->command_count; i++)
        if (json_array_append_new(words, json_string(result->command[i])) != 0) {
            json_decref(words);
            return json_null();
        }
    return words;
}

json_t *json_result(const struct result *result)
{
    json_t *object =
        json_pack("{s:s, s:o, s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:{s:o, s:o}, s:o, s:o, s:o, s:o}",
                  "schema", "nfsbench-result/1", "tool", json_tool(), "start", result->start,
                  "seed", json_count(result->seed), "cut_short", result->cut_short, "host",
                  host_object(result), "target", target_object(&result->target), "config",
                  config_object(result), "clock", clock_object(result), "setup", "mount_ns",
                  json_count(result->target.mount_ns), "unmount_ns",
                  result->target.unmount_ns ? json_count(result->target.unmount_ns) : json_null(),
                  "ops", ops_array(result), "skipped", skipped_array(result), "ledger",
                  json_ledger(result), "validity", validity_object(&result->validity));

    if (object)
        json_object_set_new(object, "command", command_array(result));
    if (object && result->has_model)
        json_object_set_new(object, "model", model_object(result));
    if (object && result->rank_count > 0)
        json_object_set_new(object, "ranks", json_ranks(result));
    if (object && result->cut_short_by)
        json_object_set_new(object, "cut_short_by", json_text(result->cut_short_by));
    return object;
}

int json_write_object(json_t *object, FILE *out)
{
    const size_t format = JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12);
    int code;

    if (!object)
        return -ENOMEM;
    errno = EIO; /* jansson's own failures set none */
    code = json_dumpf(object, out, format) == 0 && fputc('\n', out) != EOF ? 0 : -errno;
    json_decref(object);
    return code;
}

int json_write(const struct result *result, FILE *out)
{
    return json_write_object(json_result(result), out);
}
