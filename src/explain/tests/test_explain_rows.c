/* The rows of the table, compared with values computed by hand. */
#include "explain/phases/calls.h"
#include "test.h"

/* ns since the previous timestamp; 0: the timestamp is missing */
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
static struct explanation explanation;

/* Make a call whose server works MORE ns longer. */
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

/* Explain two calls. Each takes 2600 ns in its phases, and 2700 ns by the measuring clock. The
 * server slept only before the first call. */
static void explain_two_calls(const struct phase_view *view)
{
    phases_close(&phases);
    assert_int_equal(phases_open(&phases, view), 0);
    add_call(true);
    add_call(false);
    explanation = (struct explanation){.phases = &phases};
    explain_rows(&explanation);
}

static const struct phase_row *row(const char *key)
{
    for (size_t i = 0; i < explanation.row_count; i++)
        if (strcmp(explanation.rows[i].type->key, key) == 0)
            return &explanation.rows[i];
    return NULL;
}

/* Expected values, ns. The lifetime is 2700. WITHOUT_QUEUEING is a share of 2325: the lifetime less
 * 300 in the queue, less 75 until the server runs (150 in one of two calls). OF_CLIENT is a share
 * of 900: the lifetime less 300 in the queue, less 600 on the network, less 900 in the server. */
static const struct row_figures {
    const char *key;
    uint64_t count;
    double mean, adjusted, begins, without_queueing, of_client;
} expected[] = {
    {"encode", 2, 100, 100, 0, 100. / 2325, 100. / 900},
    {"queue", 2, 300, 300, 300, NAN, NAN},
    {"server-wake", 1, 50, 25, 1000, 25. / 2325, NAN},
    /* The second call has no timestamps of waking, so its time of waking is in this phase. */
    {"server-read", 2, 200, 200, 1100, 200. / 2325, NAN},
    {"server-work", 2, 500, 500, 1300, 500. / 2325, NAN},
    {"reply-travels", 2, 200, 200, 1900, 200. / 2325, NAN},
    {"client-read", 2, 300, 300, 2200, 300. / 2325, 300. / 900},
};

TEST_CASE(rows)
{
    double adjusted = 0;

    explain_two_calls(&phase_view_both);
    assert_all((explanation.sum, 2600, 1e-9), (explanation.discrepancy, 100. / 2700, 1e-12));
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const struct row_figures *figures = &expected[i];
        const struct phase_row *found = row(figures->key);

        assert_all((found->count, figures->count), (found->mean, figures->mean, 1e-9),
                   (found->adjusted, figures->adjusted, 1e-9),
                   (found->begins, figures->begins, 1e-9),
                   (found->share, figures->adjusted / 2700, 1e-12));
        assert_figure(found->share_without_queueing, figures->without_queueing, 1e-12);
        assert_figure(found->share_of_client, figures->of_client, 1e-12);
    }
    assert_all((row("server-read")->low, 100, 1e-9), (row("server-read")->high, 300, 1e-9));
    assert_ptr_equal(explanation.longest, row("server-work"));
    assert_int_equal(explanation.row_count, 13);
    assert_null(row("client-wake"));
    for (size_t i = 0; i < explanation.row_count; i++)
        adjusted += explanation.rows[i].adjusted;
    assert_near(adjusted, 2600, 1e-9);
}

TEST_CASE(joined_phase_is_one_row)
{
    explain_two_calls(&phase_view_joined);
    assert_all((row("network")->count, 2), (row("network")->mean, 600, 1e-9),
               (row("network")->adjusted, 600, 1e-9), (row("network")->begins, 600, 1e-9),
               (row("network")->second_ns, 200, 1e-9), (row("network")->second_begins, 1900, 1e-9),
               (row("server-work")->second_ns, 0, 0), (explanation.sum, 2600, 1e-9));
}

/* Explain BLOCKS blocks of two calls. In every second block the server works 100 ns longer. */
static void explain_blocks(size_t blocks)
{
    const struct server_side server = {.view = &phase_view_both};
    struct explain_calls calls;
    struct error error;

    assert_int_equal(explain_calls_open(&calls, 0, &error), 0);
    for (size_t i = 0; i < blocks; i++) {
        const struct call_times two[] = {make_call(i % 2 * 100), make_call(i % 2 * 100)};

        assert_int_equal(explain_calls_add(&calls, &two[0], &server), 0);
        assert_int_equal(explain_calls_add(&calls, &two[1], &server), 0);
        assert_int_equal(explain_calls_end_block(&calls), 0);
        assert_int_equal(explain_calls_end_block(&calls), 0); /* an empty block does not count */
    }
    assert_int_equal(explain_calls_sum(&calls, &phase_view_both, &error), 0);
    explanation = (struct explanation){.phases = &calls.phases};
    explain_rows(&explanation);
    explain_calls_set_intervals(&calls, &explanation);
    explain_calls_close(&calls);
}

TEST_CASE(intervals_over_blocks)
{
    explain_blocks(20);
    assert_all((row("server-work")->added.estimate, 550, 1e-9),
               (row("server-work")->added.low > 500 && row("server-work")->added.low < 545),
               (row("server-work")->added.high > 555 && row("server-work")->added.high < 600),
               (row("decode")->added.low, 100, 1e-9), (row("decode")->added.high, 100, 1e-9),
               (explanation.lifetime.estimate, 2750, 1e-9),
               (explanation.lifetime.low > 2700 && explanation.lifetime.high < 2800));
}

TEST_CASE(few_blocks_have_no_interval)
{
    explain_blocks(5);
    assert_near(row("decode")->added.estimate, 100, 1e-9);
    assert_true(isnan(row("decode")->added.low) && isnan(explanation.lifetime.high));
}
