/* Reading experiments: as they were written, and broken files, which are rejected. Also files that
 * contain two measurements. */
#include "made_experiment.h"
#include "output/result/result_file.h"
#include "output/result/result_json.h"

static const struct view *const views[] = {&view_experiment, &view_measurement, NULL};

FIXTURE(set_up_views, views_add(views), 0)
TEST_GROUP(set_up_views, NULL)

static struct error error;
static struct result result;

TEST_CASE(experiment_again)
{
    struct experiment_result experiment = make_experiment(1);
    struct result_file file;
    char *before, *after;

    put_experiment(0, &experiment);
    assert_all((result_file_read(&file, paths[0], "plot", &error), 0),
               (file.kind, RESULT_EXPERIMENT), (file.result.target.text, "self:"),
               (experiment_of(&file)->varies_depth), (!experiment_of(&file)->varies_size));
    ((struct experiment_result *)file.own)->origin = experiment.origin;
    before = text_of(&experiment);
    after = text_of(file.own);
    assert_string_equal(before, after);
    free(before);
    free(after);
    result_file_free(&file);
}

/* LINE of an experiment is the link of all measured cells; NULL if their links differ. */
TEST_CASE(emulated_line)
{
    struct experiment_result experiment = make_experiment(1);

    experiment_complete(&experiment);
    assert_all((experiment.varies_link), (!experiment.line));
    cells[0].units = 0;
    experiment_complete(&experiment);
    assert_all((!experiment.varies_link), (experiment.line),
               (experiment.line->latency_ns, 50000, 0));
    cells[2].link.rate = 1e8;
    experiment_complete(&experiment);
    assert_all((experiment.varies_link), (!experiment.line));
}

/* Read a file in which TEXT overwrites the bytes from FROM on. Return the error of the reader. */
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

TEST_CASE(sides)
{
    static const struct {
        const char *second, *contrasts, *words;
    } cases[] = {
        {measurement, "[]", NULL},
        {measurement, "7", "contrasts is not an array"},
        {measurement, "[{\"first\": 0, \"second\": 1}]",
         "has contrasts that are not of two cells of an op"},
        {"{}", "[]", "is no whole result of nfsbench: it has no schema"},
        {"null", "[]", "is no whole result of nfsbench: it has no schema"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct result_file file;
        char *text;
        const int length =
            asprintf(&text,
                     "{\"schema\": \"nfsbench-result/2\", \"kind\": \"experiment\", \"preset\": "
                     "\"versus\", \"ops\": \"getattr\", \"cells\": [], \"contrasts\": %s, "
                     "\"first\": %s, \"second\": %s}",
                     cases[i].contrasts, measurement, cases[i].second);
        const char *sides = memory_file(0, text, (size_t)length);
        const int code = result_file_read(&file, sides, "plot", &error);

        free(text);
        if (cases[i].words) {
            assert_all((code < 0), (error.kind, ERROR_USAGE));
            assert_non_null(strstr(error.text, cases[i].words));
        } else {
            assert_all((code, 0), (file.has_sides), (file.second.op_count, 2),
                       (result_read(&result, sides, "compare", &error) < 0));
            assert_string_equal(result_file_name(&file), "a measurement of two sides");
            assert_non_null(strstr(error.text, "'jq .first' or 'jq .second' takes one out"));
        }
        result_file_free(&file);
    }
}
