#include "sweep/sides.h"

#include <stdio.h>

#include "job/console.h"
#include "job/plan.h"
#include "output/view/text.h"
#include "sweep/launches.h"
#include "sweep/variants.h"

struct sides_run {
    struct group group;
    struct variant variants[SIDES];
    struct experiment_plan plan; /* the plan of the experiment, whose variants are VARIANTS */
    struct experiment_run experiment;
};

static int measure_group(void *run, struct error *error)
{
    struct group *group = &((struct sides_run *)run)->group;
    int code;

    progress_begin(group->plans);
    code = group_open(group, error);

    if (code && group->at < group->count)
        group_name(group, group->at, error);
    return code ? code : group_measure(group, error);
}

static int unmount_group(void *run, struct error *error)
{
    return group_unmount(&((struct sides_run *)run)->group, error);
}

static int make_result(void *run, const char *cut_short_by, void **result, struct error *error)
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

static void print_sides(const struct options *options, const void *result, FILE *out)
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
                               .measure = measure_group,
                               .take_down = unmount_group,
                               .result = make_result,
                               .print = print_sides,
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
    variants_describe(&run->plan);
    return 0;
}

/* Measure both sides of PLANS in the same rounds, in launches of SHAPE. SHAPE is NULL if this
 * process is one of the launches. */
static int measure_sides(struct run_plan plans[SIDES], const struct options *options,
                         const struct launches_shape *shape, int *status, struct error *error)
{
    static struct sides_run run;
    static struct experiment_launches merged;
    struct launches_job launches = {
        .job = &job, .merge = experiment_merge_launches, .context = &merged};
    int code = make_plans(&run, plans, options, error);

    merged.plan = &run.plan;
    for (size_t i = 0; i < SIDES && code == 0; i++)
        launches.plans[i] = &run.group.plans[i];
    if (code == 0 && shape) {
        launches.shape = *shape;
        plans[SIDE_FIRST].preset = experiment_preset_names[PRESET_VERSUS];
        code = forms_check(options, RESULT_EXPERIMENT, plans, error);
    }
    if (code == 0 && shape && launches_are_several(shape, plans))
        code = measure_launches(&launches, options, status, error);
    else if (code == 0)
        *status = job_run(&job, &run, options);
    experiment_run_free(&merged.run);
    experiment_run_free(&run.experiment);
    group_close(&run.group);
    return code;
}

int run_sides(const struct options *options, int *status, struct error *error)
{
    static struct run_plan plans[SIDES];
    struct launches_shape shape;
    int code = plan_make_any(plans, options, error);

    if (code)
        return code;
    if (options->launch.launch.of) {
        launch_process_begin(&options->launch);
        launch_order_apply(&options->launch, plans);
        return measure_sides(plans, options, NULL, status, error);
    }
    code = launches_choose_shape(options, plans, &shape, error);
    return code ? code : measure_sides(plans, options, &shape, status, error);
}
