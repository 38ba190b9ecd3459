/* Two sides, A and B, measured in the same rounds: an experiment whose sides are reported as whole
 * measurements, too. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/console.h"
#include "cli/launch_process.h"
#include "cli/measure.h"
#include "cli/plan.h"
#include "output/text.h"

/* What the second side has of its own */

#define OF(field) offsetof(struct option_versus, field)

static const struct {
    const char *name;
    size_t member;
} own_options[] = {{"proto", OF(proto)},
                   {"engine", OF(engine)},
                   {"sec", OF(security)},
                   {"xprtsec", OF(transport_security)},
                   {"server-start", OF(server_start)}};

const char *option_versus_name_at(size_t index)
{
    return index < sizeof own_options / sizeof own_options[0] ? own_options[index].name : NULL;
}

/* TEXT is NAME=VALUE; the name has that LENGTH. */
static int set_own(struct option_versus *versus, const char *text, size_t length,
                   struct error *error)
{
    for (size_t i = 0; i < sizeof own_options / sizeof own_options[0]; i++)
        if (strlen(own_options[i].name) == length &&
            strncmp(own_options[i].name, text, length) == 0) {
            struct option_entry own = *options_find(GROUPS_RUN, own_options[i].name);

            own.offset = own_options[i].member;
            versus->changed |= 1U << i;
            return options_store(&own, text + length + 1, versus, error);
        }
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "--versus '%.60s': expected a target, or proto=, engine=, sec=, xprtsec= or "
                     "server-start=",
                     text);
}

int option_parse_versus(const struct option_entry *entry, const char *text, void *member,
                        struct error *error)
{
    struct option_versus *versus = member;
    const size_t length = strcspn(text, ":/=");

    if (text[length] == '=')
        return set_own(versus, text, length, error);
    versus->text = text;
    return target_parse(text, &versus->target, error);
}

/* The experiment */

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

static int make_plans(struct sides_run *run, const struct run_plan *first,
                      const struct options *options, struct error *error)
{
    static const char *const names[SIDES] = {"A", "B"};
    struct group *group = &run->group;
    int code = group_make(group, SIDES, first, error);

    group->one_server = !options->versus.text;
    if (code == 0)
        code = plan_make_second(&group->plans[SIDE_SECOND], first, options, error);
    if (code)
        return code;
    if (options->launch.launch.of)
        launch_order_apply_sides(&options->launch, options, group->plans);
    for (size_t i = 0; i < SIDES; i++)
        run->variants[i] = (struct variant){.other = names[i], .plan = group->plans[i]};
    run->plan = (struct experiment_plan){.preset = PRESET_VERSUS,
                                         .variants = run->variants,
                                         .count = SIDES,
                                         .is_launch = options->launch.launch.of > 0};
    vary_describe(&run->plan, options);
    return 0;
}

int measure_sides(const struct run_plan *first, const struct options *options,
                  const struct launches_shape *shape, int *status, struct error *error)
{
    static struct sides_run run;
    struct launches_job launches = {.job = &job, .experiment = &run.plan};
    int code = make_plans(&run, first, options, error);

    for (size_t i = 0; i < SIDES && code == 0; i++)
        launches.plans[i] = &run.group.plans[i];
    if (code == 0 && shape) {
        launches.shape = *shape;
        code = forms_check(options, RESULT_EXPERIMENT, first, error);
    }
    if (code == 0 && shape && launches_are_several(shape, options))
        code = measure_launches(&launches, options, status, error);
    else if (code == 0)
        *status = job_run(&job, &run, options);
    experiment_run_free(&run.experiment);
    group_close(&run.group);
    return code;
}
