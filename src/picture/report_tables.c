/* The tables of a report: costs, round trips, ledger. */

#include "output/result_fields.h"
#include "picture/html.h"
#include "picture/report_parts.h"

/* Tables of ops: a row for each op and file. */

struct op_table {
    const char *title, *note;
    const struct view_column *columns; /* of ops; with VIEW_RANGE behind the estimate */
    const char *when;                  /* holds of ops that have a row; NULL: each has one */
    bool null_control;                 /* it has a row, too */
    const char *remark;                /* below the op's name, where it is known; NULL: none */
};

/* The row of OP of the result in file number FILE, which is RESULT. */
#define OP_ROW(op, result)                                                                         \
    {                                                                                              \
        .fields = op_fields, .object = (op), .root = (result).root, .outer = &(result)             \
    }

static void begin_table(const struct report *report, const struct op_table *table, FILE *out)
{
    html_print(out, "<h2>%s</h2>\n<div class=wide tabindex=0><table>\n<thead><tr><th>op",
               table->title);
    if (report->set->count > 1)
        fputs("<th class=text>file", out);
    for (const struct view_column *column = table->columns; column->path; column++)
        html_print(out, "<th>%s", column->heading);
    fputs("</tr></thead>\n<tbody>\n", out);
}

/* Print the row of OP in file number FILE; OP may be NULL. *FIRST: it is the first row of its op.
 */
static void print_row(const struct report *report, const struct op_table *table, size_t file,
                      const struct result_op *op, const char *label, bool *first, FILE *out)
{
    const struct view_row result = report_row(report, file), row = OP_ROW(op, result);
    char remark[FIELD_ROOM];

    if (!op || !view_holds(&row, table->when))
        return;
    fprintf(out, "<tr%s><th>", *first ? "" : " class=more");
    if (*first)
        report_op(op->op, label, out);
    if (table->remark && view_expand(&row, table->remark, "", "", remark, sizeof remark) &&
        remark[0])
        html_print(out, "<small>%s</small>", remark);
    if (report->set->count > 1)
        report_letter(report, file, "<td class=text>", out);
    report_cells(&row, table->columns, out);
    fputs("</tr>\n", out);
    *first = false;
}

/* The rows of the op numbered OP, or after the last of the null control. */
static void print_op(const struct report *report, const struct op_table *table, size_t op,
                     FILE *out)
{
    const struct result_set *set = report->set;
    const bool control = op == set->op_count;
    bool first = true;

    for (size_t i = 0; i < set->count; i++)
        print_row(report, table, i,
                  control ? set->results[i]->null_control : result_set_op(set, i, op),
                  control ? "null control" : set->ops[op], &first, out);
}

static bool is_empty(const struct report *report, const struct op_table *table)
{
    const struct view_row result = report_row(report, 0);

    for (size_t i = 0; i < report->set->op_count; i++) {
        const struct view_row row = OP_ROW(result_set_op(report->set, 0, i), result);

        if (view_holds(&row, table->when))
            return false;
    }
    return true;
}

static void print_table(const struct report *report, const struct op_table *table, FILE *out)
{
    if (is_empty(report, table))
        return;
    begin_table(report, table, out);
    for (size_t i = 0; i < report->set->op_count + table->null_control; i++)
        print_op(report, table, i, out);
    html_print(out, "</tbody></table></div>\n<p class=soft>%s</p>\n", table->note);
}

/* Ops */

static const struct view_column latency_columns[] = {
    {"calls", "calls", .decimals = VIEW_GROUPED},
    {"failed", "failed", .decimals = VIEW_GROUPED},
    {"latency_ns.mean", "mean µs", 0, 2, VIEW_US},
    {"latency_ns.p50", "p50", 0, 2, VIEW_US},
    {"latency_ns.p90", "p90", 0, 2, VIEW_US},
    {"latency_ns.p99", "p99", 0, 2, VIEW_US},
    {"latency_ns.p999", "p99.9", 0, 2, VIEW_US},
    {"latency_ns.max", "max", 0, 1, VIEW_US},
    {"rate_per_s", "calls/s", .decimals = VIEW_GROUPED},
    {"mb_per_s", "MB/s", .decimals = 2},
    {"bytes.call", "call bytes", .decimals = VIEW_GROUPED},
    {"bytes.reply", "reply bytes", .decimals = VIEW_GROUPED},
    {NULL},
};

static const struct op_table latencies = {
    .title = "Round trips",
    .note =
        "Times of whole calls in µs, from send to the last byte of the reply, with the timer’s own "
        "cost subtracted; of an op of several calls, their sum. MB/s are 10⁶ bytes of files. Bytes "
        "are those of the messages, without the headers of TCP or UDP.",
    .columns = latency_columns,
};

/* Ops of several calls */

static const struct view_column entries_columns[] = {
    {"latency_ns.mean", "mean µs", 0, 2, VIEW_US},
    {"calls_per_op", "calls", .decimals = 1},
    {"entries_per_op", "entries", .decimals = 1},
    {"entry_ns", "µs an entry", 0, 3, VIEW_US},
    {"entries_per_s", "entries/s", .decimals = VIEW_GROUPED},
    {NULL},
};

static const struct op_table entries = {
    .title = "Whole directories",
    .note = "Ops that are several calls: what each takes, and what it is made of, on average.",
    .columns = entries_columns,
    .when = "entries_per_op",
};

/* Bandwidth */

static const struct view_column bandwidth_columns[] = {
    {"bandwidth.mb_per_s", "MB/s", .decimals = 1, .flags = VIEW_RANGE},
    {"bandwidth.client_cpu_ns_per_mib", "client CPU µs a MiB", 0, 1, VIEW_US},
    {"bandwidth.server_cpu_ns_per_mib", "server CPU µs a MiB", 0, 1, VIEW_US},
    {"of_local", "of the local directory", .decimals = 3, .flags = VIEW_RANGE},
    {NULL},
};

static const struct op_table bandwidths = {
    .title = "Bandwidth",
    .note = "Bytes of files, with 95 % intervals, and the processor time of a mebibyte. The last "
            "column is the rate as a share of the same calls’ on files of this machine, in the "
            "same rounds (--baseline-dir).",
    .columns = bandwidth_columns,
    .when = "bandwidth|of_local",
};

/* Costs */

static const struct view_column cost_columns[] = {
    {"above_null_ns", "typical cost µs", 0, 3, VIEW_US, VIEW_RANGE},
    {"above_null_ns.tsc_cycles", "TSC cycles", .decimals = VIEW_GROUPED},
    {"above_null_ns.share", "% of the call", 0, 1, 100,
     .when = "!role=null_control above_null_ns.distinguishable"},
    {"model.bytes_ns", "bytes µs", 0, 3, VIEW_US, VIEW_RANGE, .when = "^model"},
    {"model.pause_ns", "pause µs", 0, 3, VIEW_US, VIEW_RANGE, .when = "^model.pause_ns_per_ns"},
    {"model.server_ns", "server µs", 0, 3, VIEW_US, VIEW_RANGE, .when = "^model"},
    {"mean_above_null_ns", "mean cost µs", 0, 3, VIEW_US, VIEW_RANGE},
    {NULL},
};

static const struct op_table costs = {
    .title = "Cost above the null call",
    .note = "With 95 % intervals. The parts of the cost are: the op’s longer messages (bytes); the "
            "longer pause before the call, during which caches cool down (pause); and the server’s "
            "own work. “null control” is a second null series, measured like an op: its cost is "
            "noise. The typical cost excludes rare slow calls; the mean cost includes them.",
    .columns = cost_columns,
    .when = "above_null_ns",
    .null_control = true,
    .remark = "{?(role=null_control)the noise floor|{?(!above_null_ns.distinguishable)not "
              "significantly different "
              "from null|{?(model.extrapolated)longer than the model’s replies}}}",
};

/* Ledger */

static const struct view_column ledger_columns[] = {
    {"ledger.client.user_ns", "client user µs", 0, 2, VIEW_US},
    {"ledger.client.system_ns", "client system µs", 0, 2, VIEW_US},
    {"client_switches", "client switches", .decimals = 2},
    {"ledger.server.cpu_ns", "server CPU µs", 0, 2, VIEW_US},
    {"server_switches", "server switches", .decimals = 2},
    {"ledger.client.interrupts", "interrupts", .decimals = 2},
    {"ledger.client.net_rx", "NET_RX", .decimals = 2},
    {"tx_packets", "packets tx", .decimals = 2},
    {"rx_packets", "packets rx", .decimals = 2},
    {NULL},
};

static const struct op_table ledger = {
    .title = "Resources per call: the ledger",
    .note = "Per call, counted by the kernel during separate calls after the rounds, with the idle "
            "machine’s share subtracted. Packets are those of the busiest interface. A dash means "
            "“not known”.",
    .columns = ledger_columns,
    .when = "ledger",
};

void report_tables(const struct report *report, FILE *out)
{
    print_table(report, &costs, out);
    print_table(report, &latencies, out);
    print_table(report, &bandwidths, out);
    print_table(report, &entries, out);
    print_table(report, &ledger, out);
}
