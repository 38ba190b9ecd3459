#include "cli/visit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "cli/outcome.h"
#include "cli/session.h"
#include "common/cpu.h"
#include "measure/process.h"

/* The counters of client, its machine and the server around a run. */
struct readings {
    struct server_counters server;
    double server_cpus; /* that it may use; NAN: unknown */
    struct counters client_before, client_after, server_before, server_after;
};

static void read_both(struct readings *readings, struct counters *client, struct counters *server)
{
    counters_clear(client);
    counters_read_machine(client);
    counters_read_process(client, 0);
    server_counters_read(&readings->server, server);
}

static double elapsed_ns(const struct counters *before, const struct counters *after)
{
    return (double)(after->at_ns - before->at_ns);
}

/* Processors' worth. */
static double cpu_share(const struct counters *before, const struct counters *after)
{
    return (after->values[COUNTER_CPU_NS] - before->values[COUNTER_CPU_NS]) /
           elapsed_ns(before, after);
}

/* Of the interface's speed, in its busier direction; the most of any. */
static double link_share(const struct counters *before, const struct counters *after)
{
    double most = NAN;

    for (size_t i = 0; i < after->interface_count && i < before->interface_count; i++) {
        const double *from = before->interfaces[i].values, *to = after->interfaces[i].values;
        double bytes = fmax(to[INTERFACE_RX_BYTES] - from[INTERFACE_RX_BYTES],
                            to[INTERFACE_TX_BYTES] - from[INTERFACE_TX_BYTES]);
        double share = 8 * bytes / (elapsed_ns(before, after) / 1e9) /
                       counters_interface_speed(after->interfaces[i].name);

        most = fmax(most, share); /* which takes the other of a NAN */
    }
    return most;
}

static double objective_figure(const struct objective *objective, const struct histogram *histogram)
{
    if (!objective)
        return NAN;
    if (objective->figure == OBJECTIVE_MEAN)
        return histogram->mean;
    return objective->figure == OBJECTIVE_MAXIMUM
               ? histogram->maximum
               : histogram_quantile(histogram, objective->quantile);
}

static void fill_visit(struct visit *visit, const struct result *result,
                       const struct readings *readings, const struct objective *objective)
{
    const struct result_op *op = &result->ops[result->op_count - 1];
    const struct histogram *latency = &op->series->histogram;
    const struct load *load = &result->config.load;
    double *figures = visit->figures;

    figures[SWEEP_THROUGHPUT] = op->rate_per_s;
    figures[SWEEP_MEAN] = latency->mean;
    figures[SWEEP_P50] = histogram_quantile(latency, 0.5);
    figures[SWEEP_P90] = histogram_quantile(latency, 0.9);
    figures[SWEEP_P99] = histogram_quantile(latency, 0.99);
    figures[SWEEP_P999] = histogram_quantile(latency, 0.999);
    figures[SWEEP_MAXIMUM] = latency->maximum;
    figures[SWEEP_CLIENT_CPU] =
        result->config.spin ? NAN : result->client_cpu_share / load->threads;
    figures[SWEEP_SERVER_CPU] = cpu_share(&readings->server_before, &readings->server_after);
    figures[SWEEP_SERVER_SHARE] = figures[SWEEP_SERVER_CPU] / readings->server_cpus;
    figures[SWEEP_LINK] = link_share(&readings->client_before, &readings->client_after);
    figures[SWEEP_CLIENT_CALL] = result->usage.values[COUNTER_CPU_NS];
    figures[SWEEP_LATE] = load->rate > 0 ? histogram_quantile(op->load.lateness, 0.99) : NAN;
    visit->objective_ns = objective_figure(objective, latency);
    visit->reached = load->rate > 0 ? arrivals_share_reached(load->arrival, load->rate,
                                                             op->rate_per_s, op->series->calls)
                                    : NAN;
    visit->invalid = result->validity.verdict == VERDICT_INVALID;
    snprintf(visit->client_cpus, sizeof visit->client_cpus, "%s", result->config.client_cpus);
    snprintf(visit->transport, sizeof visit->transport, "%s", result->target.transport);
    snprintf(visit->kernel, sizeof visit->kernel, "%s", result->host.kernel);
    snprintf(visit->cpu, sizeof visit->cpu, "%s", result->host.cpu);
}

static double allowed_cpus(pid_t pid)
{
    unsigned count = pid ? process_allowed_count(pid) : 0;

    return count ? (double)count : NAN;
}

static int measure(struct session *session, struct readings *readings, struct error *error)
{
    int code;

    ledger_run_find_server(session, &readings->server);
    readings->server_cpus = allowed_cpus(readings->server.pid);
    read_both(readings, &readings->client_before, &readings->server_before);
    code = session_measure(session, error);
    read_both(readings, &readings->client_after, &readings->server_after);
    server_counters_close(&readings->server);
    return code;
}

int visit_make(const struct settings *settings, const struct objective *objective,
               struct visit *visit, struct error *error)
{
    struct session *session = malloc(sizeof *session);
    cpu_set_t allowed = cpu_allowed_set();
    struct readings readings;
    struct result result;
    struct error ignored;
    int code;

    if (!session)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    code = session_open(session, settings, error);
    if (code == 0)
        code = measure(session, &readings, error);
    session_unmount(session, &ignored);
    if (code == 0)
        code = outcome_fill(&result, session, NULL, error);
    if (code == 0) {
        fill_visit(visit, &result, &readings, objective);
        outcome_free(&result);
    }
    session_close(session);
    free(session);
    cpu_allow_set(&allowed); /* a run binds itself: the next one is to have the same choice */
    return code;
}
