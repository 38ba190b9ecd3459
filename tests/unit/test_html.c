#include "picture/html.h"
#include "test.h"

TEST_CASE(arguments_are_text)
{
    static char text[65536], words[20001];
    FILE *out = fmemopen(text, sizeof text, "w");

    assert_non_null(out);
    html_print(out, "<b>%s & %s</b>%c%%\n", "<a href='x'>", "\"", '<');
    html_print(out, "%u %zu %lu %.1f %+.*f %.2g %.*s|\n", 1U, (size_t)2, ~0UL, 0.25, 2, 1.0, 1234.5,
               2, "<<<");
    html_print(out, "%s\n", "a\nb\033[31m\177 µs – x\xff\xfey<"); /* harmful characters */
    html_number(out, -0.001, 2);                                  /* 0 has no sign */
    html_number(out, -0.006, 2);
    html_number(out, NAN, 2);
    fflush(out);
    assert_string_equal(text, "<b>&lt;a href=&#39;x&#39;&gt; & &quot;</b>&lt;%\n"
                              "1 2 18446744073709551615 0.2 +1.00 1.2e+03 &lt;&lt;|\n"
                              "a?b?[31m? µs – x??y&lt;\n"
                              "0.00-0.01–");
    rewind(out);
    memset(words, '<', sizeof words - 1);
    html_print(out, "%s", words);
    assert_int_equal(ftell(out), 8191 * strlen("&lt;"));
    fclose(out);
}
