/* Predictions: reading the file, and comparing with measured phases. */
#include "explain/kernel/rpc_states.h"
#include "explain/phases/explain.h"
#include "explain/phases/prediction.h"
#include "explanation_sample.h"
#include "test.h"

static struct explanation_sample sample;
static struct predictions predictions;
static struct error error;
static char path[] = "/tmp/nfsbench-prediction-XXXXXX";

static int make_file(void **state)
{
    int fd = mkstemp(path);

    return fd < 0 ? -1 : close(fd);
}

FIXTURE(remove_file, unlink(path))

static int read_text(const char *text)
{
    FILE *file = fopen(path, "we");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    error.text[0] = '\0';
    return predictions_read(path, phase_types, PHASE_TYPES, &predictions, &error);
}

static void expect_refused(const char *text, const char *line, const char *words)
{
    assert_all((read_text(text), -EINVAL), (error.kind, ERROR_USAGE));
    if (!strstr(error.text, path) || !strstr(error.text, line) || !strstr(error.text, words) ||
        strchr(error.text, '\n'))
        fail_msg("%s: '%s'", text, error.text);
}

TEST_CASE(lines)
{
    assert_all((read_text("# a comment\n\n  server-work 0.5us-2us # another\nqueue\t0-300ns"), 0),
               (predictions.count, 2), (predictions.list[0].phases, "server-work"),
               (predictions.list[0].name, "server works"), (predictions.list[0].low, 500, 0),
               (predictions.list[0].high, 2000, 0), (isnan(predictions.list[0].earlier)),
               (predictions.list[1].phases, "queue"), (predictions.list[1].low, 0, 0),
               (predictions.list[1].high, 300, 0));
}

/* A line can give several phases a name, and can have the time of an earlier measurement. */
TEST_CASE(sums)
{
    assert_all((read_text(" [2] the kernel\t= encode+send+before-rpc 11us-30us 35us\n"
                          "[1]=life 73us..180us 126us\nqueue 0-300ns 0\n"),
                0),
               (predictions.count, 3), (predictions.list[0].name, "[2] the kernel"),
               (predictions.list[0].phases, "encode+send+before-rpc"),
               (predictions.list[0].high, 30000, 0), (predictions.list[0].earlier, 35000, 0),
               (predictions.list[1].name, "[1]"), (predictions.list[1].phases, "life"),
               (predictions.list[2].name, "packet queues"), (predictions.list[2].earlier, 0, 0));
}

/* Each line may name a sum of its own, up to PREDICTIONS_MAXIMUM. */
TEST_CASE(many)
{
    static char text[(PREDICTIONS_MAXIMUM + 1) * 32];
    size_t length = 0;

    for (int i = 0; i < PREDICTIONS_MAXIMUM; i++)
        length += (size_t)sprintf(text + length, "%d = send+queue 0-1us\n", i);
    assert_all((read_text(text), 0), (predictions.count, PREDICTIONS_MAXIMUM));
    strcpy(text + length, "more = send+queue 0-1us\n");
    expect_refused(text, ":44:", "too many");
}

/* The error has the line number and all keys of phases. */
TEST_CASE(unknown_phase)
{
    expect_refused("queue 0-1us\nserver 1us-2us\n", ":2:", "no such phase");
    for (size_t i = 0; i < PHASE_TYPES; i++)
        assert_non_null(strstr(error.text, phase_types[i].key));
    assert_non_null(strstr(error.text, "network-and-server"));
    assert_non_null(strstr(error.text, "the phases are life, "));
    assert_null(strstr(strstr(error.text, "server-work,") + 1, "server-work,")); /* each once */
    /* The last key fits into the text. */
    assert_string_equal(strrchr(error.text, ' '), " decode");
}

/* In a line without a name, "before-rpc" is allowed only for calls on a mount, and "queue" only for
 * nfsbench's own calls. The error lists the keys that are allowed. */
TEST_CASE(other_views)
{
    expect_refused("before-rpc 1us-2us\n", ":1:", "no such phase");
    assert_all((predictions_read(path, rpc_phase_types, RPC_PHASES, &predictions, &error), 0),
               (predictions.list[0].name, "before the RPC"), (read_text("queue 1us-2us\n"), 0),
               (predictions_read(path, rpc_phase_types, RPC_PHASES, &predictions, &error), -EINVAL),
               (strstr(error.text, "the phases are life, before-rpc, rpc-begun, prepared, ")),
               (strrchr(error.text, ' '), " returned"));
}

TEST_CASE(refused)
{
    static char longest[600], name[80] = "0123456789012345678901234567890123456789 = queue 0-1us\n";
    static const struct {
        const char *text, *line, *words;
    } cases[] = {{"queue 2us-1us\n", ":1:", "from low to high"},
                 {"queue 1-2\n", ":1:", "units"},
                 {"queue 2us\n", ":1:", "from low to high"},
                 {"queue -1us-2us\n", ":1:", "from low to high"},
                 {"queue 1us-\n", ":1:", "from low to high"},
                 {"life 1us..\n", ":1:", "from low to high"},
                 {"queue 1us-nan\n", ":1:", "from low to high"},
                 {"queue\n", ":1:", "expected a phase and a range"},
                 {"queue 1us - 2us\n", ":1:", "expected a phase and a range"},
                 {"queue 1us-2us\nqueue 1us-3us\n", ":2:", "has a prediction already"},
                 {"send+queue 1us-2us\n", ":1:", "no such phase"},
                 {"sum = send+ 1us-2us\n", ":1:", "no such phase"},
                 {"sum = send+life 1us-2us\n", ":1:", "no such phase"},
                 {"sum = send+other 1us-2us\n", ":1:", "no such phase"},
                 {"sum =\n", ":1:", "expected a phase and a range"},
                 {" = send+queue 1us-2us\n", ":1:", "a name"},
                 {name, ":1:", "a name"},
                 {"a = send+queue 0-2us\na = send 0-3us\n", ":2:", "has a prediction already"},
                 {"queue 1us-2us 3\n", ":1:", "earlier measurement"},
                 {"queue 1us-2us 3us 4us\n", ":1:", "expected a phase and a range"},
                 {"# nothing\n", "", "has no predictions"},
                 {longest, ":1:", "expected a phase and a range"}};

    memset(longest, 'x', sizeof longest - 1);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect_refused(cases[i].text, cases[i].line, cases[i].words);
}

TEST_CASE(no_file)
{
    static const struct {
        const char *path;
        int code;
    } cases[] = {{"/nonexistent/file", -ENOENT}, {"/", -EISDIR}};

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_all((predictions_read(cases[i].path, phase_types, PHASE_TYPES, &predictions, &error),
                    cases[i].code),
                   (error.kind, ERROR_USAGE));
}

static const struct prediction *compared(const char *key)
{
    const struct predictions *made = &sample.explanation.predictions;

    for (size_t i = 0; i < made->count; i++)
        if (strcmp(made->list[i].phases, key) == 0)
            return &made->list[i];
    return NULL;
}

/* Return -1, 0 or 1 if the mean of the phase KEY is below, within or above the predicted range. */
static int misses(const char *key)
{
    const struct prediction *prediction = compared(key);
    const struct explanation *explanation = &sample.explanation;
    size_t i = 0;

    while (strcmp(explanation->rows[i].type->key, key) != 0)
        assert_true(++i < explanation->row_count);
    assert_near(prediction->mean, explanation->rows[i].mean, 0);
    assert_int_equal(prediction->holds,
                     prediction->low <= prediction->mean && prediction->mean <= prediction->high);
    return prediction->mean < prediction->low ? -1 : prediction->mean > prediction->high;
}

static void predict(const struct phase_view *view, const char *text)
{
    struct explanation *one = &sample.explanation;

    explanation_sample_fill(&sample, view, 100);
    assert_int_equal(read_text(text), 0);
    one->predictions = predictions;
    predictions_compare(&one->predictions, one->rows, one->row_count, one->phases->lifetime.mean);
}

/* The phase "life" is the complete call. A range can be written with ".." or "-". */
TEST_CASE(life)
{
    predict(&phase_view_client, "life 73us..180us\nsend 0-1s\n");
    assert_all((isnan(predictions.list[0].mean)), (compared("life")->low, 73000, 0),
               (compared("life")->high, 180000, 0),
               (compared("life")->mean, sample.phases.lifetime.mean, 0),
               (!(compared("life")->holds)));
}

TEST_CASE(rows)
{
    predict(&phase_view_client, "encode 1s-2s\nsend 0-1s\nreceive 0-1ns\nserver-work 0-1us\n");
    assert_all((misses("encode"), -1), (misses("send"), 0), (misses("receive"), 1),
               (!compared("queue")), (isnan(compared("server-work")->mean)));
}

/* The mean of a sum is the sum of what its phases add to the mean call, without phases that no call
 * entered. */
TEST_CASE(sum_of_rows)
{
    const struct explanation *one = &sample.explanation;
    double sum = 0;

    predict(&phase_view_both, "sum = server-wake+before-rpc+server-run 0-1s\n"
                              "other client's = before-rpc+sent 0-1s\nserver-run 0-1s\n");
    for (size_t i = 0; i < one->row_count; i++)
        if (strcmp(one->rows[i].type->key, "server-wake") == 0 ||
            strcmp(one->rows[i].type->key, "server-run") == 0)
            sum += one->rows[i].adjusted;
    assert_all((one->predictions.list[0].mean, sum, 1e-6), (one->predictions.list[0].holds),
               (isnan(one->predictions.list[1].mean)), (one->predictions.measured, 2),
               (one->predictions.held, 2));
}

/* In phase_view_joined, the two phases with the key "network" are one row, which is predicted. */
TEST_CASE(joined_phase)
{
    predict(&phase_view_joined, "network 0-1s\n");
    assert_int_equal(misses("network"), 0);
}

TEST_GROUP(make_file, remove_file)
