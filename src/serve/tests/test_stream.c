/* A connection of the server: which bytes it keeps, and when it waits for memory. */
#include "test.h"

#include <sys/epoll.h>

#include "serve/transport/timeouts.h"

enum { MEMORY = 16 << 20, LIMIT = 100000, RECORD = 1 << 20, NULL_REPLY = 28 };

static struct exported exported;
static struct service service;
static struct stream *stream;
static int peer;
static struct stream_scratch scratch;
static struct stream_queue places;

static int set_up(void **state)
{
    const struct policy policy = {.read_only = false};
    int ends[2];

    assert_int_equal(exported_open(&exported, tree_open(0, 0, MEMORY), &policy), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    exported.budget.limit = LIMIT;
    service = (struct service){.exported = &exported, .delayed.budget = &exported.budget};
    stream = calloc(1, sizeof *stream);
    stream->watched.fd = ends[0];
    stream->peer.ss_family = AF_INET;
    peer = ends[1];
    return 0;
}

static int tear_down(void **state)
{
    stream_close(stream, &service);
    assert_int_equal(exported.budget.held, 0);
    close(peer);
    delayed_free(&service.delayed);
    exported_close(&exported);
    return 0;
}

/* Return a record of LENGTH bytes with a call of PROCEDURE, whose arguments are zeros. */
static uint8_t *make_call(uint32_t procedure, size_t length)
{
    uint8_t *record = calloc(1, length);
    struct wire_writer writer = wire_writer(record, length);

    wire_put_u32(&writer, RPC_LAST_FRAGMENT | (uint32_t)(length - 4));
    rpc_call_encode(
        &writer, &(struct rpc_call_header){
                     .xid = 7, .program = NFS_PROGRAM, .version = NFS_V3, .procedure = procedure});
    return record;
}

static uint8_t *make_record(size_t length)
{
    return make_call(NFSPROC3_NULL, length);
}

static void send_bytes(const uint8_t *bytes, size_t length)
{
    assert_int_equal(send(peer, bytes, length, MSG_DONTWAIT), length);
}

static int have_turn(void)
{
    return stream_readable(stream, &service, &scratch);
}

/* Send BYTES from *SENT to END in pieces of PIECE bytes, with as many turns as necessary. */
static void send_pieces(const uint8_t *bytes, size_t *sent, size_t end, size_t piece)
{
    while (*sent < end) {
        size_t length = piece < end - *sent ? piece : end - *sent;
        uint8_t byte;

        send_bytes(bytes + *sent, length);
        *sent += length;
        do
            assert_int_equal(have_turn(), 0);
        while (!stream->waits_for_memory &&
               recv(stream->watched.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1);
    }
}

static void expect_replies(unsigned count)
{
    uint8_t reply[10 * NULL_REPLY];

    for (ssize_t left = (ssize_t)count * NULL_REPLY, got; left > 0; left -= got) {
        got = recv(peer, reply, (size_t)left, MSG_DONTWAIT);
        assert_true(got > 0);
    }
    assert_all((recv(peer, reply, 1, MSG_DONTWAIT), -1), (errno, EAGAIN));
}

static void favour(void)
{
    stream->favoured = &places;
    stream->may_hold = true;
}

/* Memory is held for bytes that have arrived, not for bytes that a record mark announces. */
TEST_CASE_WITH(holds_what_came, set_up, tear_down)
{
    uint8_t *record = make_record(RECORD);
    atomic_size_t *held = &exported.budget.held;
    size_t sent = 0;

    exported.budget.limit = MEMORY;
    send_pieces(record, &sent, 34, 34);
    assert_in_range(*held, 34, 100);
    send_pieces(record, &sent, 35, 1);
    assert_in_range(*held, 35, 100);
    for (size_t end = 4096; end < RECORD; end *= 2) {
        send_pieces(record, &sent, end, 10000);
        assert_in_range(*held, end, 2 * end + 4096);
    }
    send_pieces(record, &sent, RECORD, 10000);
    assert_int_equal(*held, 0);
    expect_replies(1);
    free(record);
}

/* The memory of a long request is not kept for the beginning of the next request. */
TEST_CASE_WITH(room_shrinks, set_up, tear_down)
{
    uint8_t *record = make_record(60000), *next = make_record(100);
    size_t sent = 0, sent_next = 0;

    send_pieces(record, &sent, 50000, 50000);
    assert_in_range(exported.budget.held, 50000, 100000);
    send_bytes(record + sent, 60000 - sent);
    send_pieces(next, &sent_next, 40, 40);
    have_turn();
    expect_replies(1);
    assert_in_range(exported.budget.held, 40, 4096);
    free(record);
    free(next);
}

/* While the budget is spent, a call whose reply may be long is not carried out, and the socket is
 * not watched. An earlier call with a short reply is answered. */
TEST_CASE_WITH(waits, set_up, tear_down)
{
    uint8_t *record = make_call(NFSPROC3_READ, 100), *other = make_record(100);

    budget_take(&exported.budget, LIMIT);
    send_bytes(other, 100);
    send_bytes(record, 100);
    for (int turn = 0; turn < 10 && !stream->waits_for_memory; turn++)
        assert_int_equal(have_turn(), 0);
    assert_all((stream->waits_for_memory && stream_is_blocked(stream)), (stream_events(stream), 0),
               (!stream_owes(stream)), (stream->calls, 1));
    expect_replies(1);
    assert_all((stream_resume(stream, &service, &scratch), 0), (stream->waits_for_memory));

    budget_give(&exported.budget, 1000);
    service.crowded = true; /* the call also waits while other connections wait */
    assert_all((stream_resume(stream, &service, &scratch), 0), (stream->waits_for_memory));
    service.crowded = false;
    assert_all((stream_resume(stream, &service, &scratch), 0), (!stream->waits_for_memory),
               (stream_events(stream), EPOLLIN));
    expect_replies(1);
    assert_int_equal(stream->calls, 2);
    budget_give(&exported.budget, LIMIT - 1000);
    free(record);
    free(other);
}

/* A favoured connection reads one request of any length, no byte more, and then holds nothing. */
TEST_CASE_WITH(favoured, set_up, tear_down)
{
    uint8_t *record = make_record(80000), *other = make_record(100);
    unsigned turns = 0;

    budget_take(&exported.budget, LIMIT);
    favour();
    send_bytes(record, 80000);
    send_bytes(other, 100);
    do
        assert_int_equal(have_turn(), 0);
    while (stream_holds(stream) && turns++ < 100);
    expect_replies(1);
    assert_all((stream->calls, 1), (exported.budget.held, LIMIT));
    budget_give(&exported.budget, LIMIT);
    free(record);
    free(other);
}

/* Delayed replies count as memory, so a connection with many delayed replies waits once the budget
 * is spent. */
TEST_CASE_WITH(kept_back, set_up, tear_down)
{
    uint8_t *record = make_record(100);
    struct delayed_reply *reply;

    exported.policy.delays[0] = (struct policy_time){UINT64_C(1000000000000), 1};
    for (int i = 0; i < 5000 && !stream->waits_for_memory; i++) {
        send_bytes(record, 100);
        assert_int_equal(have_turn(), 0);
    }
    assert_true(stream->waits_for_memory);
    assert_in_range(exported.budget.held, LIMIT, LIMIT + 1000);
    stream->favoured = &places; /* a favoured connection reads nothing while replies are delayed */
    assert_true(stream_is_blocked(stream));
    stream->favoured = NULL;
    while ((reply = delayed_take(&service.delayed, UINT64_MAX))) {
        assert_int_equal(stream_send_delayed(stream, &service, reply->bytes, reply->length), 0);
        free(reply);
    }
    free(record);
}

/* When a connection becomes favoured, it answers the complete request that it holds, and leaves the
 * next request in the socket. Receiving nothing is not taken for the end of the stream. */
TEST_CASE_WITH(favoured_with_whole_request, set_up, tear_down)
{
    uint8_t *record = make_record(100);
    struct iovec segment = {record, 100};

    assert_int_equal(buffer_append(&stream->unread, &exported.budget, &segment, 1, 0), 0);
    send_bytes(record, 100);
    favour();
    assert_int_equal(have_turn(), 0);
    expect_replies(1);
    assert_int_equal(stream->unread.length, 0);
    assert_int_equal(have_turn(), 0); /* reads the record mark of the next request */
    assert_int_equal(have_turn(), 0); /* reads that request, and answers it */
    expect_replies(1);
    free(record);
}
