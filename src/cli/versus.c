/* nfsbench TARGET --versus TARGET2: two sides measured in the same rounds, and what differs. */
#include "cli/measure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/plan.h"
#include "output/text.h"
#include "run/outcome.h"
#include "run/versus.h"

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
    struct versus versus;
    struct outcome outcomes[SIDES];
    struct versus_result result;
};

static int open(void *run, struct error *error)
{
    struct versus *versus = run;
    int code = versus_open(versus, error);

    if (code)
        versus_name_side(versus, versus->side, error);
    return code;
}

static int measure(void *run, struct error *error)
{
    return versus_measure(run, error);
}

static int unmount(void *run, struct error *error)
{
    struct versus *versus = run;
    int code = 0, last;

    for (size_t i = SIDES; i-- > 0;) { /* the first side may own the server of both */
        last = session_unmount(&versus->sessions[i], error);
        if (last)
            versus_name_side(versus, i, error);
        code = last ? last : code;
    }
    return code;
}

static int fill(void *run, const char *cut_short_by, void **result, struct error *error)
{
    struct versus_run *self = run;
    int code;

    if (self->versus.rounds.done == 0)
        return 0;
    *result = &self->result;
    code = versus_fill_outcomes(&self->versus, self->outcomes, cut_short_by, error);
    return code ? code : versus_compare(&self->result, self->outcomes, error);
}

static const struct job job = {
    .kind = RESULT_VERSUS,
    .open = open,
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
    for (size_t i = 0; i < SIDES; i++)
        outcome_free(&run->outcomes[i]);
    versus_close(&run->versus);
    return status;
}

static int fill_plans(struct versus *versus, const struct run_plan *first,
                      const struct options *options, struct error *error)
{
    int code;

    versus->plans[SIDE_FIRST] = *first;
    versus->one_server = !options->versus.text;
    code = plan_make_second(&versus->plans[SIDE_SECOND], first, options, error);
    if (code == 0 && options->launch.launch.of)
        launch_order_apply_sides(&options->launch, options, versus->plans);
    return code;
}

int measure_versus(const struct run_plan *first, const struct options *options,
                   const struct launches_shape *shape, int *status, struct error *error)
{
    struct versus_run *run = calloc(1, sizeof *run);
    struct versus *versus;
    int code;

    if (!run)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    versus = &run->versus;
    code = fill_plans(versus, first, options, error);
    if (code == 0 && shape)
        code = forms_check(options, RESULT_VERSUS, first, error);
    if (code == 0 && shape && launches_are_several(shape, options))
        code = measure_launches(&(struct launches_job){.plans = {&versus->plans[SIDE_FIRST],
                                                                 &versus->plans[SIDE_SECOND]},
                                                       .shape = *shape,
                                                       .job = &job},
                                options, status, error);
    else if (code == 0)
        *status = measure_here(run, options);
    free(run);
    return code;
}
