#include "engine/channel/channel.h"

#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/counted.h"
#include "engine/channel/socket_io.h"
#include "engine/channel/tls_client.h"
#include "engine/channel/xid.h"

enum { RECONNECT_PAUSE_NS = 100 * 1000 * 1000 };

static uint64_t no_ticks(void)
{
    return 0;
}

const struct clock channel_untimed = {.name = "none", .start = no_ticks, .stop = no_ticks};

struct channel {
    struct endpoint endpoint;
    struct channel_options options;
    struct channel_counts counts;
    struct socket_io io; /* socket; its descriptor is -1 until a lost connection is restored */
    struct xid_series xids;
    uint32_t number; /* number of the latest call in the series XIDS */
    uint32_t xid;    /* xid of the latest call */
    uint8_t *buffer; /* received bytes */
    /* Longest record, in bytes, with its mark. BUFFER has room for one more record mark. */
    size_t capacity;
    size_t filled;            /* bytes in BUFFER */
    size_t consumed;          /* bytes at the start of BUFFER that belong to the latest reply */
    struct rpc_record record; /* latest record */
    struct gss_client *gss;   /* security context; NULL: calls are not protected */
    struct tls_session tls;
    bool answered; /* true: the last call was answered */
};

static void disconnect(struct channel *channel)
{
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};

    tls_session_end(&channel->tls);
    if (channel->io.fd >= 0 && channel->options.reset)
        setsockopt(channel->io.fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    if (channel->io.fd >= 0)
        close(channel->io.fd);
    channel->io.fd = -1;
}

static int begin_tls(struct channel *channel, struct error *error)
{
    int code;

    channel->io.watched.watch = NULL;
    channel->tls.watched.watch = channel->options.watch;
    code = tls_session_begin(&channel->tls, channel->options.tls, &channel->io, &channel->endpoint,
                             error);
    if (code)
        disconnect(channel);
    else
        channel->io.watched.watch = &channel->tls.calls;
    return code;
}

static int connect_channel(struct channel *channel, struct error *error)
{
    int code = endpoint_connect(&channel->endpoint, &channel->io.fd, error);

    channel->filled = channel->consumed = 0;
    channel->record.marks = 0;
    if (code) {
        channel->io.fd = -1;
        return code;
    }
    code = socket_io_set_wait(&channel->io, channel->options.timeout_ns);
    if (code)
        return error_set(error, ERROR_FAILED, code, "setting a socket's timeout: %s",
                         strerror(-code));
    if (channel->options.tls)
        return begin_tls(channel, error);
    if (channel->options.watch)
        channel->options.watch->connected(channel->options.watch->context, 0, channel->io.fd, 0, 0);
    return 0;
}

const struct channel_counts *channel_counts(const struct channel *channel)
{
    return &channel->counts;
}

static int send_message(struct channel *channel, const struct channel_message *message)
{
    if (channel->endpoint.transport == TRANSPORT_TCP)
        return socket_io_send(&channel->io, message->bytes, RPC_RECORD_MARK_SIZE + message->length);
    return socket_io_send(&channel->io, message->bytes + RPC_RECORD_MARK_SIZE, message->length);
}

static void discard_consumed(struct channel *channel)
{
    size_t left = channel->filled - channel->consumed;

    if (left > 0 && channel->consumed > 0)
        memmove(channel->buffer, channel->buffer + channel->consumed, left);
    channel->filled = left;
    channel->consumed = 0;
}

/* Every call runs these functions. If they have too many callers, the compiler doesn't inline them,
 * which costs 25 instructions per call. */
#define INLINED __attribute__((always_inline)) static inline

/* Receive the next complete message with any xid. Returns 0, or a negative errno, such as -EAGAIN
 * if the wait is over, or -ECONNRESET if the server closed the connection. */
INLINED int receive_record(struct channel *channel, struct channel_reply *reply)
{
    discard_consumed(channel);
    for (;;) {
        struct rpc_record *record = &channel->record;
        ssize_t got;
        int found = rpc_record_find(channel->buffer, &channel->filled, channel->capacity, record);

        if (found < 0)
            return found;
        if (found) {
            reply->bytes = record->message;
            reply->length = record->length;
            channel->consumed = record->consumed;
            return 0;
        }
        /* The time limit also ends a call whose reply comes a few bytes at a time. */
        if (channel->filled > 0) {
            int code = socket_io_look(&channel->io, 0);

            if (code)
                return code;
        }
        got = socket_io_receive(&channel->io, channel->buffer + channel->filled,
                                channel->capacity + RPC_RECORD_MARK_SIZE - channel->filled);
        if (got <= 0)
            return got == 0 ? -ECONNRESET : (int)got;
        channel->filled += (size_t)got;
    }
}

static int receive_datagram(struct channel *channel, struct channel_reply *reply)
{
    ssize_t got;

    channel->filled = 0;
    got = socket_io_receive(&channel->io, channel->buffer + channel->filled,
                            channel->capacity - channel->filled);
    if (got < 0)
        return (int)got;
    reply->bytes = channel->buffer;
    reply->length = (size_t)got;
    return 0;
}

INLINED int receive_any(struct channel *channel, struct channel_reply *reply)
{
    return channel->endpoint.transport == TRANSPORT_TCP ? receive_record(channel, reply)
                                                        : receive_datagram(channel, reply);
}

static void stamp_next(struct channel *channel, const struct channel_message *message)
{
    channel->xid = xid_for(&channel->xids, ++channel->number);
    channel_message_stamp(message, channel->xid);
}

/* Return whether REPLY answers the latest call. If not, count it as unmatched and perhaps early. */
static bool reply_matches(struct channel *channel, const struct channel_reply *reply)
{
    struct wire_reader reader = wire_reader(reply->bytes, reply->length);
    uint32_t xid = wire_get_u32(&reader);

    if (xid == channel->xid && !reader.failed)
        return true;
    channel->counts.unmatched++;
    channel->counts.early +=
        !reader.failed && !xid_was_used(&channel->xids, channel->xids.first, channel->number, xid);
    return false;
}

static int receive_reply(struct channel *channel, const struct clock *clock, uint64_t started,
                         struct channel_reply *reply)
{
    for (;;) {
        int code = receive_any(channel, reply);

        reply->ticks = clock->stop() - started;
        if (code)
            return code;
        if (reply_matches(channel, reply))
            return 0;
        code = socket_io_look(&channel->io, 0);
        if (code)
            return code;
    }
}

static int try_plain(struct channel *channel, const struct channel_message *message,
                     const struct clock *clock, struct channel_reply *reply)
{
    uint64_t started = clock->start();
    int code = send_message(channel, message);

    return code ? code : receive_reply(channel, clock, started, reply);
}

/* Protect MESSAGE and make the call. The latency includes the protection: each call has its own
 * sequence number, so no call can be protected in advance. */
static int try_protected(struct channel *channel, const struct channel_message *message,
                         const struct clock *clock, struct channel_reply *reply)
{
    uint64_t started = clock->start();
    struct channel_message sealed;
    int code = channel->gss->type->seal(channel->gss, message, reply->first_try, &sealed);

    if (code == 0)
        code = send_message(channel, &sealed);
    if (code == 0)
        code = receive_reply(channel, clock, started, reply);
    if (code == 0)
        code = channel->gss->type->open_reply(channel->gss, reply);
    if (code == 0 && channel->options.verify_in_time)
        reply->ticks = clock->stop() - started;
    return code;
}

static int try_exchange(struct channel *channel, const struct channel_message *message,
                        const struct clock *clock, struct channel_reply *reply)
{
    return channel->gss ? try_protected(channel, message, clock, reply)
                        : try_plain(channel, message, clock, reply);
}

static int reconnect(struct channel *channel, struct error *error)
{
    int code;

    disconnect(channel);
    code = connect_channel(channel, error);
    if (code == 0)
        channel->counts.reconnections++;
    return code;
}

void channel_move(struct channel *channel, const struct endpoint *endpoint)
{
    struct error ignored; /* over TCP, the next call reconnects and reports its own error */

    channel->endpoint.address = endpoint->address;
    reconnect(channel, &ignored);
}

static int describe_failure(const struct channel *channel, int code, unsigned attempts,
                            struct error *error)
{
    char name[ENDPOINT_NAME_SIZE];

    endpoint_describe(&channel->endpoint, name);
    switch (code) {
    case -EINTR:
        return error_set(error, ERROR_FAILED, code, "interrupted while waiting for %s", name);
    case -EAGAIN:
    case -ETIMEDOUT:
        if (deadline_left_ns(&channel->io.deadline) == 0)
            return error_set(error, ERROR_UNREACHABLE, -ETIMEDOUT,
                             "no time was left to wait for a reply from %s (RPC_TIMEDOUT)", name);
        return error_set(
            error, ERROR_UNREACHABLE, -ETIMEDOUT,
            "no reply from %s (RPC_TIMEDOUT) to a call sent %s, %s; see --timeout and --retrans",
            name, counted(attempts, "time").text,
            counted(channel->counts.unmatched, "unmatched reply").text);
    case -EPROTO:
        return tls_session_describe(&channel->tls, &channel->endpoint, error);
    case -EKEYREJECTED:
    case -EKEYEXPIRED:
        return channel->gss->type->describe(channel->gss, code, error);
    case -EBADMSG:
        if (channel->gss)
            return channel->gss->type->describe(channel->gss, code, error);
        /* fall through */
    default:
        return socket_io_describe(&channel->endpoint, channel->options.reply_maximum, code, error);
    }
}

static int try_again(struct channel *channel, const struct channel_message *message,
                     const struct clock *clock, struct channel_reply *reply)
{
    channel->counts.retransmissions++;
    return try_exchange(channel, message, clock, reply);
}

/* TCP: if CODE says that the first exchange lost the connection, connect and send again. Repeat
 * this until a reply comes, the timeout is over, or another error occurs, so that a server has time
 * to restart. The first repetition is made at once, later ones after pauses. Adds the number of
 * sends to *SENT. */
static int recover_stream(struct channel *channel, const struct channel_message *message,
                          const struct clock *clock, int code, unsigned *sent,
                          struct channel_reply *reply)
{
    const struct deadline until =
        deadline_within(&channel->options.deadline, channel->options.timeout_ns);
    struct error ignored; /* the error of the latest exchange is reported instead */

    while (socket_io_was_lost(code) && !deadline_is_over(&until)) {
        if (reconnect(channel, &ignored) == 0) {
            ++*sent;
            code = try_again(channel, message, clock, reply);
        }
        if (socket_io_was_lost(code))
            deadline_sleep(&until, RECONNECT_PAUSE_NS);
    }
    return socket_io_was_lost(code) && deadline_is_stopped(&until) ? -EINTR : code;
}

static int recover_datagram(struct channel *channel, const struct channel_message *message,
                            const struct clock *clock, int code, unsigned *sent,
                            struct channel_reply *reply)
{
    for (unsigned i = 0; i < channel->options.retransmissions && code == -EAGAIN; i++) {
        socket_io_set_wait(&channel->io, channel->io.wait_ns * 2);
        ++*sent;
        code = try_again(channel, message, clock, reply);
    }
    socket_io_set_wait(&channel->io, channel->options.timeout_ns);
    return code;
}

static int exchange_plain(void *context, const struct channel_message *message,
                          struct channel_reply *reply, struct error *error)
{
    struct channel *channel = context;
    struct gss_client *gss = channel->gss;
    int code;

    channel->gss = NULL;
    code = channel_exchange(channel, message, &channel_untimed, reply, error);
    channel->gss = gss;
    return code;
}

static int open_context(struct channel *channel, struct error *error)
{
    struct gss_transport transport = {.exchange = exchange_plain, .context = channel};

    if (!channel->options.security.flavor)
        return 0;
    return gss_client_open(&channel->gss, &channel->options.security, &transport, error);
}

/* Renew the context, then send MESSAGE with a new xid, because renewing used other xids. */
static int renew_context(struct channel *channel, const struct channel_message *message,
                         const struct clock *clock, struct channel_reply *reply,
                         struct error *error)
{
    int code;

    channel->counts.renewals++;
    code = channel->gss->type->renew(channel->gss, error);
    if (code)
        return code;
    stamp_next(channel, message);
    code = try_exchange(channel, message, clock, reply);
    return code && !socket_io_was_lost(code) ? describe_failure(channel, code, 2, error) : code;
}

uint64_t channel_end_context(struct channel *channel)
{
    enum { PATIENCE_NS = 1000 * 1000 * 1000 };
    struct channel_reply reply = {.first_try = true};
    uint64_t began = clock_raw_ns();
    struct channel_message message;
    int code;

    if (!channel->gss || !channel->answered || channel->io.fd < 0)
        return 0;
    socket_io_set_wait(&channel->io, PATIENCE_NS);
    code = channel->gss->type->encode_end(channel->gss, &message);
    if (code == 0) {
        stamp_next(channel, &message);
        code = try_exchange(channel, &message, &channel_untimed, &reply);
    }
    channel->answered = false; /* so that channel_close() does not end the context again */
    return code ? 0 : clock_raw_ns() - began;
}

const struct deadline *channel_deadline(const struct channel *channel)
{
    return &channel->io.deadline;
}

void channel_set_deadline(struct channel *channel, const struct deadline *deadline)
{
    channel->io.deadline = channel->options.deadline = channel->endpoint.deadline = *deadline;
}

void channel_lift_deadline(struct channel *channel)
{
    channel_set_deadline(channel, &(struct deadline){.stop = channel->options.deadline.stop});
}

struct gss_client *channel_security(const struct channel *channel)
{
    return channel->gss;
}

const struct gss_establishment *channel_establishment(const struct channel *channel)
{
    return channel->gss ? channel->gss->type->establishment(channel->gss) : NULL;
}

const struct tls_handshake *channel_handshake(const struct channel *channel)
{
    return channel->tls.tls ? &channel->tls.handshake : NULL;
}

int channel_exchange(struct channel *channel, const struct channel_message *message,
                     const struct clock *clock, struct channel_reply *reply, struct error *error)
{
    unsigned sent = 1;
    uint64_t began;
    int code;

    /* Check for a stop before the call, so that a series of fast calls can be stopped; not after
     * it, because the caller must know what the server did. */
    if (deadline_is_stopped(&channel->io.deadline))
        return describe_failure(channel, -EINTR, 0, error);
    /* Retransmissions keep this xid, unless the context is renewed. */
    stamp_next(channel, message);
    reply->first_try = true;
    reply->ticks = 0; /* remains 0 if nothing was sent */
    code = channel->io.fd < 0 ? -ECONNRESET : try_exchange(channel, message, clock, reply);
    channel->answered = code == 0;
    if (code == 0)
        return 0;
    reply->first_try = false;
    began = clock->stop() - reply->ticks;
    if (code == -EKEYEXPIRED) {
        code = renew_context(channel, message, clock, reply, error);
        if (code && !socket_io_was_lost(code))
            return code;
    }
    if (channel->endpoint.transport == TRANSPORT_TCP)
        code = recover_stream(channel, message, clock, code, &sent, reply);
    else
        code = recover_datagram(channel, message, clock, code, &sent, reply);
    reply->waited = clock->stop() - began;
    channel->answered = code == 0;
    return code ? describe_failure(channel, code, sent, error) : 0;
}

int channel_send(struct channel *channel, const struct channel_message *message, uint32_t xid)
{
    channel_message_stamp(message, xid);
    return send_message(channel, message);
}

int channel_send_bytes(struct channel *channel, const uint8_t *bytes, size_t length)
{
    return socket_io_send(&channel->io, bytes, length);
}

int channel_receive(struct channel *channel, uint64_t wait_ns, const struct clock *clock,
                    struct channel_reply *reply)
{
    int code = wait_ns == channel->io.wait_ns ? 0 : socket_io_set_wait(&channel->io, wait_ns);

    channel->io.over_ns = 0;
    if (code == 0)
        code = receive_any(channel, reply);
    reply->ticks = clock->stop();
    return code;
}

static int receive_bytes(struct channel *channel, size_t length)
{
    const bool datagrams = channel->endpoint.transport == TRANSPORT_UDP;
    size_t filled = 0;
    int code = 0;

    while (filled < length && code == 0) {
        ssize_t got = socket_io_receive(&channel->io, channel->buffer + filled,
                                        channel->options.reply_maximum - filled);

        if (got <= 0)
            return got == 0 && !datagrams ? -ECONNRESET : got == 0 ? -EBADMSG : (int)got;
        filled += (size_t)got;
        if (datagrams)
            break;
        if (filled < length)
            code = socket_io_look(&channel->io, 0);
    }
    return code ? code : filled == length ? 0 : -EBADMSG;
}

int channel_exchange_bytes(struct channel *channel, const struct channel_bytes *bytes,
                           const struct clock *clock, uint64_t *ticks)
{
    uint64_t started = clock->start();
    int code = socket_io_send(&channel->io, bytes->bytes, bytes->length);

    if (code == 0)
        code = receive_bytes(channel, bytes->answer);
    *ticks = clock->stop() - started;
    return code;
}

int channel_reconnect(struct channel *channel, uint16_t port, struct error *error)
{
    channel->endpoint.source_port = port;
    return reconnect(channel, error);
}

uint16_t channel_source_port(const struct channel *channel)
{
    return channel->endpoint.source_port;
}

int channel_descriptor(const struct channel *channel)
{
    return channel->io.fd;
}

int channel_open(struct channel **result, const struct endpoint *endpoint,
                 const struct channel_options *options, struct error *error)
{
    struct channel *channel = calloc(1, sizeof *channel);
    int code;

    if (!channel)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a connection");
    channel->endpoint = channel_endpoint(endpoint, options);
    channel->options = *options;
    channel->io = (struct socket_io){.fd = -1,
                                     .spin = options->spin,
                                     .deadline = options->deadline,
                                     .watched.watch = options->watch};
    xid_series_begin(&channel->xids, 32);
    channel->number = channel->xids.first;
    channel->capacity = options->reply_maximum + RPC_RECORD_MARK_SIZE;
    if (options->security.flavor)
        channel->capacity += GSS_REPLY_OVERHEAD;
    channel->buffer = malloc(channel->capacity + RPC_RECORD_MARK_SIZE);
    if (!channel->buffer) {
        free(channel);
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a connection");
    }
    memset(channel->buffer, 0, channel->capacity + RPC_RECORD_MARK_SIZE);
    code = connect_channel(channel, error);
    if (code == 0)
        code = open_context(channel, error);
    if (code) {
        channel_close(channel);
        return code;
    }
    *result = channel;
    return 0;
}

void channel_close(struct channel *channel)
{
    if (!channel)
        return;
    channel_end_context(channel);
    if (channel->gss)
        channel->gss->type->close(channel->gss);
    disconnect(channel);
    free(channel->buffer);
    free(channel);
}

unsigned channel_packets(const struct channel *channel, size_t length)
{
    return socket_io_packets(&channel->io, &channel->endpoint, length);
}

bool channel_tls_bytes(const struct channel *channel, uint64_t *sent, uint64_t *received)
{
    struct tcp_info info;
    socklen_t length = sizeof info;

    if (!channel->options.tls ||
        getsockopt(channel->io.fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 ||
        length < offsetof(struct tcp_info, tcpi_bytes_sent) + sizeof info.tcpi_bytes_sent)
        return false;
    *sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
    *received = info.tcpi_bytes_received;
    return true;
}
