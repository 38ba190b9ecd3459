#include "memory_file.h"
#include "output/form/measurement_view.h"
#include "output/result/result_file.h"
#include "output/result/result_json.h"
#include "test.h"

static const struct view *const views[] = {&view_measurement, NULL};

FIXTURE(set_up_views, views_add(views), 0)
TEST_GROUP(set_up_views, NULL)

/* A complete small file, in which each test replaces some text. */
static const char whole[] =
    "{\"schema\": \"nfsbench-result/2\", \"kind\": \"measurement\","
    " \"start\": \"2026-01-01T00:00:00Z\", \"seed\": 7,"
    " \"cut_short\": false, \"command\": [\"self:\", \"getattr\"],"
    " \"host\": {\"cpu\": \"a cpu\", \"cpus\": 2, \"steal\": 0.0},"
    " \"target\": {\"text\": \"self:\", \"proto\": \"tcp\", \"nfs_port\": 2049},"
    " \"config\": {\"engine\": \"wire\", \"wait\": \"block\", \"baseline\": true, \"clients\": 1,"
    " \"load\": {\"connections\": 1, \"depth\": 4, \"rate_per_s\": 100.0, \"arrival\": "
    "\"poisson\"}},"
    " \"skipped\": [{\"op\": \"link\", \"reason\": \"none\"}],"
    " \"validity\": {\"verdict\": \"ok\", \"reasons\": [{\"name\": \"steal\", \"text\": \"t\"}]},"
    " \"ops\": [{\"op\": \"null\", \"role\": \"null\", \"calls\": 2, \"blocks\": [10.5, 11.5]},"
    " {\"op\": \"getattr\", \"role\": \"op\", \"calls\": 2, \"errors\": {\"NFS3ERR_IO\": 1},"
    " \"rate_per_s\": null,"
    " \"latency_ns\": {\"mean\": 12.0, \"max\": 13},"
    " \"above_null_ns\": {\"estimate\": 1.0, \"ci95\": [0.5, 1.5], \"distinguishable\": true},"
    " \"ledger\": {\"client\": {\"cpu_ns\": -1.0}, \"server\": null},"
    " \"blocks\": [12.5, 13.5],"
    " \"histogram\": {\"low_ns\": [12, 13], \"count\": [1, 1]}}]}";

static char *path;
static struct result result;
static struct error error;

/* Read the complete file with the text FROM replaced by TO. Returns 0 or a negative errno. */
static int read_with(const char *from, const char *to)
{
    const char *at = strstr(whole, from);
    char *text;
    int length;

    assert_non_null(at);
    length = asprintf(&text, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    path = memory_file(0, text, (size_t)length);
    free(text);
    return result_read(&result, path, "compare", &error);
}

TEST_CASE(whole)
{
    assert_all((read_with("", ""), 0), (result.op_count, 2), (result.rounds.done, 2));
    assert_ptr_equal(result.ops[1].baseline, result.null_calls);
    assert_near(result.ops[1].blocks[1] - result.null_calls->blocks[1], 2, 1e-9);
    assert_null(result.ops[1].block_means); /* the key is missing */
    assert_all((!result.ops[1].has_mean_cost), (result.ops[1].histogram->count, 2));
    result_free(&result);
}

static const struct {
    const char *from, *to, *says;
} broken[] = {
    {"\"self:\", \"getattr\"]", "\"self:\", 7]", "command[1] is not a string"},
    {"\"self:\", \"getattr\"]", "\"self:\", null]", "command[1] is not a string"},
    {"\"measurement\"", "\"services\"", "compare takes measurements"},
    /* Types. */
    {"\"self:\", \"proto\"", "7, \"proto\"", "target.text is not a string"},
    {"\"wire\"", "[\"wire\"]", "config.engine is not a string"},
    {"\"wire\"", "\"\\u001b[31m\"", "config.engine is not printable ASCII"},
    {"\"wire\"", "\"\\u202e\"", "config.engine is not printable ASCII"},
    {"\"baseline\": true", "\"baseline\": \"yes\"", "config.baseline is not a boolean"},
    {"\"seed\": 7", "\"seed\": 7.5", "seed is not an integer"},
    {"\"cut_short\": false", "\"cut_short\": 0", "cut_short is not a boolean"},
    {"\"host\": {", "\"host\": 5, \"other\": {", "host is not an object"},
    {"[\"self:\", \"getattr\"]", "\"self: getattr\"", "command is not an array"},
    {"[{\"op\": \"link\", \"reason\": \"none\"}]", "[\"link\"]", "skipped[0] is not an object"},
    {"\"reason\": \"none\"", "\"reason\": {}", "skipped[0].reason is not a string"},
    {"\"name\": \"steal\"", "\"name\": 0", "validity.reasons[0].name is not a string"},
    {"\"verdict\": \"ok\"", "\"verdict\": {}", "validity.verdict is not a string"},
    {"\"op\": \"getattr\"", "\"op\": 1", "ops[1].op is not a string"},
    {"\"op\": \"getattr\"", "\"op\": null", "ops[1] has no name"},
    {"\"errors\": {\"NFS3ERR_IO\": 1}", "\"errors\": [1]", "ops[1].errors is not an object"},
    {"{\"op\": \"null\", \"role\": \"null\", \"calls\": 2, \"blocks\": [10.5, 11.5]}", "[]",
     "ops[0] is not an object"},

    {"\"errors\": {\"NFS3ERR_IO\": 1}", "\"slowest\": [5]", "ops[1].slowest[0] is not an object"},
    {"\"skipped\": [", "\"launches\": [{\"reasons\": [{}]}], \"skipped\": [",
     "launches[0].reasons[0] has no name"},
    {"\"skipped\": [", "\"launches\": [{\"ops\": [{}]}], \"skipped\": [",
     "launches[0].ops[0] has no name"},

    {"\"cpu_ns\": -1.0",
     "\"interfaces\": {\"0\": 0, \"1\": 0, \"2\": 0, \"3\": 0, \"4\": 0, \"5\": 0, \"6\": 0, "
     "\"7\": 0, "
     "\"8\": 0, \"9\": 0, \"10\": 0, \"11\": 0, \"12\": 0, \"13\": 0, \"14\": 0, \"15\": 0, "
     "\"16\": 0}",
     "ops[1].ledger.client.interfaces is not an object of 16 members at most"},

    /* Impossible numbers. */
    {"\"engine\": ", "\"mix\": {\"weights\": {\"read\": -1}}, \"engine\": ",
     "config.mix.weights[0].weight is not a number from 0 to 4.29e+09"},
    {"\"calls\": 2, \"errors\"", "\"calls\": -2, \"errors\"",
     "ops[1].calls is not a number from 0"},
    {"\"calls\": 2, \"errors\"", "\"calls\": 1e19, \"errors\"",
     "ops[1].calls is not a number from"},
    {"\"mean\": 12.0", "\"mean\": -12.0", "ops[1].latency_ns.mean is not"},
    {"\"max\": 13", "\"max\": 1e300", "ops[1].latency_ns.max is not"},
    {"\"NFS3ERR_IO\": 1", "\"NFS3ERR_IO\": -1", "ops[1].errors[0].count is not a number from 0"},
    {"\"NFS3ERR_IO\": 1", "\"NFS3ERR_IO\": \"1\"", "ops[1].errors[0].count is not a number from 0"},
    {"\"clients\": 1", "\"clients\": -1", "config.clients is not"},
    {"\"nfs_port\": 2049", "\"nfs_port\": -1", "target.nfs_port is not"},
    {"\"cpu_ns\": -1.0", "\"cpu_ns\": 1e99", "ops[1].ledger.client.cpu_ns is not a number within"},
    {"12.5, 13.5", "12.5, -13.5", "a round took no time that can be"},
    {"12.5, 13.5", "12.5, 1e30", "a round took no time that can be"},
    {"12.5, 13.5", "12.5, null", "a round is no number"},
    {"12.5, 13.5", "12.5", "rounds are missing"},
    {"\"blocks\": [12.5, 13.5]", "\"blocks\": [12.5, 13.5], \"block_means\": [12.5]",
     "rounds are missing"},
    {"\"blocks\": [12.5, 13.5]", "\"blocks\": [12.5, 13.5], \"block_means\": [12.5, -1]",
     "no time that can be"},
    {"[1, 1]", "[1, -1]", "a histogram is broken"},
    {"[1, 1]", "[1, 1e17]", "a histogram is broken"},
    {"[1, 1]", "[1]", "a histogram is broken"},
    {"[12, 13]", "[13, 12]", "a histogram is broken"},
    {"[12, 13]", "[12, 12]", "a histogram is broken"},
    {"[12, 13]", "[12, 1e15]", "a histogram is broken"},

    /* Intervals. */
    {"[0.5, 1.5]", "[1.5, 0.5]", "ops[1].above_null_ns is not an interval"},
    {"[0.5, 1.5]", "[0.5, 1e99]", "ops[1].above_null_ns is not an interval"},
    {"\"estimate\": 1.0", "\"estimate\": -1e99", "ops[1].above_null_ns is not an interval"},
    {"\"above_null_ns\": {", "\"above_null_ns\": 1, \"x\": {", "ops[1].above_null_ns is not an"},

    /* Keys, ops, roles, baselines or schemas that are missing, unknown or there twice. */
    {", \"arrival\": \"poisson\"", "", "config.load has a rate, and no arrival"},
    {"\"poisson\"", "null", "config.load has a rate, and no arrival"},
    {"\"op\": \"getattr\"", "\"op\": \"null\"", "ops[1] is there twice"},
    {"\"op\": \"null\", ",
     "\"op\": \"null\", \"above_null_ns\": {\"estimate\": 1, \"ci95\": [0, 2]}, ",
     "ops[0].above_null_ns has a baseline that is not there"},
    {"\"ci95\": [0.5, 1.5],", "\"ci95\": [0.5, 1.5], \"baseline\": \"other\",",
     "ops[1].above_null_ns has a baseline that is not there"},
    {"\"role\": \"null\"", "\"role\": \"other\"", "ops[0].role is not known"},
    {"\"role\": \"op\"", "\"role\": \"null\"", "ops[1].role is there twice"},
    {"\"ops\":", "\"other\":", "it has no ops"},
    {"\"ops\":", "\"ops\": [], \"other\":", "it has no ops"},
    {"\"schema\": \"nfsbench-result/2\"", "\"x\": 1", "it has no schema"},
    {"nfsbench-result/2", "nfsbench-result/1", "this version reads nfsbench-result/2"},
};

TEST_CASE(broken)
{
    for (size_t i = 0; i < COUNT_OF(broken); i++) {
        if (read_with(broken[i].from, broken[i].to) != -EBADMSG)
            fail_msg("%s was accepted", broken[i].to);
        assert_int_equal(error.kind, ERROR_USAGE);
        if (!strstr(error.text, broken[i].says) || !strstr(error.text, path))
            fail_msg("'%s' does not say '%s'", error.text, broken[i].says);
        assert_null(result.ops);
    }
}

/* Unknown values are null or absent. Old files lack keys, and newer files have additional ones. */
TEST_CASE(missing)
{
    static const struct {
        const char *from, *to;
    } taken[] = {
        {"\"tcp\"", "null"},
        {"\"validity\":", "\"another\":"},
        {"\"config\":", "\"another\":"},
        {"\"latency_ns\": {", "\"latency_ns\": null, \"another\": {"},
        {"[0.5, 1.5]", "[null, null]"},
        {"\"histogram\":", "\"another\":"},
        {"100.0, \"arrival\": \"poisson\"", "null"},
    };

    for (size_t i = 0; i < COUNT_OF(taken); i++) {
        if (read_with(taken[i].from, taken[i].to) != 0)
            fail_msg("%s: %s", taken[i].to, error.text);
        assert_true(i + 1 < COUNT_OF(taken) || result.config.load.rate == 0);
        result_free(&result);
    }
}

TEST_CASE(names_of_reasons)
{
    const struct validity_reason *reason = &result.validity.reasons[0];

    assert_all((read_with("", ""), 0), (result.validity.count, 1), (reason->reason, REASON_STEAL),
               (reason->name, "steal"));
    result_free(&result);
    assert_all((read_with("\"name\": \"steal\"", "\"name\": \"of-a-later-version\""), 0),
               (reason->reason, REASONS), (reason->name, "of-a-later-version"));
    result_free(&result);
}

TEST_CASE(many_ops)
{
    size_t size = 0;
    char *text = NULL;
    FILE *out = open_memstream(&text, &size);

    fputs("\"ops\": [", out);
    for (int i = 0; i < 257; i++)
        fprintf(out, "{\"op\": \"op%d\", \"blocks\": [1]},", i);
    assert_all((fclose(out), 0), (read_with("\"ops\": [", text), -EBADMSG),
               (strstr(error.text, "more ops than there are")));
    free(text);
}
