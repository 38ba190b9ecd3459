/* A command line: the command's name and its words, a line each. What is accepted is a plan whose
 * values are in range; what is not is refused in words. */
#include <string.h>

#include "cli/command.h"
#include "cli/plan.h"
#include "engine/connection.h"
#include "text.h"

enum { WORDS_MAXIMUM = 64 };

static void must_be_refused(const struct error *error)
{
    FUZZ_CHECK(error->kind == ERROR_USAGE && error->text[0] && !strchr(error->text, '\n'));
}

static void check_load(const struct load *load)
{
    FUZZ_CHECK(load->clients >= 1 && load->connections >= 1 && load->threads >= 1);
    FUZZ_CHECK(load->depth >= 1 && load->depth <= CONNECTION_DEPTH_MAXIMUM);
    FUZZ_CHECK(load->rate >= 0);
}

static void check_plan(const struct run_plan *plan)
{
    FUZZ_CHECK(plan->engine && plan->target_text && plan->timeout_ns > 0);
    FUZZ_CHECK(plan->op_count >= 1 && plan->op_count <= RUN_PLAN_OPS_MAXIMUM);
    for (size_t i = 0; i < plan->op_count; i++)
        FUZZ_CHECK(plan->ops[i]);
    FUZZ_CHECK(plan->read_size >= 1 && plan->read_size <= NFS3_DATA_MAXIMUM);
    check_load(&plan->load);
}

static void make_run(const struct options *options)
{
    static struct run_plan plan, second;
    struct error error = {.text = ""};

    if (plan_make(&plan, options, &error) != 0) {
        must_be_refused(&error);
        return;
    }
    check_plan(&plan);
    if (!plan_has_second_side(options))
        return;
    if (plan_make_second(&second, &plan, options, &error) == 0)
        check_plan(&second);
    else
        must_be_refused(&error);
}

static void make_sweep(const struct options *options)
{
    static struct sweep_plan plan;
    struct error error = {.text = ""};

    if (plan_make_sweep(&plan, options, &error) == 0)
        check_plan(&plan.base);
    else
        must_be_refused(&error);
}

static void parse(const struct command *command, int argc, char **argv)
{
    static struct options options;
    struct error error = {.text = ""};

    if (options_parse(&options, command->bit, argc, argv, &error) != 0) {
        must_be_refused(&error);
        return;
    }
    FUZZ_CHECK(options.word_count <= (size_t)argc - 1);
    if (options.help || options.version)
        return;
    if (command->bit == COMMAND_RUN)
        make_run(&options);
    else if (command->bit == COMMAND_SWEEP)
        make_sweep(&options);
    else if (rules_check(&options, &error) != 0)
        must_be_refused(&error);
}

/* A mix may be any file, and a file may be one that is waited for. */
static bool names_file(const char *word)
{
    return strncasecmp(word, "mix:", 4) == 0 && strchr(word, '/');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size), *rest = text, *argv[WORDS_MAXIMUM + 1], *word;
    const struct command *command;
    bool takes_part = true;
    int argc = 0;

    while (argc < WORDS_MAXIMUM && (word = strsep(&rest, "\n"))) {
        takes_part = takes_part && !names_file(word);
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    command = command_find(argv[0]);
    if (command && takes_part)
        parse(command, argc, argv);
    free(text);
    return 0;
}
