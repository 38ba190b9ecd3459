/* Completion of command lines in bash: a script made from the tables of options, ops, commands. */
#include <string.h>

#include "cli/command_line.h"
#include "common/append.h"
#include "engine/engines.h"
#include "job/option_values.h"
#include "nfs/mix.h"
#include "nfs/procedures/procedures.h"

enum { WORDS_SIZE = 2048, ACTION_SIZE = 2 * WORDS_SIZE + 60 };

/* The script's fixed text. Only the text after BEGIN is printed, with what print_lists() prints in
 * place of LISTS. */
static const char script[] = {
#include "completion.bash.h"
};
#define BEGIN "# begin\n"
#define LISTS "    # lists\n"

static void add_word(char words[WORDS_SIZE], const char *word, const char *ending)
{
    append(words, WORDS_SIZE, "%s%s%s", *words ? " " : "", word, ending);
}

static void add_names(char words[WORDS_SIZE], const char *(*name_at)(size_t index),
                      const char *ending)
{
    const char *name;

    for (size_t i = 0; (name = name_at(i)); i++)
        add_word(words, name, ending);
}

static const char *engine_name_at(size_t index)
{
    return engine_types[index] ? engine_types[index]->name : NULL;
}

static const char *op_at(size_t index)
{
    const struct nfs_procedure *procedure = nfs_procedure_at(index);

    return procedure ? procedure->op : NULL;
}

/* Completions for options without a completion in their entries, by the option's parser or name. */
static const struct {
    option_parser *parse;
    const char *name;
    struct option_completion how;
} known[] = {
    {option_parse_engine, NULL, {"words", engine_name_at, ""}},
    {NULL, "op", {"list", op_at, ""}},
    {option_parse_versus, NULL, {"names", option_versus_name_at, "="}},
};

/* Return the completion of ENTRY's value; NULL: its type or choices say how to complete it. */
static const struct option_completion *completion_of(const struct option_entry *entry)
{
    if (entry->completion || entry->choices)
        return entry->completion;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].parse ? known[i].parse == entry->parse
                           : strcmp(known[i].name, entry->name) == 0)
            return &known[i].how;
    return NULL;
}

/* Return the kind of completion of ENTRY's value: the name of a function of the script, without the
 * prefix "_nfsbench_". Sets WORDS to the value's choices, and VALUES to the values that may follow
 * each choice after "=". */
static const char *kind_of(const struct option_entry *entry, char words[WORDS_SIZE],
                           char values[WORDS_SIZE])
{
    const struct option_completion *how = completion_of(entry);

    words[0] = values[0] = '\0';
    for (const struct option_choice *choice = entry->choices; choice && choice->name; choice++)
        add_word(words, choice->name, "");
    if (how && how->name_at)
        add_names(words, how->name_at, how->ending);
    if (how && how->value_at)
        add_names(values, how->value_at, "");
    if (how || entry->choices)
        return how ? how->kind : "words";
    if (strcmp(entry->value, "DIR") == 0)
        return "directories";
    return entry->kind == OPTION_FILE || strcmp(entry->value, "FILE") == 0 ? "files" : "none";
}

/* Write the script's action for the value of ENTRY's option to ACTION, and return it; "" if the
 * option has no value. */
static const char *action_of(const struct option_entry *entry, char action[ACTION_SIZE])
{
    char words[WORDS_SIZE], values[WORDS_SIZE];
    const char *kind = entry->value ? kind_of(entry, words, values) : NULL;

    action[0] = '\0';
    if (kind)
        snprintf(action, ACTION_SIZE,
                 values[0]  ? "kind=%s choices='%s' values='%s'"
                 : words[0] ? "kind=%s choices='%s'"
                            : "kind=%s",
                 kind, words, values);
    return action;
}

/* Write the option of ENTRY to TEXT: like "--proto", or like "-p" if LETTER. Returns TEXT. */
static const char *spell(const struct option_entry *entry, bool letter, char text[64])
{
    snprintf(text, 64, letter ? "-%.0s%c" : "--%s", entry->name, entry->letter);
    return text;
}

static bool is_same(const struct option_entry *a, const struct option_entry *b, bool letter)
{
    return letter ? a->letter == b->letter : strcmp(a->name, b->name) == 0;
}

/* Append patterns for the option of entry INDEX (for its letter if LETTER) to PATTERN. If all
 * options of that name or letter are completed in the same way, the first entry gets one pattern
 * for all commands. Otherwise there is a pattern for each command that takes the option. */
static void add_pattern(char pattern[WORDS_SIZE], size_t index, bool letter)
{
    const struct option_entry *entry = command_option_at(index), *other;
    const struct command *command;
    char own[ACTION_SIZE], others[ACTION_SIZE], option[64], text[128];
    bool alike = true, first = true;

    action_of(entry, own);
    for (size_t i = 0; (other = command_option_at(i)); i++)
        if (is_same(entry, other, letter)) {
            alike = alike && strcmp(own, action_of(other, others)) == 0;
            first = first && i >= index;
        }
    spell(entry, letter, option);
    snprintf(text, sizeof text, "*:%s", option);
    if (alike && first)
        add_word(pattern, text, "");
    for (size_t i = 0; (command = command_at(i)) && !alike; i++)
        if (command->summary && option_is_taken(entry, command)) {
            snprintf(text, sizeof text, "%s:%s", command->name, option);
            add_word(pattern, text, "");
        }
}

/* Return a shell pattern for the name and the letter of entry INDEX's option; "" if patterns of
 * earlier entries match both. */
static const char *pattern_of(size_t index, char pattern[WORDS_SIZE])
{
    pattern[0] = '\0';
    add_pattern(pattern, index, false);
    if (command_option_at(index)->letter)
        add_pattern(pattern, index, true);
    for (char *space = pattern; (space = strchr(space, ' '));)
        *space = '|';
    return pattern;
}

/* Print the shell function that finds how an option's value is completed. Options whose values
 * can't be completed come first. */
static void print_values(FILE *out)
{
    char action[ACTION_SIZE], pattern[WORDS_SIZE];

    fputs("# How the value of COMMAND:OPTION is completed; 1: it has none\n"
          "_nfsbench_value() {\n"
          "    choices= kind=none\n"
          "    case $1 in\n"
          "    -",
          out);
    for (size_t i = 0; command_option_at(i); i++)
        if (strcmp(action_of(command_option_at(i), action), "kind=none") == 0 &&
            *pattern_of(i, pattern))
            fprintf(out, "|%s", pattern);
    fputs(") ;;\n", out);
    for (size_t i = 0; command_option_at(i); i++)
        if (*action_of(command_option_at(i), action) && strcmp(action, "kind=none") != 0 &&
            *pattern_of(i, pattern))
            fprintf(out, "    %s) %s ;;\n", pattern, action);
    fputs("    *) return 1 ;;\n    esac\n}\n", out);
}

static void print_options(FILE *out)
{
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];
    const struct command *command;

    fputs("_nfsbench_options() {\n    case $1 in\n", out);
    for (size_t i = 0; (command = command_at(i)); i++) {
        if (!command->summary)
            continue;
        fprintf(out, "    %s) echo '", command->name);
        help_select(command, entries);
        for (size_t j = 0; entries[j]; j++)
            if (entries[j]->section != SECTION_HIDDEN)
                fprintf(out, "--%s ", entries[j]->name);
        fputs("' ;;\n", out);
    }
    fputs("    esac\n}\n", out);
}

/* Print the completion of COMMAND's arguments that are no options, by position from 0. */
static void print_arguments_of(const struct command *command, FILE *out)
{
    static const char *const first[] = {
        [WORDS_TARGET] = "0) _nfsbench_target",
        [WORDS_TARGET_OPS] = "0) _nfsbench_target",
        [WORDS_FILE] = "0) _nfsbench_files",
        [WORDS_FILES] = "*) _nfsbench_files",
    };

    if (command->words != WORDS_OTHER)
        fprintf(out, "    %s:%s ;;\n", command->name, first[command->words]);
    if (command->words == WORDS_TARGET_OPS)
        fprintf(out, "    %s:1) _nfsbench_ops ;;\n", command->name);
}

static void print_arguments(FILE *out)
{
    const struct command *command;
    char words[WORDS_SIZE] = "";

    fputs("_nfsbench_argument() {\n    case $1 in\n", out);
    for (size_t i = 0; (command = command_at(i)); i++)
        if (command->summary)
            print_arguments_of(command, out);
    add_names(words, help_topic_at, "");
    fprintf(out, "    help:0) choices=\"$commands %s\"; _nfsbench_words ;;\n    esac\n}\n", words);
}

/* Print lists of words that several functions of the script use. */
static void print_lists(FILE *out)
{
    const struct command *command;
    char words[WORDS_SIZE] = "";
    const char *name;

    for (size_t i = 0; (command = command_at(i)); i++)
        if (command->summary)
            add_word(words, command->name, "");
    fprintf(out, "    local commands='%s help'\n", words);
    words[0] = '\0';
    add_names(words, op_at, "");
    fprintf(out, "    local ops='%s read-only all' mixes='", words);
    for (size_t i = 0; (name = nfs_mix_name_at(i)); i++)
        fprintf(out, "%smix:%s", i ? " " : "", name);
    fputs("'\n", out);
}

void completion_print(FILE *out)
{
    const char *begin = strstr(script, BEGIN) + strlen(BEGIN), *lists = strstr(begin, LISTS);

    fputs("# Completion of nfsbench for bash; generated by 'nfsbench --completion bash'.\n", out);
    print_values(out);
    print_options(out);
    print_arguments(out);
    fwrite(begin, 1, (size_t)(lists - begin), out);
    print_lists(out);
    fputs(lists + strlen(LISTS), out);
}
