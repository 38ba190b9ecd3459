/* Several result files together: of one kind, and with the ops that all have. */
#include "experiment/tests/made_experiment.h"
#include "picture/result_set.h"

static const struct view *const views[] = {&view_experiment, &view_measurement, NULL};

FIXTURE(set_up_views, views_add(views), 0)
TEST_GROUP(set_up_views, NULL)

static struct error error;
static struct result_set set;

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

/* Of several files, the ops that all have, or those that are named. */
TEST_CASE(ops_in_common)
{
    static const struct {
        const char *wanted, *ops, *words;
        int code;
    } cases[] = {
        {NULL, "null read ", "", 0},
        {"Read", "read ", "", 0},
        {"read,null,read", "read null ", "", 0},
        {"write", "", "--op 'write': one of the files", -ENOENT},
        {"read,", "read ", "", 0},
        {"read,,null", "", "--op ''", -ENOENT},
        {"", "", "expected names of ops", -EINVAL},
    };
    char *several[RESULT_SET_FILES + 1];

    put_text(0, measurement);
    for (size_t i = 0; i < COUNT_OF(several); i++)
        several[i] = paths[0];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int code = result_set_open(&set, several, 2, cases[i].wanted, "plot", &error);
        char ops[64] = "";

        for (size_t j = 0; code == 0 && j < set.op_count; j++)
            snprintf(ops + strlen(ops), sizeof ops - strlen(ops), "%s ", set.ops[j]);
        if (code != cases[i].code || strcmp(ops, cases[i].ops) != 0 ||
            (code && !strstr(error.text, cases[i].words)))
            fail_msg("%zu: %d, '%s': %s", i, code, ops, code ? error.text : "");
        result_set_close(&set);
    }
    assert_int_equal(result_set_open(&set, several, RESULT_SET_FILES, NULL, "plot", &error), 0);
    assert_int_equal(set.count, RESULT_SET_FILES);
    result_set_close(&set);
    assert_all(
        (result_set_open(&set, several, RESULT_SET_FILES + 1, NULL, "plot", &error), -EINVAL),
        (result_set_open(&set, several, 0, NULL, "plot", &error), -EINVAL),
        (strstr(error.text, "expected one to 16 results")));
}

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
