/* A trial: its run; and, of a sweep, its plan and its figures. */
#include "run/trial.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Run */

/* A trial of several sessions without a number of calls has at least so many rounds, where calls
 * take long. */
enum { ROUNDS_WANTED = 20 };

struct trial_run *trial_run_new(const struct run_plan *plan, size_t sessions, struct error *error)
{
    struct trial_run *run = calloc(1, sizeof *run);

    if (!run) {
        error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
        return NULL;
    }
    run->allowed = cpu_allowed_set();
    run->group.count = sessions;
    for (size_t i = 0; i < sessions; i++)
        run->group.plans[i] = *plan;
    return run;
}

/* Blocks of a megabyte's calls would be a few rounds only. */
static int shorten_blocks(struct group *group, struct error *error)
{
    const struct run_plan *plan = &group->plans[0];
    double one_ns = 0, calls;
    int code = 0;

    if (group->count == 1 || plan->calls || plan->block || run_plan_makes_load(plan))
        return 0;
    for (size_t i = 0; i < group->count; i++)
        one_ns += group->sessions[i].set.round_of_one_ns;
    calls = fmax(1, (double)plan->maximum_ns / ROUNDS_WANTED / one_ns);
    for (size_t i = 0; i < group->count && code == 0; i++)
        if (calls < group->sessions[i].set.block)
            code = session_set_block(&group->sessions[i], (uint32_t)calls, error);
    return code;
}

static int measure(struct trial_run *run, struct error *error)
{
    struct group *group = &run->group;
    struct error ignored;
    int code;

    for (size_t i = 0; i < group->count; i++)
        usage_open(&run->usage[i], &group->sessions[i]);
    code = group_measure(group, error);
    for (size_t i = 0; i < group->count; i++)
        usage_close(&run->usage[i]);
    group_unmount(group, &ignored);
    return code;
}

int trial_run_make(struct trial_run *run, struct error *error)
{
    const struct result *last = &run->group.outcomes[run->group.count - 1].result;
    struct trial_environment *environment = &run->environment;
    int code = group_open(&run->group, error);

    run->opened = code == 0;
    if (code == 0)
        code = shorten_blocks(&run->group, error);
    if (code == 0)
        code = measure(run, error);
    if (code == 0)
        code = group_fill_outcomes(&run->group, NULL, error);
    if (code)
        return code;
    snprintf(environment->client_cpus, sizeof environment->client_cpus, "%s",
             last->config.client_cpus);
    snprintf(environment->transport, sizeof environment->transport, "%s", last->target.transport);
    return 0;
}

void trial_run_free(struct trial_run *run)
{
    if (!run)
        return;
    group_close(&run->group);
    cpu_allow_set(&run->allowed); /* a run binds itself to processors */
    free(run);
}

/* Plan */

void sweep_set_values(struct run_plan *plan, const double values[SWEEP_PARAMETERS])
{
    struct load *load = &plan->load_request;

    if (values[SWEEP_CLIENTS] > 0)
        load->clients = (uint32_t)values[SWEEP_CLIENTS];
    if (values[SWEEP_DEPTH] > 0)
        load->depth = (uint32_t)values[SWEEP_DEPTH];
    if (values[SWEEP_SIZE] > 0)
        plan->read_size = (uint32_t)values[SWEEP_SIZE];
    if (values[SWEEP_RATE] > 0)
        load->rate = values[SWEEP_RATE];
}

static bool moves_data(const struct run_plan *plan)
{
    return run_plan_transfers(plan, NFS_TRANSFER_READ) ||
           run_plan_transfers(plan, NFS_TRANSFER_WRITE);
}

const struct sweep_parameter_type sweep_parameters[SWEEP_PARAMETERS] = {
    [SWEEP_CLIENTS] = {.name = "clients", .unit = "clients"},
    [SWEEP_DEPTH] = {.name = "depth", .unit = "calls"},
    [SWEEP_SIZE] = {.name = "size",
                    .unit = "bytes",
                    .applies = moves_data,
                    .not_applicable = "is the size of a READ or WRITE"},
    [SWEEP_RATE] = {.name = "rate", .unit = "calls/s"},
};

bool sweep_plan_varies(const struct sweep_plan *plan, enum sweep_parameter parameter)
{
    return plan->ranges[parameter].count > 1;
}

/* Set the duration of a trial. An open loop is idle between its blocks, and that time must be short
 * compared with them. */
static void set_length(struct run_plan *trial, uint64_t duration_ns)
{
    enum { BLOCKS = 20, BLOCK_NS_LEAST = 50 * 1000 * 1000, BLOCK_LEAST = 10 };
    double block_ns = fmax((double)duration_ns / BLOCKS, BLOCK_NS_LEAST);
    double block = trial->load.rate * block_ns / 1e9;

    trial->maximum_ns = duration_ns;
    trial->precision = (struct precision){.share = 0}; /* which no trial can reach */
    if (trial->load.rate > 0 && trial->block == 0)
        trial->block = block < BLOCK_LEAST ? BLOCK_LEAST : (uint32_t)block;
}

int sweep_plan_trial(const struct sweep_plan *plan, const double values[SWEEP_PARAMETERS],
                     uint64_t seed, struct run_plan *trial, struct error *error)
{
    int code;

    *trial = plan->base;
    sweep_set_values(trial, values);
    trial->quiet = true;
    trial->no_ledger = trial->no_model = true;
    /* Null calls at a rate would take as long as the op's, and don't show whether the op reaches
     * it. */
    trial->no_baseline |= plan->ranges[SWEEP_RATE].count > 0 || plan->objective_text;
    trial->seed = trial->load.seed = seed;
    code = run_plan_settle(trial, error);
    if (code == 0 && trial->calls == 0)
        set_length(trial, plan->trial_ns);
    return code;
}

/* Figures */

static double objective_figure(const struct objective *objective,
                               const struct result_latency *latency)
{
    const struct {
        double quantile, value;
    } quantiles[] = {{0.5, latency->p50},
                     {0.9, latency->p90},
                     {0.99, latency->p99},
                     {0.999, latency->p999},
                     {0.9999, latency->p9999}};
    size_t at = 0;

    if (objective->figure == OBJECTIVE_MEAN)
        return latency->mean;
    if (objective->figure == OBJECTIVE_MAXIMUM)
        return latency->maximum;
    while (at + 1 < sizeof quantiles / sizeof quantiles[0] &&
           quantiles[at].quantile < objective->quantile)
        at++;
    return quantiles[at].value;
}

/* A client that spins is always busy, so its processor time is unknown. */
static void fill_usage(double *figures, const struct usage *usage, bool spin, unsigned threads)
{
    const struct usage_figures used = usage_figures(usage);
    double client = spin ? NAN : used.client_cpus;

    figures[CELL_CLIENT_CPU] = client / threads;
    figures[CELL_CLIENT_THREAD] = spin ? NAN : used.client_thread;
    figures[CELL_SERVER_CPU] = used.server_cpus;
    figures[CELL_SERVER_SHARE] = used.server_cpus / usage->server_cpus;
    figures[CELL_SERVER_THREAD] = used.server_thread;
    figures[CELL_BOTH_CPUS] = client + used.server_cpus;
    figures[CELL_LINK] = used.link;
    figures[CELL_CLIENT_CALL] = used.client_call_ns;
    figures[CELL_SERVER_CALL] = used.server_call_ns;
    figures[CELL_PACKETS] = used.call_packets;
    figures[CELL_BYTES] = used.call_bytes;
    figures[CELL_INTERRUPTS] = used.call_interrupts;
    figures[CELL_NET_RX] = used.call_net_rx;
}

static void fill_verdict(struct trial *trial, const struct validity *validity)
{
    trial->validity = *validity;
    trial->sender_late = trial->unanswered = false;
    for (size_t i = 0; i < validity->count; i++) {
        const struct validity_reason *reason = &validity->reasons[i];

        if (strcmp(reason->name, "sender-late") == 0)
            trial->sender_late = true;
        else if (reason->verdict == VERDICT_INVALID &&
                 strcmp(reason->name, "rate-not-reached") != 0)
            trial->unanswered = true;
    }
}

/* NAN if the engine does not report it, and in an open loop, whose calls are sent when they are
 * due. */
static double turn_around_ns(const struct session *session)
{
    const struct engine_tally *tally = &session->set.series[session->set.count - 1]->tally;

    if (tally->turn_calls == 0 || session->plan->load.rate > 0)
        return NAN;
    return (double)tally->turn_ticks / (double)tally->turn_calls * session->clock.ns_per_tick;
}

static void fill_trial(struct trial *trial, const struct trial_run *run,
                       const struct objective *objective)
{
    const struct result *result = &run->group.outcomes[0].result;
    const struct result_op *op = &result->ops[result->op_count - 1];
    const struct result_latency *latency = &op->latency;
    const struct load *load = &result->config.load;
    double *figures = trial->figures;

    figures[CELL_RATE] = op->rate_per_s;
    figures[CELL_MEGABYTES] = op->megabytes_per_s;
    figures[CELL_MEAN] = latency->mean;
    figures[CELL_TYPICAL] = result_level(result, op);
    figures[CELL_TYPICAL_RATE] = load->rate > 0 ? NAN
                                                : (double)load->clients * load->connections *
                                                      load->depth / figures[CELL_TYPICAL] * 1e9;
    figures[CELL_NULL] = result->null_calls ? result_level(result, result->null_calls) : NAN;
    figures[CELL_COST] = op->has_above_null ? op->above_null.cost.estimate : NAN;
    figures[CELL_P50] = latency->p50;
    figures[CELL_P90] = latency->p90;
    figures[CELL_P99] = latency->p99;
    figures[CELL_P999] = latency->p999;
    figures[CELL_MAXIMUM] = latency->maximum;
    fill_usage(figures, &run->usage[0], result->config.spin, load->threads);
    figures[CELL_LATE] = load->rate > 0 ? op->load->lateness.p99 : NAN;
    trial->objective_ns = objective ? objective_figure(objective, latency) : NAN;
    trial->late_ns =
        objective && load->rate > 0 ? objective_figure(objective, &op->load->lateness) : NAN;
    trial->reached = load->rate > 0 ? arrivals_share_reached(load->arrival, load->rate,
                                                             op->rate_per_s, op->calls)
                                    : NAN;
    trial->calls = op->timed;
    fill_verdict(trial, &result->validity);
    figures[CELL_TURN_AROUND] = turn_around_ns(&run->group.sessions[0]);
    trial->environment = run->environment;
}

int trial_make(const struct run_plan *plan, const struct objective *objective, struct trial *trial,
               struct error *error)
{
    struct trial_run *run = trial_run_new(plan, 1, error);
    int code = run ? trial_run_make(run, error) : -ENOMEM;

    if (code == 0)
        fill_trial(trial, run, objective);
    trial_run_free(run);
    return code;
}
