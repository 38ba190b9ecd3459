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
static int report(struct versus *versus, const struct options *options, const char *cut_short_by)
{
    struct outcome *outcomes = calloc(SIDES, sizeof *outcomes);
    struct versus_result result = {.rows = NULL};
    struct error error = {.kind = ERROR_FAILED, .text = "out of memory"};
    int status = 0,
        code = outcomes ? versus_fill_outcomes(versus, outcomes, cut_short_by, &error) : -ENOMEM;

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

static void unmount(struct versus *versus, bool report)
{
    struct error error;

    for (size_t i = SIDES; i-- > 0;) /* the first side may own the server of both */
        if (session_unmount(&versus->sessions[i], &error) != 0 && report) {
            versus_name_side(versus, i, &error);
            error_print(&error);
        }
}

static int run_sessions(struct versus *versus, const struct options *options)
{
    struct error error;
    bool measured;
    int status, code = versus_open(versus, &error);

    if (code) {
        versus_name_side(versus, versus->side, &error);
        measure_report_error(&error, options, false);
        return interrupt_ended(code) ? ERROR_FAILED : (int)error.kind;
    }
    code = versus_measure(versus, &error);
    if (interrupt_ended(code))
        error_set(&error, ERROR_FAILED, code, "interrupted");
    unmount(versus, code == 0);
    measured = versus->rounds.done > 0;
    status = measured ? report(versus, options, code ? error.text : NULL) : 0;
    if (code == 0)
        return status;
    measure_report_error(&error, options, measured);
    return code == -EINTR && measured ? status : (int)error.kind;
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

static int measure_here(struct versus *versus, const struct options *options)
{
    int status;

    interrupt_catch();
    status = run_sessions(versus, options);
    versus_close(versus);
    return status;
}

int measure_versus(const struct run_plan *first, const struct options *options,
                   const struct launches_shape *shape, int *status, struct error *error)
{
    struct versus *versus = calloc(1, sizeof *versus);
    int code;

    if (!versus)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    code = fill_plans(versus, first, options, error);
    if (code == 0 && shape)
        code = forms_check(options, RESULT_VERSUS, first, error);
    if (code == 0 && shape && launches_are_several(shape, options))
        code = measure_launches(&(struct launches_job){.plans = {&versus->plans[SIDE_FIRST],
                                                                 &versus->plans[SIDE_SECOND]},
                                                       .shape = *shape,
                                                       .report_sides = report_result},
                                options, status, error);
    else if (code == 0)
        *status = measure_here(versus, options);
    free(versus);
    return code;
}
