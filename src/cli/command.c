#include "cli/command.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/quiet.h"
#include "common/nearest.h"
#include "output/file.h"
#include "output/terminal.h"

static const struct command *const commands[] = {
    &command_run,     &command_sweep,   &command_explain, &command_characterize, &command_outage,
    &command_profile, &command_compare, &command_history, &command_report,       &command_clean,
    &command_doctor,  &command_serve,   &command_agent,
};

const struct command *command_at(size_t index)
{
    return index < sizeof commands / sizeof commands[0] ? commands[index] : NULL;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* The first command from number INDEX on whose help lists an option called NAME, or NULL. */
static const struct command *next_taker(const char *name, size_t *index)
{
    const struct option_entry *entry;
    const struct command *command;

    for (; (command = command_at(*index)); ++*index)
        for (size_t i = 0; (entry = option_at(i)); i++)
            if (option_is_listed(entry, command) && strcmp(entry->name, name) == 0) {
                ++*index;
                return command;
            }
    return NULL;
}

const char *commands_that_take(const char *name, char *buffer, size_t size)
{
    size_t used = 0, index = 0;
    const struct command *command = next_taker(name, &index), *next;

    buffer[0] = '\0';
    for (; command && used < size; command = next) {
        next = next_taker(name, &index);
        used += (size_t)snprintf(buffer + used, size - used, "%s'nfsbench %s'",
                                 !used  ? ""
                                 : next ? ", "
                                        : " and ",
                                 command->name);
    }
    return buffer;
}

int command_refuse_words(const struct options *options, const char *name, struct error *error)
{
    if (options->word_count == 0)
        return 0;
    return error_set(error, ERROR_USAGE, -EINVAL, "%s: unexpected argument '%.100s'", name,
                     options->words[0]);
}

/* What can't be written is not lost unseen. Returns the exit status. */
static int end_output(void)
{
    struct error error;

    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    error_set(&error, ERROR_FAILED, -EIO, "writing to standard output: %s", error_of_write(-errno));
    error_print(&error);
    return (int)error.kind;
}

/* A time that was given for the whole command (--max-time) ends the wait, too; otherwise the time
 * begins after the wait. */
static int await_quiet(struct options *options, struct error *error)
{
    struct deadline deadline = {.stop = &interrupt_flag};
    int code;

    if (options_given(options, plan.maximum_ns))
        deadline.at_ns = options->began_ns + options->plan.maximum_ns;
    interrupt_catch();
    code = quiet_await(options->wait_quiet_ns, &deadline, error);
    if (deadline.at_ns == 0)
        options->began_ns = deadline_now_ns();
    return code;
}

int command_start(const struct command *command, const struct command_line *line, int argc,
                  char **argv)
{
    static struct options options;
    struct error error;
    int status = 0, code = options_parse(&options, command, argc, argv, &error);

    options.plan.command = line->words;
    options.plan.command_count = line->count;
    file_force(options.force);
    terminal_choose(options.wide, (enum terminal_colours)options.colours);
    if (code == 0 && options.help)
        help_print(command, stdout);
    else if (code == 0 && options.wait_quiet_ns && !options.launch.launch.of)
        code = await_quiet(&options, &error);
    if (code == 0 && !options.help)
        code = command->run(&options, &status, &error);
    if (code == 0)
        return status ? status : end_output();
    error_print(&error);
    return (int)error.kind;
}

/* A first word that is neither a command nor a possible target may be a misspelt command. */
static const char *find_misspelt(const char *word, char hint[NEAREST_HINT_SIZE])
{
    struct nearest nearest;

    if (word[0] == '-' || strpbrk(word, ":/["))
        return NULL;
    nearest_begin(&nearest, word);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (commands[i]->summary)
            nearest_offer(&nearest, commands[i]->name);
    return nearest.name ? nearest_hint(&nearest, hint) : NULL;
}

static int refuse_command(const char *name, const char *hint)
{
    struct error error;

    error_set(&error, ERROR_USAGE, -EINVAL, "unknown command '%.60s'%s", name, hint);
    error_print(&error);
    return (int)error.kind;
}

/* 'nfsbench help NAME', as other programs have it, is 'nfsbench NAME --help'. */
static int help(const struct command_line *line, const char *name)
{
    const struct command *command = command_find(name);
    char word[] = "help", option[] = "--help", hint[NEAREST_HINT_SIZE];
    char *words[] = {word, option, NULL};

    if (command)
        return command_start(command, line, 2, words);
    if (help_print_topic(name, stdout))
        return end_output();
    return refuse_command(name, find_misspelt(name, hint) ? hint : "; see 'nfsbench help'");
}

static int choose(const struct command_line *line, int argc, char **argv)
{
    const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;
    char hint[NEAREST_HINT_SIZE];

    if (command)
        return command_start(command, line, argc - 1, argv + 1);
    if (argc > 2 && strcmp(argv[1], "help") == 0)
        return help(line, argv[2]);
    if (argc == 2 && (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
                      strcmp(argv[1], "-h") == 0)) {
        help_print_first(stdout);
        return end_output();
    }
    if (argc < 2 || !find_misspelt(argv[1], hint))
        return command_start(&command_run, line, argc, argv);
    return refuse_command(argv[1], hint);
}

struct command_line command_line_copy(const char *program, int argc, char **argv)
{
    struct command_line line = {calloc((size_t)argc + 1, sizeof *line.words), 0};

    for (; line.words && line.count < (size_t)argc; line.count++)
        line.words[line.count] = line.count ? argv[line.count] : (char *)(uintptr_t)program;
    return line;
}

int command_main(int argc, char **argv)
{
    struct command_line line = command_line_copy("nfsbench", argc, argv);
    int status = choose(&line, argc, argv);

    free(line.words);
    return status;
}

/* Does the result, or what is made of it, go to standard output in place of the text? */
static bool is_stdout_taken(const struct options *options)
{
    return forms_on_stdout(options->forms) ||
           (options->output && strcmp(options->output, "-") == 0);
}

int command_write_result(const struct options *options, enum result_kind kind, const void *result,
                         command_printer *print, struct error *error)
{
    if (!options->plan.quiet && !is_stdout_taken(options)) {
        if (print)
            print(options, result, stdout);
        else
            view_write_text(forms_view(kind), result, options->verbose, stdout);
    }
    return forms_write(options->forms, kind, result, error);
}
