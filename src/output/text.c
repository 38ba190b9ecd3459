#include "output/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"

/* Histograms */

static void print_histogram(const struct result_op *op, FILE *out)
{
    enum { BAR = 40 };
    uint64_t counts[HISTOGRAM_LOG2_BUCKETS], largest = 1;

    histogram_log2(op->histogram, counts);
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++)
        largest = counts[i] > largest ? counts[i] : largest;
    fprintf(out, "\n  %-16s %13s\n", op->op, "calls");
    for (size_t i = 0; i < HISTOGRAM_LOG2_BUCKETS; i++) {
        int bar = (int)ceil(BAR * (double)counts[i] / (double)largest);

        if (counts[i] > 0)
            fprintf(out, "  %9.3f us %13" PRIu64 "  %.*s\n", us(i ? ldexp(1, (int)i) : 0),
                    counts[i], bar, "########################################");
    }
}

void text_print_histograms(const struct result *result, FILE *out)
{
    for (size_t i = 0; i < result->op_count; i++)
        if (&result->ops[i] != result->null_control && result->ops[i].histogram)
            print_histogram(&result->ops[i], out);
}

/* Ranks */

enum { HOST_WIDTH = 24 };

static const char *host_of(const struct result_rank *rank, char host[HOST_WIDTH + 1])
{
    return printable_copy(host, HOST_WIDTH + 1, rank->host);
}

static const struct table_column rank_columns[] = {
    {"rank", 6, false, 0},     {"host", HOST_WIDTH, true, 0}, {"calls", 12, false, 2},
    {"calls/s", 12, false, 0}, {"mean us", 10, false, 0},     {"p50", 9, false, 1},
    {"p99", 9, false, 0},
};

static void print_rank_row(const struct result_rank *rank, size_t number, size_t op_index,
                           struct table *table)
{
    const struct result_op *op = &rank->ops[op_index];
    char host[HOST_WIDTH + 1];

    table_cell(table, "%zu", number);
    table_cell(table, "%s", host_of(rank, host));
    table_cell(table, "%" PRIu64, op->calls);
    table_cell(table, "%.0f", op->rate_per_s);
    table_cell(table, "%.2f", us(op->latency.mean));
    table_cell(table, "%.2f", us(op->latency.p50));
    table_cell(table, "%.2f", us(op->latency.p99));
    table_end_row(table, "");
}

static void print_rank_op(const struct result *result, size_t index, FILE *out)
{
    struct table table;

    fprintf(out, "\n  %s by rank\n", result->ops[index].op);
    table_begin(&table, rank_columns, sizeof rank_columns / sizeof rank_columns[0],
                terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < result->rank_count; i++)
        if (index < result->ranks[i].op_count)
            print_rank_row(&result->ranks[i], i, index, &table);
}

static void print_rank(const struct result_rank *rank, size_t number, FILE *out)
{
    char host[HOST_WIDTH + 1];

    fprintf(out, "  %6zu  %-*s  %10.0f%%  %s", number, HOST_WIDTH, host_of(rank, host),
            100 * rank->client_cpu_share, verdict_name(rank->validity.verdict));
    for (size_t i = 0; i < rank->validity.count; i++)
        fprintf(out, "%s%s", i ? ", " : ": ", printable(rank->validity.reasons[i].name).text);
    fputc('\n', out);
}

void text_print_ranks(const struct result *result, FILE *out)
{
    if (result->rank_count == 0)
        return;
    for (size_t i = 0; i < result->op_count; i++)
        if (result->ops[i].role != RESULT_NULL_CONTROL)
            print_rank_op(result, i, out);
    fprintf(out, "\n  %6s  %-*s  %11s  %s\n", "rank", HOST_WIDTH, "host", "client CPU",
            "verdict on its own part");
    for (size_t i = 0; i < result->rank_count; i++)
        print_rank(&result->ranks[i], i, out);
}
