/* nfsbench sweep: an op under a range of loads or sizes, and what follows from that. */
#include <errno.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/measure.h"
#include "cli/plan.h"
#include "common/printable.h"
#include "measure/clock.h"

struct run {
    const struct sweep_plan *plan;
    uint64_t began_ns; /* the first trial */
    struct sweep_run sweep;
};

/* Progress */

static void show_full_rate(void *context)
{
    if (!((const struct run *)context)->plan->base.quiet)
        progress_show("measuring the rate of a closed loop");
}

static void show_probe(const struct experiment_result *sweep, const struct experiment_cell *point)
{
    progress_show("probe %zu: %.0f calls/s: %s", sweep->units_done, point->setting.rate,
                  point->answer == OBJECTIVE_HELD     ? "met"
                  : point->answer == OBJECTIVE_FAILED ? "not met"
                                                      : "inconclusive");
}

static void show_trial(void *context, const struct experiment_result *sweep,
                       const struct experiment_cell *point, const struct trial *trial)
{
    const struct run *run = context;
    char left[PROGRESS_LEFT_SIZE], label[FIELD_ROOM];

    if (run->plan->base.quiet)
        return;
    if (sweep->objective_text)
        show_probe(sweep, point);
    else
        progress_show("%zu of %zu trials, %s; %s: %.0f calls/s", sweep->units_done,
                      sweep->units_planned,
                      progress_left(run->began_ns, sweep->units_done, sweep->units_planned, left),
                      cell_label(sweep, point, true, label), trial->figures[CELL_RATE]);
}

/* The run */

static void announce_scratch(const struct run_plan *plan)
{
    if (run_plan_needs_scratch(plan) && !plan->quiet)
        fprintf(stderr,
                "nfsbench: each trial works in a directory of its own in %s, and removes it\n",
                printable(plan->target_text).text);
}

static int measure(void *run, struct error *error)
{
    struct run *self = run;
    const struct sweep_observer observer = {
        .context = self, .full_rate_begins = show_full_rate, .trial_done = show_trial};

    announce_scratch(&self->plan->base);
    self->began_ns = clock_raw_ns();
    return sweep_run(&self->sweep, self->plan, &observer, error);
}

static int result(void *run, const char *cut_short_by, void **result, struct error *error)
{
    struct experiment_result *sweep = &((struct run *)run)->sweep.sweep;

    sweep->cut_short_by = cut_short_by;
    if (sweep->units_done > 0)
        *result = sweep;
    else if (!cut_short_by)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "nothing was measured: none of the rates can be reached; try lower ones");
    return 0;
}

static int judge(const struct job *job, const struct options *options, void *result)
{
    return measure_judge(&((const struct experiment_result *)result)->validity, options);
}

static const struct job job = {
    .kind = RESULT_EXPERIMENT, .measure = measure, .result = result, .judge = judge};

static int run(const struct options *options, int *status, struct error *error)
{
    static struct sweep_plan plan;
    static struct run run = {.plan = &plan};
    int code = plan_make_sweep(&plan, options, error);

    if (code == 0)
        code = forms_check(options, RESULT_EXPERIMENT, &plan.base, error);
    if (code)
        return code;
    *status = job_run(&job, &run, options);
    sweep_run_free(&run.sweep);
    return 0;
}

const struct command command_sweep = {
    .bit = COMMAND_SWEEP,
    .name = "sweep",
    .usage = "nfsbench sweep [options] TARGET [OP] [COUNT]",
    .summary = "measure an op under a range of loads or sizes",
    .about = "Measures an op under a range of loads or sizes. It prints throughput, latency and "
             "processor time at each point, and what follows from them: the maximum throughput, "
             "what limits it, and what a byte costs. COUNT is the number of calls in each trial of "
             "a point.\n\n"
             "A LIST is made of values and of ranges FIRST..LAST (doublings), separated by commas.",
    .examples = "  nfsbench sweep --depth 1..64 server:/export getattr\n"
                "  nfsbench sweep --clients 1,2,4,8,12 --depth 1,16 server:/export read\n"
                "  nfsbench sweep --size 512..1M server:/export read\n"
                "  nfsbench sweep --find-max 'p99<1ms' server:/export getattr\n",
    .status =
        "0 ok, 1 the sweep failed or its verdict is not ok, 2 usage, 3 the server could not be "
        "reached.",
    .run = run,
};
