/* The launches of a result: their estimates, which launches are left out, their mean times, and the
 * scope of the result's intervals. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/result/result.h"

int result_add_launch(struct result *result)
{
    struct result_launch *launch = arena_alloc(&result->arena, 1, sizeof *launch);
    struct error ignored;
    int code = launch ? 0 : -ENOMEM;

    for (size_t i = 0; i < result->op_count && code == 0; i++) {
        struct result_op *op = &result->ops[i];

        op->round_trip = (struct interval){NAN, NAN, NAN};
        if (result->rounds.done > 0)
            code = estimate_median_interval(op->blocks, result->rounds.done, result->seed,
                                            &op->round_trip, &ignored);
    }
    if (code)
        return code;
    *launch = (struct result_launch){.seed = result->seed,
                                     .start = result->start,
                                     .rounds = result->rounds.done,
                                     .cut_short = result->cut_short_by != NULL,
                                     .server_pid = result->ledger.server_pid,
                                     .client_cpu = -1,
                                     .server_cpu = -1,
                                     .speed = {NAN, NAN},
                                     .validity = result->validity,
                                     .ops = result->ops,
                                     .op_count = result->op_count};
    result->launches = launch;
    result->launch_count = result->launches_planned = 1;
    return 0;
}

/* A single launch's intervals are valid for its connection only, even with a server of its own. */
enum launches_scope result_scope(const struct result *result)
{
    if (result->launch_count < 2)
        return LAUNCHES_CONNECTION;
    for (size_t i = 1; i < result->launch_count; i++)
        if (result->launches[i].server != result->launches[0].server)
            return LAUNCHES_PROGRAM;
    return LAUNCHES_SERVER;
}

/* Return the standard error that corresponds to INTERVAL, a 95 % interval; 0 if it has no ends. */
static double standard_error(const struct interval *interval)
{
    const double normal_975 = 1.959963984540054;
    double error = (interval->high - interval->low) / 2 / normal_975;

    return isfinite(error) ? error : 0;
}

struct launch result_launch_estimate(const struct result_launch *launch,
                                     const struct interval *interval)
{
    return (struct launch){.server = launch->server,
                           .estimate = interval->estimate,
                           .within = standard_error(interval)};
}

const struct result_op *result_launch_find(const struct result_launch *launch, const char *op)
{
    for (size_t i = 0; i < launch->op_count; i++)
        if (strcmp(launch->ops[i].op, op) == 0)
            return &launch->ops[i];
    return NULL;
}

size_t result_launches_of(const struct result *result, const char *op,
                          enum result_quantity quantity, struct launch *launches)
{
    size_t count = 0;

    for (size_t i = 0; i < result->launch_count; i++) {
        const struct result_op *found = result_launch_find(&result->launches[i], op);
        const struct interval figure =
            found ? result_figure_of(found, quantity) : (struct interval){NAN, NAN, NAN};

        if (!isnan(figure.estimate) && !result->launches[i].other_state)
            launches[count++] = result_launch_estimate(&result->launches[i], &figure);
    }
    return count;
}

static double null_echo(const struct result_launch *launch)
{
    for (size_t i = 0; i < launch->op_count; i++)
        if (launch->ops[i].role == RESULT_NULL && launch->ops[i].has_echo)
            return launch->ops[i].echo.estimate;
    return NAN;
}

void result_find_other_states(struct result_launch *const *launches, size_t count)
{
    enum { USUAL_LEAST = 3 };
    double *echoes = calloc(2 * count + 1, sizeof *echoes), usual;
    size_t alike = 0;

    for (size_t i = 0; echoes && i < count; i++)
        echoes[i] = echoes[count + i] = null_echo(launches[i]);
    usual = echoes ? estimate_median(echoes + count, count) : NAN;
    for (size_t i = 0; echoes && i < count; i++)
        usual += 0 * echoes[i]; /* makes USUAL NAN if an echo is NAN */
    for (size_t i = 0; echoes && i < count; i++)
        alike += fabs(echoes[i] / usual - 1) < VALIDITY_STATES_SUSPECT;
    for (size_t i = 0; i < count; i++)
        launches[i]->other_state =
            alike >= USUAL_LEAST && fabs(echoes[i] / usual - 1) >= VALIDITY_STATES_SUSPECT;
    free(echoes);
}

bool result_launch_times(const struct result *result, struct launches_times *times)
{
    const double least = 1e-6, ns = 1e9;
    double rounds = 0, processes = 0, servers = 0;
    size_t done = 0, started = 0;

    for (size_t i = 0; i < result->launch_count; i++) {
        const struct result_launch *launch = &result->launches[i];

        if (launch->rounds == 0 || launch->rounds_ns == 0 || launch->process_ns < launch->rounds_ns)
            return false;
        done += launch->rounds;
        rounds += (double)launch->rounds_ns / ns;
        processes += (double)launch->process_ns / ns;
        servers += (double)launch->server_start_ns / ns;
        started += launch->server_start_ns > 0;
    }
    if (done == 0)
        return false;
    *times = (struct launches_times){
        .round = fmax(rounds / (double)done, least),
        .client = fmax((processes - rounds) / (double)result->launch_count, least),
        .server = fmax(started ? servers / (double)started : 0, least)};
    return true;
}

const struct result_plan *result_longest_plan(const struct result *result)
{
    const struct result_plan *longest = NULL;

    for (size_t i = 0; i < result->op_count; i++) {
        const struct result_op *op = &result->ops[i];

        if (op->has_plan && (!longest || op->plan.launches.seconds > longest->launches.seconds))
            longest = &op->plan;
    }
    return longest;
}
