/* Fuzzes the options with several values, and the variants of a command line, one word per line. An
 * accepted option has 1 to VARIED_MAXIMUM values; a refusal is a usage error with a message. */
#include "commands.h"
#include "sweep/options.h"
#include "sweep/variants.h"
#include "text.h"

enum { WORDS_MAXIMUM = 64 };

static void must_be_refused(const struct error *error)
{
    FUZZ_CHECK(error->kind == ERROR_USAGE && error->text[0]);
}

static void check_values(const char *text)
{
    static struct varied varied[2];

    for (const struct option_entry *entry = sweep_option_table; entry->name; entry++) {
        struct error error = {.text = ""};

        if (entry->parse != vary_parse_values && entry->parse != vary_parse_named)
            continue;
        varied[0] = varied[1] = (struct varied){.entry = NULL};
        if (entry->parse(entry, text, varied, &error) != 0)
            must_be_refused(&error);
        else
            FUZZ_CHECK(varied->count >= 1 && varied->count <= VARIED_MAXIMUM &&
                       (!varied->percent || strcmp(varied->entry->name, "rate") == 0));
    }
}

static void make_variants(const struct options *options)
{
    static struct experiment_plan plan;
    struct error error = {.text = ""};

    if (variants_make_plan(&plan, options, &error) != 0)
        must_be_refused(&error);
    else
        for (size_t i = 0; i < plan.count; i++)
            FUZZ_CHECK(plan.variants[i].plan.op_count >= 1 && plan.variants[i].plan.read_size >= 1);
    free(plan.variants);
}

/* Return true if WORD is a mix in a file. It is not tried, because reading some files blocks. */
static bool names_file(const char *word)
{
    return strncasecmp(word, "mix:", 4) == 0 && strchr(word, '/');
}

static void parse_command(char *text)
{
    static struct options options;
    char *argv[WORDS_MAXIMUM + 1], *word;
    struct error error = {.text = ""};
    bool takes_part = true;
    int argc = 0;

    while (argc < WORDS_MAXIMUM && (word = strsep(&text, "\n"))) {
        takes_part = takes_part && !names_file(word);
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    if (!takes_part)
        return;
    if (options_parse(&options, command_find("sweep"), argc, argv, &error) != 0)
        must_be_refused(&error);
    else if (!options.help)
        make_variants(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);

    commands_use(&commands_of_nfsbench);
    check_values(text);
    parse_command(text);
    free(text);
    return 0;
}
