/* The steps of a survey: a table of commands, and a process for each. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/append.h"
#include "job/command.h"
#include "job/console.h"
#include "job/launch_process.h"
#include "measure/clock.h"
#include "survey/survey.h"

/* Option for the size of READs: AT_MOST bytes, or the server's limit rtmax if that is less. */
#define SIZE(at_most) "--size={?(limits.rtmax<" #at_most "){limits.rtmax}|" #at_most "}"

/* Option for as many calls in flight as at the knee of GETATTR, but at least 2 and at most 64; 16
 * if the knee is unknown. */
#define KNEE       "load.scaling.knee.concurrency"
#define KNEE_DEPTH "--depth={?(" KNEE "<2)2|{?(" KNEE ">64)64|{?{" KNEE ":0}|16}}}"

/* The host of the server as a target: "host:" or "[::1]:". */
#define HOST "{?(calls.target.host~:)[{calls.target.host}]|{calls.target.host}}:"

const struct survey_command survey_commands[SURVEY_STEPS] = {
    [SURVEY_CALLS] = {"What calls cost", "cost,rounds", 15,
                      "run {target} getattr,lookup,access,read,readdirplus"},
    [SURVEY_SERVICES] = {"What the host offers", NULL, 0,
                         "run --timeout=2s --port={calls.target.nfs_port} "
                         "--mount-port={calls.target.mount_port} " HOST,
                         .when = "!self calls.target.nfs_port"},
    [SURVEY_LARGE_READS] = {"What a large READ costs", NULL, 5,
                            "run " SIZE(1048576) " {target} read"},
    [SURVEY_WRITES] = {"What writes cost", NULL, 12,
                       "run {target} create,write,write-file-sync,commit,remove", .when = "writes"},
    [SURVEY_LOAD] = {"GETATTR under load", "load", 11, "sweep --depth=1,4,16,64 {target} getattr"},
    [SURVEY_STREAM] = {"READ under load", NULL, 17,
                       "sweep --depth=1,4,16,64 " SIZE(65536) " {target} read"},
    [SURVEY_ALONE] = {"Where the time of a GETATTR goes", "phases", 5, "explain {target} getattr"},
    [SURVEY_KNEE] = {"Where the time goes at the knee", NULL, 5,
                     "explain " KNEE_DEPTH " {target} getattr"},
};

/* The command line */

enum { WORDS_MAXIMUM = 64, WORD_SIZE = 1200 };

struct words {
    const char *list[WORDS_MAXIMUM + 1]; /* the words, followed by NULL */
    char room[WORDS_MAXIMUM][WORD_SIZE];
    size_t count;
};

/* Add a word to WORDS, and return the word's buffer of WORD_SIZE bytes. If WORDS is full, the new
 * word replaces the last one. */
static char *next_word(struct words *words)
{
    char *word = words->room[words->count < WORDS_MAXIMUM ? words->count++ : WORDS_MAXIMUM - 1];

    words->list[words->count - 1] = word;
    words->list[words->count] = NULL;
    return word;
}

/* Add to WORDS those of the user's OPTIONS that concern reaching the server. */
static void pass_options(struct words *words, const struct options *options)
{
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];

    options_of(options->command, entries);
    for (size_t i = 0; entries[i]; i++) {
        const char *text = options->given[i];

        if (text && entries[i]->groups & (GROUP_CALLING | GROUP_SECURITY) &&
            strcmp(entries[i]->name, "quiet") != 0)
            snprintf(next_word(words), WORD_SIZE, "--%s%s%s", entries[i]->name, *text ? "=" : "",
                     text);
    }
}

/* Set WORDS to the command line of COMMAND, with the OPTIONS for reaching the server, and with the
 * time limit TIME_NS, unless COMMAND's share is 0. */
static void make_words(struct words *words, const struct survey_command *command,
                       const struct view_row *survey, const struct options *options,
                       uint64_t time_ns)
{
    char line[400] = "nfsbench ", *rest;

    append(line, sizeof line, "%s --quiet --json=-", command->words);
    if (command->share > 0)
        append(line, sizeof line, " --max-time=%" PRIu64 "ms", time_ns / 1000000);
    words->count = 0;
    for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        view_expand(survey, word, next_word(words), WORD_SIZE);
    pass_options(words, options);
}

/* The process */

/* Set PART's MISSING to the message in the first line of the file ERRORS. If there is no message,
 * MISSING says how the command ended, according to waitpid()'s STATUS. */
static void take_error(struct survey_part *part, int errors, int status)
{
    char text[sizeof part->missing] = "";

    if (pread(errors, text, sizeof text - 1, 0) > 0 &&
        sscanf(text, "nfsbench: %399[^\n]", part->missing) == 1)
        return;
    if (WIFSIGNALED(status))
        snprintf(part->missing, sizeof part->missing, "the command was ended by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(part->missing, sizeof part->missing, "the command ended with status %d",
                 WEXITSTATUS(status));
}

/* Set PART's members that point into EXPERIMENT, a sweep over the calls in flight. */
static void take_experiment(struct survey_part *part, const struct experiment_result *experiment)
{
    part->scaling = experiment->scaling_count > 0 ? experiment->scaling : NULL;
    part->diagnosis = experiment->diagnosis_count > 0 ? experiment->diagnoses : NULL;
    for (size_t i = 0; i < experiment->cell_count; i++) {
        const struct experiment_cell *cell = &experiment->cells[i];
        const double rate = cell->intervals[CELL_RATE].estimate;

        if (cell->setting.depth == 1)
            part->alone = cell;
        if (part->diagnosis && cell->setting.depth == part->diagnosis->at.depth)
            part->limit = cell;
        if (!isnan(rate) && (!part->most || rate > part->most->intervals[CELL_RATE].estimate))
            part->most = cell;
    }
}

static void take_result(struct survey_part *part, const char *key, int out, int errors, int status)
{
    struct error error;

    if (launch_process_read(out, key, &part->json, &error) != 0) {
        take_error(part, errors, status);
    } else if (survey_read_part(&part->file, part->json, key, &error) != 0) {
        snprintf(part->missing, sizeof part->missing, "%.390s", error.text);
        json_decref(part->json);
        part->json = NULL;
    } else if (experiment_of(&part->file)) {
        take_experiment(part, experiment_of(&part->file));
    }
}

/* Run WORDS as the command of step KEY, and take its result into PART. Returns the failure in case
 * PART got no result: the command's exit status if it is above 0, otherwise ERROR_FAILED. */
static int make_step(struct survey_part *part, const char *key, const struct words *words)
{
    const int out = memfd_create(key, MFD_CLOEXEC), errors = memfd_create(key, MFD_CLOEXEC);
    const uint64_t began = clock_raw_ns();
    const int status =
        out < 0 || errors < 0 ? -errno : launch_process_execute(words->list, environ, out, errors);

    if (status < 0)
        snprintf(part->missing, sizeof part->missing, "the command could not be started: %s",
                 strerror(-status));
    else
        take_result(part, key, out, errors, status);
    part->seconds = (double)(clock_raw_ns() - began) / 1e9;
    close(out);
    close(errors);
    return status > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : ERROR_FAILED;
}

int survey_make_steps(struct survey *survey, const struct run_plan *plan,
                      const struct options *options, struct error *error)
{
    /* Time to write the files and the page after the last step, ns. */
    const double reserved_ns = (double)plan->maximum_ns / (options->output ? 12 : 30);
    const struct view_row row = view_root(&view_survey, survey, false);
    static struct words words;
    double shares = 0;
    int failure = 0; /* 0 once a step has a result; until then, exit status of the last step */

    pass_options(&words, options);
    for (size_t i = 0; i < words.count; i++) /* set PASSED, for the commands in findings */
        append(survey->passed, sizeof survey->passed,
               strchr(words.list[i], ' ') ? "%s'%s'" : "%s%s", i ? " " : "", words.list[i]);
    for (size_t i = 0; i < SURVEY_STEPS; i++)
        shares += view_holds(&row, survey_commands[i].when) ? survey_commands[i].share : 0;
    for (size_t i = 0; i < SURVEY_STEPS && !interrupt_flag && failure != ERROR_UNREACHABLE; i++) {
        const struct survey_command *command = &survey_commands[i];
        const double left_ns = fmax(0, (double)deadline_left_ns(&plan->deadline) - reserved_ns);

        if (!view_holds(&row, command->when))
            continue;
        if (!plan->quiet)
            progress_show("%zu of %d: %s", i + 1, SURVEY_STEPS, command->title);
        make_words(&words, command, &row, options, (uint64_t)(left_ns * command->share / shares));
        failure = make_step(&survey->parts[i], survey_step_keys[i], &words);
        survey->is_known |= survey->parts[i].json != NULL;
        failure = survey->is_known ? 0 : failure;
        shares -= command->share;
    }
    if (interrupt_flag)
        return error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    return failure ? error_set(error, (enum error_kind)failure, -ENODATA, "%s",
                               survey->parts[SURVEY_CALLS].missing)
                   : 0;
}
