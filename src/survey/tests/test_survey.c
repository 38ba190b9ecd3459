/* What stands out: each rule on a survey that has it, and on a healthy one. */
#include "test.h"

#include "survey/survey.h"

static struct survey survey;

/* A survey in which nothing stands out. */
static void make_healthy(void)
{
    static const struct interval cost = {900, 800, 1000}, none = {0, -10, 10};

    survey = (struct survey){
        .origin = {.target = "host:/export", .transport = "TCP", .auth = "AUTH_SYS"},
        .server = {.tcp = true,
                   .has_fsinfo = true,
                   .rtmax = 1 << 20,
                   .wtmax = 1 << 20,
                   .dtpref = 8192,
                   .mount = 3e6,
                   .look_up = 1e6,
                   .port_mapper = 1e6},
        .costs = {{.op = "null", .calls = 1000, .p50 = 1e4},
                  {.op = "getattr", .calls = 1000, .p50 = 1e4, .above_null = cost, .rare = none},
                  {.op = "read",
                   .calls = 1000,
                   .p50 = 1e6,
                   .bytes = 1 << 20,
                   .above_null = cost,
                   .rare = none,
                   .megabytes_per_s = 1000}},
        .cost_count = 3,
        .lacking = {{"read", "there is no file in the export"}},
        .lacking_count = 1,
        .loads = {{.op = "read",
                   .bytes = 65536,
                   .rate = {5e4, 4.9e4, 5.1e4},
                   .limit_rate = {5e4, 4.9e4, 5.1e4},
                   .alone = {1e5, 9e4, 1.1e5},
                   .limit = BOTTLENECK_SERVER_CPU,
                   .sureness = BOTTLENECK_SURE,
                   .evidence = "busy"}},
        .load_count = 1,
        .steadiness = {.stalls = 1, .longest_stall_s = 0.2, .tail = 20, .tail_op = "read"},
    };
}

/* What makes each rule hold. */
static void fail_calls(void)
{
    survey.costs[1].failed = 3;
}

static void refuse_op(void)
{
    survey.lacking[0] = (struct survey_lacking){"access", "ACCESS was answered by NFS3ERR_IO"};
}

static void stall(void)
{
    survey.steadiness.longest_stall_s = 1.5;
}

static void send_again(void)
{
    survey.steadiness.sent_again = 2;
}

static void lose_packets(void)
{
    survey.loads[0].limit = BOTTLENECK_LOSS;
}

static void throttle(void)
{
    survey.loads[0].limit = BOTTLENECK_BYTE_RATE;
}

static void lock(void)
{
    survey.loads[0].limit = BOTTLENECK_SERVER_LOCK;
}

static void slow_down(void)
{
    survey.costs[1].above_null = (struct interval){6e5, 5.5e5, 7e5};
}

static void add_slow_calls(void)
{
    survey.costs[1].rare = (struct interval){2e4, 1e4, 3e4};
}

static void slow_large_reads(void)
{
    survey.costs[2].p50 = 1e7;
}

static void shrink_transfers(void)
{
    survey.server.rtmax = 32768;
}

static void shrink_listings(void)
{
    survey.server.dtpref = 512;
}

static void lack_readdirplus(void)
{
    survey.lacking[0] = (struct survey_lacking){"readdirplus", "NFS3ERR_NOTSUPP"};
}

static void mount_slowly(void)
{
    survey.server.mount = 3e9;
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
    {"line", lose_packets,
     "read of 65,536 bytes: limited by packet loss on the line (sure), at 50,000 calls/s "
     "[49,000, 51,000]",
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
     "move "
     "in that time",
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
        survey_find(&survey);
        assert_all((survey.finding_count, 1), (survey.findings[0].name, cases[i].rule),
                   (survey.findings[0].text, cases[i].says),
                   (survey.findings[0].next, cases[i].next));
    }
}

/* So does each rule above what a healthy server has, which is the survey that lacks it. */
TEST_CASE(nothing_stands_out_of_a_healthy_server)
{
    make_healthy();
    survey_find(&survey);
    assert_int_equal(survey.finding_count, 0);
}

TEST_CASE(each_rule_has_a_case)
{
    size_t rules = 0;

    for (; survey_rule_name(rules); rules++)
        assert_string_equal(survey_rule_name(rules), cases[rules].rule);
    assert_int_equal(rules, COUNT_OF(cases));
}

TEST_CASE(the_worst_five_are_kept)
{
    make_healthy();
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cases[i].spoil();
    survey_find(&survey);
    assert_all((survey.finding_count, SURVEY_FINDINGS), (survey.findings[0].name, "errors"),
               (survey.findings[1].name, "stalls"), (survey.findings_left_out > 0));
}

/* A guess is no finding, nor is what only UDP limits. */
TEST_CASE(what_is_not_sure_does_not_stand_out)
{
    make_healthy();
    throttle();
    survey.loads[0].sureness = BOTTLENECK_GUESS;
    shrink_transfers();
    survey.origin.transport = "UDP";
    survey_find(&survey);
    assert_int_equal(survey.finding_count, 0);
    survey.loads[0].sureness = BOTTLENECK_LIKELY;
    survey.loads[0].limit_rate.high = 2 * survey.loads[0].limit_rate.estimate;
    survey_find(&survey);
    assert_int_equal(survey.finding_count, 0);
    survey.loads[0].sureness = BOTTLENECK_SURE;
    survey_find(&survey);
    assert_int_equal(survey.finding_count, 1);
}

TEST_CASE(options_that_reach_the_server_are_in_the_commands)
{
    make_healthy();
    stall();
    strcpy(survey.passed, "--port=20049");
    survey_find(&survey);
    assert_string_equal(survey.findings[0].next, "nfsbench outage --port=20049 host:/export");
}
