/* Waiting and timeouts: connections wait for memory, and the server waits for its peers. */
#include "test.h"

#include <sys/socket.h>
#include <unistd.h>

#include "serve/transport/timeouts.h"

enum { LIMIT_NS = 1000000 };

static struct stream waiting(void)
{
    return (struct stream){.unread.length = 10, .waits_for_memory = true};
}

/* Return a stream whose peer must send the rest of a request. */
static struct stream owing(void)
{
    return (struct stream){.unread.length = 10};
}

/* Free memory is given to the stream that has waited longest. */
TEST_CASE(first_come_first_served)
{
    struct timeouts timeouts = {.limit_ns = LIMIT_NS};
    struct budget budget = {.held = 10, .limit = 10};
    struct stream streams[] = {waiting(), waiting(), waiting()};

    assert_int_equal(timeouts_idle_ms(&timeouts, &budget), -1);
    for (size_t i = 0; i < COUNT_OF(streams); i++)
        timeouts_note(&timeouts, &streams[i], &budget);
    /* the stream still waits, and keeps its position */
    timeouts_note(&timeouts, &streams[0], &budget);
    assert_int_equal(timeouts_idle_ms(&timeouts, &budget), 1);
    timeouts_forget(&streams[1]);
    budget_give(&budget, 1);
    assert_ptr_equal(timeouts_next(&timeouts, &budget), &streams[0]);
    assert_ptr_equal(timeouts_next(&timeouts, &budget), &streams[2]);
    assert_all((timeouts_next(&timeouts, &budget), NULL), (timeouts.others.favoured, 0));
}

/* While the budget is spent, one stream after another is favoured, each until it holds nothing. */
TEST_CASE(one_is_favoured)
{
    struct timeouts timeouts = {.limit_ns = LIMIT_NS};
    struct budget budget = {.held = 10, .limit = 10};
    struct stream first = waiting(), second = waiting();

    timeouts_note(&timeouts, &first, &budget);
    timeouts_note(&timeouts, &second, &budget);
    assert_ptr_equal(timeouts_next(&timeouts, &budget), &first);
    assert_all((first.favoured), (timeouts_next(&timeouts, &budget), NULL));

    first.waits_for_memory = false;
    timeouts_note(&timeouts, &first, &budget); /* the request of FIRST is not complete yet */
    assert_null(timeouts_next(&timeouts, &budget));
    first.unread.length = first.may_hold = 0;
    first.kept_back = 100;
    timeouts_note(&timeouts, &first, &budget); /* the reply of FIRST is delayed */
    assert_null(timeouts_next(&timeouts, &budget));
    first.kept_back = 0;
    timeouts_note(&timeouts, &first, &budget);
    assert_all((!first.favoured), (timeouts_next(&timeouts, &budget) == &second));
    timeouts_forget(&second);
    assert_int_equal(timeouts.others.favoured, 0);
}

/* Peers that do not read do not delay peers that have read all replies. */
TEST_CASE(readers_have_places)
{
    struct timeouts timeouts = {.limit_ns = LIMIT_NS, .readers.places = 2};
    struct budget budget = {.held = 10, .limit = 10};
    struct stream others[] = {waiting(), waiting()}, readers[] = {waiting(), waiting(), waiting()};
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    for (size_t i = 0; i < COUNT_OF(others); i++)
        timeouts_note(&timeouts, &others[i], &budget);
    for (size_t i = 0; i < COUNT_OF(readers); i++) {
        readers[i].watched.fd = ends[0];
        readers[i].calls = i > 0; /* the first peer got no reply yet */
        timeouts_note(&timeouts, &readers[i], &budget);
    }
    assert_ptr_equal(timeouts_next(&timeouts, &budget), &readers[1]);
    assert_ptr_equal(timeouts_next(&timeouts, &budget), &readers[2]);
    assert_ptr_equal(timeouts_next(&timeouts, &budget), &others[0]);
    assert_null(timeouts_next(&timeouts, &budget));
    readers[0].calls = 1;
    timeouts.looked = 0;
    timeouts_forget(&readers[2]);
    assert_ptr_equal(timeouts_next(&timeouts, &budget), &readers[0]);
    assert_null(timeouts_next(&timeouts, &budget));
    close(ends[0]);
    close(ends[1]);
}

/* A stream whose peer must send or read has a time limit. The time begins again when data arrive,
 * unless the budget is spent or the stream is favoured. */
TEST_CASE(time)
{
    struct timeouts timeouts = {.limit_ns = LIMIT_NS};
    struct budget budget = {.limit = 10};
    struct stream slow = owing(), quick = owing();
    uint64_t began;

    timeouts_note(&timeouts, &slow, &budget);
    timeouts_note(&timeouts, &quick, &budget);
    slow.since = began = quick.since -= 100000000;
    assert_null(timeouts_overdue(&timeouts, began + LIMIT_NS - 1));
    assert_ptr_equal(timeouts_overdue(&timeouts, began + LIMIT_NS), &slow);
    assert_in_range(timeouts_idle_ms(&timeouts, &budget), 0, 1);

    timeouts_note(&timeouts, &slow, &budget);
    assert_all((slow.since > began), (timeouts_overdue(&timeouts, began + LIMIT_NS) == &quick));
    budget_take(&budget, 10);
    timeouts_note(&timeouts, &quick, &budget);
    assert_true(quick.since == began);
    budget_give(&budget, 10);
    quick.favoured = &timeouts.others;
    quick.may_hold = true;
    timeouts.others.favoured = 1;
    timeouts_note(&timeouts, &quick, &budget);
    assert_true(quick.since == began);

    quick.unread.length = 0; /* complete, and answered */
    timeouts_note(&timeouts, &quick, &budget);
    assert_all((!quick.favoured), (timeouts.owing.first == &slow), (timeouts.owing.last == &slow));
}

/* A peer owes something, besides the rest of a request, if replies are unsent or its stream has
 * more requests for the next turn. The peer of an idle stream owes nothing, nor does the peer of a
 * stream that waits for delayed replies. */
TEST_CASE(who_owes)
{
    struct timeouts timeouts = {.limit_ns = LIMIT_NS};
    struct budget budget = {.limit = 10};
    struct stream idle = {.calls = 1}, reader = {.unsent.length = 10, .unsent_at = 5};
    struct stream own_turn = {.unread.length = 10, .has_more = true};
    struct stream delayed = {.unread.length = 10, .kept_back = (size_t)DELAYED_BYTES_MAXIMUM + 1};

    timeouts_note(&timeouts, &idle, &budget);
    timeouts_note(&timeouts, &delayed, &budget);
    assert_null(timeouts.owing.first);
    timeouts_note(&timeouts, &reader, &budget);
    timeouts_note(&timeouts, &own_turn, &budget);
    assert_all((timeouts.owing.first == &reader), (timeouts.owing.last == &own_turn),
               (timeouts.others.first, NULL));
}

/* A handshake's time limit does not begin again, and too many handshakes end the oldest. */
TEST_CASE(handshakes)
{
    struct timeouts timeouts = {.limit_ns = LIMIT_NS, .shaking_maximum = 2};
    struct budget budget = {.limit = 10};
    struct stream streams[] = {
        {.state = STREAM_TLS_BEGINS}, {.state = STREAM_TLS_REFUSED}, {.state = STREAM_TLS_BEGINS}};
    uint64_t began;

    timeouts_note(&timeouts, &streams[0], &budget);
    timeouts_note(&timeouts, &streams[1], &budget);
    streams[0].since = began = streams[1].since -= 100000000;
    timeouts_note(&timeouts, &streams[0], &budget); /* another byte has arrived */
    assert_null(timeouts_overdue(&timeouts, began + LIMIT_NS - 1));
    assert_ptr_equal(timeouts_overdue(&timeouts, began + LIMIT_NS), &streams[0]);
    assert_in_range(timeouts_idle_ms(&timeouts, &budget), 0, 1);

    timeouts_note(&timeouts, &streams[2], &budget);
    assert_ptr_equal(timeouts_overdue(&timeouts, began), &streams[0]);
    streams[0].state = STREAM_TLS; /* complete */
    timeouts_note(&timeouts, &streams[0], &budget);
    assert_all((timeouts_overdue(&timeouts, began), NULL), (timeouts.shaking.first == &streams[1]));
    timeouts_forget(&streams[1]);
    timeouts_forget(&streams[2]);
    assert_int_equal(timeouts_idle_ms(&timeouts, &budget), -1);
}
