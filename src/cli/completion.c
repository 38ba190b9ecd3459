/* Completion of nfsbench's command lines, as scripts for shells, made from the table of options. */
#include <string.h>

#include "cli/command.h"
#include "nfs/procedures.h"
#include "picture/plot.h"

enum { WORDS_SIZE = 1024, TEXT_SIZE = 128 };

/* What is completed, in no shell's form */

static void add_word(char words[WORDS_SIZE], const char *word)
{
    size_t used = strlen(words);

    snprintf(words + used, WORDS_SIZE - used, "%s%s", used ? " " : "", word);
}

/* The values that an option can have, with spaces between; "" where they are not to be listed. */
static const char *values_of(const struct option_entry *entry, char words[WORDS_SIZE])
{
    const struct plot_kind *kind;

    words[0] = '\0';
    for (const struct option_choice *choice = entry->choices; choice && choice->name; choice++)
        add_word(words, choice->name);
    for (size_t i = 0; entry->parse == option_parse_engine && engine_types[i]; i++)
        add_word(words, engine_types[i]->name);
    for (size_t i = 0; strcmp(entry->name, "kind") == 0 && (kind = plot_kind_at(i)); i++)
        add_word(words, plot_kind_name(kind));
    return words;
}

static const char *all_ops(char words[WORDS_SIZE])
{
    const struct nfs_procedure *procedure;

    words[0] = '\0';
    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++)
        add_word(words, procedure->op);
    add_word(words, "read-only all mix:sfs2008 mix:sfs3");
    return words;
}

static const char *all_commands(char words[WORDS_SIZE])
{
    const struct command *command;

    words[0] = '\0';
    for (size_t i = 0; (command = command_at(i)); i++)
        if (command->summary)
            add_word(words, command->name);
    return words;
}

static bool takes_ops(const struct command *command)
{
    return command->bit & (COMMAND_RUN | COMMAND_SWEEP | COMMAND_EXPLAIN);
}

static bool takes_files(const struct command *command)
{
    return command->bit & (COMMAND_COMPARE | COMMAND_HISTORY | COMMAND_PLOT | COMMAND_REPORT);
}

static bool is_shown(const struct command *command, const struct option_entry *entry)
{
    return (entry->commands & command->bit) && entry->section != SECTION_HIDDEN;
}

/* The help of an option, as much as fits after it, without characters that would need quotes. */
static const char *short_help(const struct option_entry *entry, char text[TEXT_SIZE])
{
    size_t length = strcspn(entry->help, "(;:"), used = 0;

    for (size_t i = 0; i < length && used < TEXT_SIZE - 1; i++)
        if (!strchr("'[]\\\"$`", entry->help[i]))
            text[used++] = entry->help[i];
    while (used > 0 && text[used - 1] == ' ')
        used--;
    text[used] = '\0';
    return text;
}

/* Call PRINT for all options that are shown, command by command. */
static void for_all_options(void (*print)(const struct command *command,
                                          const struct option_entry *entry, FILE *out),
                            FILE *out)
{
    const struct command *command;
    const struct option_entry *entry;

    for (size_t i = 0; (command = command_at(i)); i++)
        for (size_t j = 0; command->summary && (entry = option_at(j)); j++)
            if (is_shown(command, entry))
                print(command, entry, out);
}

/* bash */

static void print_bash_value(const struct command *command, const struct option_entry *entry,
                             FILE *out)
{
    char words[WORDS_SIZE];

    if (!entry->value)
        return;
    fprintf(out, "    %s:--%s", command->name, entry->name);
    if (entry->letter)
        fprintf(out, "|%s:-%c", command->name, entry->letter);
    if (entry->kind == OPTION_FILE)
        fprintf(out, ") _nfsbench_files; return ;;\n");
    else
        fprintf(out, ") _nfsbench_words '%s'; return ;;\n", values_of(entry, words));
}

static void print_bash_words(const struct command *command, FILE *out)
{
    char words[WORDS_SIZE];

    if (takes_files(command))
        fprintf(out, "    %s) _nfsbench_files ;;\n", command->name);
    else if (takes_ops(command))
        fprintf(out, "    %s) _nfsbench_words \"$first self: %s\" ;;\n", command->name,
                all_ops(words));
}

static void print_bash_options(const struct command *command, FILE *out)
{
    const struct option_entry *entry;

    fprintf(out, "    %s:-*) _nfsbench_words '", command->name);
    for (size_t i = 0; (entry = option_at(i)); i++)
        if (is_shown(command, entry))
            fprintf(out, "--%s ", entry->name);
    fprintf(out, "'; return ;;\n");
}

static void print_bash(FILE *out)
{
    const struct command *command;
    char words[WORDS_SIZE];

    fprintf(out, "# Completion of nfsbench for bash; made by 'nfsbench --completion bash'.\n"
                 "_nfsbench_words() {\n"
                 "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$current\")\n"
                 "}\n"
                 "_nfsbench_files() {\n"
                 "    compopt -o filenames 2>/dev/null\n"
                 "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
                 "}\n"
                 "_nfsbench() {\n"
                 "    local current=${COMP_WORDS[COMP_CWORD]} command=run first=\n"
                 "    local previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
                 "    COMPREPLY=()\n"
                 "    if [[ $current == = ]]; then current=; fi\n"
                 "    if [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi\n");
    all_commands(words);
    fprintf(out,
            "    if ((COMP_CWORD == 1)); then first='%s'\n"
            "    elif [[ ' %s ' == *\" ${COMP_WORDS[1]} \"* ]]; then "
            "command=${COMP_WORDS[1]}; fi\n",
            words, words);
    fprintf(out, "    case $command:$previous in\n");
    for_all_options(print_bash_value, out);
    fprintf(out, "    esac\n    case $command:$current in\n");
    for (size_t i = 0; (command = command_at(i)); i++)
        if (command->summary)
            print_bash_options(command, out);
    fprintf(out, "    esac\n    case $command in\n");
    for (size_t i = 0; (command = command_at(i)); i++)
        if (command->summary)
            print_bash_words(command, out);
    fprintf(out, "    esac\n}\ncomplete -F _nfsbench nfsbench\n");
}

/* zsh */

static void print_zsh_option(const struct option_entry *entry, FILE *out)
{
    char help[TEXT_SIZE], words[WORDS_SIZE];

    short_help(entry, help);
    if (entry->letter)
        fprintf(out, " \\\n        '(-%c --%s)'{-%c,--%s}'[%s]", entry->letter, entry->name,
                entry->letter, entry->name, help);
    else
        fprintf(out, " \\\n        '%s--%s[%s]", entry->kind == OPTION_LIST ? "*" : "", entry->name,
                help);
    values_of(entry, words);
    if (entry->kind == OPTION_FILE)
        fprintf(out, ":file:_files'");
    else if (entry->value && words[0])
        fprintf(out, ":value:(%s)'", words);
    else
        fprintf(out, "%s'", entry->value ? ":value: " : "");
}

static void print_zsh_command(const struct command *command, FILE *out)
{
    const struct option_entry *entry;
    char words[WORDS_SIZE];

    fprintf(out, "    (%s) _arguments -s -S", command->name);
    for (size_t i = 0; (entry = option_at(i)); i++)
        if (is_shown(command, entry))
            print_zsh_option(entry, out);
    if (takes_files(command))
        fprintf(out, " \\\n        '*:result:_files'");
    if (takes_ops(command)) { /* a colon would end the list's word */
        all_ops(words);
        fprintf(out, " \\\n        '1:target:(self\\:%s%s)' '2:op:(",
                command->bit == COMMAND_RUN ? " " : "",
                command->bit == COMMAND_RUN ? all_commands(words) : "");
        for (const char *at = all_ops(words); *at; at++)
            fprintf(out, *at == ':' ? "\\%c" : "%c", *at);
        fprintf(out, ")' '3:count: '");
    }
    fprintf(out, " ;;\n");
}

static void print_zsh(FILE *out)
{
    const struct command *command;
    char words[WORDS_SIZE];

    fprintf(out,
            "#compdef nfsbench\n"
            "# Completion of nfsbench for zsh; made by 'nfsbench --completion zsh'.\n"
            "_nfsbench() {\n"
            "    local command=run\n"
            "    if (( CURRENT > 2 )) && [[ ' %s ' == *\" $words[2] \"* ]]; then\n"
            "        command=$words[2]\n"
            "        shift words\n"
            "        (( CURRENT-- ))\n"
            "    fi\n"
            "    case $command in\n",
            all_commands(words));
    for (size_t i = 0; (command = command_at(i)); i++)
        if (command->summary)
            print_zsh_command(command, out);
    /* In a directory of $fpath the file is the function's first call; else it is sourced. */
    fprintf(out, "    esac\n}\n"
                 "if [[ $funcstack[1] == _nfsbench ]]; then _nfsbench \"$@\"\n"
                 "else compdef _nfsbench nfsbench; fi\n");
}

/* fish */

static void print_fish_option(const struct command *command, const struct option_entry *entry,
                              FILE *out)
{
    char help[TEXT_SIZE], words[WORDS_SIZE];

    fprintf(out, "complete -c nfsbench -n '__nfsbench_is %s' -l %s", command->name, entry->name);
    if (entry->letter)
        fprintf(out, " -s %c", entry->letter);
    if (entry->kind == OPTION_FILE)
        fprintf(out, " -r -F");
    else if (entry->value)
        fprintf(out, " -x -a '%s'", values_of(entry, words));
    fprintf(out, " -d '%s'\n", short_help(entry, help));
}

static void print_fish_words(const struct command *command, FILE *out)
{
    char words[WORDS_SIZE];

    if (takes_files(command))
        fprintf(out, "complete -c nfsbench -n '__nfsbench_is %s' -F\n", command->name);
    if (takes_ops(command))
        fprintf(out, "complete -c nfsbench -n '__nfsbench_is %s' -a 'self: %s'\n", command->name,
                all_ops(words));
    fprintf(out, "complete -c nfsbench -n 'not __nfsbench_command' -a %s -d '%s'\n", command->name,
            command->summary);
}

static void print_fish(FILE *out)
{
    const struct command *command;
    char words[WORDS_SIZE];

    fprintf(out,
            "# Completion of nfsbench for fish; made by 'nfsbench --completion fish'.\n"
            "function __nfsbench_command\n"
            "    set -l words (commandline -opc)\n"
            "    test (count $words) -gt 1; and contains -- $words[2] %s; and echo $words[2]\n"
            "end\n"
            "function __nfsbench_is\n"
            "    set -l command (__nfsbench_command; or echo run)\n"
            "    test \"$command\" = $argv[1]\n"
            "end\n"
            "complete -c nfsbench -f\n",
            all_commands(words));
    for (size_t i = 0; (command = command_at(i)); i++)
        if (command->summary)
            print_fish_words(command, out);
    for_all_options(print_fish_option, out);
}

void completion_print(const char *shell, FILE *out)
{
    if (strcmp(shell, "bash") == 0)
        print_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(out);
    else
        print_fish(out);
}
