/* Sessions in the same rounds on one server: five with different loads, of which some lack an op;
 * an interruption, servers and processors; and the largest group. */
#include "test.h"

#include <dirent.h>
#include <signal.h>

#include "cli/command_line.h"
#include "commands.h"
#include "common/cpu.h"
#include "job/plan.h"
#include "sweep/differences.h"

enum { SESSIONS = 5, ROUND_OF_EVENT = 3 };

static struct options options;
static struct error error;

static struct self_server server;
static struct target target;
static cpu_set_t allowed;
static char url[128];

static int start_server(void **state)
{
    commands_use(&commands_of_nfsbench);
    allowed = cpu_allowed_set();
    if (self_start(&server, &target, NFSBENCH, "--error access=NFS3ERR_IO", NULL, &error) != 0)
        fail_msg("%s", error.text);
    snprintf(url, sizeof url, "nfs://127.0.0.1:%u/export?mountport=%u", target.nfs_port,
             target.mount_port);
    return 0;
}

FIXTURE(stop_server, self_stop(&server), 0)

TEST_GROUP(start_server, stop_server)

/* An event at the end of the third measured round: a series fails, or the run stops. */
static struct {
    struct run_series *fails;
    volatile sig_atomic_t stop;
    bool stops;
} event;

static void on_progress(void *context, const struct run_progress *progress)
{
    if (progress->began_ns == 0 || progress->round != ROUND_OF_EVENT)
        return;
    if (event.fails && !event.fails->failure)
        event.fails->failure = strdup("NFS3ERR_IO");
    event.stop = event.stops;
}

static void on_line(void *context, const char *line)
{
}

static const struct run_observer observer = {
    .progress = on_progress, .notice = on_line, .warning = on_line};

static struct group group;

#define SHORT " 400 --block 20 --no-ledger --no-model --no-warmup"

/* Make the plan of "nfsbench URL WORDS...". */
static void make_plan(struct run_plan *plan, const char *words)
{
    static char line[256], program[] = "nfsbench", *argv[16] = {program, url};
    int argc = 2;

    strcpy(line, words);
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    if (options_parse(&options, &command_run, argc, argv, &error) != 0 ||
        plan_make(plan, &options, &error) != 0)
        fail_msg("%s", error.text);
    plan->observer = &observer;
    plan->deadline.stop = &event.stop;
    plan->maximum_ns = 300 * 1000 * 1000;
}

/* Make a group, not opened, of COUNT sessions with the options WORDS and depths from 1 to 16. */
static void make_group(size_t count, const char *words)
{
    static struct run_plan plan;

    make_plan(&plan, words);
    group = (struct group){.keeps_others = true};
    assert_int_equal(group_make(&group, count, &plan, &error), 0);
    for (size_t i = 0; i < count; i++) {
        group.plans[i].load_request.depth = 1u << i % SESSIONS;
        group.plans[i].no_control = i > 0;
        assert_int_equal(run_plan_complete(&group.plans[i], &error), 0);
    }
}

FIXTURE(close_group, event.stop = event.stops = false, event.fails = NULL, group_close(&group),
        cpu_allow_set(&allowed), 0)

static void open_group(void)
{
    if (group_open(&group, &error) != 0)
        fail_msg("%s", error.text);
}

/* Check that every session has a block of each series in all rounds, with all calls. */
static void check_blocks(void)
{
    for (size_t i = 0; i < group.count; i++) {
        const struct session *session = &group.sessions[i];
        uint32_t blocks[SERIES_MAXIMUM];
        bool follows[SERIES_MAXIMUM];

        session_block_sizes(session, blocks, follows);
        assert_int_equal(session->measuring.rounds.done, group.rounds.done);
        for (size_t j = 0; j < session->set.count; j++) {
            const struct series *series = &session->measuring.rounds.series[j];

            assert_int_equal(series->calls, (uint64_t)blocks[j] * group.rounds.done);
            assert_true(series->histogram.count > 0);
            for (size_t round = 0; round < group.rounds.done; round++)
                assert_true(series->blocks[BLOCK_P50][round] > 0);
        }
    }
}

/* Measure the group, set the outcomes, and check the blocks. Returns group_measure()'s code. */
static int measure_group(void)
{
    int code = group_measure(&group, &error);

    assert_int_equal(group_fill_outcomes(&group, NULL, &error), 0);
    check_blocks();
    return code;
}

static bool has_op(size_t number, const char *op)
{
    return result_find(&group.outcomes[number].result, op) != NULL;
}

static const char *reason(size_t number, const char *op)
{
    return series_set_skip_reason(&group.sessions[number].set, op);
}

/* Check that each session shares ROWS ops with the reference, except that session WITHOUT (0: no
 * session) shares ROWS_WITHOUT ops. */
static void check_contrasts(size_t rows, size_t without, size_t rows_without)
{
    for (size_t i = 1; i < group.count; i++) {
        struct differences compared;

        assert_all((group_compare(&compared, &group.outcomes[0], &group.outcomes[i], &error), 0),
                   (compared.count, i == without ? rows_without : rows));
        for (size_t j = 0; j < compared.count; j++)
            assert_true(compared.ops[j].known[QUANTITY_ROUND_TRIP]);
        free(compared.ops);
    }
}

TEST_CASE_WITH(five_sessions, NULL, close_group)
{
    make_group(SESSIONS, "getattr,read,fsinfo" SHORT);
    open_group();
    assert_int_equal(measure_group(), 0);
    for (size_t i = 0; i < SESSIONS; i++) {
        const struct costs *costs = &group.outcomes[i].costs;

        /* Only the first session has a null control. All sessions resample the same blocks. */
        assert_all((group.outcomes[i].result.null_control != NULL, i == 0),
                   (group.outcomes[i].result.op_count, i == 0 ? 5 : 4),
                   (costs->resampling.block, group.outcomes[0].costs.resampling.block),
                   (costs->resampling.seed, group.outcomes[0].costs.resampling.seed));
    }
    check_contrasts(4, 0, 0);
}

/* An op that fails in a session is left out of this session, even if it is its only op. */
TEST_CASE_WITH(one_session_fails, NULL, close_group)
{
    static const char *const words[] = {
        "read,getattr,fsinfo" SHORT, "getattr" SHORT,
        "getattr 400 --block 20 --no-ledger --no-baseline --no-warmup"};
    static const size_t rows[][2] = {{4, 3}, {2, 1}, {1, 0}};

    for (size_t i = 0; i < COUNT_OF(words); i++) {
        make_group(SESSIONS, words[i]);
        open_group();
        event.fails = series_set_find_op(&group.sessions[3].set, "getattr");
        assert_all((measure_group(), 0), (group.rounds.done > ROUND_OF_EVENT));
        for (size_t j = 0; j < SESSIONS; j++)
            assert_true(has_op(j, "getattr") == (j != 3));
        assert_non_null(strstr(reason(3, "getattr"), "failed in the rounds"));
        check_contrasts(rows[i][0], 3, rows[i][1]);
        close_group(NULL);
    }
}

/* If an op fails in the reference, or in any session of a group without keeps_others, it is left
 * out of all sessions. */
TEST_CASE_WITH(all_leave_it_out, NULL, close_group)
{
    for (size_t at = 0; at <= 2; at += 2) {
        make_group(SESSIONS, "read,getattr,fsinfo" SHORT);
        group.keeps_others = at == 0;
        open_group();
        event.fails = series_set_find_op(&group.sessions[at].set, "getattr");
        assert_int_equal(measure_group(), 0);
        for (size_t i = 0; i < SESSIONS; i++)
            assert_false(has_op(i, "getattr"));
        assert_memory_equal(reason(4, "getattr"), at == 0 ? "A failed" : "C failed", 8);
        check_contrasts(3, 0, 0);
        close_group(NULL);
    }
}

/* The server refuses ACCESS from the beginning. A session continues without ACCESS; but if the
 * reference lacks ACCESS, no session measures it. */
TEST_CASE_WITH(one_session_lacks_it, NULL, close_group)
{
    static struct run_plan other;

    make_group(SESSIONS, "getattr,fsinfo" SHORT);
    make_plan(&other, "access,getattr 400 --block 20 --no-ledger --no-baseline --no-warmup");
    group.plans[2] = other;
    make_plan(&other, "access 400 --block 20 --no-ledger --no-baseline --no-warmup");
    other.load_request.depth = 4;
    assert_int_equal(run_plan_complete(&other, &error), 0);
    group.plans[4] = other;
    open_group();
    assert_all((measure_group(), 0), (reason(2, "access"), "NFS3ERR_IO"), (has_op(2, "getattr")),
               (group.outcomes[4].result.op_count, 0));
    close_group(NULL);

    make_group(SESSIONS, "read-only" SHORT);
    open_group();
    assert_all((group_measure(&group, &error), 0), (reason(0, "access"), "NFS3ERR_IO"));
    for (size_t i = 0; i < SESSIONS; i++)
        assert_null(series_set_find_op(&group.sessions[i].set, "access"));
}

TEST_CASE_WITH(interrupted, NULL, close_group)
{
    make_group(SESSIONS, "getattr,create" SHORT);
    open_group();
    event.stops = true;
    assert_all((measure_group(), -EINTR), (group.rounds.done, ROUND_OF_EVENT));
    for (size_t i = 0; i < SESSIONS; i++)
        assert_all((group.sessions[i].setup.healthy),
                   (group.outcomes[i].result.rounds.done, ROUND_OF_EVENT),
                   (group.outcomes[i].result.cut_short));
    assert_int_equal(group_unmount(&group, &error), 0);
}

/* Sessions that would start the same server share the server of the first of these sessions. */
TEST_CASE_WITH(servers, NULL, close_group)
{
    static struct run_plan plan;

    make_plan(&plan, "getattr");
    plan.target = (struct target){.self = true};
    plan.target_text = "self:";
    plan.self_server = (struct run_server){.port = target.nfs_port, .cpu = -1};
    group = (struct group){.one_server = true};
    assert_int_equal(group_make(&group, SESSIONS, &plan, &error), 0);
    strcpy(group.plans[2].server_arguments, "--threads 1");
    strcpy(group.plans[4].server_arguments, "--threads 1");
    open_group();
    for (size_t i = 0; i < SESSIONS; i++)
        assert_all((group.plans[i].target.self == (i == 0 || i == 2)),
                   (group.sessions[i].setup.target.nfs_port, target.nfs_port));
}

/* Check that the thread that makes the blocks runs on its session's processors. */
static void check_processors(void *context)
{
    const struct session *session = context;
    const cpu_set_t now = cpu_allowed_set();

    assert_true(CPU_EQUAL(&now, &session->cpus));
}

static void ignore(void *context, size_t calls)
{
}

TEST_CASE_WITH(processors, NULL, close_group)
{
    static struct block_watch watches[SESSIONS];

    if (cpu_allowed_count() < 2)
        skip();
    make_group(SESSIONS, "getattr" SHORT);
    for (size_t i = 1; i < SESSIONS; i++) {
        group.plans[i].load.cpus[0] = (uint16_t)cpu_allowed_edge(i % 2 == 0);
        group.plans[i].load.cpu_count = 1;
    }
    open_group();
    for (size_t i = 0; i < SESSIONS; i++) {
        watches[i] = (struct block_watch){.series = group.sessions[i].set.count - 1,
                                          .begins = check_processors,
                                          .ended = ignore,
                                          .context = &group.sessions[i]};
        group.sessions[i].watch = &watches[i];
    }
    assert_all((measure_group(), 0), (CPU_EQUAL(&group.sessions[0].cpus, &allowed)));
    for (size_t i = 1; i < SESSIONS; i++)
        assert_all((CPU_COUNT(&group.sessions[i].cpus), 1),
                   (CPU_ISSET(group.plans[i].load.cpus[0], &group.sessions[i].cpus)));
}

/* If a server no longer answers, removing five directories takes less than five timeouts. */
TEST_CASE_WITH(server_hangs, NULL, close_group)
{
    uint64_t began;

    make_group(SESSIONS, "create" SHORT " --timeout 500ms");
    open_group();
    assert_int_equal(measure_group(), 0);
    kill(server.pid, SIGSTOP);
    began = clock_raw_ns();
    assert_all((group_unmount(&group, &error), -ETIMEDOUT),
               (clock_raw_ns() - began < SESSIONS * UINT64_C(500000000)));
    kill(server.pid, SIGCONT);
    for (size_t i = 0; i < SESSIONS; i++)
        assert_true(group.sessions[i].setup.scratch_is_lost);
}

static size_t descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    size_t count = 0;

    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

TEST_CASE_WITH(as_many_as_there_may_be, NULL, close_group)
{
    size_t before = descriptors();

    make_group(GROUP_SESSIONS_MAXIMUM, "getattr,read 400 --block 20 --no-ledger --no-model");
    open_group();
    assert_int_equal(measure_group(), 0);
    check_contrasts(3, 0, 0);
    assert_string_equal(session_letters(63).text, "BL");
    close_group(NULL);
    assert_int_equal(descriptors(), before);
}
