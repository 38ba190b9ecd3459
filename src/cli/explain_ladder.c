#include "cli/explain_ladder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/error_print.h"
#include "cli/interrupt.h"
#include "cli/ladder_run.h"
#include "cli/measure.h"
#include "cli/outcome.h"
#include "output/file.h"
#include "output/ladder.h"

/* What was measured, told */

static void fill_bytes(struct ladder_result *result, const struct ladder_run *run)
{
    const struct ladder_bytes of_null = {run->null_bytes.length, run->null_bytes.answer};
    const struct ladder_bytes of_op = {run->op_bytes.length, run->op_bytes.answer};

    result->bytes[LADDER_ECHO] = result->bytes[LADDER_NULL] = of_null;
    result->bytes[LADDER_ECHO_OP] = result->bytes[LADDER_OP] = of_op;
}

static int fill_ladder(struct ladder_result *result, const struct ladder_run *run,
                       struct error *error)
{
    const struct session *session = &run->session;

    result->op = session->settings->ops[0]->op;
    result->null_op = session->series[run->null_index].name;
    result->echo_is_own = run->echo.process.pid > 0;
    fill_bytes(result, run);
    for (unsigned i = 0; i < LADDER_RUNGS; i++)
        result->series[i] = ladder_run_series(run, i);
    return ladder_estimate(&result->ladder, result->series, &run->rounds.series[run->control_index],
                           run->rounds.done, session->settings->seed, error);
}

static int write_result(const struct explain_plan *plan, const struct ladder_result *result,
                        struct error *error)
{
    if (explain_plan_wants_table(plan))
        ladder_print(result, stdout);
    if (fflush(stdout) != 0)
        return error_set(error, ERROR_FAILED, -errno, "writing the table: %s", strerror(errno));
    return file_forms_write(plan->forms, EXPLAIN_FORMS, result, error);
}

/* Returns an exit status. */
static int report(const struct explain_plan *plan, const struct ladder_run *run,
                  const char *cut_short_by)
{
    char echo[ENDPOINT_NAME_SIZE];
    struct ladder_result result = {.echo = endpoint_describe(&run->echo.endpoint, echo)};
    struct result calls = {.ops = NULL};
    struct error error;
    int status, code = outcome_fill(&calls, &run->session, cut_short_by, &error);

    result.run = &calls;
    if (code == 0)
        code = fill_ladder(&result, run, &error);
    if (code == 0)
        code = write_result(plan, &result, &error);
    if (code)
        error_print(&error);
    status = code ? (int)error.kind : measure_exit_status(calls.validity.verdict, &plan->settings);
    outcome_free(&calls);
    return status;
}

/* The run */

/* What was measured is told whatever ended the rounds. Returns an exit status. */
static int run_ladder(struct ladder_run *run, const struct explain_plan *plan)
{
    struct error error, unmount_error;
    bool measured;
    int status, code = ladder_run_open(run, &plan->settings, plan->echo, &error);

    if (code) {
        error_print(&error);
        return interrupt_ended(code) ? ERROR_FAILED : (int)error.kind;
    }
    code = ladder_run_measure(run, &error);
    if (interrupt_ended(code))
        error_set(&error, ERROR_FAILED, code, "interrupted");
    if (session_unmount(&run->session, &unmount_error) != 0 && code == 0)
        error_print(&unmount_error);
    measured = run->rounds.done > 0;
    status = measured ? report(plan, run, code ? error.text : NULL) : 0;
    if (code == 0)
        return status;
    error_print(&error);
    return code == -EINTR && measured ? status : (int)error.kind;
}

static int check_plan(const struct explain_plan *plan, struct error *error)
{
    if (plan->settings.no_baseline)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "a ladder stands on NULL; leave --no-baseline out");
    return 0;
}

int explain_ladder(const struct explain_plan *plan)
{
    struct ladder_run *run;
    struct error error;
    int status;

    if (check_plan(plan, &error) != 0) {
        error_print(&error);
        return (int)error.kind;
    }
    run = malloc(sizeof *run);
    if (!run) {
        fprintf(stderr, "nfsbench: out of memory\n");
        return ERROR_FAILED;
    }
    status = run_ladder(run, plan);
    ladder_run_close(run);
    free(run);
    return status;
}
