/* The states of RPCs as text for people. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "explain/states.h"
#include "output/measurement_view.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"
#include "output/text.h"
#include "version.h"

enum { NOTE_SIZE = 600 };

static void print_heading(const struct states_result *result, FILE *out)
{
    const struct result *run = result->run;

    fprintf(out, "nfsbench %s  explain of %s on %s  NFSv3 over %s\n", NFSBENCH_VERSION,
            result->op_count == 1 ? result->ops[0].op : "several ops",
            printable(run->target.text).text, run->target.transport);
    if (run->target.mount_point)
        fprintf(out, "mounted at %s  ", printable(run->target.mount_point).text);
    fprintf(out, "client on CPU %s  seed %" PRIu64 "\n", run->config.client_cpus, run->seed);
    if (run->cut_short)
        fprintf(out, "CUT SHORT after %zu rounds%s%s\n", run->rounds.done,
                run->cut_short_by ? ": " : "",
                printable(run->cut_short_by ? run->cut_short_by : "").text);
}

/* A table */

static const struct table_column columns[] = {
    {"state", 18, true, 0},   {"entered", 8, false, 0},      {"share", 7, false, 0},
    {"mean us", 9, false, 0}, {"adjusted", 9, false, 0},     {"low", 9, false, 1},
    {"high", 9, false, 1},    {"no queueing", 11, false, 2}, {"client only", 11, false, 2},
};

static void us_cell(double ns, struct table *table)
{
    char text[NUMBER_SIZE];

    table_cell(table, "%s", number_us(ns, 9, text));
}

static void share_cell(double share, struct table *table)
{
    if (isnan(share))
        table_cell(table, "-");
    else
        table_cell(table, "%.1f %%", 100 * share);
}

static void print_row(const struct states_op *op, const struct state_row *row, struct table *table)
{
    table_cell(table, "%s", printable(op->rpcs.list[row->state].name).text);
    table_cell(table, "%" PRIu64, row->count);
    share_cell(row->share, table);
    us_cell(row->mean_ns, table);
    us_cell(row->adjusted_ns, table);
    us_cell(row->low_ns, table);
    us_cell(row->high_ns, table);
    share_cell(row->share_without_queueing, table);
    share_cell(row->share_of_client, table);
    table_end_row(table, "");
}

static void print_sum(const struct state_table *states, size_t group, FILE *out)
{
    char sum[NUMBER_SIZE], lifetime[NUMBER_SIZE];
    const char *by = !states->measured             ? "from its begin to its end"
                     : states_group_is_call(group) ? "by the caller's clock"
                                                   : "by the kernel's own figure";

    fprintf(out, "  sum %s us; lifetime %s us %s: %+.2f %%\n", number_us(states->sum_ns, 9, sum),
            number_us(states->lifetime_ns, 9, lifetime), by, 100 * states->discrepancy);
}

static void print_group(const struct states_op *op, size_t group, const struct state_table *states,
                        FILE *out)
{
    struct table table;
    char tasks[NUMBER_SIZE];

    number_grouped((double)states->tasks, tasks);
    fprintf(out, "\n  %s: %s %s %s\n", op->op, tasks,
            states_group_is_call(group) ? "system calls:"
            : op->rpcs.of_server[group] ? "requests inside the kernel's server,"
                                        : "RPCs",
            printable(states_group_name(op, group)).text);
    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < states->row_count; i++)
        print_row(op, &states->rows[i], &table);
    print_sum(states, group, out);
}

/* Notes */

static void append(char *text, uint64_t count, const char *what)
{
    size_t used = strlen(text);

    if (count > 0)
        snprintf(text + used, NOTE_SIZE - used, "%s%" PRIu64 " %s", used ? ", " : "", count, what);
}

static void print_left_out(const struct states_op *op, FILE *out)
{
    const struct states *states = op->rpcs.states;
    char what[NOTE_SIZE] = "", line[NOTE_SIZE + 64];

    append(what, states->without_begin, "whose begin was not seen");
    append(what, states->without_end, "whose end was not seen");
    append(what, states->with_loss, "that may lack events, since the buffer was full");
    append(what, states->groups[RPC_GROUP_OTHERS].lifetime.count, "RPCs of other mounts");
    append(what, op->blocks_left_out, "blocks that had to be made again");
    if (!what[0])
        return;
    snprintf(line, sizeof line, "  %s: left out: %s", op->op, what);
    terminal_print_wrapped(line, 4, out);
}

static void print_cost(const struct states_op *op, FILE *out)
{
    char plain[NUMBER_SIZE], line[NOTE_SIZE];

    number_us(op->untraced_ns, 9, plain);
    if (op->has_cost)
        snprintf(line, sizeof line,
                 "  %s: tracing adds %.3f us [%.3f, %.3f] to a call, which takes %s us without",
                 op->op, us(op->tracing_cost.estimate), us(op->tracing_cost.low),
                 us(op->tracing_cost.high), plain);
    else
        snprintf(line, sizeof line,
                 "  %s: what tracing adds to a call, which takes %s us without, is unknown: too "
                 "few rounds",
                 op->op, plain);
    terminal_print_wrapped(line, 4, out);
}

static void print_meanings(FILE *out)
{
    fputs("\n  the phases of a system call\n", out);
    for (enum rpc_phase phase = 0; phase < RPC_PHASES; phase++) {
        char line[NOTE_SIZE];

        snprintf(line, sizeof line, "    %-18s  %s", rpc_phase_type(phase)->name,
                 rpc_phase_type(phase)->meaning);
        terminal_print_wrapped(line, 24, out);
    }
}

static void print_note(const char *before, const char *text, FILE *out)
{
    char line[PRINTABLE_SIZE + 64];

    snprintf(line, sizeof line, "  %s%s", before, printable(text).text);
    terminal_print_wrapped(line, 4, out);
}

static void print_missing(const struct states_result *result, FILE *out)
{
    if (result->missing)
        print_note(result->run->target.mount_point
                       ? "there are no states, only mountstats' averages: "
                       : "there are no states: ",
                   result->missing, out);
}

static void print_op(const struct states_op *op, FILE *out)
{
    struct state_table table;
    bool found = false;

    for (size_t group = 0; (group = states_next_group(op, group, &table)) < op->rpcs.group_count;
         group++) {
        print_group(op, group, &table, out);
        found = true;
    }
    if (!found && !op->system_call)
        fprintf(out,
                "\n  %s: no request was seen inside the kernel's server: is it knfsd, and on\n"
                "  this machine?\n",
                op->op);
}

void states_print(const struct states_result *result, FILE *out)
{
    print_heading(result, out);
    for (size_t i = 0; i < result->op_count && !result->missing; i++)
        print_op(&result->ops[i], out);
    for (size_t i = 0; i < result->op_count; i++)
        predictions_print(&result->ops[i].predictions, out);
    view_print_table(&view_measurement, &measurement_mounted, result->run, true, out);
    if (!result->missing && result->run->target.mount_point)
        print_meanings(out);
    fputc('\n', out);
    for (size_t i = 0; i < result->op_count && !result->missing; i++) {
        print_left_out(&result->ops[i], out);
        print_cost(&result->ops[i], out);
    }
    print_missing(result, out);
    if (result->absent[0])
        print_note("the kernel lacks the tracepoints ", result->absent, out);
    text_print_verdict(&result->run->validity, out);
}
