#include "job/command.h"

#include <string.h>

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
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->views)
            views_add(commands[i]->views);
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

/* The first command from number INDEX on whose help lists an option called NAME, or NULL. */
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
