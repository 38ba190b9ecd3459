/* The result of --functions as text for people. */
#include <inttypes.h>
#include <string.h>

#include "common/counted.h"
#include "common/printable.h"
#include "explain/functions.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"
#include "version.h"

static void print_heading(const struct functions_result *result, FILE *out)
{
    fprintf(out, "nfsbench %s  kernel functions of each call on %s  NFSv3 over %s\n",
            NFSBENCH_VERSION, printable(result->origin.target).text, result->origin.transport);
    fprintf(out, "client on CPU %s", result->client_cpus);
    if (result->server_cpu >= 0)
        fprintf(out, ", server on CPU %d", result->server_cpu);
    fprintf(out, "     %s, seed %" PRIu64 "\n", counted(result->rounds, "round").text,
            result->origin.seed);
    if (result->cut_short_by)
        fprintf(out, "CUT SHORT: %s\n", printable(result->cut_short_by).text);
    if (result->server_missing)
        fprintf(out, "the server's side is unknown: %s\n", printable(result->server_missing).text);
}

static const struct table_column columns[] = {
    {"function or tracepoint", 26, true, 0},
    {"part", 10, true, 3},
    {"client", 7, false, 0},
    {"95 %", 16, true, 1},
    {"server", 7, false, 0},
    {"95 %", 16, true, 1},
    {"elsewhere", 9, false, 2},
};

static void print_interval(const struct interval *per_call, struct table *table)
{
    char range[NUMBER_INTERVAL_SIZE];

    table_cell(table, "%.3f", per_call->estimate);
    table_cell(table, "%s", number_interval(per_call, 1, 3, false, range));
}

static void print_row(const struct function_row *row, struct table *table)
{
    table_cell(table, "%s", row->function->name);
    table_cell(table, "%s", row->function->part);
    print_interval(&row->per_call[FUNCTION_CLIENT], table);
    print_interval(&row->per_call[FUNCTION_SERVER], table);
    table_cell(table, "%.3f", row->per_call[FUNCTION_ELSEWHERE].estimate);
    table_end_row(table, "");
}

static bool ran(const struct function_row *row)
{
    for (unsigned side = 0; side < FUNCTION_SIDES; side++)
        if (row->per_call[side].estimate > 0)
            return true;
    return false;
}

static void print_op(const struct functions_op *op, FILE *out)
{
    struct table table;

    fprintf(out, "\n%s: per call, of %s\n", printable(op->op).text,
            counted(op->calls, "call").text);
    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < op->row_count; i++)
        if (ran(&op->rows[i]))
            print_row(&op->rows[i], &table);
}

/* The functions that are missing for REASON, in a line. */
static void print_missing(const struct functions_result *result, const char *reason, FILE *out)
{
    const char *separator = "";

    fprintf(out, "  %s: ", reason);
    for (size_t i = 0; i < result->missing_count; i++)
        if (strcmp(result->missing[i].reason, reason) == 0) {
            fprintf(out, "%s%s", separator, result->missing[i].name);
            separator = ", ";
        }
    fputc('\n', out);
}

static bool is_first_reason(const struct functions_result *result, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(result->missing[i].reason, result->missing[index].reason) == 0)
            return false;
    return true;
}

void functions_print(const struct functions_result *result, FILE *out)
{
    print_heading(result, out);
    for (size_t i = 0; i < result->op_count; i++)
        print_op(&result->ops[i], out);
    fputs(
        "\n  client, server: while a thread of that process had the processor. Over loopback, what "
        "receives a message runs in the thread that sends it. elsewhere: in other threads, those "
        "of the kernel among them, and on idle processors; also for other work on this machine. "
        "What did not run has no line.\n",
        out);
    for (size_t i = 0; i < result->missing_count; i++)
        if (is_first_reason(result, i))
            print_missing(result, result->missing[i].reason, out);
}
