/* A measurement as CSV (RFC 4180): a line for each quantity of each op that is known, after where,
 * when and with which settings it was measured, so that the lines of many files make one table. */
#include <inttypes.h>
#include <math.h>

#include "output/csv.h"
#include "output/fields.h"
#include "output/number.h"
#include "output/origin.h"
#include "output/text.h"

struct lines {
    const struct result *result;
    const struct result_op *op;
    FILE *out;
};

static void write_settings(const struct lines *lines)
{
    const struct result *result = lines->result;
    const struct load *load = &result->config.load;
    const uint32_t size = result_size_of(result, lines->op);

    origin_write_csv_of(result, lines->out);
    fprintf(lines->out, "%s,%s,%u,%u", verdict_name(result->validity.verdict),
            result->config.engine, load->clients, load->depth);
    csv_write_number(load->rate > 0 ? load->rate : NAN, NUMBER_WRITTEN_DIGITS, lines->out);
    csv_write_number(size > 0 ? (double)size : NAN, NUMBER_WRITTEN_DIGITS, lines->out);
    fprintf(lines->out, ",%zu,", result->launch_count ? result->launch_count : 1);
}

/* LAUNCH: its number and that of its server, after a comma each; of the whole measurement ",". */
static void write_line(const struct lines *lines, const char *launch, const char *quantity,
                       const struct interval *value)
{
    if (!isfinite(value->estimate))
        return;
    write_settings(lines);
    fprintf(lines->out, "%s,%s,%s,%s", lines->op->op, result_role_keys[lines->op->role], launch,
            quantity);
    csv_write_interval(value, NUMBER_WRITTEN_DIGITS, lines->out);
    fputs("\r\n", lines->out);
}

static void write_interval(const struct lines *lines, const char *quantity,
                           const struct interval *value)
{
    write_line(lines, ",", quantity, value);
}

static void write_value(const struct lines *lines, const char *quantity, double value)
{
    write_interval(lines, quantity, &(struct interval){value, NAN, NAN});
}

static void write_counts(const struct lines *lines)
{
    const struct result_op *op = lines->op;

    write_value(lines, "calls", (double)op->calls);
    write_value(lines, "timed", (double)op->timed);
    write_value(lines, "failed", (double)op->failed);
    write_value(lines, "rate_per_s", op->rate_per_s > 0 ? op->rate_per_s : NAN);
}

static void write_latency(const struct lines *lines)
{
    for (const struct field *field = latency_fields; field->key; field++) {
        const double *value = field_in(field, &lines->op->latency);
        char quantity[32];

        snprintf(quantity, sizeof quantity, "%s_ns", field->key);
        write_value(lines, quantity, *value);
    }
}

static void write_bandwidth(const struct lines *lines)
{
    const struct result_op *op = lines->op;

    if (op->has_bandwidth) {
        write_interval(lines, "mb_per_s", &op->bandwidth.megabytes_per_s);
        write_value(lines, "client_cpu_ns_per_mib", op->bandwidth.client_cpu_ns);
        write_value(lines, "server_cpu_ns_per_mib", op->bandwidth.server_cpu_ns);
    } else if (op->megabytes_per_s > 0) {
        write_value(lines, "mb_per_s", op->megabytes_per_s);
    }
    if (op->has_of_local)
        write_interval(lines, "of_local", &op->of_local);
}

static void write_costs(const struct lines *lines)
{
    const struct result_op *op = lines->op;

    write_value(lines, "call_bytes", op->call_bytes);
    write_value(lines, "reply_bytes", op->reply_bytes);
    write_value(lines, "data_bytes", op->data_bytes > 0 ? op->data_bytes : NAN);
    write_bandwidth(lines);
    write_value(lines, "places", op->places > 0 ? (double)op->places : NAN);
    write_value(lines, "calls_per_op", op->calls_each > 0 ? op->calls_each : NAN);
    write_value(lines, "entries_per_op", op->entries_each > 0 ? op->entries_each : NAN);
    write_value(lines, "entry_ns", op->entry_ns > 0 ? op->entry_ns : NAN);
    write_value(lines, "entries_per_s", op->entries_per_s > 0 ? op->entries_per_s : NAN);
    if (op->has_above_null)
        write_interval(lines, "above_null_ns", &op->above_null.cost);
    if (op->has_split) {
        write_interval(lines, "bytes_ns", &op->split.bytes);
        write_interval(lines, "pause_ns", &op->split.pause);
        write_interval(lines, "server_ns", &op->split.server);
    }
    if (op->has_mean_cost)
        write_interval(lines, "mean_above_null_ns", &op->mean_cost.cost);
    if (op->has_p99_cost)
        write_interval(lines, "p99_above_null_ns", &op->p99_cost);
}

/* NAMES: of the processor time, and of voluntary and involuntary switches. */
static void write_ledger(const struct lines *lines, const struct ledger_entry *entry,
                         const char *const names[3])
{
    static const enum counter counters[] = {COUNTER_CPU_NS, COUNTER_VOLUNTARY, COUNTER_INVOLUNTARY};

    for (size_t i = 0; entry && i < sizeof counters / sizeof counters[0]; i++)
        write_value(lines, names[i], entry->values[counters[i]]);
}

/* What the kernel's client counted: retransmissions, and each number that JSON has of it. */
static void write_mounted(const struct lines *lines)
{
    const struct result_mounted *mounted = lines->op->mounted;

    if (!mounted)
        return;
    write_value(lines, "mounted_retransmits", (double)lines->op->retransmissions);
    for (const struct field *field = mounted_fields; field->key; field++) {
        char quantity[32];

        snprintf(quantity, sizeof quantity, "mounted_%s", field->key);
        if (field->kind == FIELD_QUANTITY)
            write_value(lines, quantity, *(const double *)field_in(field, mounted));
        else if (field->kind == FIELD_COUNT)
            write_value(lines, quantity, (double)field_integer(field, mounted));
    }
}

/* How much each level of repetition adds, and the op in each launch: comparisons are made of these.
 */
static void write_launches(const struct lines *lines)
{
    const struct result *result = lines->result;

    write_value(lines, "round_trip_ns", result_level(result, lines->op));
    if (lines->op->has_spread) {
        write_value(lines, "spread_rounds_ns", lines->op->spread.rounds);
        write_value(lines, "spread_clients_ns", lines->op->spread.clients);
        write_value(lines, "spread_servers_ns", lines->op->spread.servers);
    }
    for (size_t i = 0; i < result->launch_count; i++) {
        const struct result_launch_op *op = result_launch_find(&result->launches[i], lines->op->op);
        char launch[32];

        if (!op)
            continue;
        snprintf(launch, sizeof launch, "%zu,%u", i + 1, result->launches[i].server);
        write_line(lines, launch, "launch_round_trip_ns", &op->round_trip);
        if (op->has_cost)
            write_line(lines, launch, "launch_above_null_ns", &op->cost);
        if (op->has_mean_cost)
            write_line(lines, launch, "launch_mean_above_null_ns", &op->mean_cost);
        if (op->has_p99_cost)
            write_line(lines, launch, "launch_p99_above_null_ns", &op->p99_cost);
    }
}

int result_write_csv(const void *data, FILE *out)
{
    static const char *const client[] = {"client_cpu_ns", "client_voluntary_switches",
                                         "client_involuntary_switches"};
    static const char *const server[] = {"server_cpu_ns", "server_voluntary_switches",
                                         "server_involuntary_switches"};
    const struct result *result = data;

    fputs(ORIGIN_CSV_COLUMNS
          "verdict,engine,clients,depth,rate,size,launches,op,role,launch,server,"
          "quantity,value,low,high\r\n",
          out);
    for (size_t i = 0; i < result->op_count; i++) {
        const struct lines lines = {result, &result->ops[i], out};

        write_counts(&lines);
        write_latency(&lines);
        write_costs(&lines);
        write_ledger(&lines, lines.op->client, client);
        write_ledger(&lines, lines.op->server, server);
        write_mounted(&lines);
        write_launches(&lines);
    }
    return 0;
}
