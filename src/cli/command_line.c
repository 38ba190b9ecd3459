#include "cli/command_line.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/nearest.h"
#include "job/console.h"
#include "job/plan.h"
#include "job/quiet.h"
#include "output/form/file.h"
#include "output/view/terminal.h"

/* Flush standard output, and print an error if writing has failed. Returns the exit status. */
static int end_output(void)
{
    struct error error;

    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    error_set(&error, ERROR_FAILED, -EIO, "writing to standard output: %s", error_of_write(-errno));
    error_print(&error);
    return (int)error.kind;
}

/* Catch Ctrl-C, and return the deadline for the steps before the command. If --max-time is given
 * without --over, its time includes these steps. */
static struct deadline begin_waiting(const struct options *options)
{
    struct deadline deadline = {.stop = &interrupt_flag};

    if (options_given(options, plan.maximum_ns) && !options->plan.over_ns)
        deadline.at_ns = options->plan.began_ns + options->plan.maximum_ns;
    interrupt_catch();
    return deadline;
}

/* Wait until the machine is quiet. If --max-time doesn't limit the complete command, the command's
 * time begins after the wait. */
static int await_quiet(struct options *options, struct error *error)
{
    const struct deadline deadline = begin_waiting(options);
    int code = quiet_await(options->wait_quiet_ns, &deadline, error);

    if (deadline.at_ns == 0)
        options->plan.began_ns = deadline_now_ns();
    return code;
}

/* Bind this process, and threads and processes that it starts, to the quietest processor. */
static int bind_to_one(struct options *options, struct error *error)
{
    const struct deadline deadline = begin_waiting(options);
    struct cpu_choice *choice = &options->plan.one_processor;
    int code = quiet_choose(choice, &deadline, error);

    if (code)
        return code;
    code = cpu_pin(choice->cpu);
    return code ? error_set(error, ERROR_FAILED, code,
                            "--one-processor: binding to processor %u: %s", choice->cpu,
                            strerror(-code))
                : 0;
}

/* Refuse conflicting options; then wait for a quiet machine and bind the process, as OPTIONS say.
 * The process of a launch only refuses options, because its parent has waited and is bound. */
static int prepare_command(struct options *options, struct error *error)
{
    int code = rules_check_pairs(options, error);

    if (code || options->launch.launch.of)
        return code;
    if (options->wait_quiet_ns)
        code = await_quiet(options, error);
    return code || !options->one_processor ? code : bind_to_one(options, error);
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
    else if (code == 0)
        code = prepare_command(&options, &error);
    if (code == 0 && !options.help)
        code = command->run(&options, &status, &error);
    if (code == 0)
        return status ? status : end_output();
    error_print(&error);
    return (int)error.kind;
}

/* If WORD may be a misspelt command, set HINT to a suggestion and return it. Else return NULL. */
static const char *find_misspelt(const char *word, char hint[NEAREST_HINT_SIZE])
{
    struct nearest nearest;

    if (word[0] == '-' || strpbrk(word, ":/["))
        return NULL;
    nearest_begin(&nearest, word);
    for (size_t i = 0; command_at(i); i++)
        if (command_at(i)->summary)
            nearest_offer(&nearest, command_at(i)->name);
    return nearest.name ? nearest_hint(&nearest, hint) : NULL;
}

static int refuse_command(const char *name, const char *hint)
{
    struct error error;

    error_set(&error, ERROR_USAGE, -EINVAL, "unknown command '%.60s'%s", name, hint);
    error_print(&error);
    return (int)error.kind;
}

/* Handle 'nfsbench help NAME', which prints the help of the command or topic NAME. */
static int help_about(const struct command_line *line, const char *name)
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

static int start_chosen_command(const struct command_line *line, int argc, char **argv)
{
    const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;
    char hint[NEAREST_HINT_SIZE];

    if (command)
        return command_start(command, line, argc - 1, argv + 1);
    if (argc > 2 && strcmp(argv[1], "help") == 0)
        return help_about(line, argv[2]);
    if (argc == 2 && (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
                      strcmp(argv[1], "-h") == 0)) {
        help_print_first(stdout);
        return end_output();
    }
    if (argc < 2 || !find_misspelt(argv[1], hint))
        return command_start(command_at(0), line, argc, argv);
    return refuse_command(argv[1], hint);
}

struct command_line command_line_copy(const char *program, int argc, char **argv)
{
    struct command_line line = {calloc((size_t)argc + 1, sizeof *line.words), 0};

    for (; line.words && line.count < (size_t)argc; line.count++)
        line.words[line.count] = line.count ? argv[line.count] : (char *)(uintptr_t)program;
    return line;
}

int command_main(const struct command_table *table, int argc, char **argv)
{
    struct command_line line = command_line_copy("nfsbench", argc, argv);
    int status;

    commands_use(table);
    status = start_chosen_command(&line, argc, argv);
    free(line.words);
    return status;
}
