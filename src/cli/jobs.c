
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/console.h"
#include "cli/job_file.h"
#include "cli/measure.h"
#include "cli/plan.h"
#include "common/printable.h"
#include "output/file.h"

enum { WORDS_MAXIMUM = 2 * JOB_KEYS_MAXIMUM + 8, LOOK_MS = 20 };

/* The keys that are words of a command line; all others are names of long options. */
static const char *const word_keys[] = {"target", "op", "count"};

/* A job's command line, whose words are in ARENA. */
struct job_line {
    struct arena arena;
    char *words[WORDS_MAXIMUM + 1];
    size_t count;
    bool failed; /* out of memory */
};

bool jobs_are_asked_for(const struct options *options)
{
    const char *word = options->word_count == 1 ? options->words[0] : "";
    size_t length = strlen(word);

    return length > 4 && strcmp(word + length - 4, ".ini") == 0 && !strchr(word, ':');
}

/* The command line */

static void add_word(struct job_line *line, const char *prefix, const char *text, const char *value)
{
    char word[4096];
    const char *copy;

    snprintf(word, sizeof word, "%s%s%s%s", prefix, text, value ? "=" : "", value ? value : "");
    copy = arena_copy(&line->arena, word);
    line->failed = line->failed || !copy;
    line->words[line->count++] = (char *)(uintptr_t)copy;
}

static bool is_word_key(const char *key)
{
    for (size_t i = 0; i < sizeof word_keys / sizeof word_keys[0]; i++)
        if (strcmp(word_keys[i], key) == 0)
            return true;
    return false;
}

/* The options that SECTION sets, but those that OVER sets, too. */
static void add_options(struct job_line *line, const struct job_section *section,
                        const struct job_section *over)
{
    for (size_t i = 0; i < section->count; i++) {
        const struct job_setting *setting = &section->settings[i];
        bool again = false;

        for (size_t j = 0; over && j < over->count; j++)
            again = again || strcmp(over->settings[j].key, setting->key) == 0;
        if (!again && !is_word_key(setting->key))
            add_word(line, "--", setting->key, setting->value);
    }
}

static void make_line(struct job_line *line, const struct job_file *file,
                      const struct job_section *job)
{
    char result[4096];

    *line = (struct job_line){.count = 0};
    add_word(line, "", "run", NULL);
    add_options(line, &file->global, job);
    add_options(line, job, NULL);
    if (!job_file_setting(file, job, "json")) {
        snprintf(result, sizeof result, "%s.json", job->name);
        add_word(line, "--", "json", result);
    }
    for (size_t i = 0; i < sizeof word_keys / sizeof word_keys[0]; i++) {
        const struct job_setting *setting = job_file_setting(file, job, word_keys[i]);

        if (setting && setting->value)
            add_word(line, "", setting->value, NULL);
    }
    line->words[line->count] = NULL;
}

/* Checking */

static bool is_measurement(const struct options *options)
{
    return !options->help && !options->version && !options->completion &&
           options->launch.launch.of == 0;
}

static int check_line(struct job_line *line, struct error *error)
{
    static struct run_plan plan;
    static struct options options;
    char *words[WORDS_MAXIMUM + 1]; /* parsing changes their order */
    int code;

    memcpy(words, line->words, sizeof words);
    code = options_parse(&options, COMMAND_RUN, (int)line->count, words, error);
    if (code == 0 && !is_measurement(&options))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "expected target, op, count, and options of 'nfsbench run' that measure");
    if (code == 0)
        code = plan_make(&plan, &options, error);
    file_force(options.force);
    return code ? code
                : forms_check(&options,
                              plan_has_second_side(&options) ? RESULT_VERSUS : RESULT_MEASUREMENT,
                              &plan, error);
}

/* Two jobs without a 'json' of their own write to files of their names; with the same one, the
 * second would replace the first's result. */
static int check_files(const struct job_file *file, size_t job, struct error *error)
{
    const struct job_setting *json = job_file_setting(file, &file->jobs[job], "json");

    for (size_t i = 0; i < job && json && json->value; i++) {
        const struct job_setting *other = job_file_setting(file, &file->jobs[i], "json");

        if (other && other->value && strcmp(other->value, json->value) == 0 &&
            strcmp(json->value, "-") != 0)
            return error_set(error, ERROR_USAGE, -EINVAL, "job %s writes to it already: json = %s",
                             file->jobs[i].name, json->value);
    }
    return 0;
}

static int check_job(const struct job_file *file, size_t number, struct error *error)
{
    const struct job_section *job = &file->jobs[number];
    struct job_line line;
    struct error found;
    int code;

    make_line(&line, file, job);
    if (line.failed)
        code = error_set(&found, ERROR_FAILED, -ENOMEM, "out of memory");
    else if (!job_file_setting(file, job, "target"))
        code = error_set(&found, ERROR_USAGE, -EINVAL, "it has no 'target = ...'");
    else
        code = check_line(&line, &found);
    if (code == 0)
        code = check_files(file, number, &found);
    arena_free(&line.arena);
    return code ? error_set(error, found.kind, code, "%.200s line %u, job %.60s: %.200s",
                            file->path, job->line, job->name, found.text)
                : 0;
}

/* Running */

/* The job's name and its command line, to repeat it. */
static void announce(const struct job_section *job, const struct job_line *line)
{
    printf("%s: nfsbench", printable(job->name).text);
    for (size_t i = 0; i < line->count; i++)
        printf(" %s", printable(line->words[i]).text);
    putchar('\n');
    fflush(stdout);
}

static void execute(const struct job_line *line) __attribute__((noreturn));

static void execute(const struct job_line *line)
{
    char *words[WORDS_MAXIMUM + 2] = {(char *)(uintptr_t) "nfsbench"};

    setpgid(0, 0); /* the parent passes on Ctrl-C, once */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    memcpy(words + 1, line->words, (line->count + 1) * sizeof *words);
    execv("/proc/self/exe", words);
    _exit(127);
}

/* Wait until the job ends. Returns its exit status. */
static int wait_for(pid_t pid)
{
    bool passed_on = false;
    int status;

    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (interrupt_flag && !passed_on) {
            kill(pid, SIGTERM);
            passed_on = true;
        }
        poll(NULL, 0, LOOK_MS);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : ERROR_FAILED;
}

static int run_line(const struct job_line *line)
{
    pid_t pid = fork();
    struct error error;

    if (pid == 0)
        execute(line);
    if (pid > 0)
        return wait_for(pid);
    error_set(&error, ERROR_FAILED, -errno, "starting a job: %s", strerror(errno));
    error_print(&error);
    return ERROR_FAILED;
}

static int run_job(const struct job_file *file, const struct job_section *job)
{
    struct job_line line;
    int status;

    make_line(&line, file, job);
    if (!job_file_setting(file, job, "quiet"))
        announce(job, &line);
    status = run_line(&line);
    arena_free(&line.arena);
    return status;
}

static bool has_options(const struct options *options)
{
    for (size_t i = 0; i < OPTIONS_MAXIMUM; i++)
        if (options->given[i])
            return true;
    return false;
}

int jobs_run(const struct options *options, int *status, struct error *error)
{
    struct job_file *file;
    int code;

    if (has_options(options))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "%.200s: the options of jobs are settings in the file; those in [global] "
                         "are for all",
                         options->words[0]);
    file = malloc(sizeof *file);
    code = file ? job_file_read(file, options->words[0], error)
                : error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");

    for (size_t i = 0; code == 0 && i < file->count; i++)
        code = check_job(file, i, error);
    interrupt_catch();
    for (size_t i = 0; code == 0 && i < file->count && !interrupt_flag; i++) {
        int ended = run_job(file, &file->jobs[i]);

        *status = ended > *status ? ended : *status;
    }
    if (file)
        job_file_free(file);
    free(file);
    return code;
}
