#include "report/repeatable.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/append.h"
#include "job/command.h"

static const char *const unknown = "it has options that this version of nfsbench does not know";

struct repeating {
    struct report_command *command;
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];
    const char *const *words;
    size_t count, at;
};

static void keep(struct repeating *repeating, const char *word)
{
    repeating->command->words[repeating->command->count++] = word;
}

static void keep_copy(struct repeating *repeating, const char *word, struct arena *arena)
{
    const char *copy = arena_copy(arena, word);

    if (copy)
        keep(repeating, copy);
    else
        repeating->command->refused = "there is not enough memory";
}

static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    while ((list = strstr(list, name)) && list[length] && list[length] != ',')
        list++;
    return list != NULL;
}

static void list_left_out(struct report_command *command, const char *name)
{
    char option[64];

    snprintf(option, sizeof option, "--%s", name);
    if (!is_listed(command->left_out, option))
        append_item(command->left_out, sizeof command->left_out, "%s", option);
}

/* Return whether OPTIONS, a text with options for the embedded server, has an option that writes a
 * file. Only long options are searched, because no option with a letter writes a file. Returns true
 * if nfsbench was built without the server, because its options are unknown then. */
static bool server_acts(const char *options)
{
    const struct command *serve = command_of_self();
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];

    if (!serve)
        return true;
    options_of(serve, entries);
    while ((options = strstr(options, "--"))) {
        size_t matches, place;

        options += 2;
        place = options_match(entries, options, strcspn(options, "= "), &matches);
        if (matches == 1 && entries[place]->acts)
            return true;
    }
    return false;
}

/* Return whether ENTRY with VALUE (NULL: none) writes a file or runs a command. VALUE may contain
 * an option that does: "server-start=COMMAND" in --vary, or "--call-log FILE" in --self-args. */
static bool acts(const struct option_entry *entry, const char *value)
{
    const size_t length = value ? strcspn(value, "=") : 0;
    const struct option_entry *given;
    char name[64];

    if (entry->acts || !value)
        return entry->acts;
    if (entry->parse == option_parse_self_arguments)
        return server_acts(value);
    if (!value[length] || length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, value);
    given = options_find(GROUPS_RUN, name);
    if (!given)
        return false;
    return given->acts ||
           (given->parse == option_parse_self_arguments && server_acts(value + length + 1));
}

static const char *next_word(struct repeating *repeating)
{
    return repeating->at + 1 < repeating->count ? repeating->words[++repeating->at] : NULL;
}

static void take_long(struct repeating *repeating, const char *word)
{
    const size_t length = strcspn(word + 2, "=");
    const char *value = word[2 + length] ? word + 2 + length + 1 : NULL;
    const bool has_own = value != NULL;
    size_t matches, place = options_match(repeating->entries, word + 2, length, &matches);
    const struct option_entry *entry = repeating->entries[place];

    if (matches != 1) {
        repeating->command->refused = unknown;
        return;
    }
    if (!value && entry->value)
        value = next_word(repeating);
    if (acts(entry, value)) {
        list_left_out(repeating->command, entry->name);
        return;
    }
    keep(repeating, word);
    if (value && !has_own)
        keep(repeating, value);
}

/* Keep WORD, which is "-" with letters of options, and the value of the last letter's option, which
 * may be the next word. From the first option for which acts() is true, the letters and the value
 * are left out. */
static void take_letters(struct repeating *repeating, const char *word, struct arena *arena)
{
    const char *value = NULL, *next = NULL;
    char kept[64];

    for (const char *letter = word + 1; *letter && !value; letter++) {
        const struct option_entry *const *entry = repeating->entries;

        while (*entry && (*entry)->letter != *letter)
            entry++;
        if (!*entry) {
            repeating->command->refused = unknown;
            return;
        }
        if ((*entry)->value)
            value = letter[1] ? letter + 1 : (next = next_word(repeating));
        if (acts(*entry, value)) {
            list_left_out(repeating->command, (*entry)->name);
            snprintf(kept, sizeof kept, "%.*s", (int)(letter - word), word);
            if (letter > word + 1)
                keep_copy(repeating, kept, arena);
            return;
        }
        if ((*entry)->value)
            break;
    }
    keep(repeating, word);
    if (next)
        keep(repeating, next);
}

static void take_words(struct repeating *repeating, struct arena *arena)
{
    bool dashes = false;

    for (; repeating->at < repeating->count && !repeating->command->refused; repeating->at++) {
        const char *word = repeating->words[repeating->at];

        if (dashes || word[0] != '-' || !word[1]) {
            keep(repeating, word);
        } else if (strcmp(word, "--") == 0) {
            dashes = true;
            keep(repeating, word);
        } else if (word[1] == '-') {
            take_long(repeating, word);
        } else {
            take_letters(repeating, word, arena);
        }
    }
}

/* Keep the words before the options: the program and the command. Return this command, or the
 * default command if no word names one. */
static const struct command *take_command(struct repeating *repeating)
{
    const char *first = repeating->words[0];
    static const struct command mpi = {.groups = GROUPS_MPI};
    const bool is_mpi = strcmp(first, "nfsbench-mpi") == 0;
    const struct command *named;

    if (is_mpi || strcmp(first, "nfsbench") == 0) {
        keep(repeating, first);
        repeating->at++;
    }
    named = repeating->at < repeating->count && !is_mpi
                ? command_find(repeating->words[repeating->at])
                : NULL;
    if (named)
        keep(repeating, repeating->words[repeating->at++]);
    return is_mpi ? &mpi : named ? named : command_at(0);
}

int repeatable_make(struct report_command *command, const char *const *words, size_t count,
                    struct arena *arena)
{
    struct repeating repeating = {.command = command, .words = words, .count = count};
    const struct command *named;

    *command = (struct report_command){.words = arena_alloc(arena, count + 1, sizeof *words)};
    if (!command->words)
        return -ENOMEM;
    if (count == 0)
        return 0;
    named = take_command(&repeating);
    options_of(named, repeating.entries);
    if (named->groups & GROUP_CALLING)
        take_words(&repeating, arena);
    else
        command->refused = "it measures nothing";
    return 0;
}
