/* Results other than measurements: read as they were written, refused where they are broken, and
 * compared as far as they can be. */
#include "compare/compare.h"
#include "memory_file.h"
#include "output/form/measurement_view.h"
#include "output/result/result_set.h"
#include "test.h"

static const struct view *const views[] = {&view_experiment, &view_measurement, NULL};

FIXTURE(set_up_views, views_add(views), 0)
TEST_GROUP(set_up_views, NULL)

enum { CELLS = 3, UNITS = 5 };

static char *paths[2];
static struct error error;

static void put_text(int file, const char *text)
{
    paths[file] = memory_file((unsigned)file, text, strlen(text));
}

/* Experiments */

static struct experiment_cell cells[CELLS];
static struct experiment_contrast contrasts[CELLS - 1];

static void fill_cell(struct experiment_cell *cell, unsigned depth, double factor)
{
    *cell = (struct experiment_cell){.op = "getattr",
                                     .variant = "krb5",
                                     .setting = {1, 1, depth, 0, 0},
                                     .units = UNITS,
                                     .has_link = depth > 1,
                                     .link = {.latency_ns = depth > 1 ? 50000 : 0}};
    for (size_t i = 0; i < CELL_FIGURES; i++) {
        cell->intervals[i] = (struct interval){NAN, NAN, NAN};
        for (size_t k = 0; k < UNITS; k++)
            cell->figures[i][k] = i == CELL_RATE ? factor * (1000 * depth + (double)k) : NAN;
    }
    cell->intervals[CELL_RATE] =
        (struct interval){factor * 1000 * depth, factor * 999 * depth, factor * 1009 * depth};
}

static void fill_contrast(struct experiment_contrast *contrast, size_t second)
{
    *contrast = (struct experiment_contrast){
        .second = second, .units = UNITS, .judged = second == 1, .ratio = {NAN, NAN, NAN}};
    contrast->comparison.difference = (struct interval){500, 400, 600};
    for (size_t k = 0; k < UNITS; k++) {
        contrast->differences[k] = 500 + (double)k;
        contrast->errors[k] = second == 1 ? 20 : NAN;
    }
}

/* Over depth; the rates are FACTOR times what they are at 1, with some spread. */
static struct experiment_result make_experiment(double factor)
{
    struct experiment_result experiment = {
        .origin = {.target = "self:", .transport = "TCP", .start = "2026-01-02"},
        .ops = "getattr",
        .reference = "krb5",
        .engine = "wire",
        .unit_seconds = 0.5,
        .cells = cells,
        .cell_count = CELLS,
        .contrasts = contrasts,
        .contrast_count = CELLS - 1,
        .varies_depth = true,
        .scaling_count = 1,
        .sizes_count = 1,
        .delays = {{"getattr", {1, 1, 1, 0, 0}, {{1, 0.9, 1.1}, 0, 50000, {10000, 9000, 11000}}},
                   {"read", {1, 1, 8, 4096, 0}, {{0.1, 0, 0.2}, 0, 50000, {NAN, NAN, NAN}}}},
        .delay_count = 2};
    struct experiment_scaling *scaling = &experiment.scaling[0];
    struct experiment_sizes *sizes = &experiment.sizes[0];

    for (unsigned i = 0; i < CELLS; i++) {
        fill_cell(&cells[i], 1U << i, factor);
        if (i > 0)
            fill_contrast(&contrasts[i - 1], i);
    }
    scaling->op = "getattr";
    scaling->has_knee = true;
    scaling->knee.concurrency = (struct interval){2, 1.5, 2.5};
    scaling->knee.throughput_maximum = scaling->knee.response_minimum =
        (struct interval){NAN, NAN, NAN};
    strcpy(scaling->missing, "too few");
    *sizes = (struct experiment_sizes){.op = "getattr", .clients = 1, .depth = 1, .piece_count = 2};
    sizes->cost.breaks = 1;
    sizes->cost.at[0] = (struct piecewise_break){{4096, 2048, 4096}, 8192, {9, 8, 10}};
    for (size_t i = 0; i < 2; i++)
        sizes->cost.piece[i] = (struct piecewise_piece){
            i ? 8192 : 512, i ? 65536 : 4096, {100, 90, 110}, {0.5, 0.4, 0.6}, 1, true, true};
    return experiment;
}

static char *text_of(const struct experiment_result *experiment)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    assert_all((out), (view_write_json(&view_experiment, experiment, out), 0), (fclose(out), 0));
    return text;
}

static void put_experiment(int file, const struct experiment_result *experiment)
{
    char *text = text_of(experiment);

    put_text(file, text);
    free(text);
}

TEST_CASE(experiment_again)
{
    struct experiment_result experiment = make_experiment(1);
    struct result_file file;
    char *before, *after;

    put_experiment(0, &experiment);
    assert_all((result_file_read(&file, paths[0], "plot", &error), 0),
               (file.kind, RESULT_EXPERIMENT), (file.result.target.text, "self:"),
               (file.experiment->varies_depth), (!file.experiment->varies_size));
    file.experiment->origin = experiment.origin;
    before = text_of(&experiment);
    after = text_of(file.experiment);
    assert_string_equal(before, after);
    free(before);
    free(after);
    result_file_free(&file);
}

/* Files with TEXT in the place of what begins with FROM and has as many bytes. */
static int read_broken(const char *from, const char *text)
{
    struct experiment_result experiment = make_experiment(1);
    char *whole = text_of(&experiment), *at = strstr(whole, from);
    struct result_file file;
    int code;

    assert_non_null(at);
    memcpy(at, text, strlen(text));
    put_text(0, whole);
    free(whole);
    code = result_file_read(&file, paths[0], "plot", &error);
    result_file_free(&file);
    return code;
}

TEST_CASE(broken_experiments)
{
    static const char *const broken[][2] = {
        {"\"ops\"", "\"opt\""},
        {"\"op\"", "\"oq\""},
        {"\"units\": 5", "\"units\": 4"},
        {"20.0,", "     "},
        {"\"breaks\"", "\"brakes\""},
        {"\"clients\": 1", "\"clients\":-1"},
        {"\"second\": 1", "\"second\": 3"},
        {"\"second\": 1", "\"third\": 1"},
    };

    for (size_t i = 0; i < COUNT_OF(broken); i++)
        if (read_broken(broken[i][0], broken[i][1]) != -EBADMSG)
            fail_msg("%s was accepted", broken[i][1]);
}

static struct result_set set;
static struct compare_pair pair;

/* Compare the two files; tear_down() releases all. */
static void compare(void)
{
    size_t pairs = 0;

    assert_all((result_set_open(&set, paths, 2, NULL, "compare", &error), 0),
               (compare_files(&set.files[0], &set.files[1], NULL, NULL, &pair, &pairs, &error), 0));
}

FIXTURE(tear_down, free(pair.figures), pair.figures = NULL, result_set_close(&set), 0)

/* Two experiments of which the second has FACTOR times the rate, and DEPTH in its first cell. */
static void compare_experiments(double factor, unsigned depth)
{
    struct experiment_result experiment = make_experiment(1);

    put_experiment(0, &experiment);
    experiment = make_experiment(factor);
    cells[0].setting.depth = depth;
    put_experiment(1, &experiment);
    compare();
}

/* 1.1 is within what processes may differ by, 2 is not; more calls a second are faster. */
TEST_CASE(experiments_compared)
{
    static const struct {
        double factor;
        enum comparison_verdict word;
    } cases[] = {{1, COMPARISON_UNKNOWN},
                 {1.1, COMPARISON_UNKNOWN},
                 {2, COMPARISON_FASTER},
                 {0.5, COMPARISON_SLOWER}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        compare_experiments(cases[i].factor, 1);
        assert_int_equal(pair.figure_count, CELLS + CELLS - 1 + 1); /* contrasts, and the knee */
        for (size_t j = 0; j < CELLS; j++) {
            const size_t at = j > 0 ? 2 * j - 1 : 0; /* after the first cell's contrast */

            assert_all((pair.figures[at].key, "throughput_per_s"), (pair.figures[at].judged),
                       (pair.figures[at].word, cases[i].word));
        }
        assert_string_equal(pair.figures[2].key, "above_reference_ns");
        assert_string_equal(pair.figures[2 * CELLS - 1].key, "knee_concurrency");
        assert_false(pair.figures[2 * CELLS - 1].judged);
        tear_down(state);
    }
}

TEST_CASE_WITH(cells_of_one, NULL, tear_down)
{
    compare_experiments(1, 64);
    assert_all((pair.figure_count, 2 * (CELLS - 1) + 1), (pair.note_count, 1),
               (strstr(pair.notes[0], "1 of A, 1 of B")));
}

static const char measurement[] =
    "{\"schema\": \"nfsbench-result/2\", \"kind\": \"measurement\","
    " \"target\": {\"text\": \"self:\", \"proto\": \"tcp\"},"
    " \"config\": {\"engine\": \"wire\", \"wait\": \"block\", \"baseline\": true, \"clients\": 1,"
    " \"load\": {\"connections\": 1, \"depth\": 1}},"
    " \"validity\": {\"verdict\": \"ok\", \"reasons\": []},"
    " \"ops\": [{\"op\": \"null\", \"role\": \"null\", \"calls\": 2, \"blocks\": [10.5, 11.5]},"
    " {\"op\": \"read\", \"role\": \"op\", \"calls\": 2, \"latency_ns\": {\"mean\": 12.0, \"max\": "
    "13},"
    " \"blocks\": [12.5, 13.5], \"histogram\": {\"low_ns\": [12, 13], \"count\": [1, 1]}}]}";

TEST_CASE(kinds_that_do_not_fit)
{
    struct experiment_result experiment = make_experiment(1);

    put_experiment(0, &experiment);
    put_text(1, measurement);
    assert_int_equal(result_set_open(&set, paths, 2, NULL, "plot", &error), -EINVAL);
    assert_non_null(strstr(error.text, "expected results of one kind"));
    result_set_close(&set);
    assert_int_equal(result_set_open(&set, paths + 1, 1, "write", "plot", &error), -ENOENT);
    result_set_close(&set);
    put_text(1, "{\"schema\": \"nfsbench-result/2\", \"kind\": \"services\"}");
    assert_int_equal(result_set_open(&set, paths + 1, 1, NULL, "plot", &error), -EBADMSG);
    assert_non_null(strstr(error.text, "plot takes measurements and experiments; "));
    result_set_close(&set);
}
