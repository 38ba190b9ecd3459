#include "job/option_entry.h"

#include "job/command.h"

static const struct option_entry *shared[OPTIONS_MAXIMUM];
static size_t shared_count;

void option_entries_begin(void)
{
    shared_count = 0;
}

void option_entries_add(const struct option_entry *entry)
{
    if (shared_count < OPTIONS_MAXIMUM)
        shared[shared_count++] = entry;
}

static const char *const titles[SECTIONS] = {
    [SECTION_VARIANTS] = "variants and trials",
    [SECTION_CALLS] = "calls",
    [SECTION_COUNT] = "number and order of calls",
    [SECTION_LOAD] = "load",
    [SECTION_METHOD] = "method",
    [SECTION_BESIDE] = "additional measurements",
    [SECTION_SIDES] = "two sides",
    [SECTION_TRANSPORT] = "transport and identity",
    [SECTION_SCRATCH] = "scratch directory",
    [SECTION_SERVER] = "embedded server",
    [SECTION_INJECTION] = "fault injection",
    [SECTION_OUTPUT] = "output",
    [SECTION_PRINTED] = "output",
    [SECTION_GENERAL] = "general",
};

const struct option_entry *option_at(size_t index)
{
    return index < shared_count ? shared[index] : NULL;
}

const char *option_section_title(enum option_section section, const struct command *command)
{
    return section == SECTION_OWN ? command->own_title : titles[section];
}

bool option_is_own(const struct option_entry *entry, const struct command *command)
{
    const struct option_entry *own = command->own;

    while (own && own->name && own != entry)
        own++;
    return own == entry && !(own->groups & GROUP_NOT_OWN);
}

static bool is_own_form(const struct option_entry *entry, const struct command *command)
{
    const struct command_form *own = command->forms;

    while (own && own->form && entry->offset != offsetof(struct options, forms[own->id]))
        own++;
    return own && own->form && !entry->own;
}

bool option_is_listed(const struct option_entry *entry, const struct command *command)
{
    return (entry->groups & (command->groups | GROUP_ALL)) || option_is_own(entry, command) ||
           is_own_form(entry, command);
}

bool option_is_taken(const struct option_entry *entry, const struct command *command)
{
    return option_is_listed(entry, command) || (entry->silent & command->groups);
}
