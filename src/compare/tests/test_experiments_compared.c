/* Comparing experiments. */
#include "compare/compare.h"
#include "experiment/tests/made_experiment.h"
#include "output/result/result_file.h"

static const struct view *const views[] = {&view_experiment, &view_measurement, NULL};

FIXTURE(set_up_views, views_add(views), 0)
TEST_GROUP(set_up_views, NULL)

static struct error error;
static struct result_file files[2];
static struct compare_pair pair;

static void compare(void)
{
    size_t pairs = 0;

    for (size_t i = 0; i < 2; i++)
        assert_int_equal(result_file_read(&files[i], paths[i], "compare", &error), 0);
    assert_int_equal(compare_files(&files[0], &files[1], NULL, NULL, &pair, &pairs, &error), 0);
}

FIXTURE(tear_down, free(pair.figures), pair.figures = NULL, result_file_free(&files[0]),
        result_file_free(&files[1]), 0)

/* Compare two experiments. The second has FACTOR times the rates, and DEPTH in its first cell. */
static void compare_experiments(double factor, unsigned depth)
{
    struct experiment_result experiment = make_experiment(1);

    put_experiment(0, &experiment);
    experiment = make_experiment(factor);
    cells[0].setting.depth = depth;
    put_experiment(1, &experiment);
    compare();
}

/* A factor of 1.1 is usual between two processes, so it gets no verdict; a factor of 2 gets one. A
 * higher throughput is faster. */
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
        /* one figure of each cell, the contrasts, and the knee */
        assert_int_equal(pair.figure_count, CELLS + CELLS - 1 + 1);
        for (size_t j = 0; j < CELLS; j++) {
            /* cell 0 has one figure; each later cell has a figure and a contrast */
            const size_t at = j > 0 ? 2 * j - 1 : 0;

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
