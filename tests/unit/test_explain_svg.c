/* An explanation as a picture. */
#include <stdlib.h>

#include "explanation_sample.h"
#include "test.h"

static struct explanation_sample sample;
static struct explanation *const explanation = &sample.explanation;
static char *text;

static int forget(void **state)
{
    free(text);
    text = NULL;
    return 0;
}

static void draw(void)
{
    free(text);
    text = explanation_written(explanation, explain_write_svg);
    assert_non_null(text);
}

enum { DEPTH_MAXIMUM = 16, NAME_SIZE = 32 };

/* Skip a tag's attributes: NAME='value', without markup in values. Returns their end. */
static const char *skip_attributes(const char *c)
{
    c += strspn(c, " \n");
    while (*c != '>' && *c != '/') {
        c += strcspn(c, "='<>");
        assert_memory_equal(c, "='", 2);
        c += 2;
        c += strcspn(c, "'<");
        assert_int_equal(*c, '\'');
        c++;
        c += strspn(c, " \n");
    }
    return c;
}

static void check_reference(const char *c)
{
    static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};

    for (size_t i = 0; i < COUNT_OF(references); i++)
        if (strncmp(c, references[i], strlen(references[i])) == 0)
            return;
    fail_msg("a bare ampersand: %.20s", c);
}

/* Is TEXT well-formed XML with elements, attributes in single quotes, and text only? Returns the
 * number of elements. */
static size_t check_xml(void)
{
    char open[DEPTH_MAXIMUM][NAME_SIZE];
    size_t depth = 0, elements = 0;

    for (const char *c = text; *c; c++) {
        bool closes = c[0] == '<' && c[1] == '/';
        size_t length = *c == '<' ? strcspn(c + 1 + closes, " />\n") : 0;

        if (*c == '&')
            check_reference(c);
        if (*c != '<')
            continue;
        assert_in_range(length, 1, NAME_SIZE - 1);
        if (closes) {
            assert_true(depth > 0);
            assert_int_equal(strlen(open[--depth]), length);
            assert_memory_equal(open[depth], c + 2, length);
            c += 2 + length;
            assert_int_equal(*c, '>');
            continue;
        }
        assert_true(elements == 0 || depth > 0); /* one root element */
        elements++;
        snprintf(open[depth++], NAME_SIZE, "%.*s", (int)length, c + 1);
        assert_true(depth < DEPTH_MAXIMUM);
        c = skip_attributes(c + 1 + length);
        if (*c == '/') {
            depth--;
            c++;
        }
        assert_int_equal(*c, '>');
    }
    assert_int_equal(depth, 0);
    return elements;
}

static size_t occurrences(const char *words)
{
    size_t count = 0;

    for (const char *c = strstr(text, words); c; c = strstr(c + 1, words))
        count++;
    return count;
}

static void test_svg(void **state)
{
    static const struct phase_view *const views[] = {&phase_view_client, &phase_view_both,
                                                     &phase_view_joined};

    for (size_t i = 0; i < COUNT_OF(views); i++) {
        explanation_sample_fill(&sample, views[i], 100);
        draw();
        assert_true(check_xml() > 60);
        assert_int_equal(occurrences("class='bar'"),
                         explanation->row_count + (views[i] == &phase_view_joined));
        assert_int_equal(occurrences("fill='url(#hatch)'"), 2); /* the bar, and the legend */
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "href")); /* it refers to no other file */
    }
}

static void test_svg_escapes(void **state)
{
    explanation_sample_fill(&sample, &phase_view_client, 10);
    explanation->origin.target = "host:/<script>&'\"";
    strcpy(explanation->origin.cpu, "\xff<&");
    draw();
    check_xml();
    assert_null(strstr(text, "<script"));
    assert_non_null(strstr(text, "host:/&lt;script&gt;&amp;&#39;&quot;"));
}

static void test_svg_of_no_calls(void **state)
{
    explanation_sample_fill(&sample, &phase_view_client, 0);
    draw();
    check_xml();
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
}

#define TEST(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_svg),
        TEST(test_svg_escapes),
        TEST(test_svg_of_no_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
