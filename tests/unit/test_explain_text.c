/* An explanation as text on terminals of all widths; tests/golden has the rest. */
#include <stdlib.h>

#include "explain/explain.h"
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

static void print(unsigned columns, bool colour, bool utf8)
{
    const struct terminal terminal = {.columns = columns, .colour = colour, .utf8 = utf8};
    char width[16];
    size_t size;
    FILE *out;

    snprintf(width, sizeof width, "%u", columns < 80 ? 80 : columns);
    setenv("COLUMNS", width, 1);
    free(text);
    text = NULL;
    out = open_memstream(&text, &size);
    assert_non_null(out);
    explain_print(explanation, true, &terminal, out);
    assert_int_equal(fclose(out), 0);
}

/* The width of the longest line, in columns, without escape sequences. */
static size_t longest_line(void)
{
    size_t longest = 0, length = 0;

    for (const char *c = text; *c; c++) {
        if (*c == '\033')
            c = strchr(c, 'm');
        else if (*c == '\n')
            length = 0;
        else
            length += ((unsigned char)*c & 0xc0) != 0x80;
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* The line that starts with NAME. */
static char *line_of(const char *name)
{
    char start[64], *found;

    snprintf(start, sizeof start, "\n  %s ", name);
    found = strstr(text, start);
    assert_non_null(found);
    found = strdup(found + 1);
    assert_non_null(found);
    found[strcspn(found, "\n")] = '\0';
    return found;
}

static size_t count_of(const char *line, char character)
{
    size_t count = 0;

    for (; *line; line++)
        count += *line == character;
    return count;
}

static void expect(const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' isn't in:\n%s", words, text);
}

static void expect_not(const char *words)
{
    if (strstr(text, words))
        fail_msg("'%s' is in:\n%s", words, text);
}

static void test_width(void **state)
{
    static const struct phase_view *const views[] = {&phase_view_client, &phase_view_both,
                                                     &phase_view_joined};
    static const unsigned widths[] = {80, 81, 110, 114, 132, 200};

    for (size_t view = 0; view < COUNT_OF(views); view++)
        for (size_t i = 0; i < COUNT_OF(widths); i++)
            for (int look = 0; look < 4; look++) {
                explanation_sample_fill(&sample, views[view], 500);
                explanation->stamps_lost = 123456789;
                explanation->events_lost = 123456789;
                print(widths[i], look & 1, look & 2);
                assert_in_range(longest_line(), 78, widths[i]);
            }
}

static void test_narrow_terminals_get_80_columns(void **state)
{
    explanation_sample_fill(&sample, &phase_view_both, 100);
    print(20, false, false);
    assert_in_range(longest_line(), 78, 80);
}

static void test_ascii_where_the_locale_is_no_other(void **state)
{
    explanation_sample_fill(&sample, &phase_view_both, 100);
    print(80, false, false);
    for (const char *c = text; *c; c++)
        assert_true(*c == '\n' || (*c >= ' ' && *c < 127));
    print(80, false, true);
    expect("█");
    expect_not("\033");
    print(80, true, true);
    expect("\033[34m");
}

/* The bars of a call of 10 us: each begins in the cell where the previous one ends. */
static void test_bars_are_to_scale(void **state)
{
    static const struct {
        const char *name;
        enum timestamp ends;
        double begins, length;
    } bars[] = {{"client encodes", TIMESTAMP_ENCODED, 0, 1000},
                {"client sends", TIMESTAMP_SCHEDULED, 1000, 2000},
                {"packet queues", TIMESTAMP_TRANSMITTED, 3000, 500},
                {"network and server", TIMESTAMP_REPLY_RECEIVED, 3500, 4500},
                {"client receives", TIMESTAMP_REPLY_READ, 8000, 1500},
                {"client decodes", TIMESTAMP_DECODED, 9500, 500}};
    struct call_times call = {.at = {[TIMESTAMP_BEGUN] = 77}, .lifetime_ns = 10000};
    char *line;
    double cells;

    explanation_sample_fill(&sample, &phase_view_client, 1);
    for (size_t i = 0; i < COUNT_OF(bars); i++)
        call.at[bars[i].ends] = 77 + (uint64_t)(bars[i].begins + bars[i].length);
    phases_clear(&sample.phases, &phase_view_client);
    phases_add(&sample.phases, &call);
    explain_rows(explanation);
    print(120, false, false);
    line = line_of("                  "); /* the axis, or the line above the sum */
    cells = (double)(count_of(line, '-') + count_of(line, '+'));
    free(line);
    assert_true(cells > 40);
    for (size_t i = 0; i < COUNT_OF(bars); i++) {
        double begin = round(bars[i].begins / 10000 * cells);
        double end = round((bars[i].begins + bars[i].length) / 10000 * cells);

        line = line_of(bars[i].name);
        assert_near((double)count_of(line, '#'), end - begin, 0);
        assert_near((double)(strchr(line, '#') - line), 2 + 18 + 1 + begin, 0);
        free(line);
    }
}

static void test_axis_steps(void **state)
{
    assert_near(explain_axis_step(12700, 10), 2000, 1e-9);
    assert_near(explain_axis_step(10000, 10), 1000, 1e-9);
    assert_near(explain_axis_step(41, 10), 5, 1e-9);
    assert_near(explain_axis_step(9.1e6, 10), 1e6, 1e-6);
}

/* However long a call takes, each mark has its label, except the last if there is no room. */
static void test_axis_labels(void **state)
{
    for (double life = 1; life < 1e11; life *= 1.7) {
        size_t labels = 0, marks;
        char *line, *rest, *word;

        explanation_sample_fill(&sample, &phase_view_client, 1);
        explanation->row_count = 1;
        sample.phases.overlap.count = 0;
        sample.phases.lifetime.mean = life;
        explanation->rows[0].begins = 0;
        explanation->rows[0].mean = life;
        print(80, false, false);
        line = line_of("                 ");
        marks = count_of(line, '+');
        free(line);
        line = line_of("us since the start");
        for (word = strtok_r(line + 20, " ", &rest); strcmp(word, "mean") != 0;
             word = strtok_r(NULL, " ", &rest))
            labels++;
        free(line);
        assert_true(marks >= 2);
        assert_in_range(labels, marks - 1, marks);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_width),
        TEST(test_narrow_terminals_get_80_columns),
        TEST(test_ascii_where_the_locale_is_no_other),
        TEST(test_bars_are_to_scale),
        TEST(test_axis_steps),
        TEST(test_axis_labels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
