/* Comparison of explanations, phase by phase. */
#include "compare/compare.h"
#include "explain/phases/explain.h"
#include "memory_file.h"
#include "output/result/result_file.h"
#include "test.h"

static const struct view *const views[] = {&view_explanation, NULL};

FIXTURE(set_up_views, views_add(views), 0)
TEST_GROUP(set_up_views, NULL)

static struct error error;
static struct result_file files[2];
static struct compare_pair pair;

FIXTURE(tear_down, free(pair.figures), pair.figures = NULL, result_file_free(&files[0]),
        result_file_free(&files[1]), 0)

#define EXPLANATION(op, ns)                                                                        \
    "{\"schema\": \"nfsbench-result/2\", \"kind\": \"explanation\", \"target\": \"self:\","        \
    " \"view\": \"client\", \"op\": \"" op "\", \"lifetime_ns\": {\"mean\": 300.0},"               \
    " \"discrepancy\": 0.0, \"phases\": [{\"key\": \"send\", \"name\": \"client sends\","          \
    " \"kind\": \"client\", \"adjusted_ns\": " ns "}]}"

static void compare_texts(const char *first, const char *second)
{
    char *paths[] = {memory_file(0, first, strlen(first)), memory_file(1, second, strlen(second))};
    size_t pairs = 0;

    for (size_t i = 0; i < 2; i++)
        assert_int_equal(result_file_read(&files[i], paths[i], "compare", &error), 0);
    assert_int_equal(compare_files(&files[0], &files[1], NULL, NULL, &pair, &pairs, &error), 0);
}

TEST_CASE_WITH(explanations_compared, NULL, tear_down)
{
    compare_texts(EXPLANATION("read", "100.0"), EXPLANATION("read", "300.0"));
    assert_false(result_file_has_ops(&files[0]));
    assert_int_equal(pair.figure_count, 2); /* of the phase and of the lifetime */
    assert_true(pair.figures[0].comparison.difference.estimate == 200);
    assert_true(isnan(pair.figures[0].comparison.difference.low));
    assert_int_equal(pair.figures[0].word, COMPARISON_UNKNOWN);
    assert_non_null(strstr(pair.figures[0].reason, "no interval over several runs"));
}

#define JUDGED(ns, low, high)                                                                      \
    EXPLANATION("read", ns ", \"added_ns\": {\"estimate\": " ns ", \"ci95\": [" low ", " high "]"  \
                           "}")

/* Phases with intervals over the rounds are judged. An allowance for differences between two
 * processes is added. */
TEST_CASE_WITH(explanations_judged, NULL, tear_down)
{
    compare_texts(JUDGED("1000.0", "990.0", "1010.0"), JUDGED("3000.0", "2990.0", "3010.0"));
    assert_all((pair.figures[0].judged), (pair.figures[0].word, COMPARISON_SLOWER),
               (pair.figures[0].comparison.first.low == 990));
    tear_down(state);
    compare_texts(JUDGED("1000.0", "990.0", "1010.0"), JUDGED("1100.0", "1090.0", "1110.0"));
    assert_int_not_equal(pair.figures[0].word, COMPARISON_SLOWER);
}
