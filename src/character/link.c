#include "character/link.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REPLIES = 64, WAIT_MAXIMUM_MS = 50 };

#define MILLISECOND_NS UINT64_C(1000000)

int link_open(struct link *link, struct lab *lab, const struct endpoint *endpoint,
              struct error *error)
{
    struct channel_options options = lab_channel_options(lab);
    int code;

    *link = (struct link){.lab = lab, .fd = -1};
    link->endpoint = channel_endpoint(endpoint, &options);
    if (receive_buffer_open(&link->buffer, endpoint->transport, options.reply_maximum, REPLIES) !=
        0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a connection");
    code = endpoint_connect(&link->endpoint, &link->fd, error);
    if (code)
        link->fd = -1;
    return code;
}

void link_close(struct link *link)
{
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};

    if (link->fd >= 0) {
        setsockopt(link->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        close(link->fd);
    }
    link->fd = -1;
    receive_buffer_close(&link->buffer);
}

static int explain(int code, const char *what, struct error *error)
{
    return error_set(error, ERROR_UNREACHABLE, code, "%s: %s", what,
                     code == -ECONNRESET ? "the server closed the connection" : strerror(-code));
}

/* Wait until FD is ready for EVENTS, until END_NS at most. 1, 0, or a negative errno with ERROR
 * set; waits are short, because a signal just before one does not interrupt it. */
static int wait_for(const struct link *link, short events, uint64_t end_ns, struct error *error)
{
    struct pollfd poller = {.fd = link->fd, .events = events};
    int code = lab_goes_on(link->lab, error), ready = 0;
    uint64_t now = clock_raw_ns();

    while (code == 0 && ready == 0 && now < end_ns) {
        uint64_t left_ms = (end_ns - now) / MILLISECOND_NS + 1;

        ready = poll(&poller, 1, left_ms < WAIT_MAXIMUM_MS ? (int)left_ms : WAIT_MAXIMUM_MS);
        if (ready < 0 && errno == EINTR)
            ready = 0;
        code = lab_goes_on(link->lab, error);
        now = clock_raw_ns();
    }
    return code ? code : ready < 0 ? explain(-errno, "waiting for a reply", error) : ready;
}

/* Send LENGTH bytes. */
static int send_bytes(const struct link *link, const uint8_t *at, size_t left, struct error *error)
{
    while (left > 0) {
        ssize_t sent = send(link->fd, at, left, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent >= 0) {
            at += sent;
            left -= (size_t)sent;
        } else if (errno == EAGAIN || errno == EINTR) {
            int code = wait_for(link, POLLOUT, link->lab->ends_ns, error);

            if (code <= 0)
                return code ? code : explain(-ETIMEDOUT, "sending a call", error);
        } else {
            return explain(-errno, "sending a call", error);
        }
    }
    return 0;
}

int link_send(struct link *link, const struct channel_message *message, uint32_t xid,
              struct error *error)
{
    const size_t mark = RPC_RECORD_MARK_SIZE;

    channel_message_stamp(message, xid);
    link->lab->calls++;
    if (link->endpoint.transport == TRANSPORT_TCP)
        return send_bytes(link, message->bytes, mark + message->length, error);
    return send_bytes(link, message->bytes + mark, message->length, error);
}

int link_send_two(struct link *link, const struct channel_message *first,
                  const struct channel_message *second, uint32_t xid, struct error *error)
{
    uint8_t both[LINK_TWO_MAXIMUM];
    const size_t length = RPC_RECORD_MARK_SIZE + first->length;
    const size_t more = RPC_RECORD_MARK_SIZE + second->length;
    int code;

    if (link->endpoint.transport != TRANSPORT_TCP || length + more > sizeof both) {
        code = link_send(link, first, xid, error);
        return code ? code : link_send(link, second, xid + 1, error);
    }
    channel_message_stamp(first, xid);
    channel_message_stamp(second, xid + 1);
    memcpy(both, first->bytes, length);
    memcpy(both + length, second->bytes, more);
    link->lab->calls += 2;
    return send_bytes(link, both, length + more, error);
}

/* A message that has been received already. 1, 0, or a negative errno with ERROR set. */
static int take(struct link *link, struct link_reply *reply, struct error *error)
{
    struct receive_buffer_message message;
    struct wire_reader reader;
    int found = receive_buffer_next(&link->buffer, &message);

    if (found <= 0)
        return found ? explain(found, "receiving a reply", error) : 0;
    reader = wire_reader(message.bytes, message.length);
    *reply = (struct link_reply){.xid = wire_get_u32(&reader),
                                 .bytes = message.bytes,
                                 .length = message.length,
                                 .ticks = link->lab->clock.stop()};
    return 1;
}

/* Wait for the next reply. Returns as link_exchange(). */
static int receive(struct link *link, uint64_t wait_ns, struct link_reply *reply,
                   struct error *error)
{
    const uint64_t end_ns = clock_raw_ns() + wait_ns;
    int found = take(link, reply, error);

    while (found == 0) {
        int code = wait_for(link, POLLIN, end_ns, error);

        if (code <= 0)
            return code;
        code = receive_buffer_receive(&link->buffer, link->fd, 0);
        if (code && code != -EAGAIN)
            return explain(code, "waiting for a reply", error);
        found = take(link, reply, error);
    }
    return found;
}

int link_exchange(struct link *link, const struct channel_message *message, uint32_t xid,
                  uint64_t wait_ns, struct link_reply *reply, struct error *error)
{
    int code = link_send(link, message, xid, error);

    if (code)
        return code;
    do
        code = receive(link, wait_ns, reply, error);
    while (code == 1 && reply->xid != xid);
    return code;
}

static int expect(const struct link *link, int code, struct error *error)
{
    if (code == 0)
        return error_set(error, ERROR_UNREACHABLE, -ETIMEDOUT, "no reply within %.3g s (--timeout)",
                         (double)link->lab->plan->run.timeout_ns / 1e9);
    return code < 0 ? code : 0;
}

int link_must_receive(struct link *link, struct link_reply *reply, struct error *error)
{
    return expect(link, receive(link, link->lab->plan->run.timeout_ns, reply, error), error);
}

int link_call(struct link *link, const struct channel_message *message, uint32_t xid,
              struct link_reply *reply, struct error *error)
{
    const uint64_t wait_ns = link->lab->plan->run.timeout_ns;

    return expect(link, link_exchange(link, message, xid, wait_ns, reply, error), error);
}

int link_status(const struct link_reply *reply)
{
    struct wire_reader reader = wire_reader(reply->bytes, reply->length);
    struct rpc_reply_header header;
    uint32_t status;

    if (rpc_reply_decode(&reader, &header) != 0)
        return INT_MIN;
    if (header.outcome != RPC_OUTCOME_SUCCESS)
        return -(int)header.outcome;
    status = wire_get_u32(&reader);
    return reader.failed || status > INT_MAX ? INT_MIN : (int)status;
}

int link_message(struct channel_message *message, const struct lab *lab, const char *op,
                 union nfs_arguments *arguments, struct error *error)
{
    return rpc_message_make(message, &nfs_procedure_find(op)->rpc, &lab->plan->run.identity,
                            arguments, error);
}
