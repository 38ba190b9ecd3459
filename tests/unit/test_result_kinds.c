/* Results other than measurements: read as they were written, refused where they are broken, and
 * compared as far as they can be. */
#include "memory_file.h"
#include "output/result_set.h"
#include "test.h"

enum { POINTS = 3, TRIALS = 5 };

static char *paths[2];
static struct error error;

static void put_text(int file, const char *text)
{
    paths[file] = memory_file((unsigned)file, text, strlen(text));
}

/* Sweeps */

static struct sweep_point points[POINTS];

/* A sweep over depth whose throughputs are FACTOR times what they are at 1, with some spread. */
static struct sweep make_sweep(double factor)
{
    struct sweep sweep = {.origin = {.target = "self:", .transport = "TCP", .start = "2026-01-02"},
                          .op = "getattr",
                          .engine = "wire",
                          .trial_seconds = 0.5,
                          .points = points,
                          .point_count = POINTS,
                          .swept_depth = true,
                          .scaling_count = 1,
                          .sizes_count = 1};

    memset(points, 0, sizeof points);
    for (size_t i = 0; i < POINTS; i++) {
        struct sweep_point *point = &points[i];

        point->setting = (struct sweep_setting){1, 1, 1U << i, 0, 0};
        point->repeats = TRIALS;
        for (size_t j = 0; j < SWEEP_FIGURES; j++)
            point->intervals[j] = (struct interval){NAN, NAN, NAN};
        for (size_t j = 0; j < SWEEP_FIGURES; j++)
            for (size_t k = 0; k < TRIALS; k++)
                point->figures[j][k] =
                    j == SWEEP_THROUGHPUT ? factor * (1000.0 * (double)(i + 1) + (double)k) : NAN;
        point->intervals[SWEEP_THROUGHPUT] =
            (struct interval){factor * 1000.0 * (double)(i + 1), factor * 999.0 * (double)(i + 1),
                              factor * 1009.0 * (double)(i + 1)};
    }
    sweep.scaling[0].has_knee = true;
    sweep.scaling[0].knee.concurrency = (struct interval){2, 1.5, 2.5};
    sweep.scaling[0].knee.throughput_maximum = sweep.scaling[0].knee.response_minimum =
        (struct interval){NAN, NAN, NAN};
    strcpy(sweep.scaling[0].missing, "too few");
    sweep.sizes[0] = (struct sweep_sizes){.clients = 1, .depth = 1, .piece_count = 2};
    sweep.sizes[0].cost.breaks = 1;
    sweep.sizes[0].cost.at[0] = (struct piecewise_break){{4096, 2048, 4096}, 8192, {9, 8, 10}};
    for (size_t i = 0; i < 2; i++)
        sweep.sizes[0].cost.piece[i] = (struct piecewise_piece){
            i ? 8192 : 512, i ? 65536 : 4096, {100, 90, 110}, {0.5, 0.4, 0.6}, 1, true, true};
    return sweep;
}

static char *text_of(const struct sweep *sweep)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    assert_all((out), (view_write_json(&view_sweep, sweep, out), 0), (fclose(out), 0));
    return text;
}

static void put_sweep(int file, const struct sweep *sweep)
{
    char *text = text_of(sweep);

    put_text(file, text);
    free(text);
}

TEST_CASE(sweep_again)
{
    struct sweep sweep = make_sweep(1);
    struct result_file file;
    char *before, *after;

    put_sweep(0, &sweep);
    assert_all((result_file_read(&file, paths[0], "plot", &error), 0), (file.kind, RESULT_SWEEP),
               (file.result.target.text, "self:"), (file.sweep->swept_depth),
               (!file.sweep->swept_size));
    file.sweep->origin = sweep.origin;
    before = text_of(&sweep);
    after = text_of(file.sweep);
    assert_string_equal(before, after);
    free(before);
    free(after);
    result_file_free(&file);
}

/* Files with TEXT in the place of what begins with FROM and has as many bytes. */
static int read_broken(const char *from, const char *text)
{
    struct sweep sweep = make_sweep(1);
    char *whole = text_of(&sweep), *at = strstr(whole, from);
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

TEST_CASE(broken_sweeps)
{
    static const char *const broken[][2] = {{"\"op\"", "\"oq\""},
                                            {"\"trials\": 5", "\"trials\": 4"},
                                            {"\"breaks\"", "\"brakes\""},
                                            {"\"clients\": 1", "\"clients\":-1"}};

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

/* Two sweeps of which the second has FACTOR times the throughput, and DEPTH at its first point. */
static void compare_sweeps(double factor, unsigned depth)
{
    struct sweep sweep = make_sweep(1);

    put_sweep(0, &sweep);
    sweep = make_sweep(factor);
    sweep.points[0].setting.depth = depth;
    put_sweep(1, &sweep);
    compare();
}

/* 1.1 is within what processes may differ by, 2 is not; more calls a second are faster. */
TEST_CASE(sweeps_compared)
{
    static const struct {
        double factor;
        enum comparison_verdict word;
    } cases[] = {{1, COMPARISON_UNKNOWN},
                 {1.1, COMPARISON_UNKNOWN},
                 {2, COMPARISON_FASTER},
                 {0.5, COMPARISON_SLOWER}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        compare_sweeps(cases[i].factor, 1);
        assert_int_equal(pair.figure_count, POINTS + 1); /* and the knee */
        for (size_t j = 0; j < POINTS; j++)
            assert_all((pair.figures[j].key, "throughput_per_s"), (pair.figures[j].judged),
                       (pair.figures[j].word, cases[i].word));
        assert_all((pair.figures[POINTS].key, "knee_concurrency"), (!pair.figures[POINTS].judged));
        tear_down(state);
    }
}

TEST_CASE_WITH(points_of_one, NULL, tear_down)
{
    compare_sweeps(1, 64);
    assert_all((pair.figure_count, POINTS - 1 + 1), (pair.note_count, 1),
               (strstr(pair.notes[0], "1 of A, 1 of B")));
}

/* Explanations */

#define EXPLANATION(op, ns)                                                                        \
    "{\"schema\": \"nfsbench-result/2\", \"kind\": \"explanation\", \"target\": \"self:\","        \
    " \"view\": \"client\", \"op\": \"" op "\", \"lifetime_ns\": {\"mean\": 300.0},"               \
    " \"discrepancy\": 0.0, \"phases\": [{\"key\": \"send\", \"name\": \"client sends\","          \
    " \"kind\": \"client\", \"adjusted_ns\": " ns "}]}"

static void compare_texts(const char *first, const char *second)
{
    put_text(0, first);
    put_text(1, second);
    compare();
}

TEST_CASE_WITH(explanations_compared, NULL, tear_down)
{
    compare_texts(EXPLANATION("read", "100.0"), EXPLANATION("read", "300.0"));
    assert_int_equal(set.op_count, 0);
    assert_int_equal(pair.figure_count, 2); /* the phase, and the whole */
    assert_true(pair.figures[0].comparison.difference.estimate == 200);
    assert_true(isnan(pair.figures[0].comparison.difference.low));
    assert_int_equal(pair.figures[0].word, COMPARISON_UNKNOWN);
    assert_non_null(strstr(pair.figures[0].reason, "no interval between runs"));
}

#define JUDGED(ns, low, high)                                                                      \
    EXPLANATION("read", ns ", \"added_ns\": {\"estimate\": " ns ", \"ci95\": [" low ", " high "]"  \
                           "}")

/* With intervals over the rounds phases are judged; what two processes may differ by is added. */
TEST_CASE_WITH(explanations_judged, NULL, tear_down)
{
    compare_texts(JUDGED("1000.0", "990.0", "1010.0"), JUDGED("3000.0", "2990.0", "3010.0"));
    assert_all((pair.figures[0].judged), (pair.figures[0].word, COMPARISON_SLOWER),
               (pair.figures[0].comparison.first.low == 990));
    tear_down(state);
    compare_texts(JUDGED("1000.0", "990.0", "1010.0"), JUDGED("1100.0", "1090.0", "1110.0"));
    assert_int_not_equal(pair.figures[0].word, COMPARISON_SLOWER);
}

TEST_CASE(kinds_that_do_not_fit)
{
    struct sweep sweep = make_sweep(1);

    put_sweep(0, &sweep);
    put_text(1, EXPLANATION("read", "1.0"));
    assert_int_equal(result_set_open(&set, paths, 2, NULL, "plot", &error), -EINVAL);
    assert_non_null(strstr(error.text, "expected results of one kind"));
    result_set_close(&set);
    assert_int_equal(result_set_open(&set, paths + 1, 1, "write", "plot", &error), -ENOENT);
    result_set_close(&set);
    put_text(1, "{\"schema\": \"nfsbench-result/2\", \"kind\": \"outage\"}");
    assert_int_equal(result_set_open(&set, paths + 1, 1, NULL, "plot", &error), -EBADMSG);
    result_set_close(&set);
}
