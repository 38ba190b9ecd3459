#include "sweep/vary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/append.h"
#include "common/nearest.h"
#include "common/units.h"
#include "job/command.h"

enum { VALUE_SIZE = 256 };

/* Values */

int vary_set_value(const struct option_entry *entry, const char *text, void *values,
                   struct error *error)
{
    bool *flag = (bool *)(void *)((char *)values + entry->offset);

    if (entry->kind != OPTION_FLAG)
        return options_store(entry, text, values, error);
    *flag = strcmp(text, "yes") == 0;
    return *flag || strcmp(text, "no") == 0 ? 0 : option_refuse(entry, text, "yes or no", error);
}

void vary_append(char *text, size_t size, const char *between, const char *word)
{
    append(text, size, "%s%s", *text ? between : "", word);
}

static bool is_number(const struct option_entry *entry)
{
    return entry->kind == OPTION_NUMBER || entry->kind == OPTION_RATE ||
           entry->kind == OPTION_SIZE || entry->kind == OPTION_OFFSET;
}

/* Add the value TEXT to VARIED unless it is already there. Returns 0, or -EINVAL with ERROR set. */
static int add_text(struct varied *varied, const char *text, struct error *error)
{
    static struct options scratch; /* values are stored here to check them */
    const struct option_entry *entry = varied->entry;
    char *room = varied->room;
    int code = varied->percent ? 0 : vary_set_value(entry, text, &scratch, error);

    for (size_t i = 0; i < varied->count && code == 0; i++, room += strlen(room) + 1)
        if (strcmp(varied->values[i], text) == 0)
            return 0;
        else if (strncmp(varied->values[i], text, VARY_NAMED) == 0)
            code = error_set(error, ERROR_USAGE, -EINVAL,
                             "--%s: two values have the same first %d characters, by which results "
                             "name them; give them shorter names",
                             entry->name, VARY_NAMED);
    if (code)
        return code;
    if (varied->count == VARIED_MAXIMUM ||
        (size_t)(room - varied->room) + strlen(text) + 1 > VARIED_ROOM)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--%s: there are more than %d values, or a value is too long", entry->name,
                         VARIED_MAXIMUM);
    varied->values[varied->count++] = strcpy(room, text);
    return 0;
}

/* Parse WORD, such as "64k", or "50%" with *PERCENT set. Returns whether WORD is a number in
 * range. */
static bool parse_number(const struct option_entry *entry, const char *word, double *value,
                         bool *percent)
{
    const bool is_size = entry->kind == OPTION_SIZE || entry->kind == OPTION_OFFSET;
    const size_t length = strlen(word);
    uint64_t number = 0;
    char *end;
    int code;

    *percent = length > 0 && word[length - 1] == '%' && entry->kind == OPTION_RATE;
    if (*percent) {
        *value = strtod(word, &end);
        return end == word + length - 1 && *value > 0 && *value <= 1000;
    }
    code = is_size ? units_parse_size(word, &number) : units_parse_count(word, &number);
    *value = (double)number;
    return code == 0 && number < UINT32_MAX;
}

static int add_number(struct varied *varied, double value, struct error *error)
{
    char text[32];

    snprintf(text, sizeof text, varied->percent ? "%.6g%%" : "%.0f", value);
    return add_text(varied, text, error);
}

/* Add FIRST, its doublings (for percentages, its multiples) that are below LAST, and LAST. */
static int add_range(struct varied *varied, double first, double last, struct error *error)
{
    double value = first;
    int code = 0;

    for (size_t i = 2; value < last * (1 - 1e-9) && code == 0; i++) {
        code = add_number(varied, value, error);
        value = varied->percent ? first * (double)i : value * 2;
    }
    return code ? code : add_number(varied, last, error);
}

static int add_numbers(struct varied *varied, char *word, struct error *error)
{
    const struct option_entry *entry = varied->entry;
    char *dots = strstr(word, "..");
    bool percent, last_percent, good;
    double first, last;

    if (dots)
        *dots = '\0';
    good = parse_number(entry, word, &first, &percent);
    last = first;
    last_percent = percent;
    if (dots)
        good = good && parse_number(entry, dots + 2, &last, &last_percent) && first >= 1e-9 &&
               first <= last;
    if (!good || percent != last_percent || (varied->count > 0 && percent != varied->percent))
        return option_refuse(entry, word,
                             entry->kind == OPTION_RATE
                                 ? "values such as 1k,2k or 1k..64k (doublings), or percentages "
                                   "such as 10%..100%"
                                 : "values such as 1,2,4 or 1..64 (doublings)",
                             error);
    varied->percent = percent;
    return add_range(varied, first, last, error);
}

static int add_values(struct varied *varied, const char *text, struct error *error)
{
    char word[VALUE_SIZE];
    int code = 0;

    for (const char *at = text; code == 0 && at;) {
        option_word(&at, word, sizeof word);
        code = is_number(varied->entry) ? add_numbers(varied, word, error)
                                        : add_text(varied, word, error);
    }
    return code;
}

int vary_parse_values(const struct option_entry *entry, const char *text, void *member,
                      struct error *error)
{
    struct varied *varied = member;

    *varied = (struct varied){.entry = options_find(GROUPS_RUN, entry->name)};
    return add_values(varied, text, error);
}

const struct option_entry *vary_option_at(size_t index)
{
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];
    size_t count = options_of(command_find("run"), entries), varies = 0;

    for (size_t i = 0; i < count; i++)
        if (entries[i]->varies && varies++ == index)
            return entries[i];
    return NULL;
}

static int refuse_name(const char *name, struct error *error)
{
    const struct option_entry *entry;
    char names[400] = "", hint[NEAREST_HINT_SIZE];
    struct nearest nearest;

    nearest_begin(&nearest, name);
    for (size_t i = 0; (entry = vary_option_at(i)); i++) {
        vary_append(names, sizeof names, ", ", entry->name);
        nearest_offer(&nearest, entry->name);
    }
    return error_set(error, ERROR_USAGE, -EINVAL, "--vary '%.40s': expected one of %s%s", name,
                     names, nearest_hint(&nearest, hint));
}

int vary_parse_named(const struct option_entry *entry, const char *text, void *member,
                     struct error *error)
{
    const size_t length = strcspn(text, "=");
    struct varied *varied = member;
    const struct option_entry *named;
    size_t i = 0;
    char name[48];

    snprintf(name, sizeof name, "%.*s", (int)length, text);
    while ((named = vary_option_at(i)) && strcmp(named->name, name) != 0)
        i++;
    if (!text[length] || !named)
        return refuse_name(name, error);
    if (varied->entry == named || (varied[0].entry && varied[1].entry))
        return error_set(error, ERROR_USAGE, -EINVAL, "--vary %s: %s", name,
                         varied->entry == named ? "the option is varied already"
                                                : "at most two options can be varied");
    varied += varied->entry != NULL;
    varied->entry = named;
    return add_values(varied, text + length + 1, error);
}
