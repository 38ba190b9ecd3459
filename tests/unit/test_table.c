/* Tables that fit the width of the terminal. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "output/table.h"
#include "test.h"

static const struct table_column columns[] = {
    {"op", 4, true, 0}, {"first", 5, false, 2}, {"mean", 6, false, 0}, {"last", 4, false, 1}};

static char *text;
static size_t length;

static void print(unsigned width)
{
    FILE *out = open_memstream(&text, &length);
    struct table table;

    assert_non_null(out);
    table_begin(&table, columns, COUNT_OF(columns), width, out);
    table_headings(&table);
    table_cell(&table, "null");
    table_cell(&table, "%d", 12);
    table_cell(&table, "%.1f", 3.25);
    table_cell(&table, "%s", "ab");
    table_end_row(&table, "a remark");
    table_cell(&table, "x");
    table_end_row(&table, "");
    fclose(out);
}

static void assert_printed(unsigned width, const char *expected)
{
    print(width);
    assert_string_equal(text, expected);
    free(text);
}

TEST_CASE(all_fits)
{
    static const char whole[] = "  op    first    mean  last\n"
                                "  null     12     3.2    ab  a remark\n"
                                "  x   \n";

    assert_printed(UINT_MAX, whole);
    assert_printed(37, whole);
}

TEST_CASE(a_remark_without_room_stands_below)
{
    assert_printed(36, "  op    first    mean  last\n"
                       "  null     12     3.2    ab\n"
                       "      a remark\n"
                       "  x   \n");
}

TEST_CASE(the_least_important_goes_first)
{
    assert_printed(26, "  op      mean  last\n  null     3.2    ab\n      a remark\n  x   \n");
    assert_printed(20, "  op      mean  last\n  null     3.2    ab\n      a remark\n  x   \n");
    assert_printed(19, "  op      mean\n  null     3.2\n      a remark\n  x   \n");
}

TEST_CASE(what_must_stay_stays)
{
    assert_printed(0, "  op      mean\n  null     3.2\n      a remark\n  x   \n");
}

/* A cell that is longer than its column: those after it stand where they would, if they leave so
 * much, and else as far to the left as they can. */
TEST_CASE(a_long_cell_moves_few)
{
    FILE *out = open_memstream(&text, &length);
    struct table table;

    assert_non_null(out);
    table_begin(&table, columns, COUNT_OF(columns), 40, out);
    for (int i = 0; i < 2; i++) {
        table_cell(&table, i ? "longer" : "null");
        table_cell(&table, i ? "1234" : "12");
        table_cell(&table, i ? "3.2" : "123456789");
        table_cell(&table, "%s", i ? "ab" : "abcd");
        table_end_row(&table, "remark");
    }
    fclose(out);
    assert_string_equal(text, "  null     12  123456789  abcd  remark\n"
                              "  longer  1234    3.2    ab  remark\n");
    free(text);
}
