/* Options: one table parses and prints the help. */
#include "test.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

struct settings {
    bool flag;
    const char *text;
    uint64_t count, offset, time;
    uint32_t number, size;
    uint16_t port;
    struct option_list list;
};

#define MEMBER(member) offsetof(struct settings, member)

static const struct option_entry table[] = {
    {"flag", 'f', OPTION_FLAG, MEMBER(flag), NULL, "a flag"},
    {"text", 't', OPTION_TEXT, MEMBER(text), "TEXT", "a text"},
    {"count", 0, OPTION_COUNT, MEMBER(count), "N", "a count"},
    {"number", 'n', OPTION_NUMBER, MEMBER(number), "N", "a number"},
    {"size", 0, OPTION_SIZE, MEMBER(size), "BYTES", "a size"},
    {"offset", 0, OPTION_OFFSET, MEMBER(offset), "BYTES", "an offset"},
    {"time", 0, OPTION_TIME, MEMBER(time), "TIME", "a time"},
    {"port", 0, OPTION_PORT, MEMBER(port), "N", "a port"},
    {"item", 'i', OPTION_LIST, MEMBER(list), "ITEM", "an item"},
    {0},
};

enum { WORDS_MAXIMUM = 64 };

/* Parse LINE, split at spaces. The words are in static memory, for what points into them. */
static int parse(const char *line, struct settings *settings, int *words, struct error *error)
{
    static char copy[1024], program[] = "test";
    char *argv[WORDS_MAXIMUM] = {program};
    int argc = 1, first, code;

    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    memset(settings, 0, sizeof *settings);
    code = options_parse(table, argc, argv, settings, &first, error);
    *words = argc - first;
    return code;
}

static void test_every_kind(void **state)
{
    struct settings settings;
    struct error error;
    int words;

    assert_int_equal(parse("a -f --text=x b -n 5k --count 1M --size 64KiB --offset 5G --time 2us "
                           "--port 2049 -i 1 --item 2 -- -c",
                           &settings, &words, &error),
                     0);
    assert_true(settings.flag);
    assert_string_equal(settings.text, "x");
    assert_int_equal(settings.number, 5000);
    assert_int_equal(settings.count, 1000000);
    assert_int_equal(settings.size, 65536);
    assert_int_equal(settings.offset, 5000000000);
    assert_int_equal(settings.time, 2000);
    assert_int_equal(settings.port, 2049);
    assert_int_equal(settings.list.count, 2);
    assert_string_equal(settings.list.values[1], "2");
    assert_int_equal(words, 3);
}

static void test_bad(void **state)
{
    static const char *const lines[] = {
        "--frobnicate",        "-z",          "--text",    "-n",       "--flag=1", "--port 0",
        "--port 65536",        "--port http", "--size 5G", "--size x", "--time 0", "--time 5",
        "--number 4294967296", "--number -1", "-1",

    };

    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct settings settings;
        struct error error = {0};
        int words;

        if (parse(lines[i], &settings, &words, &error) != -EINVAL)
            fail_msg("'%s' was taken", lines[i]);
        assert_int_equal(error.kind, ERROR_USAGE);
        assert_null(strchr(error.text, '\n'));
    }
}

static void test_a_list_is_bounded(void **state)
{
    struct settings settings;
    struct error error;
    char line[512] = "";
    int words;

    for (int i = 0; i < OPTION_LIST_MAXIMUM; i++)
        strcat(line, "-ix ");
    assert_int_equal(parse(line, &settings, &words, &error), 0);
    strcat(line, "-ix");
    assert_int_equal(parse(line, &settings, &words, &error), -EINVAL);
}

static void test_help_names_all(void **state)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    assert_non_null(out);
    options_help(table, out);
    fclose(out);
    for (const struct option_entry *entry = table; entry->name; entry++) {
        assert_non_null(strstr(text, entry->name));
        assert_non_null(strstr(text, entry->help));
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_a_list_is_bounded),
        cmocka_unit_test(test_help_names_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
