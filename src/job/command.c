#include "job/command.h"

#include <string.h>

#include "common/append.h"

static const struct command *const none[] = {NULL}, *const *commands = none;

void commands_use(const struct command_table *table)
{
    commands = table->commands;
    option_entries_use(table->options);
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->views)
            views_add(commands[i]->views);
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
