/* The command 'nfsbench survey', and its HTML page. */
#include <errno.h>
#include <time.h>

#include "job/command.h"
#include "job/console.h"
#include "job/job.h"
#include "job/plan.h"
#include "report/page.h"
#include "run/outcome/outcome.h"
#include "survey/survey.h"

#define SECOND_NS UINT64_C(1000000000)

enum { USUAL_S = 60, LEAST_S = 10 };

static bool writes;

static void set_defaults(struct options *options)
{
    options->plan.maximum_ns = USUAL_S * SECOND_NS;
}

static const struct option_entry own_options[] = {
    {"max-time", 0, OPTION_TIME, SECTION_OWN, OPTION_SHARES(plan.maximum_ns), .value = "TIME",
     .help = "time of the complete command, at least 10s (default 60s)",
     .minimum = LEAST_S * SECOND_NS},
    {"writes", 0, OPTION_FLAG, SECTION_OWN, OPTION_SETS(writes),
     .help = "also measure calls that change files, in a directory that is removed at the end"},
    {"output", 'o', OPTION_FILE, SECTION_OUTPUT, OPTION_SHARES(output), .value = "FILE",
     .help = "also write an HTML page to FILE; - means standard output", .acts = true},
    {NULL},
};

/* Write the HTML page: the lines that are also printed, pictures, and a section for each part of
 * the survey that can be read. */
static int write_page(const struct options *options, const void *result, struct error *error)
{
    static struct result_set sets[SURVEY_STEPS];
    /* cast away const, because a result_set needs a file that is not const */
    struct survey *survey = (struct survey *)(uintptr_t)result;
    struct page_section sections[SURVEY_STEPS];
    struct page page = {
        .title = "Survey", .lead = &view_survey, .result = survey, .sections = sections};
    int code = 0;

    for (size_t step = 0; step < SURVEY_STEPS && code == 0; step++) {
        const struct survey_command *command = &survey_commands[step];
        const size_t i = page.section_count;

        if (!survey->parts[step].file.reading)
            continue;
        sections[i] = (struct page_section){command->title, &sets[i], command->pictures};
        code = result_set_of_file(&sets[i], &survey->parts[step].file, error);
        page.section_count++;
    }
    if (code == 0 && page.section_count == 0)
        return error_set(error, ERROR_FAILED, -ENODATA,
                         "the page was not written: no step of the survey has a result");
    return code ? code : page_write(&page, options->output, error);
}

struct run {
    struct run_plan plan;
    const struct options *options;
    struct survey survey;
};

static int make_plan(struct run_plan *plan, const struct options *options, struct error *error)
{
    static char procedures[] = "fsinfo";
    int code = plan_make_set_up(plan, options, procedures, error);

    if (code == 0 && plan->target.mounted)
        code = error_set(error, ERROR_USAGE, -EINVAL,
                         "a directory on a mount can't be surveyed; name the server as "
                         "host:/export");
    return code ? code : forms_check(options, RESULT_SURVEY, plan, error);
}

static int measure(void *run, struct error *error)
{
    struct run *self = run;

    progress_begin(&self->plan);
    return survey_make_steps(&self->survey, &self->plan, self->options, error);
}

/* Set *RESULT to the survey if any step has a result. Findings do not change the exit status,
 * because the result has no verdict. */
static int result(void *run, const char *cut_short_by, void **result, struct error *error)
{
    struct run *self = run;
    struct survey *survey = &self->survey;

    if (!survey->is_known)
        return 0;
    survey->cut_short_by = cut_short_by;
    survey->duration = (double)(deadline_now_ns() - self->plan.began_ns) / 1e9;
    survey_conclude(survey);
    *result = survey;
    return 0;
}

static const struct job job = {
    .kind = RESULT_SURVEY, .measure = measure, .result = result, .write_output = write_page};

static int run(const struct options *options, int *status, struct error *error)
{
    static struct run run;
    int code = make_plan(&run.plan, options, error);

    if (code)
        return code;
    run.options = options;
    run.survey.self = run.plan.target.self;
    run.survey.writes = writes;
    outcome_fill_origin(&run.survey.origin, &run.plan, time(NULL),
                        transport_name(run.plan.target.transport));
    *status = job_run(&job, &run, options);
    survey_free(&run.survey);
    return 0;
}

static const struct view *const views[] = {&view_survey, NULL};

const struct command command_survey = {
    .words = WORDS_TARGET,
    .groups = GROUPS_CALLING | GROUP_SECURITY,
    .own = own_options,
    .own_title = "survey",
    .set_defaults = set_defaults,
    .views = views,
    .name = "survey",
    .usage = "nfsbench survey [options] TARGET",
    .summary = "check a server in a minute, and name what to examine",
    .first_example = "  nfsbench survey server:/export           check it in a minute\n",
    .about =
        "Checks a server in about a minute: who answers and with which limits, what calls cost, "
        "how much load the server takes and what limits the throughput, where the time of a call "
        "goes, and whether the server is steady. Prints at most five findings, the worst first, "
        "each with a command for a closer look. Changes nothing, unless --writes is given. Each "
        "step runs another command of nfsbench; the file of --json has all their results.",
    .examples = "  nfsbench survey server:/export\n"
                "  nfsbench survey server:/export --max-time 20s --json before.json\n",
    .status = "0 the survey was made, with or without findings; 1 after Ctrl-C or a failure, 2 "
              "usage, 3 the server could not be reached.",
    .run = run,
};
