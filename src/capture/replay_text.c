/* A replay for people. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "capture/replay.h"
#include "common/printable.h"
#include "nfs/status.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"
#include "version.h"

const struct result_op *replay_op(const struct replay *replay, size_t index)
{
    const char *name = replay->workload.mix.ops[index].procedure->op;

    for (size_t i = 0; i < replay->result->op_count; i++)
        if (replay->result->ops[i].role == RESULT_OP &&
            strcmp(replay->result->ops[i].op, name) == 0)
            return &replay->result->ops[i];
    return NULL;
}

double replay_rate(const struct replay *replay)
{
    for (size_t i = 0; i < replay->result->op_count; i++)
        if (replay->result->ops[i].role == RESULT_MIX)
            return replay->result->ops[i].rate_per_s;
    return 0;
}

static void print_heading(const struct replay *replay, FILE *out)
{
    const struct workload *workload = &replay->workload;

    fprintf(out, "nfsbench %s  replay of %s on %s\n", NFSBENCH_VERSION,
            printable(replay->path).text, printable(replay->result->target.text).text);
    fprintf(out,
            "captured: %.6g calls/s, clients: %.6g, in flight of each: %.3g, files: %.6g\n"
            "here: %.6g calls/s, %s; %" PRIu32 " files of %" PRIu64 " bytes, %s\n\n",
            workload->rate, workload->clients, workload->in_flight[0], workload->files[0],
            replay_rate(replay), replay->closed ? "closed loop" : "open loop", replay->files,
            replay->file_size, replay->pattern);
}

/* The captured server's figures and this one's, side by side. */
static const struct table_column columns[] = {
    {"op", 16, true, 0},     {"calls", 8, false, 1}, {"p50 us", 8, false, 0},
    {"p99 us", 8, false, 0}, {"calls", 8, false, 0}, {"p50 us", 8, false, 0},
    {"p99 us", 8, false, 0},
};

enum { WIDTH = 80, CELL = 8, PAIR = 3 * (2 + CELL) };

static void print_us(double ns, struct table *table)
{
    char text[NUMBER_SIZE];

    table_cell(table, "%s", number_us(ns, CELL, text));
}

/* What stands after a row: "left out", or errors of either server. Captured errors that a replay
 * makes, too, are those of ops of their own. */
static void describe_remark(const struct workload_op *captured, const struct result_op *here,
                            char *text, size_t size)
{
    uint64_t failed = here ? here->failed : 0;
    int used = 0;

    *text = '\0';
    if (!here)
        used = snprintf(text, size, "left out");
    else if (captured->tally.failed || failed)
        used = snprintf(text, size, "errors: %" PRIu64 " captured, %" PRIu64 " here",
                        captured->tally.failed, failed);
    if (captured->tally.failed == 0)
        return;
    used += snprintf(text + used, size - (size_t)used, "; not made: ");
    nfs_describe_errors(&captured->tally, text + used, size - (size_t)used);
}

static void print_op(const struct replay *replay, size_t index, struct table *table)
{
    const struct workload_op *captured = &replay->workload.ops[index];
    const struct result_op *here = replay_op(replay, index);
    bool known = captured->calls > 0, timed = here && here->timed > 0;
    char remark[300];

    describe_remark(captured, here, remark, sizeof remark);
    table_cell(table, "%s", replay->workload.mix.ops[index].procedure->op);
    table_cell(table, "%.0f", captured->calls);
    print_us(known ? captured->p50 * 1e3 : NAN, table);
    print_us(known ? captured->p99 * 1e3 : NAN, table);
    table_cell(table, "%" PRIu64, here ? here->calls : 0);
    print_us(timed ? here->latency.p50 : NAN, table);
    print_us(timed ? here->latency.p99 : NAN, table);
    table_end_row(table, remark);
}

/* Never wider, so that remarks stand below, and both servers' figures in one view. */
static unsigned width_of_table(FILE *out)
{
    unsigned width = terminal_width(out);

    return width < WIDTH ? width : WIDTH;
}

void replay_print(const struct replay *replay, FILE *out)
{
    const struct validity *validity = &replay->result->validity;
    struct table table;

    print_heading(replay, out);
    table_begin(&table, columns, sizeof columns / sizeof columns[0], width_of_table(out), out);
    fprintf(out, "%*s%*s\n", 18 + (table.shown[1] ? PAIR : PAIR - 2 - CELL), "captured", PAIR,
            "here");
    table_headings(&table);
    for (size_t i = 0; i < replay->workload.mix.count; i++)
        print_op(replay, i, &table);
    fprintf(out, "\n  verdict %s\n", verdict_name(validity->verdict));
    for (size_t i = 0; i < validity->count; i++)
        fprintf(out, "    %s\n", printable(validity->reasons[i].text).text);
}
