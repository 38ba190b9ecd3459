/* Delayed replies: the order in which they are taken, closed connections, and datagrams. */
#include "test.h"

#include "common/system_clock.h"
#include "serve/transport/delayed.h"

static struct budget budget = {.limit = 10000};

static void add(struct delayed *delayed, uint64_t delay_ns, void *stream, const char *text)
{
    assert_int_equal(
        delayed_add_stream(delayed, delay_ns, stream, (const uint8_t *)text, strlen(text)), 0);
}

/* Take all replies, which must be due within a minute, and join their texts. */
static void take_all(struct delayed *delayed, char *text)
{
    struct delayed_reply *reply;
    size_t length = 0;

    while ((reply = delayed_take(delayed, monotonic_ns() + UINT64_C(60000000000)))) {
        memcpy(text + length, reply->bytes, reply->length);
        length += reply->length;
        free(reply);
    }
    text[length] = '\0';
    assert_all((budget.held, 0), (delayed_first_due(delayed), 0));
}

TEST_CASE(order)
{
    struct delayed delayed = {.budget = &budget};
    char text[32];

    add(&delayed, UINT64_C(3000000000), &delayed, "c");
    add(&delayed, UINT64_C(1000000000), &delayed, "a");
    add(&delayed, UINT64_C(4000000000), &delayed, "d");
    add(&delayed, UINT64_C(2000000000), &delayed, "b");
    add(&delayed, UINT64_C(4000000000), &delayed, "e");
    assert_true(delayed_first_due(&delayed) > monotonic_ns());
    assert_null(delayed_take(&delayed, monotonic_ns()));
    take_all(&delayed, text);
    assert_string_equal(text, "abcde");
    take_all(&delayed, text);
    assert_string_equal(text, "");
}

TEST_CASE(forget)
{
    struct delayed delayed = {.budget = &budget};
    char text[32];
    int one, two;

    add(&delayed, 1, &one, "1");
    add(&delayed, 2000000000, &two, "2");
    add(&delayed, 3000000000, &one, "1");
    delayed_forget(&delayed, (struct stream *)(void *)&one);
    add(&delayed, 4000000000, &two, "3");
    take_all(&delayed, text);
    assert_string_equal(text, "23");
    add(&delayed, 1, &one, "1");
    delayed_forget(&delayed, (struct stream *)(void *)&one);
    add(&delayed, 1, &two, "4");
    delayed_free(&delayed);
    assert_int_equal(budget.held, 0);
}

/* A delayed datagram keeps its peer, and its control data if they fit. A datagram is refused when
 * the budget is spent. */
TEST_CASE(datagrams)
{
    struct budget narrow = {.limit = 1000};
    struct delayed delayed = {.budget = &narrow};
    struct sockaddr_storage peer = {.ss_family = AF_INET};
    uint8_t control[65] = {7};
    struct iovec buffer = {(char[]){"reply"}, 5};
    struct msghdr message = {.msg_name = &peer,
                             .msg_namelen = sizeof peer,
                             .msg_iov = &buffer,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = 64};
    struct delayed_reply *reply;
    unsigned kept = 0;

    assert_int_equal(delayed_add_datagram(&delayed, 1, 4711, &message), 0);
    message.msg_controllen = sizeof control;
    assert_int_equal(delayed_add_datagram(&delayed, 2, 4711, &message), 0);
    while (kept < 1000 && delayed_add_datagram(&delayed, 3, 4711, &message) == 0)
        kept++;
    assert_true(kept < 10);
    reply = delayed_take(&delayed, UINT64_MAX);
    assert_all((reply->fd, 4711), (reply->stream, NULL), (reply->peer.ss_family, AF_INET),
               (reply->control_length, 64), (reply->control[0], 7));
    assert_memory_equal(reply->bytes, "reply", 5);
    free(reply);
    reply = delayed_take(&delayed, UINT64_MAX);
    assert_int_equal(reply->control_length, 0);
    free(reply);
    delayed_free(&delayed);
    assert_int_equal(narrow.held, 0);
}
