/* Parse command lines as the program does. */
#pragma once

#include "cli/command_line.h"
#include "commands.h"
#include "test.h"

enum { WORDS_MAXIMUM = 64 };

static const struct command command_mpi = {.name = "nfsbench-mpi", .groups = GROUPS_MPI};

static struct options options;
static struct error error;

/* Parse LINE, split at spaces, as the options of COMMAND into `options`, which then points to
 * static copies of the words. Returns 0 or a negative errno. */
static int parse_options(const struct command *command, const char *line)
{
    static char copy[1024], program[] = "nfsbench", *argv[WORDS_MAXIMUM] = {program};
    int argc = 1;

    commands_use(&commands_of_nfsbench);
    memset(&error, 0, sizeof error);
    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    return options_parse(&options, command, argc, argv, &error);
}

/* Check that CODE is -EINVAL, and that `error` is a usage error of one line that has WORDS. LINE is
 * for messages. */
static void assert_refused(int code, const char *line, const char *words)
{
    if (code != -EINVAL)
        fail_msg("'%s' gave %d", line, code);
    assert_int_equal(error.kind, ERROR_USAGE);
    if (!strstr(error.text, words) || strchr(error.text, '\n'))
        fail_msg("%s: '%s' does not say '%s'", line, error.text, words);
}

/* Parse TEXT, which may contain spaces, as the value of COMMAND's option --OPTION. */
static inline int parse_value(const struct command *command, const char *option, const char *text)
{
    static char program[] = "nfsbench", word[1280];

    commands_use(&commands_of_nfsbench);
    snprintf(word, sizeof word, "--%s=%s", option, text);
    return options_parse(&options, command, 2, (char *[]){program, word, NULL}, &error);
}

/* Check that TEXT is refused as a value of OPTION, with an error that begins with --OPTION. */
static inline void refuse_value(const struct command *command, const char *option, const char *text)
{
    assert_refused(parse_value(command, option, text), text, option);
    assert_ptr_equal(strstr(error.text, option), error.text + strlen("--"));
}
