/* nfsbench sweep: an op under a range of loads or sizes, and what follows from that. */
#include <errno.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/measure.h"
#include "cli/plan.h"
#include "common/counted.h"
#include "common/printable.h"
#include "measure/clock.h"

/* Progress */

struct progress {
    bool shown;
    uint64_t began_ns; /* the first trial */
};

static void show_full_rate(void *context)
{
    const struct progress *progress = context;

    if (progress->shown)
        progress_show("measuring the rate of a closed loop");
}

static void show_probe(const struct sweep *sweep, const struct sweep_point *point)
{
    progress_show("probe %zu: %.0f calls/s: %s", sweep->trials_done, point->setting.rate,
                  point->answer == OBJECTIVE_HELD     ? "met"
                  : point->answer == OBJECTIVE_FAILED ? "not met"
                                                      : "inconclusive");
}

/* Of how long the trials took that are done. */
static double seconds_left(const struct sweep *sweep, const struct progress *progress)
{
    const double seconds = (double)(clock_raw_ns() - progress->began_ns) / 1e9;

    return seconds * (double)(sweep->trials_planned - sweep->trials_done) /
           (double)sweep->trials_done;
}

static void show_trial(void *context, const struct sweep *sweep, const struct sweep_point *point,
                       const struct trial *trial)
{
    const struct sweep_setting *setting = &point->setting;
    const struct progress *progress = context;
    char left[PROGRESS_LEFT_SIZE];

    if (!progress->shown)
        return;
    if (sweep->objective_text)
        show_probe(sweep, point);
    else
        progress_show("%zu of %zu trials, %s; %s, depth %u, %u bytes: %.0f calls/s",
                      sweep->trials_done, sweep->trials_planned,
                      progress_left(seconds_left(sweep, progress), left),
                      counted(setting->clients, "client").text, setting->depth, setting->size,
                      trial->figures[SWEEP_THROUGHPUT]);
}

static void print(const struct options *options, const void *sweep, FILE *out)
{
    view_write_text(&view_sweep, sweep, options->verbose, out);
}

/* The command */

static void announce_scratch(const struct run_plan *plan)
{
    if (run_plan_needs_scratch(plan) && !plan->quiet)
        fprintf(stderr,
                "nfsbench: each trial works in a directory of its own in %s, and removes it\n",
                printable(plan->target_text).text);
}

/* Report what was measured, whatever ended the sweep. Returns an exit status. */
static int report(const struct options *options, struct sweep_run *run, int code,
                  const struct error *ended_by)
{
    int status =
        code ? (int)ended_by->kind : measure_exit_status(run->sweep.validity.verdict, options);
    struct error error;

    run->sweep.cut_short_by = code ? ended_by->text : NULL;
    if (code == 0 && run->sweep.trials_done == 0) {
        error_set(&error, ERROR_FAILED, -ENODATA,
                  "nothing was measured: none of the rates can be reached; try lower ones");
        error_print(&error);
        return (int)error.kind;
    }
    if (code == 0)
        measure_warn(&run->sweep.validity, options);
    if (run->sweep.trials_done == 0 ||
        command_write_result(options, RESULT_SWEEP, &run->sweep, print, &error) == 0)
        return status;
    error_print(&error);
    return status ? status : (int)error.kind;
}

static int measure(const struct options *options, const struct sweep_plan *plan)
{
    struct progress progress = {.shown = !options->plan.quiet, .began_ns = clock_raw_ns()};
    const struct sweep_observer observer = {
        .context = &progress, .full_rate_begins = show_full_rate, .trial_done = show_trial};
    static struct sweep_run run;
    struct error error;
    int code, status;

    interrupt_catch();
    announce_scratch(&plan->base);
    code = sweep_run(&run, plan, &observer, &error);
    progress_end();
    if (code && interrupt_flag)
        error_set(&error, ERROR_FAILED, -EINTR, "interrupted");
    status = report(options, &run, code, &error);
    if (code)
        error_print(&error);
    sweep_run_free(&run);
    return status;
}

static int run(const struct options *options, int *status, struct error *error)
{
    static struct sweep_plan plan;
    int code = plan_make_sweep(&plan, options, error);

    if (code == 0)
        code = forms_check(options, RESULT_SWEEP, &plan.base, error);
    if (code == 0)
        *status = measure(options, &plan);
    return code;
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
