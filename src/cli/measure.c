/* nfsbench run: measure ops on a target, and the time by which each exceeds the null call. */
#include <stdio.h>

#include "cli/command_line.h"
#include "cli/interval_log.h"
#include "cli/measure.h"
#include "common/environment.h"
#include "job/console.h"
#include "job/launches.h"
#include "job/plan.h"
#include "output/form/file.h"
#include "output/form/measurement_view.h"
#include "output/result/services.h"
#include "output/view/text.h"
#include "run/group.h"
#include "version.h"

/* The result */

void measure_print(const struct options *options, const void *result, FILE *out)
{
    view_write_text(&view_measurement, result, options->verbose, out);
    if (options->histograms)
        text_print_histograms(result, out);
}

static int judge_measurement(const struct job *job, const struct options *options, void *result)
{
    struct result *judged = result;

    existing_compare_null(options->forms[FORM_json], judged);
    return job_judge(&judged->validity, options);
}

/* The run */

static int measure_group(void *run, struct error *error)
{
    struct group *group = run;
    int code;

    progress_begin(group->plans);
    code = group_open(group, error);

    return code ? code : group_measure(group, error);
}

static int unmount_group(void *run, struct error *error)
{
    return group_unmount(run, error);
}

static int fill_result(void *run, const char *cut_short_by, void **result, struct error *error)
{
    struct group *group = run;

    if (group->rounds.done == 0)
        return 0;
    *result = &group->outcomes->result;
    return group_fill_outcomes(group, cut_short_by, error);
}

static const struct job job = {.kind = RESULT_MEASUREMENT,
                               .measure = measure_group,
                               .take_down = unmount_group,
                               .result = fill_result,
                               .judge = judge_measurement,
                               .print = measure_print,
                               .judged_if_interrupted = true};

/* Measure PLAN in this process, and report the result, even if an error ended the run. *WHOLE: the
 * run has results and did not end early. Returns 0 with *STATUS set, or -ENOMEM with ERROR set. */
static int measure_once(const struct run_plan *plan, const struct options *options, bool *whole,
                        int *status, struct error *error)
{
    struct group group = {.count = 0};
    int code = group_make(&group, 1, plan, error);

    if (code == 0) {
        const struct result *result = &group.outcomes->result;

        *status = job_run(&job, &group, options);
        *whole = result->op_count > 0 && !result->cut_short && !result->cut_short_by;
    }
    group_close(&group);
    return code;
}

static int measure_with_reports(const struct run_plan *plan, const struct options *options,
                                int *status, struct error *error)
{
    static struct run_plan own;
    struct interval_log log;
    bool whole = false;
    int code = interval_log_open(&log, options, plan->observer, error);

    if (code)
        return code;
    own = *plan;
    own.observer = &log.observer;
    code = measure_once(&own, options, &whole, status, error);
    interval_log_close(&log, whole);
    if (log.failed && *status == 0)
        *status = ERROR_FAILED;
    return code;
}

static int measure_all(const struct run_plan plans[SIDES], const struct options *options,
                       int *status, struct error *error)
{
    const struct run_plan *plan = &plans[SIDE_FIRST];
    struct launches_job launches = {.plans = {plan}, .job = &job};
    bool whole;
    int code = launches_choose_shape(options, plans, &launches.shape, error);

    if (code == 0)
        code = forms_check(options, RESULT_MEASUREMENT, plan, error);
    if (code)
        return code;
    if (plan->interval_ns)
        return measure_with_reports(plan, options, status, error);
    if (!launches_are_several(&launches.shape, plans))
        return measure_once(plan, options, &whole, status, error);
    return measure_launches(&launches, options, status, error);
}

static int measure_launch(struct run_plan plans[SIDES], const struct options *options, int *status,
                          struct error *error)
{
    bool whole;

    launch_process_begin(&options->launch);
    launch_order_apply(&options->launch, plans);
    return measure_once(plans, options, &whole, status, error);
}

static int run_command(const struct options *options, int *status, struct error *error)
{
    const struct command_mode *mode = command_mode_of(options);
    static struct run_plan plans[SIDES];
    int code;

    if (options->completion) {
        completion_print(stdout);
        return 0;
    }
    if (options->version) {
        printf("nfsbench %s (%s)\n", NFSBENCH_VERSION, build_description());
        return 0;
    }
    if (mode)
        return mode->run(options, status, error);
    if (services_are_asked_for(options))
        return services_show(options, error);
    code = plan_make_any(plans, options, error);
    if (code)
        return code;
    if (options->launch.launch.of)
        return measure_launch(plans, options, status, error);
    return measure_all(plans, options, status, error);
}

static const struct view *const views[] = {&view_measurement, &view_services, NULL};

const struct command command_run = {
    .words = WORDS_TARGET_OPS,
    .groups = GROUPS_RUN,
    .views = views,
    .name = "run",
    .usage = "nfsbench [run] [options] TARGET [OP[,OP...]] [COUNT]",
    .summary = "measure ops; this is the default, and 'run' may be omitted",
    .about = "Measures the cost of NFSv3 procedures on the server, separately from the cost of RPC "
             "and network.",
    .status = "0 ok, 1 the measurement failed or its verdict is not ok, 2 usage, 3 the server "
              "could not be reached or refused access.",
    .help = help_print_words,
    .examples = "  nfsbench self: getattr 1M                  on the embedded server\n  nfsbench "
                "server:/export getattr,read 100k  on another server\n  nfsbench "
                "'nfs://server:20490/export?proto=udp' read-only 10k\n  nfsbench a:/export getattr "
                "--versus b:/export   two servers, same rounds\n",
    .run = run_command,
};
