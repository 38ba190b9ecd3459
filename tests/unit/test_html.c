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

TEST_CASE_WITH(arguments_are_text, set_up, tear_down)
{
    html_print(out, "<b>%s & %s</b>%c%%", "<a href='x'>", "\"", '<');
    expect("<b>&lt;a href=&#39;x&#39;&gt; & &quot;</b>&lt;%");
}

TEST_CASE_WITH(numbers_are_as_printf_prints_them, set_up, tear_down)
{
    html_print(out, "%u %zu %lu %.1f %+.*f %.2g %.*s|", 1U, (size_t)2, ~0UL, 0.25, 2, 1.0, 1234.5,
               2, "<<<");
    expect("1 2 18446744073709551615 0.2 +1.00 1.2e+03 &lt;&lt;|");
}

TEST_CASE_WITH(harmful_characters_are_replaced, set_up, tear_down)
{
    html_print(out, "%s", "a\nb\033[31m\177 µs – x\xff\xfey<");
    expect("a?b?[31m? µs – x??y&lt;");
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

TEST_CASE_WITH(zero_has_no_sign, set_up, tear_down)
{
    html_number(out, -0.001, 2);
    fputc(' ', out);
    html_number(out, -0.006, 2);
    fputc(' ', out);
    html_number(out, NAN, 2);
    expect("0.00 -0.01 –");
}
