#include "test.h"

#include "common/append.h"

TEST_CASE(items_have_commas_between)
{
    char text[32] = "";

    append_item(text, sizeof text, "%s", "one");
    append_item(text, sizeof text, "%d %s", 2, "two");
    append(text, sizeof text, ", and %d", 3);
    assert_string_equal(text, "one, 2 two, and 3");
}

TEST_CASE(what_does_not_fit_is_cut_off)
{
    char text[8] = "";

    for (int i = 0; i < 20; i++)
        append_item(text, sizeof text, "abc");
    assert_string_equal(text, "abc, ab");
}
