/* The tables of a report: costs, round trips, ledger. */
#include <math.h>
#include <string.h>

#include "output/html.h"
#include "output/report_parts.h"

static double us(double nanoseconds)
{
    return nanoseconds / 1000;
}

/* What is to be said of an op's cost; NULL for nothing. */
static const char *remark_on(const struct result_file_op *op)
{
    const json_t *above = json_object_get(op->object, "above_null_ns");
    const json_t *model = json_object_get(op->object, "model");

    if (strcmp(op->op, "null_control") == 0)
        return "the noise floor";
    if (json_is_false(json_object_get(above, "distinguishable")))
        return "can’t be told from null";
    if (json_is_true(json_object_get(model, "extrapolated")))
        return "longer than the model’s replies";
    return NULL;
}

/* Tables of ops: a row for each op and file, whose cells a function writes. */

typedef void (*row_writer)(const struct result_file_op *op, FILE *out);

struct op_table {
    const char *title, *note;
    const char *const *columns; /* NULL at the end */
    const char *key;            /* an op has a row where it has this; NULL: always */
    bool remarks;               /* below the op's name stands what remark_on() says */
    row_writer row;
};

static bool has_row(const struct op_table *table, const struct result_file_op *op)
{
    return op && (!table->key || json_object_get(op->object, table->key));
}

static void begin_table(const struct report *report, const struct op_table *table, FILE *out)
{
    fprintf(out, "<h2>%s</h2>\n<div class=wide tabindex=0><table>\n<thead><tr><th>op",
            table->title);
    if (report->set->count > 1)
        fputs("<th class=text>file", out);
    for (const char *const *column = table->columns; *column; column++)
        fprintf(out, "<th>%s", *column);
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void print_op(const struct report *report, const struct op_table *table, const char *name,
                     const char *label, FILE *out)
{
    bool first = true;

    for (size_t i = 0; i < report->set->count; i++) {
        const struct result_file_op *op = result_file_find(&report->set->files[i], name);

        if (!has_row(table, op))
            continue;
        fprintf(out, "<tr%s><th>", first ? "" : " class=more");
        if (first)
            report_op(name, label, out);
        if (table->remarks && remark_on(op))
            fprintf(out, "<small>%s</small>", remark_on(op));
        if (report->set->count > 1) {
            fputs("<td class=text>", out);
            report_letter(report, i, out);
        }
        table->row(op, out);
        fputs("</tr>\n", out);
        first = false;
    }
}

static bool is_empty(const struct report *report, const struct op_table *table)
{
    for (size_t i = 0; i < report->set->op_count; i++)
        if (has_row(table, result_set_op(report->set, 0, i)))
            return false;
    return true;
}

static void print_table(const struct report *report, const struct op_table *table, FILE *out)
{
    if (is_empty(report, table))
        return;
    begin_table(report, table, out);
    for (size_t i = 0; i < report->set->op_count; i++)
        print_op(report, table, report->set->ops[i], report->set->ops[i], out);
    if (table->key && strcmp(table->key, "above_null_ns") == 0)
        print_op(report, table, "null_control", "null again", out);
    fprintf(out, "</tbody></table></div>\n<p class=soft>%s</p>\n", table->note);
}

static void print_cell(const struct result_file_op *op, const char *keys, double unit, int decimals,
                       FILE *out)
{
    fputs("<td>", out);
    html_number(out, result_file_number(op->object, keys) / unit, decimals);
}

static void print_count(const struct result_file_op *op, const char *keys, FILE *out)
{
    fputs("<td>", out);
    html_count(out, result_file_number(op->object, keys));
}

/* Ops */

static double count_errors(const struct result_file_op *op)
{
    double failed = 0;
    const char *key;
    json_t *count;

    json_object_foreach(json_object_get(op->object, "errors"), key, count) failed +=
        json_number_value(count);
    return failed;
}

static void print_latency_row(const struct result_file_op *op, FILE *out)
{
    print_count(op, "calls", out);
    fputs("<td>", out);
    html_count(out, count_errors(op));
    print_cell(op, "latency_ns.mean", 1000, 2, out);
    print_cell(op, "latency_ns.p50", 1000, 2, out);
    print_cell(op, "latency_ns.p90", 1000, 2, out);
    print_cell(op, "latency_ns.p99", 1000, 2, out);
    print_cell(op, "latency_ns.p999", 1000, 2, out);
    print_cell(op, "latency_ns.max", 1000, 1, out);
    print_count(op, "rate_per_s", out);
    print_count(op, "bytes.call", out);
    print_count(op, "bytes.reply", out);
}

static const char *const latency_columns[] = {"calls",   "failed",     "mean µs",        "p50",
                                              "p90",     "p99",        "p99.9",          "max",
                                              "calls/s", "bytes sent", "bytes received", NULL};

static const struct op_table latencies = {
    .title = "Round trips",
    .note = "Times of whole calls in µs, from send to the last byte of the reply, with the timer’s "
            "own cost taken off. Bytes are the messages’ above TCP or UDP.",
    .columns = latency_columns,
    .row = print_latency_row,
};

/* Costs */

static void print_part(const struct result_file_op *op, const char *keys, FILE *out)
{
    struct interval part;

    fputs("<td>", out);
    if (result_file_interval(op->object, keys, &part)) {
        html_number(out, us(part.estimate), 3);
        fputs(" <span class=ci>", out);
        html_print(out, "[%.3f, %.3f]", us(part.low), us(part.high));
        fputs("</span>", out);
    } else {
        fputs("–", out);
    }
}

static void print_cost_row(const struct result_file_op *op, FILE *out)
{
    bool control = strcmp(op->op, "null_control") == 0;
    double share = result_file_number(op->object, "above_null_ns.share");
    const json_t *above = json_object_get(op->object, "above_null_ns");

    print_part(op, "above_null_ns", out);
    fputs("<td>", out);
    html_count(out, control ? NAN : result_file_number(above, "tsc_cycles"));
    fputs("<td>", out);
    html_number(out, control ? NAN : 100 * share, 1);
    print_part(op, "model.bytes_ns", out);
    print_part(op, "model.pace_ns", out);
    print_part(op, "model.server_ns", out);
    print_cell(op, "above_null_ns.mean_difference", 1000, 3, out);
}

static const char *const cost_columns[] = {
    "cost µs", "TSC cycles", "% of the call",          "bytes µs",
    "pace µs", "server µs",  "difference of means µs", NULL};

static const struct op_table costs = {
    .title = "Cost above the null call",
    .note =
        "With 95 % intervals. The cost’s parts: what the op’s longer messages cost (bytes); what "
        "null calls made as rarely would cost more, for caches cool while the server works "
        "(pace); and the server’s own work. “null again” is a second null series, measured like "
        "an op: what it shows is noise. The plain difference of means is for comparison; a few "
        "slow calls spoil it.",
    .columns = cost_columns,
    .key = "above_null_ns",
    .remarks = true,
    .row = print_cost_row,
};

/* Ledger */

/* The interface that carried most packets. */
static const json_t *busiest(const struct result_file_op *op)
{
    const json_t *client = json_object_get(json_object_get(op->object, "ledger"), "client");
    const json_t *found = NULL;
    json_t *interface;
    const char *name;
    double most = 0;

    json_object_foreach(json_object_get(client, "interfaces"), name, interface)
    {
        double packets = result_file_number(interface, "rx_packets") +
                         result_file_number(interface, "tx_packets");

        if (packets > most) {
            most = packets;
            found = interface;
        }
    }
    return found;
}

static void print_sum(const struct result_file_op *op, const char *first, const char *second,
                      FILE *out)
{
    fputs("<td>", out);
    html_number(out, result_file_number(op->object, first) + result_file_number(op->object, second),
                2);
}

static void print_ledger_row(const struct result_file_op *op, FILE *out)
{
    const json_t *interface = busiest(op);

    print_cell(op, "ledger.client.user_ns", 1000, 2, out);
    print_cell(op, "ledger.client.system_ns", 1000, 2, out);
    print_sum(op, "ledger.client.voluntary_switches", "ledger.client.involuntary_switches", out);
    print_cell(op, "ledger.server.cpu_ns", 1000, 2, out);
    print_sum(op, "ledger.server.voluntary_switches", "ledger.server.involuntary_switches", out);
    print_cell(op, "ledger.client.interrupts", 1, 2, out);
    print_cell(op, "ledger.client.net_rx", 1, 2, out);
    fputs("<td>", out);
    html_number(out, result_file_number(interface, "tx_packets"), 2);
    fputs("<td>", out);
    html_number(out, result_file_number(interface, "rx_packets"), 2);
}

static const char *const ledger_columns[] = {
    "client user µs", "client system µs", "client switches", "server CPU µs",    "server switches",
    "interrupts",     "NET_RX",           "packets sent",    "packets received", NULL};

static const struct op_table ledger = {
    .title = "What a call takes: the ledger",
    .note = "Per call, counted by the kernel in stretches of their own after the rounds, with the "
            "idle machine’s share taken off. Packets are those of the busiest interface. A dash "
            "stands for what is not known.",
    .columns = ledger_columns,
    .key = "ledger",
    .row = print_ledger_row,
};

void report_tables(const struct report *report, FILE *out)
{
    print_table(report, &costs, out);
    print_table(report, &latencies, out);
    print_table(report, &ledger, out);
}
