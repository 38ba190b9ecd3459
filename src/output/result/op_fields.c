/* Fields of a measurement's ops. */
#include <math.h>

#include "output/result/json.h"
#include "output/result/result_fields.h"

/* 2^53: up to this number a double represents every integer */
#define COUNT_MAXIMUM INT64_C(9007199254740992)

enum {
    CLIENTS_MAXIMUM = 1 << 24,
    ERRORS_MAXIMUM = 1024,
    GAPS_MAXIMUM = 1 << 20,
    SLOWEST_MAXIMUM = 1024,
    TIMELINE_MAXIMUM = 1 << 24
};

#define OP(member) FIELD_AT(struct result_op, member)
#define IF(member) FIELD_IF(struct result_op, member)

#define LATENCY(member) FIELD_AT(struct result_latency, member)

const struct field latency_fields[] = {
    {"min", FIELD_QUANTITY, LATENCY(minimum), .merge = MERGE_LEAST},
    {"mean", FIELD_QUANTITY, LATENCY(mean), .merge = MERGE_MEAN},
    {"stddev", FIELD_QUANTITY, LATENCY(stddev), .merge = MERGE_MEAN},
    {"p50", FIELD_QUANTITY, LATENCY(p50), .merge = MERGE_MEAN},
    {"p90", FIELD_QUANTITY, LATENCY(p90), .merge = MERGE_MEAN},
    {"p99", FIELD_QUANTITY, LATENCY(p99), .merge = MERGE_MEAN},
    {"p999", FIELD_QUANTITY, LATENCY(p999), .merge = MERGE_MEAN},
    {"p9999", FIELD_QUANTITY, LATENCY(p9999), .merge = MERGE_MEAN},
    {"max", FIELD_QUANTITY, LATENCY(maximum), .merge = MERGE_MOST},
    FIELD_END,
};

static const struct field error_fields[] = {
    {"name", FIELD_TEXT, FIELD_AT(struct result_error, name)},
    {"count", FIELD_COUNT, FIELD_AT(struct result_error, count), .maximum = COUNT_MAXIMUM},
    FIELD_END,
};

static bool moves_data(const void *object, const void *root)
{
    const struct result_op *op = object;

    return isfinite(op->data_bytes);
}

static bool brings_entries(const void *object, const void *root)
{
    const struct result_op *op = object;

    return op->entries_each > 0;
}

static bool has_records(const void *object, const void *root)
{
    return ((const struct result_op *)object)->tls_call_bytes > 0;
}

static const struct field bytes_fields[] = {
    {"call", FIELD_BYTES, OP(call_bytes)},
    {"reply", FIELD_BYTES, OP(reply_bytes)},
    {"tls_call", FIELD_BYTES, OP(tls_call_bytes), .known = has_records},
    {"tls_reply", FIELD_BYTES, OP(tls_reply_bytes), .known = has_records},
    {"data", FIELD_BYTES, OP(data_bytes), .known = moves_data},
    FIELD_END,
};

static const struct field bandwidth_fields[] = {
    {"mb_per_s", FIELD_INTERVAL, OP(bandwidth.megabytes_per_s), FIELD_PART,
     .merge = MERGE_ESTIMATE},
    {"client_cpu_ns_per_mib", FIELD_QUANTITY, OP(bandwidth.client_cpu_ns), .merge = MERGE_MEAN},
    {"server_cpu_ns_per_mib", FIELD_QUANTITY, OP(bandwidth.server_cpu_ns), .merge = MERGE_MEAN},
    FIELD_END,
};

static const char *baseline_name(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct result_op *op = object;

    return op->baseline ? op->baseline->op : NULL;
}

static const struct field cost_fields[] = {
    {"baseline", FIELD_WORD, .text = baseline_name},
    {NULL, FIELD_INTERVAL, OP(above_null.cost), FIELD_PART, .merge = MERGE_ESTIMATE},
    {"mean_difference", FIELD_NUMBER, OP(above_null.mean_difference), .merge = MERGE_MEAN},
    {"tsc_cycles", FIELD_NUMBER, OP(above_null.tsc_cycles)},
    {"share", FIELD_NUMBER, OP(above_null.share)},
    {"distinguishable", FIELD_FLAG, OP(above_null.distinguishable), FIELD_OR_TRUE},
    {"p50", FIELD_INTERVAL, OP(above_null.p50), .merge = MERGE_ESTIMATE},
    {"p90", FIELD_INTERVAL, OP(above_null.p90), .merge = MERGE_ESTIMATE},
    {"p99", FIELD_INTERVAL, OP(above_null.p99), .merge = MERGE_ESTIMATE},
    FIELD_END,
};

/* Return the lower end of the time that rare slow calls add to the mean, divided by the op's
 * median latency. */
static double rare_of_typical(const void *object, const void *root)
{
    const struct result_op *op = object;

    return op->mean_cost.rare.low / op->latency.p50;
}

static const struct field mean_cost_fields[] = {
    {NULL, FIELD_INTERVAL, OP(mean_cost.cost), FIELD_PART, .merge = MERGE_ESTIMATE},
    {"rare", FIELD_INTERVAL, OP(mean_cost.rare), .merge = MERGE_ESTIMATE},
    {"rare_share", FIELD_QUANTITY, OP(mean_cost.rare_share), .merge = MERGE_MEAN},
    {"rare_of_typical", FIELD_NUMBER, .flags = FIELD_SHOWN, .number = rare_of_typical},
    {"disagrees", FIELD_FLAG, OP(mean_cost.disagrees)},
    FIELD_END,
};

/* Write the model's rates, which each op's JSON repeats. */
static json_t *rates_write(const void *object, const void *root)
{
    const struct result *result = root;

    return result->model ? fields_write(rates_fields, result->model, result) : NULL;
}

static const struct field split_fields[] = {
    {"bytes_ns", FIELD_INTERVAL, OP(split.bytes), FIELD_PART, .merge = MERGE_ESTIMATE},
    {"pause_ns", FIELD_INTERVAL, OP(split.pause), FIELD_PART, .merge = MERGE_ESTIMATE},
    {"server_ns", FIELD_INTERVAL, OP(split.server), FIELD_PART, .merge = MERGE_ESTIMATE},
    {"extrapolated", FIELD_FLAG, OP(split.extrapolated), .merge = MERGE_ANY},
    {NULL, FIELD_OWN, .write = rates_write,
     .schema = "{\"call_ns_per_byte\": {}, \"reply_ns_per_byte\": {}, \"rx_ns_per_packet\": {}, "
               "\"pause_ns_per_ns\": {}}"},
    FIELD_END,
};

static bool has_parts(const void *object, const void *root)
{
    return result_has_parts(object);
}

static bool has_failed(const void *object, const void *root)
{
    return result_impossible_part(object, NULL);
}

/* Write the parts of a cost as "failed_model", because one part is impossible: its interval is
 * below 0. The file keeps the parts because their means over several launches may be possible. */
static json_t *failed_write(const void *object, const void *root)
{
    json_t *failed = fields_write(split_fields, object, root);

    json_object_set_new(failed, "part", json_string(result_impossible_part(object, NULL)));
    return failed;
}

static void failed_read(struct json_reader *reader, const json_t *from, void *object)
{
    struct result_op *op = object;

    if (json_find(from, "failed_model"))
        op->has_split = fields_read(reader, json_take_object(reader, from, "failed_model"),
                                    split_fields, object);
}

static bool is_counted(const void *object, const void *root)
{
    const struct result_op *op = object;

    return op->client && op->server;
}

static const struct field op_ledger_fields[] = {
    {"client", FIELD_POINTER, FIELD_TO(struct result_op, client, ledger_entry_fields),
     .merge = MERGE_PARTS},
    {"server", FIELD_POINTER, FIELD_TO(struct result_op, server, ledger_entry_fields),
     .merge = MERGE_PARTS},
    FIELD_END,
};

#define CLIENT(member) FIELD_AT(struct result_client, member)

static double without_timer(const void *object, const void *root)
{
    return ((const struct result_client *)object)->mean_ns -
           ((const struct result *)root)->clock.cost_ns;
}

static const struct field client_fields[] = {
    {"calls", FIELD_COUNT, CLIENT(calls)},
    {"mean_ns", FIELD_QUANTITY, CLIENT(mean_ns)},
    {"mean_without_timer_ns", FIELD_NUMBER, .flags = FIELD_SHOWN, .number = without_timer},
    FIELD_END,
};

static json_t *at_write(const void *object, const void *root)
{
    return json_count(((const struct timeline_point *)object)->step * TIMELINE_STEP_NS);
}

static void at_read(struct json_reader *reader, const json_t *from, void *object)
{
    struct timeline_point *point = object;

    point->step = json_take_count(reader, from, "at_ns", INT64_MAX) / TIMELINE_STEP_NS;
}

static double rate_of(const void *object, const void *root)
{
    const struct timeline_point *point = object;

    return point->active_ns ? (double)point->calls * 1e9 / (double)point->active_ns : 0;
}

#define TIMELINE(member) FIELD_AT(struct timeline_point, member)

static const struct field timeline_fields[] = {
    {"at_ns", FIELD_OWN, .write = at_write, .read = at_read, .schema = "{\"type\": \"integer\"}"},
    {"calls", FIELD_COUNT, TIMELINE(calls)},
    {"active_ns", FIELD_COUNT, TIMELINE(active_ns)},
    {"rate_per_s", FIELD_QUANTITY, .number = rate_of},
    {"p50", FIELD_QUANTITY, TIMELINE(p50)},
    {"p99", FIELD_QUANTITY, TIMELINE(p99)},
    FIELD_END,
};

#define LOAD(member) FIELD_AT(struct result_load, member)
#define HELD(hold)   FIELD_AT(struct result_load, held_ns[hold])

static const struct field held_fields[] = {
    {"depth", FIELD_QUANTITY, HELD(HOLD_DEPTH), .merge = MERGE_MEAN},
    {"socket", FIELD_QUANTITY, HELD(HOLD_SOCKET), .merge = MERGE_MEAN},
    {"connection", FIELD_QUANTITY, HELD(HOLD_CONNECTION), .merge = MERGE_MEAN},
    {"window", FIELD_QUANTITY, HELD(HOLD_WINDOW), .merge = MERGE_MEAN},
    FIELD_END,
};
#define OPEN_LOOP FIELD_IF(struct result_load, open_loop)

static const struct field op_load_fields[] = {
    {"in_flight", FIELD_QUANTITY, LOAD(in_flight), .merge = MERGE_RATE},
    {"client_cpu_ns", FIELD_QUANTITY, LOAD(client_cpu_ns), .merge = MERGE_MEAN},
    {"fairness", FIELD_QUANTITY, LOAD(fairness)},
    {"clients", FIELD_LIST, FIELD_ITEMS(struct result_load, clients, client_count, client_fields),
     .maximum = CLIENTS_MAXIMUM},
    {"timeline", FIELD_LIST,
     FIELD_ITEMS(struct result_load, timeline, timeline_count, timeline_fields),
     .maximum = TIMELINE_MAXIMUM},
    {"service_ns", FIELD_OBJECT, LOAD(service), FIELD_SETS_IF, OPEN_LOOP, .fields = latency_fields,
     .merge = MERGE_PARTS},
    {"lateness_ns", FIELD_OBJECT, LOAD(lateness), OPEN_LOOP, .fields = latency_fields,
     .merge = MERGE_PARTS},
    {"held_ns", FIELD_OBJECT, OPEN_LOOP, .fields = held_fields, .merge = MERGE_PARTS},
    {"left_out", FIELD_COUNT, LOAD(left_out), OPEN_LOOP, .merge = MERGE_SUM},
    {"interruptions", FIELD_COUNT, LOAD(interruptions), OPEN_LOOP, .merge = MERGE_TIME},
    {"interrupted_s", FIELD_NUMBER, LOAD(interrupted_s), OPEN_LOOP, .merge = MERGE_TIME},
    {"unanswered", FIELD_COUNT, LOAD(unanswered), OPEN_LOOP, .merge = MERGE_SUM},
    {"unsent", FIELD_COUNT, LOAD(unsent), OPEN_LOOP, .merge = MERGE_SUM},
    FIELD_END,
};

bool is_of_launches(const void *object, const void *root)
{
    const struct result *result = root;

    return result->launch_count > 1;
}

#define GAP(member) FIELD_AT(struct result_gap, member)

static const struct field gap_fields[] = {
    {"at_s", FIELD_NUMBER, GAP(at_s)},
    {"length_s", FIELD_QUANTITY, GAP(length_s)},
    {"calls", FIELD_COUNT, GAP(calls), .maximum = COUNT_MAXIMUM},
    {"launch", FIELD_COUNT, GAP(launch), .known = is_of_launches},
    FIELD_END,
};

#define MOUNTED(member) FIELD_AT(struct result_mounted, member)

static const struct field mounted_fields[] = {
    {"system_call", FIELD_WORD, MOUNTED(system_call)},
    {"rpcs", FIELD_QUANTITY, MOUNTED(rpcs), .merge = MERGE_MEAN},
    {"queue_ns", FIELD_QUANTITY, MOUNTED(queue_ns), .merge = MERGE_MEAN},
    {"rtt_ns", FIELD_QUANTITY, MOUNTED(rtt_ns), .merge = MERGE_MEAN},
    {"execute_ns", FIELD_QUANTITY, MOUNTED(execute_ns), .merge = MERGE_MEAN},
    {"timeouts", FIELD_COUNT, MOUNTED(timeouts), .merge = MERGE_SUM},
    {"connections", FIELD_COUNT, MOUNTED(connections), FIELD_OR_NONE, .merge = MERGE_MOST},
    {"slots", FIELD_COUNT, MOUNTED(slots), FIELD_OR_NONE, .merge = MERGE_MOST},
    {"backlog", FIELD_QUANTITY, MOUNTED(backlog), FIELD_OR_NONE,
     FIELD_IF(struct result_mounted, connections), .merge = MERGE_MEAN},
    {"blocks_again", FIELD_COUNT, MOUNTED(blocks_again), .merge = MERGE_SUM},
    {"sent_instead", FIELD_WORD, MOUNTED(instead), FIELD_OR_NONE},
    FIELD_END,
};

#define SLOW(member) FIELD_AT(struct result_slow_call, member)

#define AROUND(id, name, coarse) {name, FIELD_NUMBER, SLOW(around.values[COUNTER_##id])},

static const struct field around_values[] = {
    COUNTERS_OF_MACHINE(AROUND) FIELD_END,
};

static const struct field around_fields[] = {
    {"span_ns", FIELD_COUNT, SLOW(around.span_ns)},
    {NULL, FIELD_OBJECT, .fields = around_values},
    FIELD_END,
};

static bool is_of_ranks(const void *object, const void *root)
{
    const struct result *result = root;

    return result->rank_count > 0;
}

static const struct field slow_fields[] = {
    {"ns", FIELD_QUANTITY, SLOW(ns)},
    {"round", FIELD_COUNT, SLOW(round)},
    {"call", FIELD_COUNT, SLOW(call)},
    {"at_s", FIELD_NUMBER, SLOW(at_s)},
    {"involuntary_switches", FIELD_COUNT, SLOW(involuntary_switches)},
    {"rank", FIELD_COUNT, SLOW(rank), .known = is_of_ranks},
    {"launch", FIELD_COUNT, SLOW(launch), .known = is_of_launches},
    {"around", FIELD_OBJECT, .flags = FIELD_SETS_IF, FIELD_IF(struct result_slow_call, has_around),
     .fields = around_fields},
    FIELD_END,
};

static double round_trip(const void *object, const void *root)
{
    return result_level(root, object);
}

/* ops_read() sets the op's role, baseline, values by round and number of failed calls. */
const struct field op_fields[] = {
    {"op", FIELD_WORD, OP(op), FIELD_NAME},
    {"role", FIELD_CHOICE, OP(role), FIELD_UNREAD, .names = result_role_keys},
    {"object", FIELD_TEXT, OP(object), FIELD_OR_NONE},
    {"calls", FIELD_COUNT, OP(calls), .merge = MERGE_SUM},
    {"timed", FIELD_COUNT, OP(timed), .merge = MERGE_SUM},
    {"errors", FIELD_LIST, FIELD_ITEMS(struct result_op, errors, error_count, error_fields),
     FIELD_BY_NAME, .maximum = ERRORS_MAXIMUM, .merge = MERGE_JOIN},
    {"failed", FIELD_COUNT, OP(failed), FIELD_UNREAD, .merge = MERGE_SUM},
    {"retransmits", FIELD_COUNT, OP(retransmissions), FIELD_OR_NULL | FIELD_SETS_IF,
     IF(retransmissions_known), .merge = MERGE_SUM},
    {"reconnects", FIELD_COUNT, OP(reconnections), .merge = MERGE_SUM},
    {"renewals", FIELD_COUNT, OP(renewals), FIELD_OR_NONE, .merge = MERGE_SUM},
    {"gaps", FIELD_LIST, FIELD_ITEMS(struct result_op, gaps, gap_count, gap_fields),
     .maximum = GAPS_MAXIMUM, .merge = MERGE_JOIN},
    {"gaps_in_all", FIELD_COUNT, OP(gaps_in_all), .maximum = COUNT_MAXIMUM, .merge = MERGE_SUM},
    {"unmatched_replies", FIELD_COUNT, OP(unmatched), .merge = MERGE_SUM},
    {"early_replies", FIELD_COUNT, OP(early), FIELD_OR_NONE, .merge = MERGE_SUM},
    {"elapsed_ns", FIELD_COUNT, OP(elapsed_ns), FIELD_OR_NULL, .merge = MERGE_TIME},
    {"rate_per_s", FIELD_QUANTITY, OP(rate_per_s), FIELD_OR_NULL, .merge = MERGE_RATE},
    {"mb_per_s", FIELD_QUANTITY, OP(megabytes_per_s), .known = moves_data, .merge = MERGE_RATE},
    {"bandwidth", FIELD_OBJECT, .flags = FIELD_SETS_IF, IF(has_bandwidth),
     .fields = bandwidth_fields, .merge = MERGE_PARTS},
    {"of_local", FIELD_INTERVAL, OP(of_local), FIELD_SETS_IF, IF(has_of_local),
     .merge = MERGE_ESTIMATE},
    {"calls_per_op", FIELD_QUANTITY, OP(calls_each), FIELD_OR_NONE | FIELD_OR_NAN,
     .merge = MERGE_MEAN},
    {"entries_per_op", FIELD_QUANTITY, OP(entries_each), .known = brings_entries,
     .merge = MERGE_MEAN},
    {"entry_ns", FIELD_QUANTITY, OP(entry_ns), .known = brings_entries, .merge = MERGE_MEAN},
    {"entries_per_s", FIELD_QUANTITY, OP(entries_per_s), .known = brings_entries,
     .merge = MERGE_RATE},
    {"places", FIELD_COUNT, OP(places), FIELD_OR_NONE},
    {"bytes", FIELD_OBJECT, .fields = bytes_fields},
    {"reply_packets", FIELD_BYTES, OP(reply_packets)},
    {"latency_ns", FIELD_OBJECT, OP(latency), .fields = latency_fields},
    {"round_trip_ns", FIELD_QUANTITY, .number = round_trip},
    {"above_null_ns", FIELD_OBJECT, .flags = FIELD_SETS_IF, IF(has_above_null),
     .fields = cost_fields, .merge = MERGE_PARTS},
    {"mean_above_null_ns", FIELD_OBJECT, .flags = FIELD_SETS_IF, IF(has_mean_cost),
     .fields = mean_cost_fields, .merge = MERGE_PARTS},
    {"echo_ns", FIELD_INTERVAL, OP(echo), FIELD_OR_NONE | FIELD_SETS_IF, IF(has_echo),
     .merge = MERGE_ESTIMATE},
    {"p99_above_null_ns", FIELD_INTERVAL, OP(p99_cost), FIELD_OR_NONE | FIELD_SETS_IF,
     IF(has_p99_cost), .merge = MERGE_ESTIMATE},
    {"model", FIELD_OBJECT, .flags = FIELD_SETS_IF, IF(has_split), .fields = split_fields,
     .known = has_parts, .merge = MERGE_PARTS},
    {"failed_model", FIELD_OWN, .known = has_failed, .write = failed_write, .read = failed_read,
     .schema = "{\"type\": \"object\", \"required\": [\"part\"]}"},
    {NULL, FIELD_OBJECT, .flags = FIELD_SETS_IF, IF(has_spread), .fields = spread_fields},
    {"plan", FIELD_OBJECT, OP(plan), FIELD_SETS_IF, IF(has_plan), .fields = plan_fields},
    {"ledger", FIELD_OBJECT, .fields = op_ledger_fields, .known = is_counted, .merge = MERGE_PARTS},
    {"load", FIELD_POINTER, FIELD_TO(struct result_op, load, op_load_fields), .merge = MERGE_PARTS},
    {"mounted", FIELD_POINTER, FIELD_TO(struct result_op, mounted, mounted_fields),
     .merge = MERGE_PARTS},
    {"slowest", FIELD_LIST, FIELD_ITEMS(struct result_op, slowest, slowest_count, slow_fields),
     .maximum = SLOWEST_MAXIMUM, .merge = MERGE_JOIN},
    {"blocks", FIELD_OWN, .write = blocks_write, .schema = FIELD_NUMBERS_SCHEMA},
    {"block_means", FIELD_OWN, IF(block_means), .write = block_means_write,
     .schema = FIELD_NUMBERS_SCHEMA},
    {"echo_blocks", FIELD_OWN, IF(echo_blocks), .write = echo_blocks_write,
     .schema = FIELD_NUMBERS_SCHEMA},
    {"histogram", FIELD_OWN, IF(histogram), .write = histogram_write, .read = histogram_read,
     .schema = "{\"type\": \"object\", \"properties\": {\"low_ns\": " FIELD_NUMBERS_SCHEMA
               ", \"count\": " FIELD_NUMBERS_SCHEMA
               ", \"relative_error\": {\"type\": \"number\"}}, \"additionalProperties\": false, "
               "\"required\": [\"low_ns\", \"count\", \"relative_error\"]}"},
    {"latency_map", FIELD_OWN, IF(map), .write = map_write, .read = map_read,
     .schema = "{\"type\": \"object\", \"properties\": {\"ended_s\": {\"type\": \"number\"}, "
               "\"columns\": {\"type\": \"array\", \"items\": {\"type\": \"object\", "
               "\"properties\": {\"began_s\": {\"type\": \"number\"}, "
               "\"row\": " FIELD_NUMBERS_SCHEMA ", \"count\": " FIELD_NUMBERS_SCHEMA "}}}}}"},
    {NULL, FIELD_OBJECT, .flags = FIELD_SHOWN, .fields = op_shown_fields},
    FIELD_END,
};
