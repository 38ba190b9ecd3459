/* Several result files: sets of one kind each, with the ops that all files of a set have. */
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

static int open_set(char *const *names, size_t count, const char *wanted)
{
    size_t opened;

    set = (struct result_set){.count = 0};
    return result_sets_open(&set, 1, &opened, names, count, wanted, "plot", &error);
}

/* A set of equal files has the ops of these files. If the caller names ops, the set has only these,
 * each once, in the caller's order. */
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
        int code = open_set(several, 2, cases[i].wanted);
        char ops[64] = "";

        for (size_t j = 0; code == 0 && j < set.op_count; j++)
            snprintf(ops + strlen(ops), sizeof ops - strlen(ops), "%s ", set.ops[j]);
        if (code != cases[i].code || strcmp(ops, cases[i].ops) != 0 ||
            (code && !strstr(error.text, cases[i].words)))
            fail_msg("%zu: %d, '%s': %s", i, code, ops, code ? error.text : "");
        result_set_close(&set);
    }
    assert_int_equal(open_set(several, RESULT_SET_FILES, NULL), 0);
    assert_int_equal(set.count, RESULT_SET_FILES);
    result_set_close(&set);
    assert_all((open_set(several, RESULT_SET_FILES + 1, NULL), -EINVAL),
               (open_set(several, 0, NULL), -EINVAL),
               (strstr(error.text, "expected one to 16 results")));
}

TEST_CASE(kinds_that_do_not_fit)
{
    struct experiment_result experiment = make_experiment(1);

    put_experiment(0, &experiment);
    put_text(1, measurement);
    assert_int_equal(open_set(paths, 2, NULL), -EINVAL);
    assert_non_null(strstr(error.text, "expected results of one kind"));
    result_set_close(&set);
    assert_int_equal(open_set(paths + 1, 1, "write"), -ENOENT);
    result_set_close(&set);
    put_text(1, "{\"schema\": \"nfsbench-result/2\", \"kind\": \"services\"}");
    assert_int_equal(open_set(paths + 1, 1, NULL), -EBADMSG);
    assert_non_null(strstr(error.text, "plot takes measurements and experiments; "));
    result_set_close(&set);
}

/* Each file is put into the set of its kind. More kinds than there are sets are refused. */
TEST_CASE(sets_of_kinds)
{
    struct experiment_result experiment = make_experiment(1);
    struct result_set sets[2];
    size_t count;
    char *mixed[3];

    put_experiment(0, &experiment);
    put_text(1, measurement);
    mixed[0] = mixed[2] = paths[1];
    mixed[1] = paths[0];
    assert_int_equal(result_sets_open(sets, 2, &count, mixed, 3, NULL, "report", &error), 0);
    assert_all((count, 2), (sets[0].file_count, 2), (sets[1].file_count, 1), (sets[0].op_count, 2),
               (experiment_of(sets[1].files[0]) != NULL));
    for (size_t i = 0; i < count; i++)
        result_set_close(&sets[i]);
    assert_int_equal(result_sets_open(sets, 1, &count, mixed, 3, NULL, "report", &error), -EINVAL);
    assert_int_equal(count, 1);
    result_set_close(&sets[0]);
    assert_int_equal(result_sets_open(sets, 2, &count, mixed, 3, "read", "report", &error),
                     -ENOENT);
    assert_non_null(strstr(error.text, "has no such op"));
    for (size_t i = 0; i < count; i++)
        result_set_close(&sets[i]);
}

TEST_CASE(set_of_a_file)
{
    struct result_file file;

    put_text(1, measurement);
    assert_int_equal(result_file_read(&file, paths[1], "report", &error), 0);
    assert_int_equal(result_set_of_file(&set, &file, &error), 0);
    assert_all((set.count, 1), (set.op_count, 2), (set.results[0] == &file.result));
    result_file_free(&file);
}
