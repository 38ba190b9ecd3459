/* How fast ops move data, also as a share of the local directory's rates, as text. */
#include <math.h>

#include "common/printable.h"
#include "output/number.h"
#include "output/table.h"
#include "output/text.h"

static const struct table_column columns[] = {
    {"bandwidth", 16, true, 0},      {"MB/s", 8, false, 0},           {"95 %", 16, true, 0},
    {"client us/MiB", 13, false, 0}, {"server us/MiB", 13, false, 1},
};

static void print_known(double value, struct table *table)
{
    if (isfinite(value))
        table_cell(table, "%.1f", value);
    else
        table_cell(table, "-");
}

static bool has_bandwidth(const struct result_op *op)
{
    return op->has_bandwidth;
}

static void print_row(const struct result_op *op, struct table *table)
{
    const struct interval *rate = &op->bandwidth.megabytes_per_s;
    char bracket[NUMBER_INTERVAL_SIZE];

    table_cell(table, "%s", printable(op->op).text);
    text_megabytes_cell(op, table);
    table_cell(table, "%s", number_interval(rate, 1, rate->estimate < 100 ? 2 : 0, false, bracket));
    print_known(us(op->bandwidth.client_cpu_ns), table);
    print_known(us(op->bandwidth.server_cpu_ns), table);
    table_end_row(table, "");
}

static void print_rates(const struct result *result, FILE *out)
{
    text_print_rows(result, columns, sizeof columns / sizeof columns[0], has_bandwidth, print_row,
                    out);
}

/* "read of 1,048,576 bytes: 812 MB/s, 0.430 [0.412, 0.449] of the 1,890 MB/s of the directory". */
static void print_share(const struct result *result, const struct result_op *op, FILE *out)
{
    const struct result_op *local = result_local_of(result, op);
    const bool moves = op->megabytes_per_s > 0 && local && local->megabytes_per_s > 0;
    char own[NUMBER_SIZE], others[NUMBER_SIZE], bytes[NUMBER_SIZE], bracket[NUMBER_INTERVAL_SIZE];
    const char *unit = moves ? "MB/s" : "calls/s";

    if (!op->has_of_local || !local)
        return;
    fprintf(out, "  %s", printable(op->op).text);
    if (moves)
        fprintf(out, " of %s bytes", number_grouped(op->data_bytes, bytes));
    fprintf(out, ": %s %s, %.3f%s%s of the %s %s of the local directory\n",
            number_grouped(moves ? op->megabytes_per_s : op->rate_per_s, own), unit,
            op->of_local.estimate, isnan(op->of_local.low) ? "" : " ",
            isnan(op->of_local.low) ? "" : number_interval(&op->of_local, 1, 3, false, bracket),
            number_grouped(moves ? local->megabytes_per_s : local->rate_per_s, others), unit);
}

/* What was compared: a disk, or memory. */
static void print_directory(const struct result_baseline_directory *directory, FILE *out)
{
    char bytes[NUMBER_SIZE];

    fprintf(out, "  local directory %s on %s, %s bytes, ", printable(directory->path).text,
            printable(directory->file_system ? directory->file_system : "?").text,
            number_grouped((double)directory->bytes, bytes));
    if (directory->direct)
        fputs("with O_DIRECT, past the page cache of this machine", out);
    else if (isfinite(directory->cached_share))
        fprintf(out, "%.0f %% of them in the page cache of this machine when the rounds ended",
                100 * directory->cached_share);
    else
        fputs("how many of them were in the page cache is not known", out);
    fputs("; what the server had in its caches is not known\n", out);
}

void text_print_bandwidth(const struct result *result, FILE *out)
{
    print_rates(result, out);
    if (!result->config.baseline_directory)
        return;
    fputc('\n', out);
    for (size_t i = 0; i < result->op_count; i++)
        print_share(result, &result->ops[i], out);
    print_directory(result->config.baseline_directory, out);
}
