#include "job/command.h"

#include <string.h>

#include "common/append.h"
#include "output/view/terminal.h"
#include "target/self.h"

static const struct command *const none[] = {NULL}, *const *commands = none;
static const struct part *const no_parts[] = {NULL}, *const *parts = no_parts;

static void add_options_after(const struct option_entry *entry)
{
    for (size_t i = 0; parts[i]; i++)
        if (strcmp(parts[i]->after, entry->name) == 0)
            for (const struct option_entry *own = parts[i]->options; own->name; own++)
                option_entries_add(own);
}

void commands_use(const struct command_table *table)
{
    commands = table->commands;
    parts = table->parts;
    option_entries_begin();
    for (const struct option_entry *entry = table->options; entry->name; entry++) {
        option_entries_add(entry);
        add_options_after(entry);
    }
    views_add(table->views);
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->views)
            views_add(commands[i]->views);
    self_use(command_of_self() ? command_of_self()->name : NULL);
}

const struct part *part_at(size_t index)
{
    size_t at = 0;

    while (at < index && parts[at])
        at++;
    return parts[at];
}

const struct command *command_at(size_t index)
{
    size_t at = 0;

    while (at < index && commands[at])
        at++;
    return commands[at];
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* Return whether OTHER adds its mode to COMMAND: OTHER is not COMMAND, it has a mode, and COMMAND
 * takes one of OTHER's own options. */
static bool adds_to(const struct command *other, const struct command *command)
{
    unsigned groups = 0;

    for (const struct option_entry *own = other->own; other->mode && own->name; own++)
        groups |= own->groups;
    return other != command && (groups & command->groups);
}

int commands_check(const struct options *options, const struct run_plan *plan, struct error *error)
{
    int code = 0;

    for (size_t i = 0; commands[i] && code == 0; i++)
        if (commands[i]->check &&
            (commands[i] == options->command || adds_to(commands[i], options->command)))
            code = commands[i]->check(options, plan, error);
    return code;
}

const struct command_mode *command_mode_of(const struct options *options)
{
    for (size_t i = 0; commands[i]; i++)
        if (adds_to(commands[i], options->command) && commands[i]->mode->is_asked(options))
            return commands[i]->mode;
    return NULL;
}

void command_modes_set_defaults(const struct command *command)
{
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->mode && (commands[i] == command || adds_to(commands[i], command)))
            commands[i]->mode->set_defaults();
}

size_t options_of(const struct command *command,
                  const struct option_entry *entries[OPTIONS_MAXIMUM + 1])
{
    const struct option_entry *entry;
    const struct command *other;
    size_t count = 0;

    for (const struct option_entry *own = command->own; own && own->name; own++)
        if (option_is_own(own, command))
            entries[count++] = own;
    for (size_t i = 0; (other = command_at(i)); i++)
        for (const struct option_entry *own = other->own; own && own->name; own++)
            if (other != command && (own->groups & command->groups))
                entries[count++] = own;
    for (size_t i = 0; (entry = option_at(i)); i++)
        if (option_is_taken(entry, command))
            entries[count++] = entry;
    entries[count] = NULL;
    return count;
}

const struct command *command_of_self(void)
{
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->is_embedded_server)
            return commands[i];
    return NULL;
}

const struct option_entry *command_option_at(size_t index)
{
    size_t shared = 0;

    while (option_at(shared))
        shared++;
    if (index < shared)
        return option_at(index);
    index -= shared;
    for (size_t i = 0; commands[i]; i++)
        for (const struct option_entry *own = commands[i]->own; own && own->name; own++)
            if (index-- == 0)
                return own;
    return NULL;
}

/* Return the first command, from number *INDEX on, whose help lists an option called NAME, and set
 * *INDEX to the number after it. Returns NULL if no such command is left. */
static const struct command *next_taker(const char *name, size_t *index)
{
    const struct option_entry *entry;
    const struct command *command;

    for (; (command = command_at(*index)); ++*index)
        for (size_t i = 0; (entry = command_option_at(i)); i++)
            if (option_is_listed(entry, command) && strcmp(entry->name, name) == 0) {
                ++*index;
                return command;
            }
    return NULL;
}

const char *commands_that_take(const char *name, char *buffer, size_t size)
{
    size_t index = 0;
    const struct command *command = next_taker(name, &index), *next;

    buffer[0] = '\0';
    for (; command; command = next) {
        next = next_taker(name, &index);
        append(buffer, size, "%s'nfsbench %s'",
               !*buffer ? ""
               : next   ? ", "
                        : " and ",
               command->name);
    }
    return buffer;
}

void help_wrap(const char *text, int column, int indent, FILE *out)
{
    enum { WIDTH = 80 };

    terminal_print_from(WIDTH, (unsigned)column, text, (unsigned)indent, out);
}
