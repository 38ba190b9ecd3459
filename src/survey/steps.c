#include "survey/steps.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/append.h"
#include "common/child.h"
#include "job/command.h"
#include "job/console.h"
#include "job/launch_process.h"
#include "measure/clock.h"
#include "output/result/result_json.h"

/* A step, which is made if WHEN holds of the survey so far: the words of its command, which name
 * members as the lines of views do, its SHARE of the time, and what is shown meanwhile. */
static const struct step {
    const char *when, *command;
    double share;
    const char *progress;
} steps[SURVEY_STEPS] = {
    [SURVEY_SERVICES] = {"host_word",
                         "run --timeout=2s --port={server.nfs_port} "
                         "--mount-port={server.mount_port} {host_word}",
                         0, "asking the host what it offers"},
    [SURVEY_CALLS] = {"", "run {target} getattr,lookup,access,read,readdirplus", 15,
                      "measuring what calls cost"},
    [SURVEY_LARGE_READS] = {"", "run --size={large_read} {target} read", 5,
                            "measuring large READs"},
    [SURVEY_WRITES] = {"writes", "run {target} create,write,write-file-sync,commit,remove", 12,
                       "measuring what writes cost"},
    [SURVEY_LOAD] = {"", "sweep --depth=1,4,16,64 {target} getattr", 13, "GETATTR under load"},
    [SURVEY_STREAM] = {"", "sweep --depth=1,4,16,64 --size={stream_read} {target} read", 13,
                       "READ under load"},
    [SURVEY_ALONE] = {"", "explain {target} getattr", 5, "explaining a call"},
    [SURVEY_KNEE] = {"", "explain --depth={knee_depth} {target} getattr", 5,
                     "explaining a call at the knee"},
};

/* The command line */

enum { WORDS_MAXIMUM = 64, WORD_SIZE = 1200 };

struct words {
    const char *list[WORDS_MAXIMUM + 1];
    char room[WORDS_MAXIMUM][WORD_SIZE];
    size_t count;
};

/* The place of the next word, in WORD_SIZE bytes. */
static char *next_word(struct words *words)
{
    char *word = words->room[words->count < WORDS_MAXIMUM ? words->count++ : WORDS_MAXIMUM - 1];

    words->list[words->count - 1] = word;
    words->list[words->count] = NULL;
    return word;
}

/* The options by which the user's command reaches the server. */
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

/* The words of STEP, with TIME_NS to spend. */
static void make_words(struct words *words, const struct step *step, const struct survey *survey,
                       const struct options *options, uint64_t time_ns)
{
    const struct view_row row = view_root(&view_survey, survey, false);
    const char *at = step->command;

    words->count = 0;
    strcpy(next_word(words), "nfsbench");
    while (*at) {
        const size_t length = strcspn(at, " ");
        char word[80];

        snprintf(word, sizeof word, "%.*s", (int)length, at);
        view_expand(&row, word, next_word(words), WORD_SIZE);
        if (at == step->command)
            pass_options(words, options);
        at += length + (at[length] == ' ');
    }
    strcpy(next_word(words), "--quiet");
    strcpy(next_word(words), "--json=-");
    if (step->share > 0)
        snprintf(next_word(words), WORD_SIZE, "--max-time=%llums",
                 (unsigned long long)(time_ns / 1000000));
}

/* The process */

/* Run the program with WORDS; its standard output and standard error are files. Returns what
 * waitpid() says of its end, or a negative errno. */
static int run_program(const struct words *words, int out, int errors)
{
    const pid_t pid = child_fork(SIGTERM);

    if (pid == 0) {
        setpgid(0, 0); /* Ctrl-C is passed on, once */
        dup2(out, STDOUT_FILENO);
        dup2(errors, STDERR_FILENO);
        execv("/proc/self/exe", (char *const *)(uintptr_t)words->list);
        _exit(127);
    }
    return pid < 0 ? -errno : launch_process_await(pid);
}

/* The first line of the file ERRORS, without what all such lines begin with. */
static void take_error(struct survey_part *part, int errors, int status)
{
    static const char prefix[] = "nfsbench: ";
    char text[sizeof part->missing];
    const ssize_t length = pread(errors, text, sizeof text - 1, 0);
    const char *line = text;

    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    if (strncmp(line, prefix, sizeof prefix - 1) == 0)
        line += sizeof prefix - 1;
    if (*line)
        strcpy(part->missing, line);
    else
        snprintf(part->missing, sizeof part->missing, "its command ended with status %d", status);
}

static void take_result(struct survey_part *part, const char *key, int out, int errors, int status)
{
    struct error error;
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", out);
    if (result_load_file(path, key, &part->json, &error) != 0) {
        take_error(part, errors, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    } else if (result_file_read_root(&part->file, part->json, key, "survey", &error) != 0 &&
               part->file.kind != RESULT_SERVICES) {
        snprintf(part->missing, sizeof part->missing, "%.390s", error.text);
        json_decref(part->json);
        part->json = NULL;
    }
}

static void make_step(struct survey_part *part, const char *key, const struct words *words)
{
    const int out = memfd_create(key, MFD_CLOEXEC), errors = memfd_create(key, MFD_CLOEXEC);
    const uint64_t began = clock_raw_ns();
    const int status = out < 0 || errors < 0 ? -errno : run_program(words, out, errors);

    if (status < 0)
        snprintf(part->missing, sizeof part->missing, "its command could not be started: %s",
                 strerror(-status));
    else
        take_result(part, key, out, errors, status);
    part->seconds = (double)(clock_raw_ns() - began) / 1e9;
    close(out);
    close(errors);
}

/* All */

static bool is_made(const struct survey *survey, size_t step)
{
    const struct view_row row = view_root(&view_survey, survey, false);

    return view_holds(&row, steps[step].when);
}

/* What is passed on, for the commands that findings name. */
static void note_passed(struct survey *survey, struct words *words, const struct options *options)
{
    words->count = 0;
    pass_options(words, options);
    for (size_t i = 0; i < words->count; i++)
        append(survey->passed, sizeof survey->passed,
               strchr(words->list[i], ' ') ? "%s'%s'" : "%s%s", i ? " " : "", words->list[i]);
}

int survey_make_steps(struct survey *survey, const struct run_plan *plan,
                      const struct options *options, struct error *error)
{
    /* Time that is kept for writing the files and the page after the last step, ns. */
    const double reserved_ns = (double)plan->maximum_ns / (options->output ? 12 : 30);
    static struct words words;
    double shares = 0;

    note_passed(survey, &words, options);
    for (size_t i = 0; i < SURVEY_STEPS; i++)
        shares += is_made(survey, i) ? steps[i].share : 0;
    for (size_t i = 0; i < SURVEY_STEPS && !interrupt_flag; i++) {
        const double left_ns = fmax(0, (double)deadline_left_ns(&plan->deadline) - reserved_ns);

        if (!is_made(survey, i))
            continue;
        if (!plan->quiet)
            progress_show("%zu of %d: %s", i + 1, SURVEY_STEPS, steps[i].progress);
        make_words(&words, &steps[i], survey, options,
                   (uint64_t)(left_ns * steps[i].share / shares));
        make_step(&survey->parts[i], survey_step_keys[i], &words);
        survey_conclude(survey);
        shares -= steps[i].share;
    }
    return interrupt_flag ? error_set(error, ERROR_FAILED, -EINTR, "interrupted") : 0;
}
