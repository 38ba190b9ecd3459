/* Writing text as HTML: nothing from outside becomes markup. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/html.h"
#include "test.h"

static char *text;
static size_t length;
static FILE *out;

static int set_up(void **state)
{
    out = open_memstream(&text, &length);
    return out ? 0 : -1;
}

static int tear_down(void **state)
{
    free(text);
    return 0;
}

static void expect(const char *expected)
{
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, expected);
}

TEST_CASE_WITH(markup_is_escaped, set_up, tear_down)
{
    html_print(out, "%s & %s", "<a href='x'>", "\"");
    expect("&lt;a href=&#39;x&#39;&gt; &amp; &quot;");
}

TEST_CASE_WITH(control_characters_are_replaced, set_up, tear_down)
{
    html_print(out, "a\nb\033[31m\177");
    expect("a?b?[31m?");
}

TEST_CASE_WITH(utf8_stays, set_up, tear_down)
{
    html_print(out, "µs – ok");
    expect("µs – ok");
}

TEST_CASE_WITH(other_bytes_are_replaced, set_up, tear_down)
{
    html_print(out, "x\xff\xfey<");
    expect("x??y&lt;");
}

TEST_CASE_WITH(long_text_is_cut, set_up, tear_down)
{
    char *words = malloc(20001);

    assert_non_null(words);
    memset(words, '<', 20000);
    words[20000] = '\0';
    html_print(out, "%s", words);
    fclose(out);
    assert_int_equal(length, 8191 * strlen("&lt;"));
    free(words);
}

TEST_CASE_WITH(counts_have_commas, set_up, tear_down)
{
    html_count(out, 0);
    fputc(' ', out);
    html_count(out, 999);
    fputc(' ', out);
    html_count(out, 1000);
    fputc(' ', out);
    html_count(out, -1234567);
    fputc(' ', out);
    html_count(out, NAN);
    fputc(' ', out);
    html_count(out, INFINITY);
    expect("0 999 1,000 -1,234,567 – –");
}

TEST_CASE_WITH(zero_has_no_sign, set_up, tear_down)
{
    html_number(out, -0.001, 2);
    fputc(' ', out);
    html_number(out, -0.006, 2);
    fputc(' ', out);
    html_number(out, NAN, 2);
    expect("0.00 -0.01 –");
}
