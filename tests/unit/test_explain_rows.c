/* The rows of the table, compared with figures computed by hand. */
#include <math.h>
#include <string.h>

#include "explain/calls.h"
#include "test.h"

/* ns from the previous timestamp; 0: the timestamp does not occur. */
static const double steps[TIMESTAMPS] = {
    [TIMESTAMP_ENCODED] = 100,       [TIMESTAMP_SCHEDULED] = 200,
    [TIMESTAMP_TRANSMITTED] = 300,   [TIMESTAMP_REQUEST_ARRIVED] = 400,
    [TIMESTAMP_SERVER_WOKEN] = 50,   [TIMESTAMP_SERVER_RUNS] = 150,
    [TIMESTAMP_REQUEST_READ] = 100,  [TIMESTAMP_REPLY_ENTERED] = 500,
    [TIMESTAMP_REPLY_SENT] = 100,    [TIMESTAMP_REPLY_RECEIVED] = 200,
    [TIMESTAMP_REPLY_ARRIVED] = 100, [TIMESTAMP_REPLY_READ] = 300,
    [TIMESTAMP_DECODED] = 100,
};

static struct phases phases;

static void begin(const struct phase_view *view)
{
    phases_close(&phases);
    assert_int_equal(phases_open(&phases, view), 0);
}
static struct explanation explanation;

/* A call whose server works MORE ns longer. */
static struct call_times make_call(uint64_t more)
{
    struct call_times call = {.lifetime_ns = 2700 + more};
    uint64_t at = 1000;

    call.at[TIMESTAMP_BEGUN] = at;
    for (int i = 1; i < TIMESTAMPS; i++) {
        at += (uint64_t)steps[i] + (i == TIMESTAMP_REPLY_ENTERED ? more : 0);
        if (steps[i] > 0)
            call.at[i] = at;
    }
    return call;
}

static void add_call(bool server_woken)
{
    struct call_times call = make_call(0);

    if (!server_woken)
        call.at[TIMESTAMP_SERVER_WOKEN] = call.at[TIMESTAMP_SERVER_RUNS] = 0;
    assert_int_equal(phases_add(&phases, &call), PHASE_EXPLAINED);
}

/* Two calls of 2600 ns by the phases and 2700 by the measuring clock; before the first, the server
 * slept. */
static void make(const struct phase_view *view)
{
    begin(view);
    add_call(true);
    add_call(false);
    explanation = (struct explanation){.phases = &phases};
    explain_rows(&explanation);
}

static const struct explain_row *row(const char *key)
{
    for (size_t i = 0; i < explanation.row_count; i++)
        if (strcmp(explanation.rows[i].type->key, key) == 0)
            return &explanation.rows[i];
    return NULL;
}

static void test_sum_and_discrepancy(void **state)
{
    make(&phase_view_both);
    assert_near(explanation.sum, 2600, 1e-9);
    assert_near(explanation.discrepancy, 100. / 2700, 1e-12);
    assert_ptr_equal(explanation.view, &phase_view_both);
}

static void test_adjusted_means_add_up(void **state)
{
    double adjusted = 0, share = 0;

    make(&phase_view_both);
    for (size_t i = 0; i < explanation.row_count; i++) {
        adjusted += explanation.rows[i].adjusted;
        share += explanation.rows[i].share;
    }
    assert_near(adjusted, 2600, 1e-9);
    assert_near(share, 2600. / 2700, 1e-12);
}

static void test_phase_of_half_the_calls(void **state)
{
    make(&phase_view_both);
    assert_int_equal(row("server-wake")->count, 1);
    assert_near(row("server-wake")->mean, 50, 1e-9);
    assert_near(row("server-wake")->adjusted, 25, 1e-9);
    assert_near(row("server-wake")->share, 25. / 2700, 1e-12);
    assert_near(row("server-wake")->begins, 1000, 1e-9);
    /* In the other call, its time belongs to the next phase. */
    assert_int_equal(row("server-read")->count, 2);
    assert_near(row("server-read")->mean, 200, 1e-9);
    assert_near(row("server-read")->adjusted, 200, 1e-9);
    assert_near(row("server-read")->low, 100, 1e-9);
    assert_near(row("server-read")->high, 300, 1e-9);
    assert_near(row("server-read")->begins, 1100, 1e-9);
}

static void test_phases_never_entered_are_left_out(void **state)
{
    make(&phase_view_both);
    assert_int_equal(explanation.row_count, 13);
    assert_null(row("server-reader"));
    assert_null(row("server-worker"));
    assert_null(row("client-wake"));
    assert_null(row("client-run"));
}

static void test_shares_of_what_is_left(void **state)
{
    make(&phase_view_both);
    /* Without the 300 of the queue, and 75 until the server has a processor. */
    assert_true(isnan(row("queue")->share_without_queueing));
    assert_near(row("encode")->share_without_queueing, 100. / 2325, 1e-12);
    assert_near(row("server-work")->share_without_queueing, 500. / 2325, 1e-12);
    /* And without 600 on the network and 900 in the server. */
    assert_near(row("encode")->share_of_client, 100. / 900, 1e-12);
    assert_near(row("client-read")->share_of_client, 300. / 900, 1e-12);
    assert_true(isnan(row("queue")->share_of_client));
    assert_true(isnan(row("server-work")->share_of_client));
    assert_true(isnan(row("reply-travels")->share_of_client));
}

static void test_joined_phase_is_one_row(void **state)
{
    make(&phase_view_joined);
    assert_int_equal(row("network")->count, 2);
    assert_near(row("network")->mean, 600, 1e-9);
    assert_near(row("network")->adjusted, 600, 1e-9);
    assert_near(row("network")->begins, 600, 1e-9);
    assert_near(row("network")->second_ns, 200, 1e-9);
    assert_near(row("network")->second_begins, 1900, 1e-9);
    assert_near(row("server-work")->second_ns, 0, 0);
    assert_near(explanation.sum, 2600, 1e-9);
}

static void test_no_calls(void **state)
{
    begin(&phase_view_client);
    explanation = (struct explanation){.phases = &phases};
    explain_rows(&explanation);
    assert_int_equal(explanation.row_count, 0);
    assert_near(explanation.sum, 0, 0);
    assert_near(explanation.discrepancy, 0, 0);
}

/* BLOCKS blocks of two calls; in every other one the server works 100 ns longer. */
static void explain_blocks(size_t blocks)
{
    struct explain_calls calls;
    struct error error;

    assert_int_equal(explain_calls_open(&calls, &phase_view_both, 0, &error), 0);
    for (size_t i = 0; i < blocks; i++) {
        const struct call_times two[] = {make_call(i % 2 * 100), make_call(i % 2 * 100)};

        assert_int_equal(explain_calls_add(&calls, &two[0], NULL), 0);
        assert_int_equal(explain_calls_add(&calls, &two[1], NULL), 0);
        assert_int_equal(explain_calls_end_block(&calls), 0);
        assert_int_equal(explain_calls_end_block(&calls), 0); /* without a call it is none */
    }
    explanation = (struct explanation){.phases = &calls.phases};
    explain_rows(&explanation);
    explain_calls_intervals(&calls, &explanation);
    explain_calls_close(&calls);
}

static void test_intervals_over_blocks(void **state)
{
    explain_blocks(20);
    assert_near(row("server-work")->added.estimate, 550, 1e-9);
    assert_true(row("server-work")->added.low > 500 && row("server-work")->added.low < 545);
    assert_true(row("server-work")->added.high > 555 && row("server-work")->added.high < 600);
    assert_near(row("decode")->added.low, 100, 1e-9);
    assert_near(row("decode")->added.high, 100, 1e-9);
    assert_near(explanation.lifetime.estimate, 2750, 1e-9);
    assert_true(explanation.lifetime.low > 2700 && explanation.lifetime.high < 2800);
}

static void test_few_blocks_have_no_interval(void **state)
{
    explain_blocks(5);
    assert_near(row("decode")->added.estimate, 100, 1e-9);
    assert_true(isnan(row("decode")->added.low) && isnan(explanation.lifetime.high));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum_and_discrepancy),
        cmocka_unit_test(test_adjusted_means_add_up),
        cmocka_unit_test(test_phase_of_half_the_calls),
        cmocka_unit_test(test_phases_never_entered_are_left_out),
        cmocka_unit_test(test_shares_of_what_is_left),
        cmocka_unit_test(test_joined_phase_is_one_row),
        cmocka_unit_test(test_no_calls),
        cmocka_unit_test(test_intervals_over_blocks),
        cmocka_unit_test(test_few_blocks_have_no_interval),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
