/* Comparing two results whose path or server changed: which figures are judged. */
#include "test.h"

#include "compare/compare.h"

enum { OPS = 3, LAUNCHES = 5, FILES = 3 };

/* NULL_CALLS is the round trip of null, ns. BYTES and SERVER are the parts of READ's cost, ns. */
struct world {
    double null_calls, bytes, server;
    double echo;      /* time of an echo of as many bytes as READ, ns; 0 for none */
    bool no_parts;    /* the cost is not divided into parts */
    bool no_baseline; /* there are no null calls */
};

static const struct world before = {.null_calls = 15200, .bytes = 710, .server = 160};

struct file {
    struct result result;
    double blocks[1];
    struct result_op ops[OPS], launch_ops[LAUNCHES][OPS];
    struct result_launch launches[LAUNCHES];
};

static struct file files[2][FILES];
static struct compare_pair pair;

/* Return LEVEL as launch NUMBER measures it. The standard deviation of launches is 1.6 %. */
static struct interval about(double level, size_t number)
{
    const double estimate = level * (1 + 0.01 * ((double)number - 2));

    return (struct interval){estimate, estimate - 1, estimate + 1};
}

static void fill_ops(const struct world *world, size_t number, struct result_op ops[OPS])
{
    const double cost = world->bytes + world->server;

    ops[0] = (struct result_op){
        .op = "null", .role = RESULT_NULL, .round_trip = about(world->null_calls, number)};
    ops[1] = (struct result_op){.op = "null_control",
                                .role = RESULT_NULL_CONTROL,
                                .has_above_null = true,
                                .above_null.cost = {0, -5, 5}};
    ops[2] = (struct result_op){
        .op = "read",
        .role = RESULT_OP,
        .call_bytes = 140,
        .reply_bytes = 4300,
        .round_trip = about(world->null_calls + cost, number),
        .has_above_null = !world->no_baseline,
        .above_null.cost = about(cost, number),
        .has_echo = world->echo > 0,
        .echo = about(world->echo, number),
        .has_split = !world->no_parts && !world->no_baseline,
        .split = {.bytes = about(world->bytes, number), .server = about(world->server, number)}};
}

static void fill_file(const struct world *world, struct file *file)
{
    *file = (struct file){.blocks = {15000}};
    fill_ops(world, 2, file->ops);
    for (size_t i = 0; i < LAUNCHES; i++) {
        fill_ops(world, i, file->launch_ops[i]);
        file->launches[i] = (struct result_launch){
            .server = (unsigned)i, .rounds = 1, .ops = file->launch_ops[i], .op_count = OPS};
    }
    for (size_t i = 0; i < OPS; i++) {
        file->ops[i].blocks = file->blocks;
        file->ops[i].baseline = i && !world->no_baseline ? file->ops : NULL;
    }
    file->result = (struct result){.path = "a.json",
                                   .target = {.text = "self:", .transport = "TCP"},
                                   .config = {.engine = "wire", .baseline = !world->no_baseline},
                                   .clock = {.name = "tsc"},
                                   .rounds = {.done = 1, .planned = 1},
                                   .ops = file->ops,
                                   .op_count = OPS,
                                   .null_calls = world->no_baseline ? NULL : &file->ops[0],
                                   .null_control = world->no_baseline ? NULL : &file->ops[1],
                                   .launches = file->launches,
                                   .launch_count = LAUNCHES};
}

/* Return the row of READ's cost; READ is the last op. */
static const struct compare_row *total_row(void)
{
    return &pair.rows[pair.count - 1];
}

static const struct compare_row *server_row(void)
{
    return total_row()->further[RESULT_SERVER_PART - RESULT_MEAN_COST];
}

/* Compare COUNT results (1 or FILES) of AFTER with COUNT of FIRST; the gate is 5 % and 50 ns. */
static void compare(const struct world *first, const struct world *after, size_t count)
{
    static const struct compare_threshold threshold = {.share = 0.05, .ns = 50};
    static struct result results[2][FILES];
    struct error error;

    for (size_t i = 0; i < FILES; i++) {
        fill_file(first, &files[0][i]);
        fill_file(after, &files[1][i]);
        results[0][i] = files[0][i].result;
        results[1][i] = files[1][i].result;
    }
    free(pair.rows);
    pair = (struct compare_pair){
        .first = results[0], .second = results[1], .first_count = count, .second_count = count};
    assert_int_equal(pair_compare(&pair, &threshold, NULL, &error), 0);
}

FIXTURE(tear_down, free(pair.rows), pair.rows = NULL, 0)

TEST_CASE_WITH(same_path, NULL, tear_down)
{
    static const struct world slower = {.null_calls = 15200, .bytes = 710, .server = 660};

    compare(&before, &before, 1);
    assert_all((pair.path.word, COMPARE_PATH_SAME), (total_row()->word, COMPARISON_SAME),
               (server_row()->word, COMPARISON_SAME));
    compare(&before, &slower, 1);
    assert_all((pair.path.word, COMPARE_PATH_SAME), (total_row()->word, COMPARISON_SLOWER),
               (total_row()->regression), (server_row()->word, COMPARISON_SLOWER),
               (server_row()->regression));
}

/* The same server in another state of the host: READ's cost is not judged, and the interval of the
 * server's part includes the path's error. A server that takes 2 us more is still detected. */
TEST_CASE_WITH(path_changed, NULL, tear_down)
{
    static const struct world other = {.null_calls = 20100, .bytes = 1360, .server = 210};
    static const struct world slower = {.null_calls = 20100, .bytes = 1360, .server = 2160};

    compare(&before, &other, 1);
    assert_all((pair.path.word, COMPARE_PATH_CHANGED), (!total_row()->judged),
               (total_row()->word, COMPARISON_UNKNOWN), (!total_row()->regression),
               (!total_row()->undecided), (server_row()->word, COMPARISON_SAME));
    assert_string_equal(total_row()->reason, "not judged, because the path changed");
    assert_near(pair.path.error, log(20100 / 15200.), 1e-9);
    assert_near(server_row()->path_error, (210 - 160) / log(210 / 160.) * pair.path.error, 1e-6);
    compare(&before, &slower, 1);
    assert_all((!total_row()->regression), (server_row()->word, COMPARISON_SLOWER),
               (server_row()->regression));
}

/* The path may explain 70 ns more in the server's part, so the gate can't decide. */
TEST_CASE_WITH(what_the_path_may_explain, NULL, tear_down)
{
    static const struct world other = {.null_calls = 20100, .bytes = 1360, .server = 230};

    compare(&before, &other, 1);
    assert_all((server_row()->own_p < 0.001), (server_row()->word, COMPARISON_SAME),
               (server_row()->undecided));
}

/* Only the part of READ's cost that bytes cause grew: the server or the machine copies more slowly.
 * READ's cost is not judged, but the server's part is. */
TEST_CASE_WITH(bytes_alone_changed, NULL, tear_down)
{
    static const struct world other = {.null_calls = 15200, .bytes = 1360, .server = 160};

    compare(&before, &other, 1);
    assert_all((pair.path.word, COMPARE_PATH_BYTES), (!total_row()->judged),
               (!total_row()->regression), (total_row()->undecided),
               (server_row()->word, COMPARISON_SAME), (!server_row()->undecided));
}

/* A bare echo of as many bytes shows whether the server or the machine copies more slowly. */
TEST_CASE_WITH(an_echo_shows_whose_bytes_changed, NULL, tear_down)
{
    static const struct world first = {
        .null_calls = 15200, .bytes = 710, .server = 160, .echo = 14800};
    static const struct world copies_slower = {
        .null_calls = 15200, .bytes = 1360, .server = 160, .echo = 14800};
    static const struct world machine = {
        .null_calls = 15200, .bytes = 1360, .server = 160, .echo = 20200};

    compare(&first, &copies_slower, 1);
    assert_all((pair.path.word, COMPARE_PATH_SAME), (total_row()->word, COMPARISON_SLOWER),
               (total_row()->regression));
    compare(&first, &machine, 1);
    assert_all((pair.path.word, COMPARE_PATH_BYTES), (!total_row()->judged),
               (!total_row()->regression), (server_row()->word, COMPARISON_SAME));
}

TEST_CASE_WITH(no_parts_known, NULL, tear_down)
{
    static const struct world first = {
        .null_calls = 15200, .bytes = 710, .server = 160, .no_parts = true};
    static const struct world other = {
        .null_calls = 20100, .bytes = 1000, .server = 210, .no_parts = true};
    static const struct world slower = {
        .null_calls = 15300, .bytes = 710, .server = 660, .no_parts = true};

    compare(&first, &other, 1);
    assert_all((pair.path.word, COMPARE_PATH_CHANGED), (!server_row()), (total_row()->judged),
               (total_row()->word, COMPARISON_SAME), (total_row()->undecided));
    assert_near(total_row()->path_error, 2 * (1210 - 870) / log(1210 / 870.) * pair.path.error,
                1e-6);
    compare(&first, &slower, 1);
    assert_all((pair.path.word, COMPARE_PATH_SAME), (total_row()->word, COMPARISON_SLOWER),
               (total_row()->regression));
}

TEST_CASE_WITH(no_null_calls, NULL, tear_down)
{
    static const struct world first = {.null_calls = 15200, .no_baseline = true};
    static const struct world slower = {.null_calls = 20100, .no_baseline = true};

    compare(&first, &slower, 1);
    assert_all((pair.path.word, COMPARE_PATH_UNKNOWN), (total_row()->compared, RESULT_ROUND_TRIP),
               (!total_row()->judged), (!total_row()->regression), (total_row()->undecided));
}

/* The spread of replicates includes changes of the path, so READ's cost is judged. */
TEST_CASE_WITH(replicated, NULL, tear_down)
{
    static const struct world other = {.null_calls = 20100, .bytes = 1360, .server = 660};

    compare(&before, &other, FILES);
    assert_all((pair.path.word, COMPARE_PATH_CHANGED), (total_row()->word, COMPARISON_SLOWER),
               (total_row()->regression), (server_row()->word, COMPARISON_SLOWER));
}
