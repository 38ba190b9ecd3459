#include "run/sweep.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/counted.h"
#include "run/outcome.h"

enum { TRIES = 3 /* of a trial, if the server can't be reached */ };

/* Points */

int sweep_plan_of_point(struct sweep_run *run, const struct sweep_plan *plan,
                        const struct experiment_cell *point, struct run_plan *trial,
                        struct error *error)
{
    const struct cell_setting *setting = &point->setting;
    const double values[SWEEP_PARAMETERS] = {[SWEEP_CLIENTS] = setting->clients,
                                             [SWEEP_DEPTH] = setting->depth,
                                             [SWEEP_SIZE] = setting->size,
                                             [SWEEP_RATE] = setting->rate};

    return sweep_plan_trial(plan, values, random_next(&run->random) | 1, trial, error);
}

void sweep_describe_point(struct experiment_cell *point, const struct run_plan *trial)
{
    point->op = trial->ops[0]->op;
    point->setting = (struct cell_setting){
        .clients = trial->load.clients,
        .connections = trial->load.connections,
        .depth = trial->load.depth,
        .size = trial->ops[0]->transfer == NFS_TRANSFER_NONE ? 0 : trial->read_size,
        .rate = trial->load.rate};
}

/* Make point INDEX of all combinations of values, in which the rate changes fastest. */
static int make_point(const struct sweep_run *run, size_t index, struct experiment_cell *point,
                      struct error *error)
{
    static const enum sweep_parameter order[] = {SWEEP_RATE, SWEEP_DEPTH, SWEEP_CLIENTS,
                                                 SWEEP_SIZE};
    double values[SWEEP_PARAMETERS] = {0};
    struct run_plan trial;
    int code;

    for (size_t i = 0; i < SWEEP_PARAMETERS; i++) {
        const struct sweep_range *range = &run->plan->ranges[order[i]];

        if (range->count == 0)
            continue;
        values[order[i]] = range->values[index % range->count];
        if (range->percent) /* an integer, like rates on the command line */
            values[order[i]] = fmax(1, rint(values[order[i]] * run->sweep.full_rate));
        index /= range->count;
    }
    code = sweep_plan_trial(run->plan, values, 1, &trial, error);
    if (code == 0)
        sweep_describe_point(point, &trial);
    return code;
}

static int make_points(struct sweep_run *run, struct error *error)
{
    struct experiment_result *sweep = &run->sweep;
    size_t count = 1;
    int code = 0;

    for (unsigned i = 0; i < SWEEP_PARAMETERS; i++)
        count *= run->plan->ranges[i].count ? run->plan->ranges[i].count : 1;
    if (count > CELLS_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL, "%zu points are too many; the maximum is %d",
                         count, CELLS_MAXIMUM);
    sweep->cells = calloc(count, sizeof *sweep->cells);
    if (!sweep->cells)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (; sweep->cell_count < count && code == 0; sweep->cell_count++)
        code = make_point(run, sweep->cell_count, &sweep->cells[sweep->cell_count], error);
    return code;
}

/* Trials */

/* Is a trial that ended with CODE worth repeating soon? A server that restarts is unreachable for
 * some time, or no longer knows its file handles. */
static bool may_recover(int code, const struct error *error)
{
    return error->kind == ERROR_UNREACHABLE || code == -ESTALE || code == -ENODATA;
}

static int try_patiently(struct sweep_run *run, const struct experiment_cell *point,
                         struct trial *trial, struct error *error)
{
    const struct timespec pause = {.tv_sec = 1};
    struct run_plan plan;
    int code = -ECONNREFUSED;

    for (int i = 0; i < TRIES && code; i++) {
        if (i > 0)
            nanosleep(&pause, NULL);
        code = sweep_plan_of_point(run, run->plan, point, &plan, error);
        if (code == 0)
            code = trial_make(&plan, NULL, trial, error);
        if (code && (run_plan_is_stopped(&run->plan->base) || !may_recover(code, error)))
            break;
    }
    if (code == 0 && !run->environment.transport[0])
        run->environment = trial->environment;
    return code;
}

void sweep_add_trial(struct sweep_run *run, struct experiment_cell *point,
                     const struct trial *trial)
{
    const struct trials trials = sweep_trials_of(point);

    trials_add(&trials, trial, &run->doubts);
}

/* A rate that can't be reached is a result; its point is not tried again. */
static int try_point(void *context, size_t index, struct error *error)
{
    struct sweep_run *run = context;
    struct experiment_cell *point = &run->sweep.cells[index];
    struct trial trial;
    int code = point->out_of_reach ? -ETIME : try_patiently(run, point, &trial, error);

    point->out_of_reach = code == -ETIME;
    if (code)
        return code == -ETIME ? 0 : code;
    sweep_add_trial(run, point, &trial);
    run->sweep.units_done++;
    run->observer->trial_done(run->observer->context, &run->sweep, point, &trial);
    return 0;
}

/* All points, as often as the plan says. */
static int try_all(struct sweep_run *run, struct error *error)
{
    run->sweep.units_planned = run->sweep.cell_count * run->plan->repeats;
    return trials_pass(&run->random, run->sweep.cell_count, run->plan->repeats, try_point, run,
                       error);
}

int sweep_check_full_rate(const struct sweep_plan *plan, double rate, struct error *error)
{
    if (rate > 0)
        return 0;
    if (plan->base.calls)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%s in each trial: too few to measure the rate of a closed loop, "
                         "on which the rates to try depend; ask for more calls",
                         counted(plan->base.calls, "call").text);
    return error_set(error, ERROR_FAILED, -ETIMEDOUT,
                     "too few calls were answered in %.3g s to measure the rate of a closed loop, "
                     "on which the rates to try depend; ask for a longer trial (--max-time)",
                     (double)plan->trial_ns / 1e9);
}

/* Find the rate that is 100 %: the highest of three short closed loops with enough calls in flight.
 */
static int find_full_rate(struct sweep_run *run, struct error *error)
{
    enum { TRIALS = 3, DEPTH = 64 };
    const struct sweep_plan *plan = run->plan;
    struct experiment_cell point = {.setting.depth = plan->ranges[SWEEP_DEPTH].count ? 0 : DEPTH};
    int code = 0;

    run->observer->full_rate_begins(run->observer->context);
    for (int i = 0; i < TRIALS && code == 0; i++) {
        struct trial trial;

        code = try_patiently(run, &point, &trial, error);
        if (code == 0)
            run->sweep.full_rate = fmax(run->sweep.full_rate, trial.figures[CELL_RATE]);
    }
    return code ? code : sweep_check_full_rate(plan, run->sweep.full_rate, error);
}

/* The sweep */

static void begin(struct sweep_run *run)
{
    const struct sweep_plan *plan = run->plan;
    struct experiment_result *sweep = &run->sweep;

    outcome_fill_origin(&sweep->origin, &plan->base, time(NULL), run->environment.transport);
    sweep->ops = plan->base.ops[0]->op;
    sweep->engine = plan->base.engine->name;
    sweep->client_cpus = run->environment.client_cpus;
    sweep->unit_calls = plan->base.calls;
    sweep->unit_seconds = plan->base.calls ? 0 : (double)plan->trial_ns / 1e9;
    sweep->varies_clients = sweep_plan_varies(plan, SWEEP_CLIENTS);
    sweep->varies_depth = sweep_plan_varies(plan, SWEEP_DEPTH);
    sweep->varies_size = sweep_plan_varies(plan, SWEEP_SIZE);
    sweep->varies_rate = sweep_plan_varies(plan, SWEEP_RATE);
    sweep->objective_text = plan->objective_text;
    random_seed(&run->random, sweep->origin.seed);
}

int sweep_run(struct sweep_run *run, const struct sweep_plan *plan,
              const struct sweep_observer *observer, struct error *error)
{
    int code = 0;

    memset(run, 0, sizeof *run);
    run->plan = plan;
    run->observer = observer;
    begin(run);
    if (plan->ranges[SWEEP_RATE].percent || plan->objective_text)
        code = find_full_rate(run, error);
    if (code == 0 && plan->objective_text) {
        code = find_max(run, error);
    } else if (code == 0) {
        code = make_points(run, error);
        if (code == 0)
            code = try_all(run, error);
    }
    if (run->sweep.units_done > 0) {
        sweep_analyse(&run->sweep);
        sweep_judge(&run->sweep, &run->doubts);
    }
    return code;
}

void sweep_run_free(struct sweep_run *run)
{
    free(run->sweep.cells);
    run->sweep.cells = NULL;
}
