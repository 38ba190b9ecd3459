/* The command 'nfsbench characterize'. */
#include <errno.h>
#include <string.h>

#include "characterize/experiment.h"
#include "job/command.h"
#include "job/console.h"
#include "job/job.h"
#include "job/plan.h"
#include "output/form/file.h"

#define SECOND_NS  UINT64_C(1000000000)
#define TIMEOUT_NS (5 * SECOND_NS)

enum { FULL_S = 120, QUICK_S = 30 }; /* default time of the complete command, seconds */
enum { FULL_MEMORY = 64 << 20, QUICK_MEMORY = 4 << 20 };

static struct {
    bool quick;
    const char *only;
    uint64_t memory;
} own;

static void set_defaults(struct options *options)
{
    options->plan.timeout_ns = TIMEOUT_NS;
    options->plan.maximum_ns = 0; /* make_plan() sets the default, which depends on --quick */
}

#define CHOICE(name) {#name, 0},

static const struct option_choice experiments[] = {EXPERIMENTS(CHOICE){0}};

static const struct option_entry own_options[] = {
    {"quick", 0, OPTION_FLAG, SECTION_OWN, OPTION_SETS(own.quick),
     .help = "make fewer calls: all experiments take some seconds"},
    {"max-time", 0, OPTION_TIME, SECTION_OWN, OPTION_SHARES(plan.maximum_ns), .value = "TIME",
     .help = "time of the whole command; if it is short, the last experiments make fewer calls, "
             "and those for which no time is left are omitted (default 2min, or 30s with --quick)"},
    {"only", 0, OPTION_NAME, SECTION_OWN, OPTION_SETS(own.only), .value = "NAME",
     .help = "make only this experiment: order, parallel, locks, duplicates, stability, "
             "attributes, times, connections, sizes or caches (default: all)",
     .choices = experiments},
    {"memory", 0, OPTION_OFFSET, SECTION_OWN, OPTION_SETS(own.memory), .value = "BYTES",
     .help = "amount of data to write, to find how much the server keeps in memory (default 64M; "
             "with --quick 4M)",
     .minimum = 1 << 20, .maximum = UINT64_C(1) << 40},
    {"timeout", 't', OPTION_TIME, SECTION_OWN, OPTION_SHARES(plan.timeout_ns), .value = "TIME",
     .help = "time to wait for a reply (default 5s)", .maximum = 3600 * SECOND_NS},
    {"output", 'o', OPTION_FILE, SECTION_OUTPUT, OPTION_SHARES(output), .value = "FILE",
     .help = "also write an HTML page to FILE, whose name ends in .html; - means standard output",
     .acts = true},
    {NULL},
};

static int check_page(const char *path, struct error *error)
{
    const char *ending = path ? strrchr(path, '.') : NULL;

    if (!path || strcmp(path, "-") == 0)
        return 0;
    if (!ending || (strcmp(ending, ".html") != 0 && strcmp(ending, ".htm") != 0))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--output %.200s: the name of the page must end in .html", path);
    return file_check("--output", path, error);
}

static int make_plan(struct character_plan *plan, const struct options *options,
                     struct error *error)
{
    static char procedures[] = "setattr,write,commit";
    int code;

    *plan = (struct character_plan){.quick = own.quick, .memory = own.memory};
    code = plan_make_set_up(&plan->run, options, procedures, error);

    if (plan->run.maximum_ns == 0)
        run_plan_set_time(&plan->run, (plan->quick ? QUICK_S : FULL_S) * SECOND_NS);
    if (plan->memory == 0)
        plan->memory = plan->quick ? QUICK_MEMORY : FULL_MEMORY;
    if (own.only)
        plan->only = experiment_find(own.only);
    if (code == 0)
        code = check_page(options->output, error);
    if (code)
        return code;
    return forms_check(options, RESULT_CHARACTER, &plan->run, error);
}

struct run {
    struct character_plan plan;
    struct character_run run;
    bool opened;
};

static void show_progress(const struct experiment *experiment, size_t number, size_t count)
{
    progress_show("experiment %zu of %zu, %s: %s", number, count, experiment->name,
                  experiment->question);
}

static int run_experiments(void *run, struct error *error)
{
    struct run *self = run;
    int code;

    progress_begin(&self->plan.run);
    code = character_run_open(&self->run, &self->plan, error);

    self->opened = code == 0;
    return code ? code
                : character_run_all(&self->run, self->plan.run.quiet ? NULL : show_progress, error);
}

static int remove_and_unmount(void *run, struct error *error)
{
    return setup_take_down(&((struct run *)run)->run.testbed.setup, error);
}

/* Set *RESULT to the character, even after a failure or an interrupt; NULL if it has no answers. */
static int return_result(void *run, const char *cut_short_by, void **result, struct error *error)
{
    struct run *self = run;

    *result = self->opened && self->run.character.answer_count > 0 ? &self->run.character : NULL;
    return 0;
}

static int write_page(const struct options *options, const void *character, struct error *error)
{
    const struct form_data json = {&form_json, RESULT_CHARACTER, character};
    const struct file_result whole = {form_data_write, &json};

    return file_write_result(&whole, character_write_page, character, "--output", options->output,
                             error);
}

static const struct job job = {.kind = RESULT_CHARACTER,
                               .measure = run_experiments,
                               .take_down = remove_and_unmount,
                               .result = return_result,
                               .write_output = write_page};

static int run_characterize(const struct options *options, int *status, struct error *error)
{
    static struct run run;
    int code = make_plan(&run.plan, options, error);

    if (code)
        return code;
    *status = job_run(&job, &run, options);
    setup_close(&run.run.testbed.setup);
    return 0;
}

static const struct view *const views[] = {&view_character, NULL};

const struct command command_characterize = {
    .purpose = PURPOSE_UNDERSTAND,
    .words = WORDS_TARGET,
    .groups = GROUPS_CALLING | GROUP_SCRATCH | GROUP_JUDGED,
    .own = own_options,
    .own_title = "experiments",
    .set_defaults = set_defaults,
    .views = views,
    .name = "characterize",
    .usage = "nfsbench characterize [options] TARGET",
    .summary = "find out how a server behaves, by experiments",
    .about = "Makes experiments, each of which answers a question: are calls answered in order, "
             "and does a quick call wait for a slow one (order); how many calls are carried out at "
             "once (parallel); what do conflicts cost (locks); is a request that is sent twice "
             "carried out twice (duplicates); what do stable WRITEs cost (stability); which "
             "replies have attributes (attributes); how fine are times (times); what do "
             "connections and mounts cost (connections); what do READs and WRITEs of different "
             "sizes and alignments cost (sizes); and how much data does the server keep in memory "
             "(caches). Each answer is a sentence, figures with 95 % intervals, what the answer "
             "means for users, and what the experiment leaves unknown. If an experiment can't be "
             "made, its answer has the reason, and the next experiment follows.\n\nThe experiments "
             "work in a scratch directory in TARGET, which is removed at the end. 'nfsbench "
             "compare' shows two results side by side, with their differences.",
    .examples = "  nfsbench characterize server:/export\n"
                "  nfsbench characterize server:/export --quick --only duplicates\n"
                "  nfsbench characterize server:/export --json server.json -o server.html\n",
    .status = "0 the experiments were made, even if an answer is not known; 1 interrupted by "
              "Ctrl-C, failed, or the verdict is not ok; 2 usage; 3 the server could not be "
              "reached at the beginning.",
    .run = run_characterize,
};
