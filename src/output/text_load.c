#include "output/text_load.h"

#include <inttypes.h>
#include <string.h>

enum { CLIENTS_SHOWN = 32 };

static double us(double nanoseconds)
{
    return nanoseconds / 1000;
}

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
    return op->has_load && strcmp(op->op, "null_control") != 0;
}

static void print_throughput(const struct result *result, FILE *out)
{
    fprintf(out, "  %-16s %12s %12s %10s %14s %28s %9s\n", "", "calls/s", "us per call",
            "in flight", "client CPU us", "calls of a client, least-most", "fairness");
    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];
        const struct result_load *load = &op->load;

        if (is_shown(op))
            fprintf(out, "  %-16s %12.0f %12.3f %10.2f %14.3f %15" PRIu64 "-%-13" PRIu64 " %8.4f\n",
                    op->op, op->rate_per_s, op->rate_per_s > 0 ? 1e6 / op->rate_per_s : 0,
                    load->in_flight, us(load->client_cpu_ns), load->least_calls, load->most_calls,
                    load->fairness);
    }
}

/* Four figures of a histogram in us. */
static void print_figures(const struct histogram *histogram, FILE *out)
{
    fprintf(out, "  %8.2f %8.2f %9.2f %9.1f", us(histogram->mean),
            us(histogram_quantile(histogram, 0.5)), us(histogram_quantile(histogram, 0.99)),
            us(histogram->maximum));
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
        print_figures(op->load.service, out);
        print_figures(op->load.lateness, out);
        fputc('\n', out);
    }
}

static void print_clients(const struct result *result, const struct result_op *op, FILE *out)
{
    unsigned clients = result->config.load.clients;

    fprintf(out, "\n  %-16s %10s %12s %10s\n", op->op, "client", "calls", "mean us");
    for (unsigned i = 0; i < clients && i < CLIENTS_SHOWN; i++) {
        const struct load_client *client = &op->load.clients[i];
        double ticks = client->calls ? (double)client->ticks / (double)client->calls : 0;

        fprintf(out, "  %-16s %10u %12" PRIu64 " %10.2f\n", "", i, client->calls,
                us(ticks * result->clock->ns_per_tick - result->clock->cost_ns));
    }
    if (clients > CLIENTS_SHOWN)
        fprintf(out, "  %-16s %10s %u more, in --json\n", "", "", clients - CLIENTS_SHOWN);
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
