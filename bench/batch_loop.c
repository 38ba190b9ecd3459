#include "batch_loop.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "bench.h"
#include "common/system_clock.h"
#include "rpc/message.h"
#include "rpc/wire.h"

enum { EVENTS = 64, PATIENCE_S = 5 };

struct batch_link {
    int fd;
    size_t mark_length; /* number of bytes of the record mark received so far */
    uint8_t mark[RPC_RECORD_MARK_SIZE];
    size_t left; /* number of bytes of the record still to come */
};

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "bare loop: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void *room(size_t count, size_t size)
{
    void *made = calloc(count, size);

    if (!made)
        fail("memory");
    return made;
}

static void lay_out_datagram(struct batch_calls *calls, size_t i)
{
    const size_t input = calls->reply_length + 1; /* a byte more, to notice a longer reply */

    calls->out[i] = (struct iovec){calls->bytes + i * calls->call_length, calls->call_length};
    calls->sent[i].msg_hdr = (struct msghdr){.msg_iov = &calls->out[i], .msg_iovlen = 1};
    calls->in[i] = (struct iovec){calls->input + i * input, input};
    calls->received[i].msg_hdr = (struct msghdr){.msg_iov = &calls->in[i], .msg_iovlen = 1};
}

void batch_calls_open(struct batch_calls *calls, const struct channel_message *message, bool tcp,
                      size_t depth, size_t reply_length)
{
    size_t mark = tcp ? RPC_RECORD_MARK_SIZE : 0;

    *calls = (struct batch_calls){.tcp = tcp,
                                  .depth = depth,
                                  .call_length = mark + message->length,
                                  .reply_length = reply_length};
    calls->bytes = room(depth, calls->call_length);
    calls->input = room(1, tcp ? BATCH_INPUT_SIZE : depth * (reply_length + 1));
    for (size_t i = 0; i < depth; i++) {
        uint8_t *at = calls->bytes + i * calls->call_length;

        if (tcp)
            wire_store_u32(at, RPC_LAST_FRAGMENT | (uint32_t)message->length);
        memcpy(at + mark, message->bytes + RPC_RECORD_MARK_SIZE, message->length);
        wire_store_u32(at + mark, (uint32_t)i + 1);
        if (!tcp)
            lay_out_datagram(calls, i);
    }
}

static void open_link(struct batch_loop *loop, size_t index, const struct endpoint *endpoint)
{
    struct batch_link *link = &loop->links[index];
    struct endpoint own = *endpoint;
    struct timeval patience = {.tv_sec = PATIENCE_S};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = link};
    struct error error;

    if (endpoint_connect(&own, &link->fd, &error) != 0)
        bench_fail(&error);
    setsockopt(link->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (loop->link_count > 1 && epoll_ctl(loop->epoll, EPOLL_CTL_ADD, link->fd, &event) != 0)
        fail("epoll");
}

void batch_loop_open(struct batch_loop *loop, struct batch_calls *calls,
                     const struct endpoint *endpoint, size_t count)
{
    *loop = (struct batch_loop){.calls = calls,
                                .links = room(count, sizeof *loop->links),
                                .link_count = count,
                                .epoll = epoll_create1(EPOLL_CLOEXEC)};
    for (size_t i = 0; i < count; i++)
        open_link(loop, i, endpoint);
}

static void send_calls(struct batch_calls *calls, const struct batch_link *link, size_t count)
{
    if (calls->tcp) {
        size_t length = count * calls->call_length;

        if (send(link->fd, calls->bytes, length, 0) != (ssize_t)length)
            fail("send");
    } else if (sendmmsg(link->fd, calls->sent, (unsigned)count, 0) != (int)count) {
        fail("sendmmsg");
    }
}

/* Add BYTE to LINK's record mark. If the mark is complete, set and check the record's length. */
static void take_mark(const struct batch_calls *calls, struct batch_link *link, uint8_t byte)
{
    struct wire_reader mark = wire_reader(link->mark, RPC_RECORD_MARK_SIZE);

    link->mark[link->mark_length++] = byte;
    if (link->mark_length < RPC_RECORD_MARK_SIZE)
        return;
    link->left = wire_get_u32(&mark) & ~RPC_LAST_FRAGMENT;
    if (link->left + RPC_RECORD_MARK_SIZE != calls->reply_length)
        fail("a reply of another length than the first");
}

/* Return the number of records that end within the LENGTH bytes that have arrived. */
static size_t count_records(const struct batch_calls *calls, struct batch_link *link, size_t length)
{
    const uint8_t *at = calls->input, *end = at + length;
    size_t count = 0;

    while (at < end) {
        size_t some = link->left < (size_t)(end - at) ? link->left : (size_t)(end - at);

        if (link->mark_length < RPC_RECORD_MARK_SIZE) {
            take_mark(calls, link, *at++);
            continue;
        }
        at += some;
        link->left -= some;
        if (link->left == 0) {
            link->mark_length = 0;
            count++;
        }
    }
    return count;
}

static size_t receive_replies(struct batch_calls *calls, struct batch_link *link)
{
    int count;

    if (calls->tcp) {
        ssize_t got = recv(link->fd, calls->input, BATCH_INPUT_SIZE, 0);

        if (got <= 0)
            fail("recv");
        return count_records(calls, link, (size_t)got);
    }
    count = recvmmsg(link->fd, calls->received, (unsigned)calls->depth, MSG_WAITFORONE, NULL);
    if (count <= 0)
        fail("recvmmsg: datagrams were lost");
    for (int i = 0; i < count; i++)
        if (calls->received[i].msg_len != calls->reply_length)
            fail("a reply of another length than the first");
    return (size_t)count;
}

/* Store the connections that have replies in READY, and return their number. A single connection is
 * returned without waiting for a reply. */
static size_t find_ready(const struct batch_loop *loop, struct batch_link *ready[EVENTS])
{
    struct epoll_event events[EVENTS];
    int count;

    if (loop->link_count == 1) {
        ready[0] = loop->links;
        return 1;
    }
    count = epoll_wait(loop->epoll, events, EVENTS, PATIENCE_S * 1000);
    if (count <= 0)
        fail("epoll_wait");
    for (int i = 0; i < count; i++)
        ready[i] = events[i].data.ptr;
    return (size_t)count;
}

void batch_loop_try(struct batch_loop *loop, uint8_t *reply)
{
    size_t length = loop->calls->reply_length, got = 0;
    int fd = loop->links[0].fd;

    if (send(fd, loop->calls->bytes, loop->calls->call_length, 0) < 0)
        fail("the first call");
    while (got < length) {
        ssize_t more = recv(fd, reply + got, length - got, 0);

        if (more <= 0)
            fail("the first reply");
        got += (size_t)more;
    }
}

uint64_t batch_loop_run(struct batch_loop *loop, uint64_t lasts_ns)
{
    uint64_t end = monotonic_ns() + lasts_ns, made = 0;
    size_t in_flight = loop->calls->depth * loop->link_count;

    for (size_t i = 0; i < loop->link_count; i++)
        send_calls(loop->calls, &loop->links[i], loop->calls->depth);
    while (in_flight > 0) {
        struct batch_link *ready[EVENTS];
        size_t ready_count = find_ready(loop, ready);
        bool goes_on = monotonic_ns() < end;

        for (size_t i = 0; i < ready_count; i++) {
            size_t count = receive_replies(loop->calls, ready[i]);

            made += count;
            if (count > 0 && goes_on)
                send_calls(loop->calls, ready[i], count);
            else
                in_flight -= count;
        }
    }
    return made;
}

void batch_loop_stream(struct batch_loop *loop, uint64_t length)
{
    int fd = loop->links[0].fd;

    if (send(fd, &length, sizeof length, 0) != sizeof length)
        fail("send");
    while (length > 0) {
        ssize_t got = recv(fd, loop->calls->input, BATCH_INPUT_SIZE, 0);

        if (got <= 0)
            fail("recv");
        length -= (uint64_t)got;
    }
}
