/* Pages with a section for each kind of result, and a lead. */
#include <sys/stat.h>
#include <unistd.h>

#include "experiment/tests/made_experiment.h"
#include "picture/html.h"
#include "report/page.h"

static const struct view *const views[] = {&view_experiment, &view_measurement, NULL};

FIXTURE(set_up_views, views_add(views), 0)
TEST_GROUP(set_up_views, NULL)

static const char measurement[] =
    "{\"schema\": \"nfsbench-result/2\", \"kind\": \"measurement\", \"seed\": 7,"
    " \"target\": {\"text\": \"<a>:/b\", \"proto\": \"tcp\"},"
    " \"config\": {\"engine\": \"wire\", \"wait\": \"block\", \"baseline\": true, \"clients\": 1,"
    " \"load\": {\"connections\": 1, \"depth\": 1}},"
    " \"validity\": {\"verdict\": \"ok\", \"reasons\": []},"
    " \"ops\": [{\"op\": \"null\", \"role\": \"null\", \"calls\": 2, \"blocks\": [10.5, 11.5]},"
    " {\"op\": \"read\", \"role\": \"op\", \"calls\": 2, \"latency_ns\": {\"mean\": 12.0, \"max\": "
    "13, \"p50\": 12},"
    " \"blocks\": [12.5, 13.5], \"histogram\": {\"low_ns\": [12, 13], \"count\": [1, 1]}}]}";

static char directory[] = "/tmp/nfsbench-page-XXXXXX", path[64], gnuplot[64];
static struct result_set sets[2];

/* Set the environment variable PATH to a directory without programs. If THERE, add to the directory
 * a gnuplot that draws an empty picture. */
static void use_gnuplot(bool there)
{
    FILE *script;

    if (directory[strlen(directory) - 1] == 'X')
        assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/page.html", directory);
    snprintf(gnuplot, sizeof gnuplot, "%s/gnuplot", directory);
    assert_int_equal(setenv("PATH", directory, 1), 0);
    if (!there)
        return;
    script = fopen(gnuplot, "w");
    assert_non_null(script);
    fputs("#!/bin/sh\nwhile read -r line; do :; done\necho '<svg></svg>'\n", script);
    assert_int_equal(fclose(script), 0);
    assert_int_equal(chmod(gnuplot, 0755), 0);
}

static void open_sets(void)
{
    struct experiment_result experiment = make_experiment(1);
    struct error error;
    size_t count;

    put_text(0, measurement);
    put_experiment(1, &experiment);
    assert_int_equal(result_sets_open(sets, 2, &count, paths, 2, NULL, "report", &error), 0);
    assert_int_equal(count, 2);
}

/* Write PAGE and return its text, which the caller frees. Removes all files, and closes SETS. */
static char *write_and_read(const struct page *page)
{
    struct error error;
    size_t length = 0;
    char *text = NULL;
    FILE *file;

    assert_int_equal(page_write(page, path, &error), 0);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getdelim(&text, &length, '\0', file) > 0);
    fclose(file);
    unlink(path);
    unlink(gnuplot);
    rmdir(directory);
    for (size_t i = 0; i < 2; i++)
        result_set_close(&sets[i]);
    strcpy(directory + strlen(directory) - 6, "XXXXXX");
    return text;
}

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;

    for (; (text = strstr(text, what)); text += strlen(what))
        count++;
    return count;
}

static bool follow(const char *text, const char *first, const char *second)
{
    const char *at = strstr(text, first);

    return at && strstr(at, second);
}

TEST_CASE(sections_of_files)
{
    const struct page_section sections[] = {{.set = &sets[0]}, {"<i>", &sets[1]}};
    const struct page page = {.sections = sections, .section_count = 2};
    char *text;

    use_gnuplot(true);
    open_sets();
    text = write_and_read(&page);
    assert_all((strstr(text, "<h1>2 results</h1>") != NULL), (count_of(text, "<h1>"), 3),
               (strstr(text, "<h1>read on &lt;a&gt;:/b</h1>") != NULL),
               (strstr(text, "<a href='#section1'>&lt;i&gt;</a>") != NULL),
               (count_of(text, "Environment and settings"), 2),
               (count_of(text, "Repeating the measurement"), 2), (count_of(text, "id=wary0"), 1),
               (count_of(text, "id=wary1"), 1),
               (follow(text, "<section id=section0>", "<section id=section1>")));
    free(text);
}

static const struct field lead_fields[] = {
    {"data", FIELD_BUFFER, .size = sizeof "<data>"},
    FIELD_END,
};
static const struct view_line lead_lines[] = {{"lead {data}"}, {NULL}};
static const struct view lead = {.fields = lead_fields, .head = lead_lines};

/* The pictures that sections name follow the lead. The page has one environment and one part with
 * commands. */
TEST_CASE(parts_of_a_result)
{
    const struct page_section sections[] = {{"costs", &sets[0], "percentiles"},
                                            {"load", &sets[1], "load"}};
    const struct page page = {"a & b", &lead, "<data>", sections, 2};
    char *text;

    use_gnuplot(true);
    open_sets();
    text = write_and_read(&page);
    assert_all(
        (strstr(text, "<h1>a &amp; b</h1>") != NULL), (follow(text, "lead &lt;data&gt;", "<svg>")),
        (follow(text, "<svg>", "<h1>costs</h1>")), (count_of(text, "<figcaption>Throughput"), 1),
        (follow(text, "<figcaption>Throughput", "<section id=section0>")),
        (count_of(text, "Environment and settings"), 1),
        (count_of(text, "Repeating the measurement"), 1));
    free(text);
}

TEST_CASE(no_gnuplot)
{
    const struct page_section sections[] = {{.set = &sets[0]}, {.set = &sets[1]}};
    const struct page page = {.sections = sections, .section_count = 2};
    char *text;

    use_gnuplot(false);
    open_sets();
    text = write_and_read(&page);
    assert_all((count_of(text, "There are no pictures: "), 1), (count_of(text, "<figure>"), 0));
    free(text);
}
