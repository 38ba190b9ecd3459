/* A workload for people. */
#include <math.h>

#include "capture/workload.h"
#include "common/printable.h"
#include "output/number.h"

static void print_ranges(const struct workload *workload, size_t transfer, const char *name,
                         FILE *out)
{
    enum { SHOWN = 4 };
    double calls = 0;
    char text[NUMBER_SIZE];

    for (size_t i = 0; i < workload->size_count[transfer]; i++)
        calls += workload->sizes[transfer][i].calls;
    if (calls <= 0)
        return;
    fprintf(out, "  %-12s", name);
    for (size_t i = 0; i < workload->size_count[transfer] && i < SHOWN; i++)
        fprintf(out, "%s bytes in %.1f %%, ",
                number_grouped(workload->sizes[transfer][i].bytes, text),
                100 * workload->sizes[transfer][i].calls / calls);
    fprintf(out, "%s%.1f %% one after the other\n",
            workload->size_count[transfer] > SHOWN ? "..., " : "",
            100 * workload->sequential[transfer]);
}

static void print_files(const struct workload *workload, FILE *out)
{
    char count[NUMBER_SIZE], size[NUMBER_SIZE];

    if (workload->files[0] > 0)
        fprintf(out, "  %-12s%s used, by Zipf's law with exponent %.2f; %s bytes in each\n",
                "files", number_grouped(workload->files[0], count), workload->files[1],
                number_grouped(round(workload->file_size), size));
    for (size_t i = 0; i < workload->most_used_count && workload->names_kept; i++)
        fprintf(out, "    %s calls on %s\n", number_grouped(workload->most_used[i].calls, count),
                printable(workload->most_used[i].name).text);
    if (workload->directory[1] > 0)
        fprintf(out, "  %-12slisted with %.6g entries on average, p50 %.6g, p90 %.6g, %s at most\n",
                "directories", workload->directory[0], workload->directories[2],
                workload->directories[4], number_grouped(workload->directory[1], count));
}

static void print_clients(const struct workload *workload, FILE *out)
{
    char clients[NUMBER_SIZE], connections[NUMBER_SIZE];

    fprintf(out, "  %-12s%s, with %s connection%s; calls in flight of one: mean %.3g, p99 %.3g\n",
            "clients", number_grouped(workload->clients, clients),
            number_grouped(workload->connections, connections),
            workload->connections == 1 ? "" : "s", workload->in_flight[0], workload->in_flight[1]);
}

static void print_arrivals(const struct workload *workload, FILE *out)
{
    static const char *const times[WORKLOAD_DISPERSIONS] = {"10 ms", "100 ms", "1 s"};
    char rate[NUMBER_SIZE];

    fprintf(out, "  %-12s%s calls/s; variation of the times between calls %.2f\n", "arrivals",
            number_grouped(round(workload->rate), rate), workload->burstiness);
    if (workload->dispersion[0] <= 0)
        return;
    fprintf(out, "  %-12s(variance over mean) of calls", "dispersion");
    for (size_t i = 0; i < WORKLOAD_DISPERSIONS && workload->dispersion[i] > 0; i++)
        fprintf(out, "%s in %s %.3g", i ? "," : "", times[i], workload->dispersion[i]);
    fputs("; 1: independent of each other\n", out);
}

/* How much clients differ. */
static void print_users(const struct workload *workload, FILE *out)
{
    enum { MEDIAN = 2 };
    double low = INFINITY, high = 0;
    size_t count = 0;

    for (size_t i = 0; i < workload->own_count; i++) {
        double median = workload->own[i].think[MEDIAN];

        count += median > 0;
        low = median > 0 ? fmin(low, median) : low;
        high = fmax(high, median);
    }
    if (count > 1)
        fprintf(out, "  %-12sof %zu clients: medians from %.4g to %.4g us\n", "", count, low, high);
}

static void print_thinking(const struct workload *workload, FILE *out)
{
    const double *think = workload->think;

    if (think[THINK_QUANTILES - 1] > 0)
        fprintf(out,
                "  %-12sus: p10 %.4g, p25 %.4g, p50 %.4g, p75 %.4g, p90 %.4g, p99 %.4g; %.3g calls "
                "between two\n",
                "think times", think[0], think[1], think[2], think[3], think[4], think[5],
                workload->think_calls);
    print_users(workload, out);
}

/* The op of those that AFTER counts which was found more often than any other. */
static size_t most_frequent(const double *after, size_t count, double *share)
{
    double sum = 0;
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        sum += after[i];
        found = after[i] > after[found] ? i : found;
    }
    *share = sum > 0 ? after[found] / sum : 0;
    return found;
}

/* What mostly follows the ops that are frequent themselves. */
static void print_order(const struct workload *workload, FILE *out)
{
    const struct workload_op *ops = workload->ops;
    double calls = 0, share;

    for (size_t i = 0; i < workload->op_count; i++)
        calls += ops[i].calls;
    for (size_t i = 0; i < workload->op_count; i++) {
        size_t next = most_frequent(workload->mix.after[i], workload->op_count, &share);

        if (share > 0 && ops[i].calls >= 0.05 * calls)
            fprintf(out, "  %-12safter %s comes %s, in %.1f %%\n", "order", ops[i].procedure->op,
                    ops[next].procedure->op, 100 * share);
    }
}

void workload_print(const struct workload *workload, FILE *out)
{
    fputs("\nwhat the calls were like (without NULL)\n", out);
    print_clients(workload, out);
    print_arrivals(workload, out);
    print_thinking(workload, out);
    print_order(workload, out);
    print_ranges(workload, WORKLOAD_READ, "READs", out);
    print_ranges(workload, WORKLOAD_WRITE, "WRITEs", out);
    print_files(workload, out);
}
