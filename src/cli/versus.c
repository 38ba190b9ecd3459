/* nfsbench TARGET --versus TARGET2: two sides measured in the same rounds, and what differs. */
#include "cli/measure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/launch_process.h"
#include "cli/plan.h"
#include "output/text.h"
#include "run/group.h"
#include "run/outcome.h"

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
static int exit_status(const struct versus_result *result, const struct options *options)
{
    enum verdict first = result->first->validity.verdict, second = result->second->validity.verdict;

    return measure_exit_status(first > second ? first : second, options);
}

/* Returns an exit status. */
static int report_result(const struct versus_result *result, const struct options *options)
{
    struct error error;

    measure_warn(&result->first->validity, options);
    measure_warn(&result->second->validity, options);
    if (command_write_result(options, RESULT_VERSUS, result, print, &error) == 0)
        return exit_status(result, options);
    error_print(&error);
    return (int)error.kind;
}

/* Report what was measured, whatever ended the run. Returns an exit status. */
static int report(struct group *group, const struct options *options, const char *cut_short_by)
{
    struct outcome *outcomes = calloc(SIDES, sizeof *outcomes);
    struct versus_result result = {.rows = NULL};
    struct error error = {.kind = ERROR_FAILED, .text = "out of memory"};
    int status = 0,
        code = outcomes ? group_fill_outcomes(group, outcomes, cut_short_by, &error) : -ENOMEM;

    if (code == 0)
        code = versus_compare(&result, outcomes, &error);
    if (code) {
        measure_report_error(&error, options, false);
        status = (int)error.kind;
    } else if (options->launch.launch.of) {
        launch_process_send(&options->launch, versus_write_json, &result);
    } else {
        status = report_result(&result, options);
    }
    versus_free(&result);
    for (size_t i = 0; outcomes && i < SIDES; i++)
        outcome_free(&outcomes[i]);
    free(outcomes);
    return status;
}

static void unmount(struct group *group, bool report)
{
    struct error error;

    for (size_t i = SIDES; i-- > 0;) /* the first side may own the server of both */
        if (session_unmount(&group->sessions[i], &error) != 0 && report) {
            group_name(group, i, &error);
            error_print(&error);
        }
}

static int run_sessions(struct group *group, const struct options *options)
{
    struct error error;
    bool measured;
    int status, code = group_open(group, &error);

    if (code) {
        group_name(group, group->at, &error);
        measure_report_error(&error, options, false);
        return interrupt_ended(code) ? ERROR_FAILED : (int)error.kind;
    }
    code = group_measure(group, &error);
    if (interrupt_ended(code))
        error_set(&error, ERROR_FAILED, code, "interrupted");
    unmount(group, code == 0);
    measured = group->rounds.done > 0;
    status = measured ? report(group, options, code ? error.text : NULL) : 0;
    if (code == 0)
        return status;
    measure_report_error(&error, options, measured);
    return code == -EINTR && measured ? status : (int)error.kind;
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

static int measure_here(struct group *group, const struct options *options)
{
    int status;

    interrupt_catch();
    status = run_sessions(group, options);
    group_close(group);
    return status;
}

int measure_versus(const struct run_plan *first, const struct options *options,
                   const struct launches_shape *shape, int *status, struct error *error)
{
    struct group *group = calloc(1, sizeof *group);
    int code;

    if (!group)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    code = fill_plans(group, first, options, error);
    if (code == 0 && shape)
        code = forms_check(options, RESULT_VERSUS, first, error);
    if (code == 0 && shape && launches_are_several(shape, options))
        code = measure_launches(
            &(struct launches_job){.plans = {&group->plans[SIDE_FIRST], &group->plans[SIDE_SECOND]},
                                   .shape = *shape,
                                   .report_sides = report_result},
            options, status, error);
    else if (code == 0)
        *status = measure_here(group, options);
    free(group);
    return code;
}
