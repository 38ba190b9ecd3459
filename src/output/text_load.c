/* A load, and the ranks that made it, as text. */
#include <inttypes.h>
#include <string.h>

#include "common/printable.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"
#include "output/text.h"

enum { CLIENTS_SHOWN = 32 };

static void print_shape(const struct load *load, FILE *out)
{
    fprintf(out, "\n  load: %u client%s x %u connection%s x %u call%s in flight, in %u thread%s",
            load->clients, load->clients == 1 ? "" : "s", load->connections,
            load->connections == 1 ? "" : "s", load->depth, load->depth == 1 ? "" : "s",
            load->threads, load->threads == 1 ? "" : "s");
    if (load->ranks > 0)
        fprintf(out, " of %u rank%s", load->ranks, load->ranks == 1 ? "" : "s");
    if (load->batch > 1)
        fprintf(out, ", asleep until %u replies are there", load->batch);
    if (load->rate > 0)
        fprintf(out, "; %s arrivals, %.0f a second",
                load->arrival == ARRIVALS_POISSON ? "Poisson" : "constant", load->rate);
    fputc('\n', out);
}

static bool is_shown(const struct result_op *op)
{
    return op->load && op->role != RESULT_NULL_CONTROL;
}

/* The fewest and the most calls of a client. */
static void count_clients(const struct result_load *load, uint64_t *least, uint64_t *most)
{
    *least = load->client_count ? UINT64_MAX : 0;
    *most = 0;
    for (size_t i = 0; i < load->client_count; i++) {
        *least = load->clients[i].calls < *least ? load->clients[i].calls : *least;
        *most = load->clients[i].calls > *most ? load->clients[i].calls : *most;
    }
}

static const struct table_column throughput_columns[] = {
    {"", 16, true, 0},
    {"calls/s", 11, false, 0},
    {"us per call", 11, false, 1},
    {"in flight", 9, false, 0},
    {"client CPU us", 13, false, 0},
    {"calls of a client", 17, false, 2},
    {"fairness", 8, false, 0},
};

static void print_throughput_row(const struct result_op *op, struct table *table)
{
    uint64_t least, most;

    count_clients(op->load, &least, &most);
    table_cell(table, "%s", op->op);
    table_cell(table, "%.0f", op->rate_per_s);
    table_cell(table, "%.3f", op->rate_per_s > 0 ? 1e6 / op->rate_per_s : 0);
    table_cell(table, "%.2f", op->load->in_flight);
    table_cell(table, "%.3f", us(op->load->client_cpu_ns));
    table_cell(table, "%" PRIu64 "-%" PRIu64, least, most);
    table_cell(table, "%.4f", op->load->fairness);
    table_end_row(table, "");
}

static void print_throughput(const struct result *result, FILE *out)
{
    struct table table;

    table_begin(&table, throughput_columns,
                sizeof throughput_columns / sizeof throughput_columns[0], terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < result->op_count; i++)
        if (is_shown(&result->ops[i]))
            print_throughput_row(&result->ops[i], &table);
}

/* Four figures in us. */
static void print_figures(const struct result_latency *latency, FILE *out)
{
    fprintf(out, "  %8.2f %8.2f %9.2f %9.1f", us(latency->mean), us(latency->p50), us(latency->p99),
            us(latency->maximum));
}

static void print_open_loop(const struct result *result, FILE *out)
{
    const char *figures = "      mean      p50       p99       max";

    fprintf(
        out,
        "\n  the times above are response times, from when a call was due. Beside them, in us:\n"
        "  %-16s  %-37s  %s\n  %-16s%s%s\n",
        "", "service, from when it was sent", "lateness of the sender", "", figures, figures);
    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];

        if (!is_shown(op))
            continue;
        fprintf(out, "  %-16s", op->op);
        print_figures(&op->load->service, out);
        print_figures(&op->load->lateness, out);
        fputc('\n', out);
    }
}

static void print_clients(const struct result *result, const struct result_op *op, FILE *out)
{
    size_t clients = op->load->client_count;

    fprintf(out, "\n  %-16s %10s %12s %10s\n", op->op, "client", "calls", "mean us");
    for (size_t i = 0; i < clients && i < CLIENTS_SHOWN; i++)
        fprintf(out, "  %-16s %10zu %12" PRIu64 " %10.2f\n", "", i, op->load->clients[i].calls,
                us(op->load->clients[i].mean_ns - result->clock.cost_ns));
    if (clients > CLIENTS_SHOWN)
        fprintf(out, "  %-16s %10s %zu more, in --json\n", "", "", clients - CLIENTS_SHOWN);
}

void text_print_load(const struct result *result, bool verbose, FILE *out)
{
    const struct load *load = &result->config.load;

    if (load_is_single(load))
        return;
    print_shape(load, out);
    print_throughput(result, out);
    if (load->rate > 0)
        print_open_loop(result, out);
    for (size_t i = 0; i < result->op_count && verbose && load->clients > 1; i++)
        if (is_shown(&result->ops[i]))
            print_clients(result, &result->ops[i], out);
}

/* Ranks */

enum { HOST_WIDTH = 24 };

static const char *host_of(const struct result_rank *rank, char host[HOST_WIDTH + 1])
{
    return printable_copy(host, HOST_WIDTH + 1, rank->host);
}

static void print_rank_op(const struct result *result, size_t index, FILE *out)
{
    fprintf(out, "\n  %-16s %6s %-24s %12s %12s %10s %9s %9s\n", result->ops[index].op, "rank",
            "host", "calls", "calls/s", "mean us", "p50", "p99");
    for (size_t i = 0; i < result->rank_count; i++) {
        const struct result_rank *rank = &result->ranks[i];
        const struct result_rank_op *op = &rank->ops[index];
        char host[HOST_WIDTH + 1];

        fprintf(out, "  %-16s %6zu %-*s %12" PRIu64 " %12.0f %10.2f %9.2f %9.2f\n", "", i,
                HOST_WIDTH, host_of(rank, host), op->calls, op->rate_per_s, us(op->mean),
                us(op->p50), us(op->p99));
    }
}

static void print_rank(const struct result_rank *rank, size_t number, FILE *out)
{
    char host[HOST_WIDTH + 1];

    fprintf(out, "  %-16s %6zu %-*s %11.0f%%   %s", "", number, HOST_WIDTH, host_of(rank, host),
            100 * rank->client_cpu_share, verdict_name(rank->verdict));
    for (size_t i = 0; i < rank->reason_count; i++)
        fprintf(out, "%s%s", i ? ", " : ": ", printable(rank->reasons[i].name).text);
    fputc('\n', out);
}

void text_print_ranks(const struct result *result, FILE *out)
{
    if (result->rank_count == 0)
        return;
    for (size_t i = 0; i < result->op_count && i < RESULT_RANK_OPS_MAXIMUM; i++)
        if (result->ops[i].role != RESULT_NULL_CONTROL)
            print_rank_op(result, i, out);
    fprintf(out, "\n  %-16s %6s %-24s %12s   %s\n", "", "rank", "host", "client CPU",
            "verdict on its own part");
    for (size_t i = 0; i < result->rank_count; i++)
        print_rank(&result->ranks[i], i, out);
}
