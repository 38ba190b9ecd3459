/* The text of an explanation on different terminals, and its axis. tests/golden has other forms. */
#include "explanation_sample.h"

static struct explanation_sample sample;
static struct explanation *const explanation = &sample.explanation;
static char text[65536];

static void print_explanation(unsigned columns, bool colour, bool utf8)
{
    FILE *out = fmemopen(text, sizeof text, "w");
    char width[16];

    snprintf(width, sizeof width, "%u", columns);
    setenv("COLUMNS", width, 1);
    setenv("LC_ALL", utf8 ? "C.UTF-8" : "C", 1);
    terminal_choose(false, colour ? TERMINAL_COLOURS_ALWAYS : TERMINAL_COLOURS_NEVER);
    assert_non_null(out);
    view_write_text(&view_explanation, explanation, true, out);
    assert_int_equal(fclose(out), 0);
}

/* Return the width of the longest line, in columns, without escape sequences. */
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

/* Fail unless the text contains WORDS (if THERE is true) or lacks WORDS (if THERE is false). */
static void expect(const char *words, bool there)
{
    if ((strstr(text, words) != NULL) != there)
        fail_msg("'%s' is%s in:\n%s", words, there ? " not" : "", text);
}

TEST_CASE(width)
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
                print_explanation(widths[i], look & 1, look & 2);
                assert_in_range(longest_line(), 78, widths[i]);
            }
}

TEST_CASE(ascii_where_the_locale_is_no_other)
{
    explanation_sample_fill(&sample, &phase_view_both, 100);
    print_explanation(80, false, false);
    for (const char *c = text; *c; c++)
        assert_true(*c == '\n' || (*c >= ' ' && *c < 127));
    print_explanation(80, false, true);
    expect("█", true);
    expect("\033", false);
    print_explanation(80, true, true);
    expect("\033[34m", true);
}

TEST_CASE(fewer_slow_calls_than_were_reported)
{
    explanation_sample_fill(&sample, &phase_view_both, 100);
    explanation->slow_total = 1;
    print_explanation(80, false, false);
    expect("the slowest 2 calls; p99.9 is 25.020 us", true);
    explanation->slow_count = 0;
    print_explanation(80, false, false);
    expect("slowest", false);
}

static size_t count_of(const char *line, char character)
{
    size_t count = 0;

    for (; *line && *line != '\n'; line++)
        count += *line == character;
    return count;
}

/* The axis has as many labels as marks, or one fewer if the last does not fit. */
TEST_CASE(axis_labels)
{
    for (double life = 1; life < 1e11; life *= 1.7) {
        size_t labels = 0, marks;
        char *line, *rest, *word;

        explanation_sample_fill(&sample, &phase_view_client, 1);
        explanation->row_count = 1;
        explanation->overlap.calls = 0;
        sample.phases.lifetime.mean = life;
        explanation->rows[0].begins = 0;
        explanation->rows[0].mean = life;
        print_explanation(80, false, false);
        line = strstr(text, "us since the start");
        assert_non_null(line);
        marks = count_of(strchr(line, '\n') + 1, '+');
        for (word = strtok_r(line + strlen("us since the start"), " ", &rest);
             strcmp(word, "mean") != 0; word = strtok_r(NULL, " ", &rest))
            labels++;
        assert_true(marks >= 2);
        assert_in_range(labels, marks - 1, marks);
    }
}
