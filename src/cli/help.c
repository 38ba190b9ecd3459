/* The help of a command, from its description and the table of options. */
#include <string.h>

#include "cli/command.h"

enum {
    WIDTH = 80,
    OPTION_COLUMN = 26, /* where the text about an option begins */
    SUMMARY_COLUMN = 16,
};

void help_wrap(const char *text, int column, int indent, FILE *out)
{
    bool first = true;

    while (*text) {
        int length = (int)strcspn(text, " ");

        if (!first && column + 1 + length > WIDTH) {
            column = fprintf(out, "\n%*s", indent, "") - 1;
            first = true;
        }
        column += fprintf(out, "%s%.*s", first ? "" : " ", length, text);
        first = false;
        text += length + (text[length] == ' ');
    }
    fputc('\n', out);
}

static void print_option(const struct option_entry *entry, FILE *out)
{
    char left[64], letter[8] = "    ";
    int column;

    if (entry->letter)
        snprintf(letter, sizeof letter, "-%c, ", entry->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, entry->name, entry->value ? " " : "",
             entry->value ? entry->value : "");
    column = fprintf(out, "%s", left);
    if (column + 2 > OPTION_COLUMN)
        fprintf(out, "\n%*s", OPTION_COLUMN, "");
    else
        fprintf(out, "%*s", OPTION_COLUMN - column, "");
    help_wrap(entry->help, OPTION_COLUMN, OPTION_COLUMN, out);
}

void help_options(const struct option_entry *const *entries, FILE *out)
{
    for (enum option_section section = SECTION_HIDDEN + 1; section < SECTIONS; section++) {
        bool titled = false;

        for (const struct option_entry *const *entry = entries; *entry; entry++) {
            if ((*entry)->section != section)
                continue;
            if (!titled)
                fprintf(out, "\n%s\n", option_section_titles[section]);
            titled = true;
            print_option(*entry, out);
        }
    }
}

static void print_commands(FILE *out)
{
    const struct command *command;

    fprintf(out, "\ncommands (each has its own --help)\n");
    for (size_t i = 0; (command = command_at(i)); i++) {
        if (!command->summary)
            continue;
        fprintf(out, "  %-*s", SUMMARY_COLUMN - 2, command->name);
        help_wrap(command->summary, SUMMARY_COLUMN, SUMMARY_COLUMN, out);
    }
}

/* Paragraphs, of a line each. */
static void print_about(const char *about, FILE *out)
{
    while (*about) {
        char paragraph[1024];
        int length = (int)strcspn(about, "\n");

        snprintf(paragraph, sizeof paragraph, "%.*s", length, about);
        help_wrap(paragraph, 0, 0, out);
        about += length + (about[length] == '\n');
    }
}

void help_select(enum command_bit command, const struct option_entry *entries[OPTIONS_MAXIMUM + 1])
{
    const struct option_entry *entry;
    size_t count = 0;

    for (size_t i = 0; (entry = option_at(i)); i++)
        if (entry->commands & command)
            entries[count++] = entry;
    entries[count] = NULL;
}

void help_print(const struct command *command, FILE *out)
{
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];

    fprintf(out, "usage: %s\n", command->usage);
    fputc('\n', out);
    print_about(command->about, out);
    if (command->bit == COMMAND_RUN)
        print_commands(out);
    if (command->help)
        command->help(out);
    help_select(command->bit, entries);
    help_options(entries, out);
    if (command->examples)
        fprintf(out, "\nexamples\n%s", command->examples);
    if (command->status) {
        fprintf(out, "\nexit status: ");
        help_wrap(command->status, 13, 13, out);
    }
}
