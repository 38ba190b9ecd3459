/* Waiting and timeouts: connections wait for memory, and the server waits for its peers. */
#include "test.h"

#include "server/patience.h"

enum { LIMIT_NS = 1000000 };

/* Two kinds of streams: one that waits for memory, with what it has read; and one whose peer must
 * send or read. */
static struct stream waiting(void)
{
    return (struct stream){.unread.length = 10, .waits_for_memory = true};
}

static struct stream owing(void)
{
    return (struct stream){.unread.length = 10};
}

/* Memory that becomes free is given to the stream that has waited longest. */
static void test_first_come_first_served(void **state)
{
    struct patience patience = {.limit_ns = LIMIT_NS};
    struct budget budget = {.held = 10, .limit = 10};
    struct stream streams[] = {waiting(), waiting(), waiting()};

    assert_int_equal(patience_idle_ms(&patience), -1);
    for (size_t i = 0; i < COUNT_OF(streams); i++)
        patience_note(&patience, &streams[i], &budget);
    patience_note(&patience, &streams[0], &budget); /* it fails again, and keeps its position */
    assert_int_equal(patience_idle_ms(&patience), 1);
    patience_forget(&patience, &streams[1]);
    budget_give(&budget, 1);
    assert_ptr_equal(patience_next(&patience, &budget), &streams[0]);
    assert_ptr_equal(patience_next(&patience, &budget), &streams[2]);
    assert_null(patience_next(&patience, &budget));
    assert_null(patience.favoured);
}

/* Without memory one stream after the other proceeds, each until it holds nothing. */
static void test_one_is_favoured(void **state)
{
    struct patience patience = {.limit_ns = LIMIT_NS};
    struct budget budget = {.held = 10, .limit = 10};
    struct stream first = waiting(), second = waiting();

    patience_note(&patience, &first, &budget);
    patience_note(&patience, &second, &budget);
    assert_ptr_equal(patience_next(&patience, &budget), &first);
    assert_true(first.favoured);
    assert_null(patience_next(&patience, &budget));

    first.waits_for_memory = false;
    patience_note(&patience, &first, &budget); /* it has proceeded, but not to the end */
    assert_null(patience_next(&patience, &budget));
    first.unread.length = 0;
    first.kept_back = 100;
    patience_note(&patience, &first, &budget); /* its reply is delayed */
    assert_null(patience_next(&patience, &budget));
    first.kept_back = 0;
    patience_note(&patience, &first, &budget);
    assert_false(first.favoured);
    assert_ptr_equal(patience_next(&patience, &budget), &second);
    patience_forget(&patience, &second);
    assert_null(patience.favoured);
}

/* A stream whose peer must send or read has a timeout, which begins again when data arrive, but not
 * while memory is short, nor for favoured streams. */
static void test_time(void **state)
{
    struct patience patience = {.limit_ns = LIMIT_NS};
    struct budget budget = {.limit = 10};
    struct stream slow = owing(), quick = owing();
    uint64_t began;

    patience_note(&patience, &slow, &budget);
    patience_note(&patience, &quick, &budget);
    slow.since = began = quick.since -= 100000000;
    assert_null(patience_overdue(&patience, began + LIMIT_NS - 1));
    assert_ptr_equal(patience_overdue(&patience, began + LIMIT_NS), &slow);
    assert_in_range(patience_idle_ms(&patience), 0, 1);

    patience_note(&patience, &slow, &budget);
    assert_true(slow.since > began);
    assert_ptr_equal(patience_overdue(&patience, began + LIMIT_NS), &quick);
    budget_take(&budget, 10);
    patience_note(&patience, &quick, &budget);
    assert_true(quick.since == began);
    budget_give(&budget, 10);
    quick.favoured = true;
    patience_note(&patience, &quick, &budget);
    assert_true(quick.since == began);

    quick.unread.length = 0; /* complete, and answered */
    patience_note(&patience, &quick, &budget);
    assert_false(quick.favoured);
    assert_ptr_equal(patience.owing.first, &slow);
    assert_ptr_equal(patience.owing.last, &slow);
}

/* A peer that does not read its replies must do something, too, also if the socket has accepted
 * those of a whole turn; a stream that waits need not, whatever it holds. */
static void test_who_owes(void **state)
{
    struct patience patience = {.limit_ns = LIMIT_NS};
    struct budget budget = {.limit = 10};
    struct stream idle = {.calls = 1}, reader = {.unsent.length = 10, .unsent_at = 5};
    struct stream own_turn = {.unread.length = 10, .has_more = true};
    struct stream delayed = {.unread.length = 10, .kept_back = (size_t)DELAYED_BYTES_MAXIMUM + 1};

    patience_note(&patience, &idle, &budget);
    patience_note(&patience, &delayed, &budget);
    assert_null(patience.owing.first);
    patience_note(&patience, &reader, &budget);
    patience_note(&patience, &own_turn, &budget);
    assert_ptr_equal(patience.owing.first, &reader);
    assert_ptr_equal(patience.owing.last, &own_turn);
    assert_null(patience.waiting.first);
}

/* A handshake has its time as a whole, whatever the peer sends, and the oldest give way to others.
 */
static void test_handshakes(void **state)
{
    struct patience patience = {.limit_ns = LIMIT_NS, .shaking_maximum = 2};
    struct budget budget = {.limit = 10};
    struct stream streams[] = {
        {.state = STREAM_TLS_BEGINS}, {.state = STREAM_TLS_REFUSED}, {.state = STREAM_TLS_BEGINS}};
    uint64_t began;

    patience_note(&patience, &streams[0], &budget);
    patience_note(&patience, &streams[1], &budget);
    streams[0].since = began = streams[1].since -= 100000000;
    patience_note(&patience, &streams[0], &budget); /* another byte has come */
    assert_null(patience_overdue(&patience, began + LIMIT_NS - 1));
    assert_ptr_equal(patience_overdue(&patience, began + LIMIT_NS), &streams[0]);
    assert_in_range(patience_idle_ms(&patience), 0, 1);

    patience_note(&patience, &streams[2], &budget);
    assert_ptr_equal(patience_overdue(&patience, began), &streams[0]);
    streams[0].state = STREAM_TLS; /* complete */
    patience_note(&patience, &streams[0], &budget);
    assert_null(patience_overdue(&patience, began));
    assert_ptr_equal(patience.shaking.first, &streams[1]);
    patience_forget(&patience, &streams[1]);
    patience_forget(&patience, &streams[2]);
    assert_int_equal(patience_idle_ms(&patience), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_come_first_served),
        cmocka_unit_test(test_one_is_favoured),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_who_owes),
        cmocka_unit_test(test_handshakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
