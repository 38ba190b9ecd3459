/* Two sides, A and B, measured in the same rounds: an experiment whose sides are reported as whole
 * measurements, too. */
#include <stdio.h>
#include <string.h>

#include "cli/measure.h"
#include "job/console.h"
#include "job/plan.h"
#include "job/variants.h"
#include "output/view/text.h"

struct sides_run {
    struct group group;
    struct variant variants[SIDES];
    struct experiment_plan plan; /* of these */
    struct experiment_run experiment;
};

static int measure(void *run, struct error *error)
{
    struct group *group = &((struct sides_run *)run)->group;
    int code;

    progress_begin(group->plans);
    code = group_open(group, error);

    if (code && group->at < group->count)
        group_name(group, group->at, error);
    return code ? code : group_measure(group, error);
}

static int unmount(void *run, struct error *error)
{
    return group_unmount(&((struct sides_run *)run)->group, error);
}

static int fill(void *run, const char *cut_short_by, void **result, struct error *error)
{
    struct sides_run *self = run;
    int code;

    if (self->group.rounds.done == 0)
        return 0;
    *result = &self->experiment.result;
    code = group_fill_outcomes(&self->group, cut_short_by, error);
    self->experiment.result.cut_short_by = cut_short_by;
    return code ? code : experiment_of_sides(&self->experiment, &self->plan, &self->group, error);
}

static void print(const struct options *options, const void *result, FILE *out)
{
    const struct experiment_result *experiment = result;
    const struct result *const sides[SIDES] = {experiment->first, experiment->second};

    experiment_print_sides(experiment, options->verbose, out);
    for (size_t i = 0; i < SIDES && options->histograms; i++) {
        fprintf(out, "\n%c", i == SIDE_FIRST ? 'A' : 'B');
        text_print_histograms(sides[i], out);
    }
}

static const struct job job = {.kind = RESULT_EXPERIMENT,
                               .measure = measure,
                               .take_down = unmount,
                               .result = fill,
                               .print = print,
                               .judged_if_interrupted = true};

static int make_plans(struct sides_run *run, const struct run_plan plans[SIDES],
                      const struct options *options, struct error *error)
{
    static const char *const names[SIDES] = {"A", "B"};
    struct group *group = &run->group;
    int code = group_make(group, SIDES, &plans[SIDE_FIRST], error);

    if (code)
        return code;
    group->plans[SIDE_SECOND] = plans[SIDE_SECOND];
    group->one_server = plans[SIDE_FIRST].target_text == plans[SIDE_SECOND].target_text;
    for (size_t i = 0; i < SIDES; i++)
        run->variants[i] = (struct variant){.other = names[i], .plan = group->plans[i]};
    run->plan = (struct experiment_plan){.preset = PRESET_VERSUS,
                                         .variants = run->variants,
                                         .count = SIDES,
                                         .is_launch = options->launch.launch.of > 0};
    variants_describe(&run->plan, options);
    return 0;
}

int measure_sides(const struct run_plan plans[SIDES], const struct options *options,
                  const struct launches_shape *shape, int *status, struct error *error)
{
    static struct sides_run run;
    struct launches_job launches = {.job = &job, .experiment = &run.plan};
    int code = make_plans(&run, plans, options, error);

    for (size_t i = 0; i < SIDES && code == 0; i++)
        launches.plans[i] = &run.group.plans[i];
    if (code == 0 && shape) {
        launches.shape = *shape;
        code = forms_check(options, RESULT_EXPERIMENT, plans, error);
    }
    if (code == 0 && shape && launches_are_several(shape, plans))
        code = measure_launches(&launches, options, status, error);
    else if (code == 0)
        *status = job_run(&job, &run, options);
    experiment_run_free(&run.experiment);
    group_close(&run.group);
    return code;
}
