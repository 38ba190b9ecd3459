#include "test.h"

#include "common/nearest.h"

static const char *const names[] = {"getattr", "setattr", "read", "readdir", "readdirplus", "null"};

TEST_CASE(near_and_far)
{
    static const char *const cases[][2] = {
        {"getatr", "getattr"},
        {"gettattr", "getattr"},
        {"gteattr", "getattr"}, /* two neighbouring letters swapped */
        {"SETATR", "setattr"},
        {"readdri", "readdir"},
        {"readdirpluss", "readdirplus"},
        {"nul", "null"},
        {"frobnicate", NULL},
        {"", NULL},
        {"x", NULL},
        {"a word that is longer than any name that there is, by far", NULL},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct nearest nearest;

        nearest_begin(&nearest, cases[i][0]);
        for (size_t j = 0; j < COUNT_OF(names); j++)
            nearest_offer(&nearest, names[j]);
        assert_int_equal(nearest.name != NULL, cases[i][1] != NULL);
        if (cases[i][1])
            assert_string_equal(nearest.name, cases[i][1]);
    }
}

TEST_CASE(hint)
{
    char hint[NEAREST_HINT_SIZE];
    struct nearest nearest;

    nearest_begin(&nearest, "raed");
    assert_string_equal(nearest_hint(&nearest, hint), "");
    nearest_offer(&nearest, "read");
    nearest_offer(&nearest, "raid"); /* as near as "read", but offered later */
    assert_string_equal(nearest_hint(&nearest, hint), "; did you mean 'read'?");
}
