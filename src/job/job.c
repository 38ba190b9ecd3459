#include "job/job.h"

#include <errno.h>
#include <unistd.h>

#include "common/printable.h"
#include "job/console.h"
#include "job/launch_process.h"
#include "job/options.h"
#include "output/view/view.h"

int job_judge(const struct validity *validity, const struct options *options)
{
    const enum verdict verdict = validity->verdict;

    if (verdict == VERDICT_OK || (verdict == VERDICT_SUSPECT && options->allow_suspect))
        return 0;
    if (options->plan.quiet && validity->count > 0)
        fprintf(stderr, "nfsbench: verdict %s: %s%s%s\n", verdict_name(verdict),
                printable(validity->reasons[0].text).text,
                validity->count > 1 ? ", and more reasons; " : "",
                validity->count == 1               ? ""
                : forms_are_wanted(options->forms) ? "see the result for all"
                                                   : "run without -q to see all");
    return ERROR_FAILED;
}

/* Return the verdict on RESULT, or on the run that RESULT contains; NULL: no verdict. */
static const struct validity *find_validity(const struct job *job, const void *result)
{
    static const char *const paths[] = {"validity.verdict", "run.validity.verdict"};
    const struct validity *found = NULL;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0] && !found; i++)
        found = field_find(view_of_kind(job->kind)->fields, result, result, paths[i]).object;
    return found;
}

static int judge_job_result(const struct job *job, const struct options *options, void *result)
{
    const struct validity *validity = find_validity(job, result);

    if (job->judge)
        return job->judge(job, options, result);
    return validity ? job_judge(validity, options) : 0;
}

/* Note in RESULT's verdict that ERROR ended the run. */
static void doubt_end(const struct job *job, void *result, const struct error *error)
{
    const struct validity *validity = find_validity(job, result);

    if (validity) /* VALIDITY is in RESULT, so the cast is safe */
        validity_doubt_end((struct validity *)(uintptr_t)validity, error->text);
}

/* Report RESULT and, if STATUS is 0, judge it. Returns the exit status. */
static int report_job_result(const struct job *job, const struct options *options, void *result,
                             int status)
{
    struct error error, next;
    int code;

    if (status == 0)
        status = judge_job_result(job, options, result);
    code = forms_show(options, job->kind, result, job->print, &error);
    if (options->output)
        code = forms_next_error(code, &error, job->write_output(options, result, &next), &next);
    if (code)
        error_print(&error);
    return status || code == 0 ? status : (int)error.kind;
}

int job_report(const struct job *job, const struct options *options, void *result)
{
    return report_job_result(job, options, result, 0);
}

/* Report RESULT (NULL: none) and, if CODE is not 0, ERROR, which ended the run. A launch reports
 * nothing to the user. It sends its parent RESULT, which contains the error, or, if RESULT is NULL,
 * ERROR. Returns the exit status. */
static int end_job(const struct job *job, const struct options *options, void *result, int code,
                   const struct error *error)
{
    const bool judged = code == 0 || (code == -EINTR && job->judged_if_interrupted && result);
    int status = judged ? 0 : (int)error->kind;

    if (!options->launch.launch.of) {
        status = result ? report_job_result(job, options, result, status) : status;
        if (code)
            error_print(error);
    } else if (result) {
        launch_process_send(&options->launch, form_data_write,
                            &(struct form_data){&form_json, job->kind, result});
    } else if (code) {
        launch_process_fail(&options->launch, error);
    }
    return status;
}

/* Measure RUN and remove its set-up. Returns 0, or the measurement's error with ERROR set. */
static int measure_job(const struct job *job, void *run, const struct options *options,
                       struct error *error)
{
    struct error ending;
    const bool watched = !options->plan.quiet && isatty(STDERR_FILENO);
    int code = job->measure(run, error), ended = 0;

    if (watched)
        progress_show("removing the scratch directory, and unmounting");
    if (job->take_down)
        ended = job->take_down(run, &ending);
    progress_end();
    if (code && interrupt_ended(code) && !job->endless)
        error_set(error, ERROR_FAILED, code, "interrupted");
    if (ended != 0 && code == 0)
        error_print(&ending);
    return code;
}

int job_run(const struct job *job, void *run, const struct options *options)
{
    struct error error, failure;
    void *result = NULL;
    int code;

    interrupt_catch();
    code = measure_job(job, run, options, &error);
    if (job->result(run, code ? error.text : NULL, &result, &failure) == 0) {
        if (code && result && !interrupt_ended(code))
            doubt_end(job, result, &error);
        return end_job(job, options, result, code, &error);
    }
    if (code)
        error_print(&failure);
    return end_job(job, options, NULL, code ? code : -EIO, code ? &error : &failure);
}
