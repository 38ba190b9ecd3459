/* Each phase of a call goes from one known timestamp to the next, so that the phases add up to the
 * time from BEGUN to DECODED. */
#include "test.h"

#include "measure/phases.h"

/* Return a call with the client's timestamps: 1000 ns to encode, 2000 to send, 100 in the queue,
 * 50000 outside of the client, 3000 to receive, 400 to decode. */
static struct call_times usual_call(void)
{
    struct call_times call = {.lifetime_ns = 56600, .send_returned = 1000000 + 8100};

    call.at[TIMESTAMP_BEGUN] = 1000000;
    call.at[TIMESTAMP_ENCODED] = 1001000;
    call.at[TIMESTAMP_SCHEDULED] = 1003000;
    call.at[TIMESTAMP_TRANSMITTED] = 1003100;
    call.at[TIMESTAMP_REPLY_RECEIVED] = 1053100;
    call.at[TIMESTAMP_REPLY_READ] = 1056100;
    call.at[TIMESTAMP_DECODED] = 1056500;
    return call;
}

static size_t index_of(const struct phase_view *view, const char *key)
{
    for (size_t i = 0; i < PHASE_TYPES; i++)
        if (phase_is_in(view, i) && strcmp(phase_types[i].key, key) == 0)
            return i;
    fail_msg("no phase %s", key);
    return 0;
}

static struct phases phases;

static void begin(const struct phase_view *view)
{
    phases_close(&phases);
    assert_int_equal(phases_open(&phases, view), 0);
}

static const struct phase_total *total_of(const char *key)
{
    return &phases.totals[index_of(phases.view, key)];
}

static double mean_of(const char *key)
{
    return total_of(key)->histogram.mean;
}

/* Check the mean times of phases, written as "KEY=NS KEY=NS". */
static void assert_means(const char *means)
{
    char key[32];
    double ns;
    int length;

    for (; sscanf(means, " %31[^=]=%lf%n", key, &ns, &length) == 2; means += length)
        if (mean_of(key) != ns)
            fail_msg("%s is %g, not %g", key, mean_of(key), ns);
    assert_string_equal(means, "");
}

TEST_CASE(client_phases_are_the_differences)
{
    struct call_times call = usual_call();

    begin(&phase_view_client);
    assert_int_equal(phases_add(&phases, &call), PHASE_EXPLAINED);
    assert_means(
        "encode=1000 send=2000 queue=100 network-and-server=50000 receive=3000 decode=400");
    assert_all((phases_sum(&phases), 56500, 0), (phases.lifetime.mean, 56600, 0),
               (phases.overlap.mean, 5000, 0), (phases.overlap_begin_ns, 3100, 0));
    call.at[TIMESTAMP_TRANSMITTED] = 0; /* now phases_add() ignores the call */
    phases_add(&phases, &call);
    assert_int_equal(phases.overlap.count, 1);
}

/* If a phase's timestamp is missing, the phase is not entered, and the next phase begins where this
 * phase would have begun. So no time is lost or counted twice. */
TEST_CASE(what_did_not_come_is_not_entered)
{
    struct call_times slept = usual_call(), awake;

    slept.at[TIMESTAMP_REQUEST_ARRIVED] = 1010000;
    slept.at[TIMESTAMP_SERVER_WOKEN] = 1011000;
    slept.at[TIMESTAMP_SERVER_RUNS] = 1015000;
    slept.at[TIMESTAMP_REQUEST_READ] = 1016000;
    slept.at[TIMESTAMP_REPLY_ENTERED] = 1020000;
    awake = slept;
    awake.at[TIMESTAMP_SERVER_WOKEN] = awake.at[TIMESTAMP_SERVER_RUNS] = 0;
    begin(&phase_view_both);
    assert_int_equal(phases_add(&phases, &slept), PHASE_EXPLAINED);
    assert_int_equal(phases_add(&phases, &awake), PHASE_EXPLAINED);
    assert_int_equal(total_of("server-run")->histogram.count, 1);
    assert_means("server-run=4000 server-read=3500 server-work=4000");
    assert_all((total_of("client-run")->histogram.count, 0), (phases_sum(&phases), 56500, 0));
}

TEST_CASE(joined_phases_are_one)
{
    struct call_times call = usual_call();

    call.at[TIMESTAMP_REQUEST_ARRIVED] = 1004100; /* the request's way: 1000 ns */
    call.at[TIMESTAMP_REQUEST_READ] = 1010100;
    call.at[TIMESTAMP_REPLY_ENTERED] = 1051100;
    call.at[TIMESTAMP_REPLY_SENT] = 1052100; /* the reply's way: 1000 ns */
    begin(&phase_view_joined);
    assert_int_equal(phases_add(&phases, &call), PHASE_EXPLAINED);
    assert_means("network=2000");
    assert_all((total_of("network")->sum_ns, 1000, 0), (phases_sum(&phases), 56500, 0));
}

TEST_CASE(calls_that_cannot_be_explained_are_counted)
{
    enum { CALLS = 4 };
    static const int found[CALLS] = {PHASE_INCOMPLETE, PHASE_OUT_OF_ORDER, PHASE_RETRANSMITTED,
                                     PHASE_FAILED};
    struct call_times calls[CALLS] = {usual_call(), usual_call(), usual_call(), usual_call()};

    calls[0].at[TIMESTAMP_TRANSMITTED] = 0;
    calls[1].at[TIMESTAMP_REPLY_RECEIVED] = 1003099;
    calls[2].retransmitted = true;
    calls[3].failed = true;
    begin(&phase_view_client);
    for (size_t i = 0; i < CALLS; i++)
        assert_int_equal(phases_add(&phases, &calls[i]), found[i]);
    assert_all((phases.incomplete, 1), (phases.out_of_order, 1), (phases.retransmitted, 1),
               (phases.failed, 1), (phases.lifetime.count, 0), (phases_sum(&phases), 0, 0));
}

TEST_CASE(protection_has_phases_of_its_own)
{
    struct call_times plain = usual_call(), protected = usual_call();

    protected.at[TIMESTAMP_WRAPPED] = 1001300;
    protected.at[TIMESTAMP_ENCRYPTED] = 1001700;
    protected.at[TIMESTAMP_REPLY_READ] = 1055000;
    protected.at[TIMESTAMP_DECRYPTED] = 1055200;
    protected.at[TIMESTAMP_UNWRAPPED] = 1056100;
    begin(&phase_view_client);
    assert_int_equal(phases_add(&phases, &plain), PHASE_EXPLAINED);
    assert_int_equal(phases_add(&phases, &protected), PHASE_EXPLAINED);
    assert_means("encode=1000 wrap=300 encrypt=400 send=1650 receive=2450 decrypt=200 unwrap=900 "
                 "decode=400"); /* send, receive: means of two calls that differ */
    assert_all((total_of("unwrap")->histogram.count, 1), (phases_sum(&phases), 56500, 0));
}

/* Phases must be in the order of the timestamps to add up. */
TEST_CASE(views_are_in_order)
{
    static const struct phase_view *const views[] = {
        &phase_view_client,      &phase_view_both,      &phase_view_joined,
        &phase_view_load_client, &phase_view_load_both, &phase_view_load_joined};

    for (size_t i = 0; i < COUNT_OF(views); i++) {
        enum timestamp last = TIMESTAMP_BEGUN;

        for (size_t j = 0; j < PHASE_TYPES; j++) {
            assert_non_null(phase_types[j].key);
            if (!phase_is_in(views[i], j))
                continue;
            assert_true(phase_types[j].ends > last);
            last = phase_types[j].ends;
        }
        assert_int_equal(last, TIMESTAMP_DECODED);
    }
}
