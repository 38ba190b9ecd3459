#include "cli/own_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 48 };

void own_options_help(const struct own_option *table, FILE *out)
{
    for (const struct own_option *option = table; option->name; option++) {
        char name[NAME_SIZE];

        snprintf(name, sizeof name, "--%s%s%s", option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        fprintf(out, "  %-24s %s\n", name, option->help);
    }
}

/* Is WORD the option OPTION ("--depth", "--depth=LIST", "-d", "-dLIST")? *VALUE is then what came
 * with it, or NULL. */
static bool is_option(const struct own_option *option, const char *word, const char **value)
{
    size_t length = strlen(option->name);

    *value = NULL;
    if (strncmp(word, "--", 2) == 0 && strncmp(word + 2, option->name, length) == 0 &&
        (word[2 + length] == '\0' || word[2 + length] == '=')) {
        if (word[2 + length] == '=')
            *value = word + length + 3;
        return true;
    }
    if (word[0] != '-' || word[1] != option->letter || !option->letter)
        return false;
    if (word[2])
        *value = word + 2;
    return true;
}

static const struct own_option *find_option(const struct own_option *table, const char *word,
                                            const char **value)
{
    for (; table->name; table++)
        if (is_option(table, word, value))
            return table;
    return NULL;
}

/* Not written out, it would be taken for a measuring run's option, and lost. */
static int refuse_abbreviation(const struct own_option *table, const char *word,
                               struct error *error)
{
    size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;

    for (; table->name && length > 0; table++)
        if (strncmp(word + 2, table->name, length) == 0)
            return error_set(error, ERROR_USAGE, -EINVAL, "'%.60s': write --%s out", word,
                             table->name);
    return 0;
}

static int take_option(const struct own_option *option, const char *value, void *settings,
                       struct error *error)
{
    void *member = (char *)settings + option->offset;

    if (!option->argument && value)
        return error_set(error, ERROR_USAGE, -EINVAL, "--%s takes no value; see --help",
                         option->name);
    if (!option->argument)
        *(bool *)member = true;
    else if (!*value)
        return error_set(error, ERROR_USAGE, -EINVAL, "--%s: expected %s; see --help", option->name,
                         option->argument);
    else
        *(const char **)member = value;
    return 0;
}

int own_options_take(const struct own_option *table, int argc, char **argv, void *settings,
                     struct own_words *words, struct error *error)
{
    bool options_ended = false;
    int code = 0;

    *words = (struct own_words){.words = calloc((size_t)argc + 1, sizeof *words->words)};
    if (!words->words)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory");
    for (int i = 0; i < argc && code == 0; i++) {
        const char *value;
        const struct own_option *option =
            options_ended ? NULL : find_option(table, argv[i], &value);

        options_ended = options_ended || strcmp(argv[i], "--") == 0;
        if (!option && !options_ended)
            code = refuse_abbreviation(table, argv[i], error);
        if (!option) {
            words->help =
                words->help || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
            words->words[words->count++] = argv[i];
            continue;
        }
        if (option->argument && !value)
            value = ++i < argc ? argv[i] : "";
        code = take_option(option, value, settings, error);
    }
    return code;
}

void own_words_free(struct own_words *words)
{
    free(words->words);
    words->words = NULL;
}
