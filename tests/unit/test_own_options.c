/* A command's own options are taken out, and the rest is left for the measuring run's parser. */
#include "test.h"

#include <string.h>

#include "cli/own_options.h"

struct own_settings {
    const char *json;
    bool ladder;
};

static const struct own_option table[] = {
    {"json", 'j', offsetof(struct own_settings, json), "FILE", "a form"},
    {"ladder", 0, offsetof(struct own_settings, ladder), NULL, "a way"},
    {0},
};

enum { WORDS_MAXIMUM = 8 };

static struct own_settings settings;
static struct own_words words;
static struct error error;

static int tear_down(void **state)
{
    own_words_free(&words);
    return 0;
}

/* Take them from LINE, whose words have single spaces between them. */
static int take(const char *line)
{
    static char text[128];
    char *argv[WORDS_MAXIMUM], *rest;
    int argc = 0;

    own_words_free(&words);
    memset(&settings, 0, sizeof settings);
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok_r(text, " ", &rest); word && argc < WORDS_MAXIMUM;
         word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    return own_options_take(table, argc, argv, &settings, &words, &error);
}

static void test_takes_and_leaves(void **state)
{
    assert_int_equal(take("explain --ladder self: -j out --seed=7"), 0);
    assert_true(settings.ladder);
    assert_string_equal(settings.json, "out");
    assert_int_equal(words.count, 3);
    assert_string_equal(words.words[1], "self:");
    assert_string_equal(words.words[2], "--seed=7");
    assert_int_equal(take("explain --json=out --jsonish -jin"), 0);
    assert_string_equal(settings.json, "in");
    assert_string_equal(words.words[1], "--jsonish");
}

static void test_refuses_abbreviations(void **state)
{
    assert_int_not_equal(take("explain --js out"), 0);
    assert_int_equal(error.kind, ERROR_USAGE);
    assert_non_null(strstr(error.text, "--json"));
    assert_int_not_equal(take("explain --ladd"), 0);
    assert_int_not_equal(take("explain --js=out"), 0);
    assert_int_equal(take("explain -- --js"), 0);
    assert_int_equal(words.count, 3);
}

static void test_values(void **state)
{
    assert_int_not_equal(take("explain --ladder=yes"), 0);
    assert_int_not_equal(take("explain --json"), 0);
    assert_int_not_equal(take("explain --json="), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_takes_and_leaves, tear_down),
        cmocka_unit_test_teardown(test_refuses_abbreviations, tear_down),
        cmocka_unit_test_teardown(test_values, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
