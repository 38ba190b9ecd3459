/* "Did you mean": which names are near a word. */
#include "test.h"

#include "common/nearest.h"

static const char *const names[] = {"getattr", "setattr", "read", "readdir", "readdirplus", "null"};

static const char *find(const char *word)
{
    struct nearest nearest;

    nearest_begin(&nearest, word);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        nearest_offer(&nearest, names[i]);
    return nearest.name;
}

TEST_CASE(near)
{
    assert_string_equal(find("getatr"), "getattr");
    assert_string_equal(find("gettattr"), "getattr");
    assert_string_equal(find("gteattr"), "getattr"); /* neighbours swapped */
    assert_string_equal(find("SETATR"), "setattr");
    assert_string_equal(find("raed"), "read");
    assert_string_equal(find("readdri"), "readdir");
    assert_string_equal(find("readdirpluss"), "readdirplus");
    assert_string_equal(find("nul"), "null");
}

TEST_CASE(far)
{
    assert_null(find("frobnicate"));
    assert_null(find(""));
    assert_null(find("x"));
    assert_null(find("xyzzy"));
    assert_null(find("a word that is longer than any name that there is, by far"));
}

TEST_CASE(hint)
{
    char hint[NEAREST_HINT_SIZE];
    struct nearest nearest;

    nearest_begin(&nearest, "raed");
    assert_string_equal(nearest_hint(&nearest, hint), "");
    nearest_offer(&nearest, "read");
    nearest_offer(&nearest, "raid"); /* equally near, and later */
    assert_string_equal(nearest_hint(&nearest, hint), "; did you mean 'read'?");
}
