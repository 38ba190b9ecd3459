/* Options: parsing by the table, and a separate error message for each kind of mistake. */
#include "test.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"

struct values {
    bool flag, flavour;
    const char *text, *name;
    int choice;
    uint64_t count, offset, time;
    double rate;
    uint32_t number, size;
    uint16_t port;
    struct option_list list;
    char letter;
};

static const struct option_choice choices[] = {{"first", 7}, {"second", 8}, {0}};

static int parse_letter(const struct option_entry *entry, const char *text, void *member,
                        struct error *error)
{
    *(char *)member = text[0];
    return text[1] ? error_set(error, ERROR_USAGE, -EINVAL, "--%s: not one letter", entry->name)
                   : 0;
}

#define TO(field) .offset = offsetof(struct values, field), .section = SECTION_GENERAL

static const struct option_entry table[] = {
    {"flag", 'f', OPTION_FLAG, TO(flag), .help = "a flag"},
    {"flavour", 0, OPTION_FLAG, TO(flavour), .help = "another, that begins likewise"},
    {"text", 't', OPTION_TEXT, TO(text), .value = "TEXT", .help = "a text"},
    {"name", 0, OPTION_NAME, TO(name), .value = "NAME", .help = "a name", .choices = choices},
    {"choice", 0, OPTION_CHOICE, TO(choice), .value = "NAME", .help = "a choice",
     .choices = choices},
    {"count", 0, OPTION_COUNT, TO(count), .value = "N", .help = "a count", .maximum = 1000000},
    {"rate", 0, OPTION_RATE, TO(rate), .value = "N", .help = "a rate", .minimum = 1},
    {"number", 'n', OPTION_NUMBER, TO(number), .value = "N", .help = "a number", .minimum = 2},
    {"size", 0, OPTION_SIZE, TO(size), .value = "BYTES", .help = "a size"},
    {"offset", 0, OPTION_OFFSET, TO(offset), .value = "BYTES", .help = "an offset"},
    {"time", 0, OPTION_TIME, TO(time), .value = "TIME", .help = "a time", .maximum = 1000000000},
    {"port", 0, OPTION_PORT, TO(port), .value = "N", .help = "a port"},
    {"item", 'i', OPTION_LIST, TO(list), .value = "ITEM", .help = "an item"},
    {"letter", 0, OPTION_OTHER, TO(letter), .value = "LETTER", .help = "a letter",
     .parse = parse_letter},
};

enum { WORDS_MAXIMUM = 64 };

static struct values values;
static bool given[COUNT_OF(table)];
static struct error error;
static size_t word_count;

static void fill_entries(const struct option_entry *entries[])
{
    for (size_t i = 0; i < COUNT_OF(table); i++)
        entries[i] = &table[i];
    entries[COUNT_OF(table)] = NULL;
}

/* Parse LINE, split at spaces. The words are in static memory, since the result points to them. */
static int parse(const char *line)
{
    static char copy[1024], program[] = "test";
    const struct option_entry *entries[COUNT_OF(table) + 1];
    char *argv[WORDS_MAXIMUM] = {program};
    struct option_parser parser = {.entries = entries, .values = &values, .given = given};
    int argc = 1, code;

    fill_entries(entries);
    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    memset(&values, 0, sizeof values);
    memset(&error, 0, sizeof error);
    memset(given, 0, sizeof given);
    code = options_parse_by(&parser, argc, argv, &error);
    word_count = parser.word_count;
    return code;
}

TEST_CASE(every_kind)
{
    assert_int_equal(parse("a -f --text=x b -n 5k --count 1M --size 64KiB --offset 5GB --time 2us "
                           "--port 2049 -i 1 --item 2 --name second --choice second --rate 2k "
                           "--letter q -- -c"),
                     0);
    assert_true(values.flag);
    assert_string_equal(values.text, "x");
    assert_string_equal(values.name, "second");
    assert_int_equal(values.choice, 8);
    assert_int_equal(values.number, 5000);
    assert_int_equal(values.count, 1000000);
    assert_near(values.rate, 2000, 0);
    assert_int_equal(values.size, 65536);
    assert_int_equal(values.offset, 5000000000);
    assert_int_equal(values.time, 2000);
    assert_int_equal(values.port, 2049);
    assert_int_equal(values.list.count, 2);
    assert_string_equal(values.list.values[1], "2");
    assert_int_equal(values.letter, 'q');
    assert_int_equal(word_count, 3);
    assert_true(given[0]);
    assert_false(given[1]);
    /* An abbreviation is accepted if it is unambiguous. */
    assert_int_equal(parse("--cou 3 --fla"), -EINVAL);
    assert_int_equal(parse("--cou 3 --flag"), 0);
    assert_int_equal(values.count, 3);
}

/* Each mistake has its own message, of one line. */
TEST_CASE(refusals)
{
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"--frobnicate", "unknown option '--frobnicate'; see --help"},
        {"--txet x", "unknown option '--txet'; did you mean '--text'?"},
        {"--fla", "option '--fla' is ambiguous; it could be --flag, --flavour"},
        {"--text", "option '--text' needs a value: expected TEXT"},
        {"--text=", "--text '': the value is empty; expected TEXT"},
        {"-n", "option '--number' needs a value: expected N"},
        {"--flag=1", "option '--flag' takes no value, but '=1' has one"},
        {"-Z", "unknown option '-Z'"},
        {"-fz", "unknown option '-z'"},
        {"-5", "can't be negative"},
        {"--port 0", "--port '0' is out of range; expected a port, 1 to 65535"},
        {"--port 65536", "out of range"},
        {"--port http", "can't be read"},
        {"--size 5G", "out of range"},
        {"--size x", "can't be read; expected a size such as 4096"},
        {"--time 0", "out of range"},
        {"--time 5", "can't be read; expected a time above 0 with its unit"},
        {"--time 2s", "--time must be 1 s at most, not '2s'"},
        {"--number 1", "--number must be 2 or more, not '1'"},
        {"--number 4294967296", "out of range"},
        {"--number -1", "can't be read"},
        {"--count 2M", "--count must be 1000000 at most, not '2M'"},
        {"--name third", "--name 'third' is not known"},
        {"--choice frist", "expected first or second; did you mean 'first'?"},
        {"--letter ab", "not one letter"},
        {"--versus x", "leave --versus out: it is an option of 'nfsbench run'"},
        {"--batch 2", "it is an option of 'nfsbench run' and 'nfsbench sweep'"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(parse(cases[i].line), -EINVAL);
        assert_int_equal(error.kind, ERROR_USAGE);
        if (!strstr(error.text, cases[i].words) || strchr(error.text, '\n'))
            fail_msg("%s: '%s' does not say '%s'", cases[i].line, error.text, cases[i].words);
    }
}

TEST_CASE(a_list_is_bounded)
{
    char line[512] = "";

    for (int i = 0; i < OPTION_LIST_MAXIMUM; i++)
        strcat(line, "-ix ");
    assert_int_equal(parse(line), 0);
    strcat(line, "-ix");
    assert_int_equal(parse(line), -EINVAL);
}

/* Each of NAMES is an option that one of the commands takes that take ENTRY. */
static void check_names(const struct option_entry *entry, const char *names)
{
    char text[256];

    snprintf(text, sizeof text, "%s", names ? names : "");
    for (char *rest = text, *name; (name = strtok_r(rest, "|", &rest));) {
        bool found = false;

        for (size_t i = 0; option_at(i); i++)
            found |= strcmp(option_at(i)->name, name) == 0 &&
                     ((option_at(i)->commands | option_at(i)->silent) & entry->commands);
        if (!found)
            fail_msg("--%s needs or excludes --%s, which no command has that takes both",
                     entry->name, name);
    }
}

/* The one table: no command has two options of the same name, letter or member, and each option has
 * what its kind needs. */
TEST_CASE(the_table_is_consistent)
{
    for (unsigned bit = 1; bit < COMMAND_ALL; bit <<= 1) {
        const struct option_entry *entries[OPTIONS_MAXIMUM + 1];
        size_t count = options_of((enum command_bit)bit, entries);

        assert_true(count > 0);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < i; j++) {
                if (strcmp(entries[i]->name, entries[j]->name) == 0)
                    fail_msg("--%s occurs twice for command %u", entries[i]->name, bit);
                if (entries[i]->letter && entries[i]->letter == entries[j]->letter)
                    fail_msg("-%c occurs twice for command %u", entries[i]->letter, bit);
                if (entries[i]->offset == entries[j]->offset)
                    fail_msg("--%s and --%s set the same member", entries[i]->name,
                             entries[j]->name);
            }
    }
    for (size_t i = 0; option_at(i); i++) {
        const struct option_entry *entry = option_at(i);
        bool has_choices = entry->kind == OPTION_NAME || entry->kind == OPTION_CHOICE;

        assert_int_equal(entry->value == NULL, entry->kind == OPTION_FLAG);
        assert_int_equal(entry->parse != NULL, entry->kind == OPTION_OTHER);
        if (entry->kind != OPTION_OTHER) /* whose parser may take a list of choices */
            assert_int_equal(entry->choices != NULL, has_choices);
        /* A form has an option that writes to a file and one that prints to standard output; no
         * command need take either. */
        assert_true(entry->commands || entry->section == SECTION_OUTPUT);
        assert_false(entry->commands & entry->silent);
        assert_non_null(entry->help);
        check_names(entry, entry->needs.names);
        for (size_t j = 0; j < OPTION_EXCLUSIONS_MAXIMUM; j++)
            check_names(entry, entry->excludes[j].names);
    }
}
