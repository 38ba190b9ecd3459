/* Tests of a survey's rules: each finds its fault, and none has a finding on a healthy server. */
#include "test.h"

#include "common/append.h"
#include "survey/survey.h"

static struct survey survey;
static struct result_op calls[2], large_read;
static struct result_skipped skipped;
static struct result_stall longest;
static struct experiment_cell cell;
static struct experiment_diagnosis diagnosis;

#define TARGET survey.parts[SURVEY_CALLS].file.result.target

/* Set SURVEY to a survey without findings. */
static void make_healthy(void)
{
    static const struct interval cost = {900, 800, 1000}, none = {0, -10, 10};

    calls[0] = (struct result_op){.op = "null", .calls = 1000, .latency.p50 = 1e4};
    calls[1] = (struct result_op){.op = "getattr",
                                  .role = RESULT_OP,
                                  .calls = 1000,
                                  .latency.p50 = 1e4,
                                  .has_above_null = true,
                                  .above_null.cost = cost,
                                  .has_mean_cost = true,
                                  .mean_cost.rare = none};
    large_read = (struct result_op){
        .op = "read", .role = RESULT_OP, .calls = 1000, .data_bytes = 1 << 20, .latency.p50 = 1e6};
    skipped = (struct result_skipped){"read", "there is no file in the export"};
    longest = (struct result_stall){.length_s = 0.2};
    cell = (struct experiment_cell){.op = "read",
                                    .setting.size = 65536,
                                    .intervals = {[CELL_RATE] = {5e4, 4.9e4, 5.1e4},
                                                  [CELL_TYPICAL] = {1e5, 9e4, 1.1e5},
                                                  [CELL_COST] = {9e4, 8e4, 1e5}}};
    diagnosis = (struct experiment_diagnosis){
        .op = "read",
        .at = cell.setting,
        .answer = {.limit = BOTTLENECK_SERVER_CPU, .sureness = BOTTLENECK_SURE}};
    survey = (struct survey){
        .origin = {.target = "host:/export", .transport = "TCP", .auth = "AUTH_SYS"},
        .parts = {[SURVEY_CALLS].file.result =
                      {.target = {.limits = {.rtmax = 1 << 20, .wtmax = 1 << 20, .dtpref = 8192},
                                  .mount_ns = 3000000,
                                  .look_up_ns = 1000000,
                                  .port_mapper_ns = 1000000},
                       .ops = calls,
                       .op_count = 2,
                       .skipped = &skipped,
                       .skipped_count = 1,
                       .stalls = &longest,
                       .stall_count = 1},
                  [SURVEY_LARGE_READS].file.result = {.ops = &large_read, .op_count = 1},
                  [SURVEY_STREAM] =
                      {.diagnosis = &diagnosis, .alone = &cell, .most = &cell, .limit = &cell}},
    };
}

/* Each function from here to mount_slowly() changes SURVEY so that one rule has a finding. */
static void fail_calls(void)
{
    calls[1].failed = 3;
}

static void refuse_op(void)
{
    skipped = (struct result_skipped){"access", "ACCESS was answered by NFS3ERR_IO"};
}

static void stall(void)
{
    longest.length_s = 1.5;
}

static void send_again(void)
{
    calls[1].retransmissions = 2;
}

static void lose_packets(void)
{
    cell.intervals[CELL_RETRANSMITTED].estimate = 0.012;
}

static void fill_window(void)
{
    diagnosis.answer.limit = BOTTLENECK_RECEIVE_WINDOW;
}

static void throttle(void)
{
    diagnosis.answer.limit = BOTTLENECK_BYTE_RATE;
}

/* At the sweep's limit, the server works on each call for 490 us, and on 24 calls at a time. */
static void lock(void)
{
    diagnosis.answer.limit = BOTTLENECK_SERVER_LOCK;
    cell.intervals[CELL_COST].estimate = 4.9e5;
}

static void slow_down(void)
{
    calls[1].above_null.cost = (struct interval){6e5, 5.5e5, 7e5};
}

static void add_slow_calls(void)
{
    calls[1].mean_cost.rare = (struct interval){2e4, 1e4, 3e4};
}

static void slow_large_reads(void)
{
    large_read.latency.p50 = 1e7;
}

static void shrink_transfers(void)
{
    TARGET.limits.rtmax = 32768;
}

static void shrink_listings(void)
{
    TARGET.limits.dtpref = 512;
}

static void lack_readdirplus(void)
{
    skipped = (struct result_skipped){"readdirplus", "NFS3ERR_NOTSUPP"};
}

static void mount_slowly(void)
{
    TARGET.mount_ns = 3000000000;
}

static const struct {
    const char *rule;
    void (*spoil)(void);
    const char *says, *next;
} cases[] = {
    {"errors", fail_calls, "getattr: 3 calls of 1,000 were answered by an error",
     "nfsbench host:/export getattr"},
    {"refused", refuse_op, "access does not work: ACCESS was answered by NFS3ERR_IO",
     "nfsbench host:/export access"},
    {"stalls", stall, "the server gave no answer 1 time, for up to 1.50 s",
     "nfsbench outage host:/export"},
    {"sent-again", send_again, "calls were sent again 2 times, and connections broke 0 times",
     "nfsbench outage host:/export"},
    {"lost-packets", lose_packets,
     "packets are lost or reordered: of TCP's segments, 1.20 % were sent again, and 0.00 % arrived "
     "out of order, at 50,000 calls/s of read",
     "nfsbench sweep --depth 1..64 --size 65536 host:/export read"},
    {"line", fill_window,
     "read of 65,536 bytes: limited by TCP's receive window (sure), at 50,000 calls/s [49,000, "
     "51,000]",
     "nfsbench sweep --depth 1..64 --size 65536 host:/export read"},
    {"throttle", throttle,
     "read of 65,536 bytes: limited to a number of bytes per second (sure), at 50,000 calls/s "
     "[49,000, 51,000]",
     "nfsbench sweep --depth 1..64 --size 65536 host:/export read"},
    {"serialized", lock,
     "read of 65,536 bytes: limited by a lock in the server (sure), at 50,000 calls/s [49,000, "
     "51,000]",
     "nfsbench sweep --depth 1..64 --size 65536 host:/export read"},
    {"slow-metadata", slow_down,
     "getattr takes 600 us [550, 700] more than NULL, which needs no file system",
     "nfsbench explain host:/export getattr"},
    {"rare-slow-calls", add_slow_calls,
     "rare slow calls add 20.0 us [10.0, 30.0] to the mean of getattr, whose typical time is 10.0 "
     "us",
     "nfsbench explain --slowest 5 host:/export getattr"},
    {"slow-large-reads", slow_large_reads,
     "a READ of 1,048,576 bytes takes 10000 us, and moves 16 % of the bytes that READs of 64 KiB "
     "move in that time",
     "nfsbench sweep --size 4096..1048576 host:/export read"},
    {"small-transfers", shrink_transfers,
     "the server takes READs of 32,768 bytes and WRITEs of 1,048,576 at most; clients would use 1 "
     "MiB",
     "nfsbench characterize --only sizes host:/export"},
    {"small-listings", shrink_listings,
     "the server prefers lists of 512 bytes, so that a large directory takes many calls",
     "nfsbench host:/export readdirplus-all"},
    {"no-readdirplus", lack_readdirplus,
     "no READDIRPLUS, so that a list with attributes takes a call for each entry: NFS3ERR_NOTSUPP",
     "nfsbench host:/export readdirplus"},
    {"slow-mount", mount_slowly, "mounting took 3000 ms, of these the look-up 1, the port mapper 1",
     "nfsbench characterize --only connections host:/export"},
};

TEST_CASE(each_rule_holds_of_what_has_it)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        make_healthy();
        cases[i].spoil();
        survey_conclude(&survey);
        assert_all((survey.finding_count, 1), (survey.findings[0].name, cases[i].rule),
                   (survey.findings[0].text, cases[i].says),
                   (survey.findings[0].next, cases[i].next));
    }
}

TEST_CASE(nothing_stands_out_of_a_healthy_server)
{
    make_healthy();
    survey_conclude(&survey);
    assert_int_equal(survey.finding_count, 0);
}

/* On a busy machine, rules on times are left out, because calls wait for its processors. */
TEST_CASE(a_busy_machine_hides_findings_on_times)
{
    make_healthy();
    slow_down();
    lose_packets();
    survey.parts[SURVEY_CALLS].file.result.evidence.others = 0.9;
    survey_conclude(&survey);
    assert_int_equal(survey.finding_count, 0);
    assert_null(strstr(survey.looked_for, "slow-metadata"));
    fail_calls();
    survey_conclude(&survey);
    assert_string_equal(survey.findings[0].name, "errors");
}

TEST_CASE(each_rule_has_a_case)
{
    char rules[sizeof survey.looked_for] = "";

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        append_item(rules, sizeof rules, "%s", cases[i].rule);
    make_healthy();
    survey_conclude(&survey);
    assert_string_equal(survey.looked_for, rules);
}

TEST_CASE(the_worst_come_first)
{
    make_healthy();
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cases[i].spoil();
    survey_conclude(&survey);
    assert_all((survey.finding_count > 5), (survey.findings[0].name, "errors"),
               (survey.findings[1].name, "stalls"));
}

/* A limit that the sweep only guesses, or that is likely at an uncertain rate, is no finding. Small
 * transfers over UDP are no finding either, because UDP limits the length of messages. */
TEST_CASE(what_is_not_sure_does_not_stand_out)
{
    make_healthy();
    throttle();
    diagnosis.answer.sureness = BOTTLENECK_GUESS;
    shrink_transfers();
    survey.origin.transport = "UDP";
    survey_conclude(&survey);
    assert_int_equal(survey.finding_count, 0);
    diagnosis.answer.sureness = BOTTLENECK_LIKELY;
    cell.intervals[CELL_RATE].high = 2 * cell.intervals[CELL_RATE].estimate;
    survey_conclude(&survey);
    assert_int_equal(survey.finding_count, 0);
    diagnosis.answer.sureness = BOTTLENECK_SURE;
    survey_conclude(&survey);
    assert_int_equal(survey.finding_count, 1);
}

/* A lock in the server is no finding if a call takes at most 100 us more than NULL, or if the
 * server works on less than half a call on average. */
TEST_CASE(a_lock_of_fast_calls_does_not_stand_out)
{
    make_healthy();
    lock();
    cell.intervals[CELL_COST].estimate = 8e4;
    survey_conclude(&survey);
    assert_int_equal(survey.finding_count, 0);
    cell.intervals[CELL_COST].estimate = 4.9e5;
    cell.intervals[CELL_RATE] = (struct interval){500, 490, 510};
    survey_conclude(&survey);
    assert_int_equal(survey.finding_count, 0);
}

TEST_CASE(options_that_reach_the_server_are_in_the_commands)
{
    make_healthy();
    stall();
    strcpy(survey.passed, "--port=20049");
    survey_conclude(&survey);
    assert_string_equal(survey.findings[0].next, "nfsbench outage --port=20049 host:/export");
}
