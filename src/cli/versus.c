/* nfsbench TARGET --versus TARGET2: two sides measured in the same rounds, and what differs. */
#include "cli/measure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/plan.h"
#include "output/text.h"
#include "run/group.h"

/* The report */

static void print(const struct options *options, const void *versus, FILE *out)
{
    const struct versus_result *result = versus;

    versus_print(result, options->verbose, out);
    for (size_t i = 0; i < SIDES && options->histograms; i++) {
        fprintf(out, "\n%c", i == SIDE_FIRST ? 'A' : 'B');
        text_print_histograms(i == SIDE_FIRST ? result->first : result->second, out);
    }
}

/* The worse of the two verdicts counts. */
static int judge(const struct job *job, const struct options *options, void *versus)
{
    const struct versus_result *result = versus;
    const int first = measure_judge(&result->first->validity, options);
    const int second = measure_judge(&result->second->validity, options);

    return first ? first : second;
}

/* The run */

struct versus_run {
    struct group group;
    struct versus_result result;
};

static int measure(void *run, struct error *error)
{
    struct group *group = run;
    int code = group_open(group, error);

    if (code)
        group_name(group, group->at, error);
    return code ? code : group_measure(group, error);
}

static int unmount(void *run, struct error *error)
{
    return group_unmount(run, error);
}

static int fill(void *run, const char *cut_short_by, void **result, struct error *error)
{
    struct versus_run *self = run;
    int code;

    if (self->group.rounds.done == 0)
        return 0;
    *result = &self->result;
    code = group_fill_outcomes(&self->group, cut_short_by, error);
    return code ? code : versus_compare(&self->result, self->group.outcomes, error);
}

static const struct job job = {
    .kind = RESULT_VERSUS,
    .measure = measure,
    .take_down = unmount,
    .result = fill,
    .judge = judge,
    .print = print,
    .judged_if_interrupted = true,
};

static int measure_here(struct versus_run *run, const struct options *options)
{
    int status = job_run(&job, run, options);

    versus_free(&run->result);
    group_close(&run->group);
    return status;
}

static int fill_plans(struct group *group, const struct run_plan *first,
                      const struct options *options, struct error *error)
{
    int code;

    group->count = SIDES;
    group->plans[SIDE_FIRST] = *first;
    group->one_server = !options->versus.text;
    code = plan_make_second(&group->plans[SIDE_SECOND], first, options, error);
    if (code == 0 && options->launch.launch.of)
        launch_order_apply_sides(&options->launch, options, group->plans);
    return code;
}

int measure_versus(const struct run_plan *first, const struct options *options,
                   const struct launches_shape *shape, int *status, struct error *error)
{
    struct versus_run *run = calloc(1, sizeof *run);
    struct run_plan *plans;
    int code;

    if (!run)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    plans = run->group.plans;
    code = fill_plans(&run->group, first, options, error);
    if (code == 0 && shape)
        code = forms_check(options, RESULT_VERSUS, first, error);
    if (code == 0 && shape && launches_are_several(shape, options))
        code = measure_launches(
            &(struct launches_job){
                .plans = {&plans[SIDE_FIRST], &plans[SIDE_SECOND]}, .shape = *shape, .job = &job},
            options, status, error);
    else if (code == 0)
        *status = measure_here(run, options);
    free(run);
    return code;
}
