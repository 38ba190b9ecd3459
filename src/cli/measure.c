/* The main job: measure ops on a target, above the null call. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/interval_log.h"
#include "cli/launch_process.h"
#include "cli/measure.h"
#include "cli/plan.h"
#include "common/environment.h"
#include "common/printable.h"
#include "output/file.h"
#include "output/measurement_view.h"
#include "output/result_json.h"
#include "output/text.h"
#include "run/outcome.h"
#include "run/session.h"
#include "version.h"

static void print_ops(FILE *out)
{
    const struct nfs_procedure *procedure;
    char ops[1024] = "";

    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++) {
        size_t used = strlen(ops);

        snprintf(ops + used, sizeof ops - used, "%s%s", i ? ", " : "", procedure->op);
    }
    help_wrap(ops, 8, 8, out);
}

void measure_print_words(FILE *out)
{
    fprintf(out, "\nTARGET  host:/export[/path]   [v6]:/export   self: (the embedded server)\n"
                 "        nfs://host[:port]/export/path[?mountport=N&proto=udp]\n"
                 "        host: lists the host's services and exports, and measures nothing\n"
                 "OP      ");
    print_ops(out);
    fprintf(out, "        ");
    help_wrap(
        "(default: getattr). read-only: all ops that change nothing and that the server and the "
        "export support; "
        "all: all ops except mount-umntall and those of NFS_ACL; mix:NAME: a mix. Ops that change "
        "something work in a directory that the run makes in TARGET and removes at its end.",
        8, 8, out);
    fprintf(out, "COUNT   ");
    help_wrap("calls of each op, such as 1000, 10k or 1M; without it, the run ends when every "
              "interval is narrow (--precision) or 10 s have passed (--max-time)",
              8, 8, out);
}

/* The result */

static void print(const struct options *options, const void *result, FILE *out)
{
    view_write_text(&view_measurement, result, options->verbose, out);
    if (options->histograms)
        text_print_histograms(result, out);
}

int measure_write_result(const struct options *options, const struct result *result,
                         struct error *error)
{
    return command_write_result(options, RESULT_MEASUREMENT, result, print, error);
}

int measure_exit_status(enum verdict verdict, const struct options *options)
{
    bool believed = verdict == VERDICT_OK || (verdict == VERDICT_SUSPECT && options->allow_suspect);

    return believed ? 0 : ERROR_FAILED;
}

void measure_warn(const struct validity *validity, const struct options *options)
{
    if (options->plan.quiet && measure_exit_status(validity->verdict, options) != 0 &&
        validity->count > 0)
        fprintf(stderr, "nfsbench: verdict %s: %s%s\n", verdict_name(validity->verdict),
                printable(validity->reasons[0].text).text,
                validity->count > 1 ? ", and more; see the result" : "");
}

/* The exit status of a run with this result. */
static int report_result(struct result *result, const struct options *options)
{
    struct error error;

    existing_compare_null(options->forms[FORM_json], result);
    measure_warn(&result->validity, options);
    if (measure_write_result(options, result, &error) == 0)
        return measure_exit_status(result->validity.verdict, options);
    error_print(&error);
    return (int)error.kind;
}

/* Report what was measured, whatever ended the run. Returns an exit status. */
static int report(const struct session *session, const struct options *options,
                  measure_reporter *reporter, const char *cut_short_by)
{
    struct outcome outcome;
    struct error error;
    int status;

    if (outcome_fill(&outcome, session, cut_short_by, &error) != 0) {
        error_print(&error);
        return (int)error.kind;
    }
    if (options->launch.launch.of)
        launch_process_send(&options->launch, result_write_json, &outcome.result);
    status = options->launch.launch.of ? 0 : reporter(&outcome.result, options);
    outcome_free(&outcome);
    return status;
}

void measure_report_error(const struct error *error, const struct options *options, bool measured)
{
    if (!options->launch.launch.of)
        error_print(error);
    else if (!measured)
        launch_process_fail(&options->launch, error);
}

static int run_session(struct session *session, const struct run_plan *plan,
                       const struct options *options, measure_reporter *reporter)
{
    struct error error, unmount_error;
    bool measured;
    int status, code = session_open(session, plan, &error);

    if (code) {
        measure_report_error(&error, options, false);
        return interrupt_ended(code) ? ERROR_FAILED : (int)error.kind;
    }
    code = session_measure(session, &error);
    if (interrupt_ended(code))
        error_set(&error, ERROR_FAILED, code, "interrupted");
    if (session_unmount(session, &unmount_error) != 0 && code == 0)
        error_print(&unmount_error);
    measured = session->measuring.rounds.done > 0;
    status = measured ? report(session, options, reporter, code ? error.text : NULL) : 0;
    if (code == 0)
        return status;
    measure_report_error(&error, options, measured);
    return code == -EINTR && measured ? status : (int)error.kind;
}

/* Measure as PLAN says, in this process, and report the result, also where an error ended the run.
 * 0 with *STATUS set, or -ENOMEM with ERROR set. */
static int measure_once(const struct run_plan *plan, const struct options *options,
                        measure_reporter *reporter, int *status, struct error *error)
{
    struct session *session = malloc(sizeof *session);

    if (!session)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    interrupt_catch();
    *status = run_session(session, plan, options, reporter);
    session_close(session);
    free(session);
    return 0;
}

static bool reported_whole; /* of the only run that this process makes */

static int report_noting_end(struct result *result, const struct options *options)
{
    reported_whole = !result->cut_short && !result->cut_short_by;
    return report_result(result, options);
}

/* One launch, with reports at intervals. */
static int measure_with_reports(const struct run_plan *plan, const struct options *options,
                                int *status, struct error *error)
{
    static struct run_plan own;
    struct interval_log log;
    int code = interval_log_open(&log, options, plan->observer, error);

    if (code)
        return code;
    own = *plan;
    own.observer = &log.observer;
    code = measure_once(&own, options, report_noting_end, status, error);
    interval_log_close(&log, reported_whole);
    if (log.failed && *status == 0)
        *status = ERROR_FAILED;
    return code;
}

/* The whole measurement: of two sides or one, in this process or in launches. */
static int measure_all(const struct run_plan *plan, const struct options *options, int *status,
                       struct error *error)
{
    struct launches_job job = {.plans = {plan}, .report = report_result};
    int code = launches_settle(options, plan, &job.shape, error);

    if (code == 0 && plan_has_second_side(options))
        return measure_versus(plan, options, &job.shape, status, error);
    if (code == 0)
        code = forms_check(options, RESULT_MEASUREMENT, plan, error);
    if (code)
        return code;
    if (plan->interval_ns)
        return measure_with_reports(plan, options, status, error);
    if (!launches_are_several(&job.shape, options))
        return measure_once(plan, options, report_result, status, error);
    return measure_launches(&job, options, status, error);
}

/* One of the launches of a measurement. */
static int measure_launch(struct run_plan *plan, const struct options *options, int *status,
                          struct error *error)
{
    launch_process_begin(&options->launch);
    launch_order_apply(&options->launch, plan);
    if (plan_has_second_side(options))
        return measure_versus(plan, options, NULL, status, error);
    return measure_once(plan, options, report_result, status, error);
}

static int run(const struct options *options, int *status, struct error *error)
{
    static struct run_plan plan;
    int code;

    if (options->completion) {
        completion_print(stdout);
        return 0;
    }
    if (options->version) {
        printf("nfsbench %s (%s)\n", NFSBENCH_VERSION, build_description());
        return 0;
    }
    if (services_are_asked_for(options))
        return services_show(options, error);
    code = plan_make_any(&plan, options, error);
    if (code)
        return code;
    if (options->launch.launch.of)
        return measure_launch(&plan, options, status, error);
    return measure_all(&plan, options, status, error);
}

const struct command command_run = {
    .bit = COMMAND_RUN,
    .name = "run",
    .usage = "nfsbench [run] [options] TARGET [OP[,OP...]] [COUNT]",
    .summary = "measure ops; this is the default, and 'run' may be omitted",
    .about = "Measures what an NFSv3 procedure costs the server, separately from the cost of RPC "
             "and network.",
    .status = "0 ok, 1 the measurement failed or its verdict is not ok, 2 usage, 3 the server "
              "could not be reached or refused access.",
    .help = measure_print_words,
    .examples = "  nfsbench self: getattr 1M                  on the embedded server\n"
                "  nfsbench server:/export getattr,read 100k  on a real one\n"
                "  nfsbench 'nfs://server:20490/export?proto=udp' read-only 10k\n"
                "  nfsbench a:/export getattr --versus b:/export   two servers, call by call\n",
    .run = run,
};
