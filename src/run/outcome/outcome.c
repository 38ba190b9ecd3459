#include "run/outcome/outcome.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/environment.h"
#include "common/system_clock.h"
#include "measure/statistics/mean_interval.h"
#include "run/outcome/outcome_parts.h"
#include "version.h"

#define MEBIBYTE 1048576.0

static const char *unless_empty(const char *text)
{
    return text && *text ? text : NULL;
}

static void fill_ledger(struct result *result, const struct measured *measured)
{
    const struct ledger_run *run = measured->ledger;
    struct result_ledger *ledger = &result->ledger;

    ledger->counted = run->done;
    ledger->passes = run->done ? run->passes : 0;
    ledger->calls = run->calls;
    ledger->client_idle = &run->client_idle;
    ledger->server_idle = &run->server_idle;
    ledger->server_pid = run->server_pid;
    ledger->server_missing = unless_empty(run->counters.missing);
    ledger->cut_short_by = unless_empty(run->cut_short);
    memcpy(ledger->links, measured->links, sizeof ledger->links);
    ledger->link_count = measured->link_count;
}

static void fill_usage(struct result *result, const struct readings *readings, uint64_t calls)
{
    const struct ledger_stretch all = {readings->before, readings->after, calls};
    /* duration of the rounds, ns, divided by CALLS, the number of calls of all series in them */
    double elapsed = (double)(all.after.at_ns - all.before.at_ns) / (double)calls;
    struct ledger_entry usage;

    ledger_per_call(&usage, &all, 1, NULL);
    memcpy(result->usage, usage.values, sizeof result->usage);
    result->client_cpu_share = result->usage[COUNTER_CPU_NS] / elapsed;
    result->host.steal = result->usage[COUNTER_STEAL_NS] / elapsed / result->host.cpus;
}

/* Return the number of calls in the rounds, but at least 1, because the result is a divisor. */
static uint64_t count_calls(const struct measured *measured)
{
    const uint64_t calls = measured_calls(measured);

    return calls + (calls == 0);
}

static void fill_run(struct making *making, const char *cut_short_by)
{
    const struct measured *measured = making->measured;
    struct result *result = making->result;
    char start[SYSTEM_CLOCK_TEXT_SIZE];

    result->tool = (struct result_tool){"nfsbench", NFSBENCH_VERSION, build_description()};
    result->command = (const char *const *)measured->plan->command;
    result->command_count = measured->plan->command_count;
    result->start = filling_copy(&making->filling, system_clock_text(measured->started, start));
    result->started = measured->started;
    result->seed = measured->plan->seed;
    result->cut_short = measured->rounds->done < measured->rounds->planned;
    result->cut_short_by = cut_short_by;
}

static void fill_stalls(struct making *making)
{
    const struct stalls *stalls = making->measured->stalls;
    struct result *result = making->result;

    if (stalls->count == 0)
        return;
    result->stalls = filling_alloc(&making->filling, stalls->count, sizeof *result->stalls);
    for (size_t i = 0; result->stalls && i < stalls->count; i++) {
        const struct stall *stall = &stalls->list[i];

        result->stalls[result->stall_count++] = (struct result_stall){
            .at_s = (double)(stall->began_ns - making->measured->setup_began_ns) / 1e9,
            .length_s = (double)(stall->ended_ns - stall->began_ns) / 1e9,
            .calls = stall->calls,
            .series = filling_copy(&making->filling, stall->series),
        };
    }
    result->stalls_not_kept = stalls->not_kept;
}

static int fill_launch(struct result *result, const struct run_launch *launch,
                       const struct readings *readings)
{
    int code = result_add_launch(result);

    if (code)
        return code;
    result->launches[0].server = launch->server;
    result->launches[0].rounds_ns = readings->after.at_ns - readings->before.at_ns;
    result->launches[0].environment = launch->environment;
    result->launches[0].heap = launch->heap;
    result->launches[0].client_cpu = readings->client_cpu;
    result->launches[0].server_cpu = readings->server_cpu;
    result->launches[0].speed = speed_probe_levels(readings->speed_probe);
    return 0;
}

static const double *spacings_of(const struct measured *measured, size_t index)
{
    return measured->series[index].samples->blocks[BLOCK_SPACING];
}

static double client_cpu_ns(const struct result_op *op)
{
    if (op->client)
        return op->client->values[COUNTER_CPU_NS];
    return op->load ? op->load->client_cpu_ns : NAN;
}

static double server_cpu_ns(const struct result_op *op)
{
    return op->server && op->role != RESULT_LOCAL ? op->server->values[COUNTER_CPU_NS] : NAN;
}

static int fill_bandwidth(struct result *result, const struct measured *measured, size_t index,
                          struct error *error)
{
    struct result_op *op = &result->ops[index];
    struct result_bandwidth *bandwidth = &op->bandwidth;
    double mebibytes = op->data_bytes / MEBIBYTE;

    if (!(op->megabytes_per_s > 0))
        return 0;
    op->has_bandwidth = true;
    bandwidth->client_cpu_ns = client_cpu_ns(op) / mebibytes;
    bandwidth->server_cpu_ns = server_cpu_ns(op) / mebibytes;
    return ratio_interval(op->megabytes_per_s, spacings_of(measured, index), NULL,
                          result->rounds.done, result->seed, &bandwidth->megabytes_per_s, error);
}

static int compare_with_local(struct result *result, const struct measured *measured, size_t index,
                              struct error *error)
{
    struct result_op *op = &result->ops[index];
    const struct result_op *local = result_local_of(result, op);

    if (!local || !(op->rate_per_s > 0) || !(local->rate_per_s > 0))
        return 0;
    op->has_of_local = true;
    return ratio_interval(op->rate_per_s / local->rate_per_s, spacings_of(measured, index),
                          spacings_of(measured, (size_t)(local - result->ops)), result->rounds.done,
                          result->seed, &op->of_local, error);
}

/* Set the data rates of RESULT's ops and the ratios to local series, with their intervals. The ops'
 * calls per second are already set. */
static int fill_bandwidths(struct result *result, const struct measured *measured,
                           struct error *error)
{
    int code = 0;

    for (size_t i = 0; i < result->op_count && code == 0; i++) {
        code = fill_bandwidth(result, measured, i, error);
        if (code == 0)
            code = compare_with_local(result, measured, i, error);
    }
    return code;
}

static void fill_clock(struct result *result, const struct measured *measured)
{
    const struct clock *clock = measured->clock;
    const struct rounds *rounds = measured->rounds;

    result->rounds = (struct result_rounds){.done = rounds->done,
                                            .planned = rounds->planned,
                                            .warmup = rounds->warmup,
                                            .steady = rounds->steady};
    result->clock = (struct result_clock){
        .name = clock->name,
        .ns_per_tick = clock->ns_per_tick,
        .cost_ns = clock->cost_ns,
        .disagreement_ppm = clock_check_ppm(&measured->readings->clock_check, clock),
        .largest_step_ns = measured->readings->clock_check.largest_step_ns,
    };
    memcpy(result->clock.cost_log2, clock->cost_log2, sizeof result->clock.cost_log2);
}

int outcome_estimate(struct outcome *outcome, const struct measured *measured,
                     size_t resampling_block, struct error *error)
{
    struct result *result = &outcome->result;
    int code = costs_fill(&outcome->costs, result, measured, resampling_block, error);

    if (code == 0)
        code = fill_bandwidths(result, measured, error);
    if (code == 0) {
        /* each rank makes as many calls as this one */
        if (result->op_count > 0)
            judge_result(result, measured,
                         count_calls(measured) * (result->rank_count ? result->rank_count : 1));
        code = fill_launch(result, &measured->plan->launch, measured->readings);
        if (code)
            error_set(error, ERROR_FAILED, code, "out of memory for the result");
    }
    if (code)
        outcome_free(outcome);
    return code;
}

int outcome_fill(struct outcome *outcome, const struct measured *measured,
                 const struct outcome_request *request, struct error *error)
{
    struct result *result = &outcome->result;
    struct making making = {.outcome = outcome,
                            .result = result,
                            .measured = measured,
                            .filling.arena = &result->arena};

    memset(outcome, 0, sizeof *outcome);
    fill_run(&making, request->cut_short_by);
    fill_clock(result, measured);
    result->host = measured->host;
    result->target = measured->target;
    result->config = measured->config;
    making_ops(&making);
    fill_stalls(&making);
    if (making.filling.failed) {
        outcome_free(outcome);
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the result");
    }
    fill_ledger(result, measured);
    fill_usage(result, measured->readings, count_calls(measured) + measured->other_calls);
    return outcome_estimate(outcome, measured, request->resampling_block, error);
}

void outcome_free(struct outcome *outcome)
{
    result_free(&outcome->result);
    outcome->costs = (struct costs){.count = 0};
}
