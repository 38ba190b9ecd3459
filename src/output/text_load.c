/* A load, and the ranks that made it, as text. */
#include <inttypes.h>
#include <string.h>

#include "common/counted.h"
#include "common/printable.h"
#include "output/number.h"
#include "output/table.h"
#include "output/terminal.h"
#include "output/text.h"

enum { CLIENTS_SHOWN = 32 };

static void print_shape(const struct load *load, FILE *out)
{
    fprintf(out, "\n  load: %s x %s x %s in flight, in %s", counted(load->clients, "client").text,
            counted(load->connections, "connection").text, counted(load->depth, "call").text,
            counted(load->threads, "thread").text);
    if (load->ranks > 0)
        fprintf(out, " of %s", counted(load->ranks, "rank").text);
    if (load->batch > 1)
        fprintf(out, ", asleep until %u replies are there", load->batch);
    if (load->shared_contexts)
        fputs(", one security context a thread", out);
    if (load->rate > 0)
        fprintf(out, "; %s arrivals, %.0f a second",
                load->arrival == ARRIVALS_POISSON ? "Poisson" : arrivals_names[load->arrival],
                load->rate);
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
    {"us per call", 11, false, 2},
    {"in flight", 9, false, 0},
    {"client CPU us", 13, false, 0},
    {"calls of a client", 17, false, 3},
    {"fairness", 8, false, 1},
    {"MB/s", 8, false, 0},
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
    text_megabytes_cell(op, table);
    table_end_row(table, "");
}

static void print_throughput(const struct result *result, FILE *out)
{
    struct table table;
    size_t columns = sizeof throughput_columns / sizeof throughput_columns[0];

    table_begin(&table, throughput_columns, text_moves_data(result) ? columns : columns - 1,
                terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < result->op_count; i++)
        if (is_shown(&result->ops[i]))
            print_throughput_row(&result->ops[i], &table);
}

static const struct table_column open_columns[] = {
    {"", 16, true, 0},    {"service mean", 12, false, 0}, {"p50", 8, false, 2},
    {"p99", 9, false, 0}, {"max", 9, false, 1},           {"late mean", 9, false, 0},
    {"p50", 8, false, 4}, {"p99", 9, false, 0},           {"max", 9, false, 3},
};

static void print_figures(const struct result_latency *latency, struct table *table)
{
    table_cell(table, "%.2f", us(latency->mean));
    table_cell(table, "%.2f", us(latency->p50));
    table_cell(table, "%.2f", us(latency->p99));
    table_cell(table, "%.1f", us(latency->maximum));
}

/* A response is the service time and the sender's lateness, unless a call that was due found as
 * many in flight as --depth allows. */
static void explain_response(const struct result_op *op, FILE *out)
{
    enum { SHOWN_FROM = 100 /* a hundredth */ };
    const double response = op->latency.mean;
    const double waited = response - op->load->service.mean - op->load->lateness.mean;

    if (SHOWN_FROM * waited > response)
        fprintf(
            out,
            "  %s: the mean response, %.2f us, is service + late + %.2f us in which a call was\n"
            "  due but as many as --depth allows were in flight\n",
            printable(op->op).text, us(response), us(waited));
}

static void print_open_loop(const struct result *result, FILE *out)
{
    struct table table;

    fputs("\n  the times above are response times, from when a call was due. Beside them, in us:\n"
          "  service, from when it was sent, and how late the sender was\n",
          out);
    table_begin(&table, open_columns, sizeof open_columns / sizeof open_columns[0],
                terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];

        if (!is_shown(op))
            continue;
        table_cell(&table, "%s", op->op);
        print_figures(&op->load->service, &table);
        print_figures(&op->load->lateness, &table);
        table_end_row(&table, "");
    }
    for (size_t i = 0; i < result->op_count; i++)
        if (is_shown(&result->ops[i]))
            explain_response(&result->ops[i], out);
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
