/* A measurement read back from its JSON: its ops. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "output/json_reader.h"
#include "output/result_json.h"

#define COUNT_MAXIMUM INT64_C(9007199254740992) /* up to which a double counts exactly: 2^53 */

enum {
    CLIENTS_MAXIMUM = 1 << 24,
    ERRORS_MAXIMUM = 1024,
    ROUNDS_MAXIMUM = 1 << 28,
    TIMELINE_MAXIMUM = 1 << 24
};

/* Counters */

static void read_interfaces(struct json_reader *reader, const json_t *from, const char *keys,
                            struct ledger_entry *entry)
{
    json_t *interfaces = json_take_object(reader, from, keys);
    const char *name;
    json_t *values;

    json_object_foreach(interfaces, name, values)
    {
        struct interface_counters *interface = &entry->interfaces[entry->interface_count];

        if (entry->interface_count == COUNTERS_INTERFACES_MAXIMUM)
            return;
        snprintf(interface->name, sizeof interface->name, "%s", name);
        for (size_t i = 0; i < INTERFACE_COUNTERS; i++)
            interface->values[i] = json_take_number(reader, values, interface_counter_names[i]);
        entry->interface_count++;
    }
}

const struct ledger_entry *op_read_ledger_entry(struct json_reader *reader, const json_t *from,
                                                const char *keys)
{
    bool there = json_take_object(reader, from, keys);
    struct ledger_entry *entry = there ? json_room(reader, 1, sizeof *entry) : NULL;
    char path[64];

    if (!entry)
        return NULL;
    json_take_counters(reader, from, keys, counter_names, COUNTERS, entry->values);
    snprintf(path, sizeof path, "%.40s.interfaces", keys);
    read_interfaces(reader, from, path, entry);
    snprintf(path, sizeof path, "%.40s.disturbed", keys);
    entry->disturbed = json_take_flag(reader, from, path);
    return entry;
}

static void read_op_ledger(struct json_reader *reader, const json_t *from, struct result_op *op)
{
    json_take_object(reader, from, "ledger");
    op->client = op_read_ledger_entry(reader, from, "ledger.client");
    op->server = op_read_ledger_entry(reader, from, "ledger.server");
    if (!op->client || !op->server)
        op->client = op->server = NULL;
}

/* Counts */

static void read_errors(struct json_reader *reader, const json_t *from, struct result_op *op)
{
    json_t *errors = json_take_object(reader, from, "errors");
    const char *name;
    json_t *count;

    if (json_object_size(errors) > ERRORS_MAXIMUM)
        json_refuse(reader, ".errors has more kinds than there are");
    op->errors = json_room(reader, json_object_size(errors), sizeof *op->errors);
    json_object_foreach(errors, name, count)
    {
        json_int_t times = json_integer_value(count);

        if (!json_is_null(count) && (!json_is_integer(count) || times < 0 || times > COUNT_MAXIMUM))
            json_refuse(reader, ".errors has a count that is not a number from 0 to 2^53");
        if (reader->code)
            return;
        op->errors[op->error_count].name = arena_copy(reader->arena, name);
        op->errors[op->error_count++].count = (uint64_t)times;
        op->failed += (uint64_t)times;
    }
}

static void read_counts(struct json_reader *reader, const json_t *from, struct result_op *op)
{
    const char *unmatched =
        json_find(from, "unmatched_replies") ? "unmatched_replies" : "stray_replies";
    double rate = json_take_quantity(reader, from, "rate_per_s");

    op->calls = json_take_count(reader, from, "calls", INT64_MAX);
    op->timed = json_take_count(reader, from, "timed", INT64_MAX);
    op->elapsed_ns = json_take_count(reader, from, "elapsed_ns", INT64_MAX);
    op->retransmissions_known = json_find(from, "retransmits") != NULL;
    op->retransmissions = json_take_count(reader, from, "retransmits", INT64_MAX);
    op->reconnections = json_take_count(reader, from, "reconnects", INT64_MAX);
    op->unmatched = json_take_count(reader, from, unmatched, INT64_MAX);
    op->rate_per_s = isnan(rate) ? 0 : rate;
    json_take_object(reader, from, "bytes");
    op->call_bytes = json_take_quantity(reader, from, "bytes.call");
    op->reply_bytes = json_take_quantity(reader, from, "bytes.reply");
    op->reply_packets = json_take_quantity(reader, from, "reply_packets");
    read_errors(reader, from, op);
}

/* Latencies */

/* The rounds' values at KEY; NULL where there are none. */
static double *read_rounds(struct json_reader *reader, const json_t *from, const char *key,
                           size_t *count)
{
    const json_t *blocks = json_take_array(reader, from, key, ROUNDS_MAXIMUM, count);
    double *values = *count ? json_room(reader, *count, sizeof *values) : NULL;

    for (size_t i = 0; values && i < *count; i++) {
        const json_t *block = json_array_get(blocks, i);

        values[i] = json_number_value(block);
        if (!json_is_number(block))
            json_refuse(reader, ": a round is no number");
        if (values[i] < 0 || values[i] > 1e18)
            json_refuse(reader, ": a round took no time that can be");
    }
    return values;
}

static void read_blocks(struct json_reader *reader, const json_t *from, struct result *result,
                        struct result_op *op)
{
    size_t count, means;

    op->blocks = read_rounds(reader, from, "blocks", &count);
    op->block_means = read_rounds(reader, from, "block_means", &means);
    if (count == 0 || (result->rounds.done && count != result->rounds.done) ||
        (means && means != count)) {
        json_refuse(reader, ": rounds are missing");
        return;
    }
    result->rounds.done = count;
}

/* Add COUNT calls to the bucket that begins at LOW; false where that can be none of ours. */
static bool add_bucket(struct histogram *histogram, const json_t *low, const json_t *count,
                       double *before)
{
    double value = json_number_value(low);
    json_int_t calls = json_integer_value(count);

    if (!json_is_number(low) || !json_is_integer(count) || calls < 0 || calls > COUNT_MAXIMUM ||
        value <= *before || value >= histogram_bucket_high(HISTOGRAM_BUCKETS - 1))
        return false;
    *before = value;
    histogram->buckets[histogram_bucket(value)] += (uint64_t)calls;
    histogram->count += (uint64_t)calls;
    return histogram->count <= (uint64_t)1 << 60;
}

/* What is known exactly beside the buckets. */
static void complete(struct histogram *histogram, const struct result_latency *latency)
{
    double degrees = histogram->count > 1 ? (double)histogram->count - 1 : 0;
    size_t first = histogram_next(histogram, 0), last = first;

    for (size_t i = first; i < HISTOGRAM_BUCKETS; i = histogram_next(histogram, i + 1))
        last = i;
    histogram->minimum = isnan(latency->minimum) ? histogram_bucket_low(first) : latency->minimum;
    histogram->maximum = isnan(latency->maximum) ? histogram_bucket_high(last) : latency->maximum;
    histogram->mean = isnan(latency->mean) ? 0 : latency->mean;
    histogram->squares = isnan(latency->stddev) ? 0 : latency->stddev * latency->stddev * degrees;
}

static void read_histogram(struct json_reader *reader, const json_t *from, struct result_op *op)
{
    size_t lows, count;
    const json_t *low = json_take_array(reader, from, "histogram.low_ns", HISTOGRAM_BUCKETS, &lows);
    const json_t *counts =
        json_take_array(reader, from, "histogram.count", HISTOGRAM_BUCKETS, &count);
    struct histogram *histogram = count ? json_room(reader, 1, sizeof *histogram) : NULL;
    double before = -1;

    json_take_object(reader, from, "histogram");
    if (lows != count)
        json_refuse(reader, ": a histogram is broken");
    for (size_t i = 0; histogram && i < count && reader->code == 0; i++)
        if (!add_bucket(histogram, json_array_get(low, i), json_array_get(counts, i), &before))
            json_refuse(reader, ": a histogram is broken");
    if (!histogram || reader->code || histogram->count == 0)
        return;
    complete(histogram, &op->latency);
    op->histogram = histogram;
}

static void read_slow_call(struct json_reader *reader, const json_t *from,
                           struct result_slow_call *call)
{
    const json_t *around = json_take_object(reader, from, "around");

    call->ns = json_take_quantity(reader, from, "ns");
    call->round = json_take_count(reader, from, "round", INT64_MAX);
    call->call = json_take_count(reader, from, "call", INT64_MAX);
    call->at_s = json_take_number(reader, from, "at_s");
    call->involuntary_switches = json_take_count(reader, from, "involuntary_switches", INT64_MAX);
    call->rank = (unsigned)json_take_count(reader, from, "rank", UINT32_MAX);
    call->launch = (unsigned)json_take_count(reader, from, "launch", UINT32_MAX);
    call->has_around = around != NULL;
    call->around.span_ns = json_take_count(reader, around, "span_ns", INT64_MAX);
    json_take_counters(reader, from, "around", counter_names, COUNTERS_FIRST_OF_PROCESS,
                       call->around.values);
}

static void read_slowest(struct json_reader *reader, const json_t *from, struct result_op *op)
{
    size_t count;
    const json_t *slowest = json_take_array(reader, from, "slowest", ERRORS_MAXIMUM, &count);

    op->slowest = json_room(reader, count, sizeof *op->slowest);
    op->slowest_count = op->slowest ? count : 0;
    for (size_t i = 0; i < op->slowest_count; i++)
        read_slow_call(reader, json_array_get(slowest, i), &op->slowest[i]);
}

/* The cost; what has the name of another op in it is resolved when all are there. */

static void read_cost(struct json_reader *reader, const json_t *from, struct result_op *op)
{
    const json_t *object = json_take_object(reader, from, "above_null_ns");
    struct result_cost *above = &op->above_null;

    op->has_above_null = json_take_interval(reader, from, "above_null_ns", &above->cost);
    json_take_interval(reader, object, "p50", &above->p50);
    json_take_interval(reader, object, "p90", &above->p90);
    json_take_interval(reader, object, "p99", &above->p99);
    above->mean_difference = json_take_number(reader, object, "mean_difference");
    above->tsc_cycles = json_take_number(reader, object, "tsc_cycles");
    above->share = json_take_number(reader, object, "share");
    above->distinguishable =
        json_take_flag(reader, object, "distinguishable") || !json_find(object, "distinguishable");
}

static void read_mean_cost(struct json_reader *reader, const json_t *from, struct result_op *op)
{
    const json_t *object = json_take_object(reader, from, "mean_above_null_ns");
    struct result_mean_cost *mean = &op->mean_cost;

    op->has_mean_cost = json_take_interval(reader, from, "mean_above_null_ns", &mean->cost);
    json_take_interval(reader, object, "rare", &mean->rare);
    mean->rare_share = json_take_quantity(reader, object, "rare_share");
    mean->disagrees = json_take_flag(reader, object, "disagrees");
}

static void read_split(struct json_reader *reader, const json_t *from, struct result_op *op)
{
    const json_t *model = json_take_object(reader, from, "model");
    struct result_split *split = &op->split;
    const char *pause = json_find(model, "pause_ns") ? "pause_ns" : "pace_ns";
    bool bytes = json_take_interval(reader, model, "bytes_ns", &split->bytes);
    bool waiting = json_take_interval(reader, model, pause, &split->pause);
    bool server = json_take_interval(reader, model, "server_ns", &split->server);

    op->has_split = bytes && waiting && server;
    split->extrapolated = json_take_flag(reader, model, "extrapolated");
}

/* Load */

static void read_clients(struct json_reader *reader, const json_t *from, struct result_load *load)
{
    size_t count;
    const json_t *clients = json_take_array(reader, from, "clients", CLIENTS_MAXIMUM, &count);

    load->clients = json_room(reader, count, sizeof *load->clients);
    load->client_count = load->clients ? count : 0;
    for (size_t i = 0; i < load->client_count; i++) {
        const json_t *client = json_array_get(clients, i);

        load->clients[i].calls = json_take_count(reader, client, "calls", INT64_MAX);
        load->clients[i].mean_ns = json_take_quantity(reader, client, "mean_ns");
    }
}

static void read_timeline(struct json_reader *reader, const json_t *from, struct result_load *load)
{
    size_t count;
    const json_t *points = json_take_array(reader, from, "timeline", TIMELINE_MAXIMUM, &count);
    struct timeline_point *timeline = json_room(reader, count, sizeof *timeline);

    for (size_t i = 0; timeline && i < count; i++) {
        const json_t *point = json_array_get(points, i);

        timeline[i].step = json_take_count(reader, point, "at_ns", INT64_MAX) / TIMELINE_STEP_NS;
        timeline[i].calls = json_take_count(reader, point, "calls", INT64_MAX);
        timeline[i].active_ns = json_take_count(reader, point, "active_ns", INT64_MAX);
        timeline[i].p50 = json_take_quantity(reader, point, "p50");
        timeline[i].p99 = json_take_quantity(reader, point, "p99");
    }
    load->timeline = timeline;
    load->timeline_count = timeline ? count : 0;
}

static void read_load(struct json_reader *reader, const json_t *from, struct result_op *op)
{
    const json_t *object = json_take_object(reader, from, "load");
    struct result_load *load = object ? json_room(reader, 1, sizeof *load) : NULL;

    if (!load)
        return;
    op->load = load;
    load->in_flight = json_take_quantity(reader, object, "in_flight");
    load->client_cpu_ns = json_take_quantity(reader, object, "client_cpu_ns");
    load->fairness = json_take_quantity(reader, object, "fairness");
    load->open_loop = json_take_latency(reader, object, "service_ns", &load->service);
    json_take_latency(reader, object, "lateness_ns", &load->lateness);
    read_clients(reader, object, load);
    read_timeline(reader, object, load);
}

/* Roles */

/* In schema 1 the name says the role. */
static enum result_role role_by_name(const struct result *result, const char *op)
{
    if (result->config.baseline && strcmp(op, "null") == 0)
        return RESULT_NULL;
    if (strcmp(op, "null_control") == 0)
        return RESULT_NULL_CONTROL;
    return result->config.mix && strcmp(op, "mix") == 0 ? RESULT_MIX : RESULT_OP;
}

static enum result_role read_role(struct json_reader *reader, const json_t *from,
                                  const struct result *result, const char *op)
{
    const char *role = json_take_word(reader, from, "role");

    if (!role)
        return role_by_name(result, op);
    for (enum result_role i = RESULT_NULL; i <= RESULT_OP; i++)
        if (strcmp(role, result_role_keys[i]) == 0)
            return i;
    json_refuse(reader, ".role is not known");
    return RESULT_OP;
}

/* The n-th op is the only one of its name, and of its role where that can be one's only. */
static void find_place(struct json_reader *reader, struct result *result, size_t n)
{
    const struct result_op *op = &result->ops[n];

    for (size_t i = 0; i < n; i++)
        if (strcmp(result->ops[i].op, op->op) == 0)
            json_refuse(reader, " is there twice");
    if ((op->role == RESULT_NULL && result->null_calls) ||
        (op->role == RESULT_NULL_CONTROL && result->null_control))
        json_refuse(reader, ".role is there twice");
    if (op->role == RESULT_NULL)
        result->null_calls = op;
    if (op->role == RESULT_NULL_CONTROL)
        result->null_control = op;
}

static void find_baseline(struct json_reader *reader, const json_t *from, struct result *result,
                          struct result_op *op)
{
    const char *name = json_take_word(reader, from, "above_null_ns.baseline");

    if (op != result->null_calls)
        op->baseline = name ? result_find(result, name) : result->null_calls;
    if (!op->baseline && op->has_above_null)
        json_refuse(reader, ".above_null_ns has a baseline that is not there");
}

/* The whole */

static void read_op(struct json_reader *reader, const json_t *from, struct result *result, size_t n)
{
    struct result_op *op = &result->ops[n];

    if (!json_is_object(from))
        json_refuse(reader, " is not an object");
    op->op = json_take_word(reader, from, "op");
    if (!op->op) {
        json_refuse(reader, " has no name");
        return;
    }
    op->role = read_role(reader, from, result, op->op);
    op->object = json_take_text(reader, from, "object");
    read_counts(reader, from, op);
    json_take_latency(reader, from, "latency_ns", &op->latency);
    read_blocks(reader, from, result, op);
    read_histogram(reader, from, op);
    read_slowest(reader, from, op);
    read_cost(reader, from, op);
    read_mean_cost(reader, from, op);
    read_split(reader, from, op);
    launches_read_spread(reader, from, op);
    read_op_ledger(reader, from, op);
    read_load(reader, from, op);
    find_place(reader, result, n);
}

void op_read_all(struct json_reader *reader, const json_t *root, struct result *result)
{
    size_t count = 0;
    size_t many = json_array_size(json_find(root, "ops"));
    const json_t *ops = many > RESULT_OPS_MAXIMUM
                            ? NULL
                            : json_take_array(reader, root, "ops", RESULT_OPS_MAXIMUM, &count);

    if (count == 0)
        json_refuse(reader,
                    many > RESULT_OPS_MAXIMUM ? "it has more ops than there are" : "it has no ops");
    result->ops = json_room(reader, count, sizeof *result->ops);
    for (size_t i = 0; i < count && reader->code == 0; i++) {
        snprintf(reader->where, sizeof reader->where, "ops[%zu].", i);
        result->op_count++;
        read_op(reader, json_array_get(ops, i), result, i);
    }
    for (size_t i = 0; i < count && reader->code == 0; i++) {
        snprintf(reader->where, sizeof reader->where, "ops[%zu].", i);
        find_baseline(reader, json_array_get(ops, i), result, &result->ops[i]);
    }
    reader->where[0] = '\0';
}
