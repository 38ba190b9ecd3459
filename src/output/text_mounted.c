/* What the kernel's NFS client counted of a mount, as text. */
#include <inttypes.h>

#include "common/counted.h"
#include "common/printable.h"
#include "output/number.h"
#include "output/terminal.h"
#include "output/text.h"

static const struct table_column columns[] = {
    {"RPCs by mountstats", 18, true, 0}, {"a call", 8, false, 0},
    {"queue us", 9, false, 0},           {"RTT us", 9, false, 0},
    {"execute us", 11, false, 0},        {"sent again", 11, false, 1},
    {"timeouts", 9, false, 1},           {"blocks again", 13, false, 0},
};

static void print_row(const struct result_op *op, struct table *table)
{
    const struct result_mounted *mounted = op->mounted;

    table_cell(table, "%s", op->op);
    table_cell(table, "%.3f", mounted->rpcs);
    table_cell(table, "%.1f", us(mounted->queue_ns));
    table_cell(table, "%.1f", us(mounted->rtt_ns));
    table_cell(table, "%.1f", us(mounted->execute_ns));
    table_cell(table, "%" PRIu64, op->retransmissions);
    table_cell(table, "%" PRIu64, mounted->timeouts);
    table_cell(table, "%" PRIu64, mounted->blocks_again);
    table_end_row(table, "");
}

static void print_instead(const struct result_op *op, FILE *out)
{
    const struct result_mounted *mounted = op->mounted;
    char line[PRINTABLE_SIZE + 128];

    if (!mounted->instead)
        return;
    snprintf(line, sizeof line,
             "  %s: blocks that sent other RPCs don't count and were made again; the last of them "
             "sent %s",
             op->op, printable(mounted->instead).text);
    terminal_print_wrapped(line, 4, out);
}

/* How many connections the mount has (nconnect), and how many calls they had in flight. */
static void print_connections(const struct result *result, FILE *out)
{
    const struct result_mounted *mounted = NULL;
    char line[160];

    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].mounted && result->ops[i].mounted->connections)
            mounted = result->ops[i].mounted;
    if (!mounted)
        return;
    snprintf(
        line, sizeof line,
        "  the mount has %s; the most calls that one had in flight since it was made: %" PRIu64,
        counted(mounted->connections, "connection").text, mounted->slots);
    terminal_print_wrapped(line, 4, out);
}

void text_print_mounted(const struct result *result, FILE *out)
{
    struct table table;

    if (!result->target.mount_point)
        return;
    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    fputc('\n', out);
    table_headings(&table);
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].mounted)
            print_row(&result->ops[i], &table);
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].mounted)
            print_instead(&result->ops[i], out);
    print_connections(result, out);
}
