#include "output/text_ranks.h"

#include <inttypes.h>
#include <string.h>

static double us(double nanoseconds)
{
    return nanoseconds / 1000;
}

static void print_op(const struct result *result, size_t index, FILE *out)
{
    fprintf(out, "\n  %-16s %6s %-24s %12s %12s %10s %9s %9s\n", result->ops[index].op, "rank",
            "host", "calls", "calls/s", "mean us", "p50", "p99");
    for (size_t i = 0; i < result->rank_count; i++) {
        const struct result_rank *rank = &result->ranks[i];
        const struct result_rank_op *op = &rank->ops[index];

        fprintf(out, "  %-16s %6zu %-24.24s %12" PRIu64 " %12.0f %10.2f %9.2f %9.2f\n", "", i,
                rank->host, op->calls, op->rate_per_s, us(op->mean), us(op->p50), us(op->p99));
    }
}

static void print_rank(const struct result_rank *rank, size_t number, FILE *out)
{
    fprintf(out, "  %-16s %6zu %-24.24s %11.0f%%   %s", "", number, rank->host,
            100 * rank->client_cpu_share, verdict_name(rank->verdict));
    for (size_t i = 0; i < rank->reason_count; i++)
        fprintf(out, "%s%s", i ? ", " : ": ", rank->reasons[i].name);
    fputc('\n', out);
}

void text_print_ranks(const struct result *result, FILE *out)
{
    if (result->rank_count == 0)
        return;
    for (size_t i = 0; i < result->op_count && i < RESULT_RANK_OPS_MAXIMUM; i++)
        if (strcmp(result->ops[i].op, "null_control") != 0)
            print_op(result, i, out);
    fprintf(out, "\n  %-16s %6s %-24s %12s   %s\n", "", "rank", "host", "client CPU",
            "verdict on its own part");
    for (size_t i = 0; i < result->rank_count; i++)
        print_rank(&result->ranks[i], i, out);
}
