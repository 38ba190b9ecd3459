/* The tables of a report: costs, round trips, ledger. */
#include <math.h>
#include <string.h>

#include "output/number.h"
#include "picture/html.h"
#include "picture/report_parts.h"

/* A remark on an op's cost; NULL for none. */
static const char *remark_on(const struct result_op *op)
{
    if (op->role == RESULT_NULL_CONTROL)
        return "the noise floor";
    if (op->has_above_null && !op->above_null.distinguishable)
        return "not significantly different from null";
    if (op->has_split && op->split.extrapolated)
        return "longer than the model’s replies";
    return NULL;
}

/* Tables of ops: a row for each op and file, whose cells a function writes. */

typedef void (*row_writer)(const struct result_op *op, FILE *out);

struct op_table {
    const char *title, *note;
    const char *const *columns;                  /* NULL at the end */
    bool (*has_row)(const struct result_op *op); /* NULL: each op has one */
    bool null_control;                           /* it has a row, too */
    bool remarks;                                /* print remark_on() below the op's name */
    row_writer row;
};

static bool has_row(const struct op_table *table, const struct result_op *op)
{
    return op && (!table->has_row || table->has_row(op));
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

/* Print the row of OP in file number FILE; OP may be NULL. *FIRST: it is the first row of its op.
 */
static void print_row(const struct report *report, const struct op_table *table, size_t file,
                      const struct result_op *op, const char *label, bool *first, FILE *out)
{
    if (!has_row(table, op))
        return;
    fprintf(out, "<tr%s><th>", *first ? "" : " class=more");
    if (*first)
        report_op(op->op, label, out);
    if (table->remarks && remark_on(op))
        fprintf(out, "<small>%s</small>", remark_on(op));
    if (report->set->count > 1) {
        fputs("<td class=text>", out);
        report_letter(report, file, out);
    }
    table->row(op, out);
    fputs("</tr>\n", out);
    *first = false;
}

static void print_op(const struct report *report, const struct op_table *table, size_t op,
                     FILE *out)
{
    bool first = true;

    for (size_t i = 0; i < report->set->count; i++)
        print_row(report, table, i, result_set_op(report->set, i, op), report->set->ops[op], &first,
                  out);
}

static void print_null_control(const struct report *report, const struct op_table *table, FILE *out)
{
    bool first = true;

    for (size_t i = 0; i < report->set->count; i++)
        print_row(report, table, i, report->set->results[i]->null_control, "null control", &first,
                  out);
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
        print_op(report, table, i, out);
    if (table->null_control)
        print_null_control(report, table, out);
    fprintf(out, "</tbody></table></div>\n<p class=soft>%s</p>\n", table->note);
}

static void print_cell(double value, int decimals, FILE *out)
{
    fputs("<td>", out);
    html_number(out, value, decimals);
}

static void print_count(double count, FILE *out)
{
    fputs("<td>", out);
    html_count(out, count);
}

/* Ops */

static void print_latency_row(const struct result_op *op, FILE *out)
{
    const struct result_latency *latency = &op->latency;

    print_count((double)op->calls, out);
    print_count((double)op->failed, out);
    print_cell(us(latency->mean), 2, out);
    print_cell(us(latency->p50), 2, out);
    print_cell(us(latency->p90), 2, out);
    print_cell(us(latency->p99), 2, out);
    print_cell(us(latency->p999), 2, out);
    print_cell(us(latency->maximum), 1, out);
    print_count(op->rate_per_s > 0 ? op->rate_per_s : NAN, out);
    print_cell(op->megabytes_per_s > 0 ? op->megabytes_per_s : NAN, 2, out);
    print_count(op->call_bytes, out);
    print_count(op->reply_bytes, out);
}

static const char *const latency_columns[] = {
    "calls", "failed",  "mean µs", "p50",        "p90",         "p99", "p99.9",
    "max",   "calls/s", "MB/s",    "call bytes", "reply bytes", NULL};

static const struct op_table latencies = {
    .title = "Round trips",
    .note =
        "Times of whole calls in µs, from send to the last byte of the reply, with the timer’s own "
        "cost subtracted; of an op of several calls, their sum. MB/s are 10⁶ bytes of files. Bytes "
        "are those of the messages, without the headers of TCP or UDP.",
    .columns = latency_columns,
    .row = print_latency_row,
};

/* Ops of several calls */

static bool has_entries(const struct result_op *op)
{
    return op->entries_each > 0;
}

static void print_entries_row(const struct result_op *op, FILE *out)
{
    print_cell(us(op->latency.mean), 2, out);
    print_cell(op->calls_each, 1, out);
    print_cell(op->entries_each, 1, out);
    print_cell(us(op->entry_ns), 3, out);
    print_count(op->entries_per_s, out);
}

static const char *const entries_columns[] = {"mean µs",     "calls",     "entries",
                                              "µs an entry", "entries/s", NULL};

static const struct op_table entries = {
    .title = "Whole directories",
    .note = "Ops that are several calls: what each takes, and what it is made of, on average.",
    .columns = entries_columns,
    .has_row = has_entries,
    .row = print_entries_row,
};

/* Bandwidth */

static bool has_bandwidth(const struct result_op *op)
{
    return op->has_bandwidth || op->has_of_local;
}

static void print_estimate(bool known, const struct interval *part, double unit, int decimals,
                           FILE *out)
{
    char bracket[NUMBER_INTERVAL_SIZE];

    fputs("<td>", out);
    if (!known) {
        fputs("–", out);
        return;
    }
    html_number(out, part->estimate / unit, decimals);
    fputs(" <span class=ci>", out);
    html_print(out, "%s", number_interval(part, unit, decimals, false, bracket));
    fputs("</span>", out);
}

static void print_bandwidth_row(const struct result_op *op, FILE *out)
{
    const struct result_bandwidth *bandwidth = &op->bandwidth;

    print_estimate(op->has_bandwidth, &bandwidth->megabytes_per_s, 1, 1, out);
    print_cell(op->has_bandwidth ? us(bandwidth->client_cpu_ns) : NAN, 1, out);
    print_cell(op->has_bandwidth ? us(bandwidth->server_cpu_ns) : NAN, 1, out);
    print_estimate(op->has_of_local, &op->of_local, 1, 3, out);
}

static const char *const bandwidth_columns[] = {
    "MB/s", "client CPU µs a MiB", "server CPU µs a MiB", "of the local directory", NULL};

static const struct op_table bandwidths = {
    .title = "Bandwidth",
    .note = "Bytes of files, with 95 % intervals, and the processor time of a mebibyte. The last "
            "column is the rate as a share of the same calls’ on files of this machine, in the "
            "same rounds (--baseline-dir).",
    .columns = bandwidth_columns,
    .has_row = has_bandwidth,
    .row = print_bandwidth_row,
};

/* Costs */

static bool has_cost(const struct result_op *op)
{
    return op->has_above_null;
}

static void print_part(bool known, const struct interval *part, FILE *out)
{
    print_estimate(known, part, 1000, 3, out);
}

static void print_cost_row(const struct result_op *op, FILE *out)
{
    const struct result_cost *above = &op->above_null;
    bool control = op->role == RESULT_NULL_CONTROL;

    print_part(op->has_above_null, &above->cost, out);
    print_count(control ? NAN : above->tsc_cycles, out);
    print_cell(control || !above->distinguishable ? NAN : 100 * above->share, 1, out);
    print_part(op->has_split, &op->split.bytes, out);
    print_part(op->has_split, &op->split.pause, out);
    print_part(op->has_split, &op->split.server, out);
    print_part(op->has_mean_cost, &op->mean_cost.cost, out);
}

static const char *const cost_columns[] = {"typical cost µs", "TSC cycles", "% of the call",
                                           "bytes µs",        "pause µs",   "server µs",
                                           "mean cost µs",    NULL};

static const struct op_table costs = {
    .title = "Cost above the null call",
    .note = "With 95 % intervals. The parts of the cost are: the op’s longer messages (bytes); the "
            "longer pause before the call, during which caches cool down (pause); and the server’s "
            "own work. “null control” is a second null series, measured like an op: its cost is "
            "noise. The typical cost excludes rare slow calls; the mean cost includes them.",
    .columns = cost_columns,
    .has_row = has_cost,
    .null_control = true,
    .remarks = true,
    .row = print_cost_row,
};

/* Ledger */

static bool has_ledger(const struct result_op *op)
{
    return op->client != NULL;
}

static void print_ledger_row(const struct result_op *op, FILE *out)
{
    const double *client = op->client->values, *server = op->server->values;
    const struct interface_counters *interface = result_busiest_interface(op->client);

    print_cell(client[COUNTER_USER_NS] / 1000, 2, out);
    print_cell(client[COUNTER_SYSTEM_NS] / 1000, 2, out);
    print_cell(client[COUNTER_VOLUNTARY] + client[COUNTER_INVOLUNTARY], 2, out);
    print_cell(server[COUNTER_CPU_NS] / 1000, 2, out);
    print_cell(server[COUNTER_VOLUNTARY] + server[COUNTER_INVOLUNTARY], 2, out);
    print_cell(client[COUNTER_INTERRUPTS], 2, out);
    print_cell(client[COUNTER_NET_RX], 2, out);
    print_cell(interface ? interface->values[INTERFACE_TX_PACKETS] : NAN, 2, out);
    print_cell(interface ? interface->values[INTERFACE_RX_PACKETS] : NAN, 2, out);
}

static const char *const ledger_columns[] = {
    "client user µs", "client system µs", "client switches", "server CPU µs", "server switches",
    "interrupts",     "NET_RX",           "packets tx",      "packets rx",    NULL};

static const struct op_table ledger = {
    .title = "Resources per call: the ledger",
    .note = "Per call, counted by the kernel during separate calls after the rounds, with the idle "
            "machine’s share subtracted. Packets are those of the busiest interface. A dash means "
            "“not known”.",
    .columns = ledger_columns,
    .has_row = has_ledger,
    .row = print_ledger_row,
};

void report_tables(const struct report *report, FILE *out)
{
    print_table(report, &costs, out);
    print_table(report, &latencies, out);
    print_table(report, &bandwidths, out);
    print_table(report, &entries, out);
    print_table(report, &ledger, out);
}
