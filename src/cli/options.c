#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/units.h"

enum {
    TABLE_MAXIMUM = 96,
    FIRST_LONG_VALUE = 256, /* above every letter */
    HELP_COLUMN = 26,
};

static int parse_bounded(int (*parse)(const char *, uint64_t *), const char *text, uint64_t maximum,
                         uint64_t *value)
{
    int code = parse(text, value);

    return code == 0 && *value > maximum ? -ERANGE : code;
}

static int store_u32(int (*parse)(const char *, uint64_t *), const char *text, uint32_t *member)
{
    uint64_t value = 0;
    int code = parse_bounded(parse, text, UINT32_MAX, &value);

    if (code == 0)
        *member = (uint32_t)value;
    return code;
}

static int store_port(const char *text, uint16_t *member)
{
    uint64_t value = 0;
    int code = parse_bounded(units_parse_count, text, UINT16_MAX, &value);

    if (code == 0 && value == 0)
        return -ERANGE;
    if (code == 0)
        *member = (uint16_t)value;
    return code;
}

static int store_time(const char *text, uint64_t *member)
{
    int code = units_parse_time(text, member);

    return code == 0 && *member == 0 ? -ERANGE : code;
}

static int store_item(const char *text, struct option_list *list)
{
    if (list->count == OPTION_LIST_MAXIMUM)
        return -E2BIG;
    list->values[list->count++] = text;
    return 0;
}

static int store(const struct option_entry *entry, const char *text, void *settings)
{
    void *member = (char *)settings + entry->offset;

    switch (entry->kind) {
    case OPTION_FLAG:
        *(bool *)member = true;
        return 0;
    case OPTION_TEXT:
        *(const char **)member = text;
        return 0;
    case OPTION_COUNT:
        return units_parse_count(text, member);
    case OPTION_NUMBER:
        return store_u32(units_parse_count, text, member);
    case OPTION_SIZE:
        return store_u32(units_parse_size, text, member);
    case OPTION_OFFSET:
        return units_parse_size(text, member);
    case OPTION_TIME:
        return store_time(text, member);
    case OPTION_PORT:
        return store_port(text, member);
    case OPTION_LIST:
        return store_item(text, member);
    }
    return -EINVAL;
}

static const char *expectation(enum option_kind kind)
{
    switch (kind) {
    case OPTION_COUNT:
    case OPTION_NUMBER:
        return "a whole number such as 1000, 10k or 1M";
    case OPTION_SIZE:
    case OPTION_OFFSET:
        return "a size such as 4096, 64KiB or 1M";
    case OPTION_TIME:
        return "a time above 0 with its unit, such as 200ns, 2us, 1.5s";
    case OPTION_PORT:
        return "a port, 1 to 65535";
    case OPTION_LIST:
        return "fewer of them";
    default:
        return "another value";
    }
}

static int refuse_value(const struct option_entry *entry, const char *text, int code,
                        struct error *error)
{
    return error_set(error, ERROR_USAGE, -EINVAL, "--%s '%.100s' %s; expected %s", entry->name,
                     text, code == -ERANGE ? "is out of range" : "can't be read",
                     expectation(entry->kind));
}

/* getopt_long()'s own form of the table. */
static void translate(const struct option_entry *table, struct option *longs, char *letters)
{
    int value = FIRST_LONG_VALUE;

    *letters++ = ':'; /* report a missing value as such */
    for (; table->name; table++) {
        *longs++ = (struct option){.name = table->name,
                                   .has_arg = table->argument ? required_argument : no_argument,
                                   .val = value++};
        if (!table->letter)
            continue;
        *letters++ = table->letter;
        if (table->argument)
            *letters++ = ':';
    }
    *letters = '\0';
    *longs = (struct option){0};
}

static size_t length_of(const struct option_entry *table)
{
    size_t length = 0;

    while (table[length].name)
        length++;
    return length;
}

static const struct option_entry *entry_of(const struct option_entry *table, int value)
{
    if (value >= FIRST_LONG_VALUE)
        return &table[value - FIRST_LONG_VALUE];
    while (table->name && table->letter != value)
        table++;
    return table->name ? table : NULL;
}

static int refuse_option(int value, char **argv, struct error *error)
{
    const char *word = argv[optind - 1];

    if (value == ':')
        return error_set(error, ERROR_USAGE, -EINVAL, "option '%.100s' lacks its value", word);
    if (isdigit((unsigned char)optopt))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "a number can't be negative: -%c...; see --help", optopt);
    if (optopt && optopt < FIRST_LONG_VALUE)
        return error_set(error, ERROR_USAGE, -EINVAL, "unknown option '-%c'; see --help", optopt);
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "unknown, ambiguous or valueless option '%.100s'; see --help", word);
}

int options_parse(const struct option_entry *table, int argc, char **argv, void *settings,
                  int *first, struct error *error)
{
    struct option longs[TABLE_MAXIMUM];
    char letters[2 * TABLE_MAXIMUM];
    int value;

    if (length_of(table) >= TABLE_MAXIMUM)
        return error_set(error, ERROR_FAILED, -E2BIG, "the table of options is too long");
    translate(table, longs, letters);
    opterr = 0;
    optind = 0; /* start afresh: GNU's way */
    while ((value = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        const struct option_entry *entry =
            value == '?' || value == ':' ? NULL : entry_of(table, value);
        int code;

        if (!entry)
            return refuse_option(value, argv, error);
        code = store(entry, optarg, settings);
        if (code)
            return refuse_value(entry, optarg, code, error);
    }
    *first = optind;
    return 0;
}

int options_parse_alone(const struct option_entry *table, const char *command, int argc,
                        char **argv, void *settings, struct error *error)
{
    int first, code = options_parse(table, argc, argv, settings, &first, error);

    if (code == 0 && first < argc)
        return error_set(error, ERROR_USAGE, -EINVAL, "%s takes no word '%.100s'", command,
                         argv[first]);
    return code;
}

void options_help(const struct option_entry *table, FILE *out)
{
    for (; table->name; table++) {
        char left[64];
        char letter[8] = "    ";

        if (table->letter)
            snprintf(letter, sizeof letter, "-%c, ", table->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, table->name, table->argument ? " " : "",
                 table->argument ? table->argument : "");
        fprintf(out, "  %-*s  %s\n", HELP_COLUMN, left, table->help);
    }
}
