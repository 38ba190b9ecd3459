#include "serve/transport/stream.h"

#include <endian.h>
#include <errno.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "rpc/record.h"

static struct budget *budget_of(const struct service *service)
{
    return &service->exported->budget;
}

static const struct tls_server_type *tls_of(const struct service *service)
{
    return service->exported->tls->type;
}

/* Has STREAM more bytes of delayed replies than it may have? A favoured STREAM may have none. */
static bool waits_for_clock(const struct stream *stream)
{
    return stream->kept_back > (stream->favoured ? 0 : DELAYED_BYTES_MAXIMUM);
}

bool stream_is_blocked(const struct stream *stream)
{
    return stream_has_unsent(stream) || waits_for_clock(stream) || stream->waits_for_memory ||
           stream->has_more;
}

/* If STREAM is blocked by HAS_MORE only, it waits for EPOLLOUT. The socket is writable, so the next
 * turn comes at once. */
uint32_t stream_events(const struct stream *stream)
{
    if (stream_has_unsent(stream))
        return EPOLLOUT;
    if (waits_for_clock(stream) || stream->waits_for_memory)
        return 0;
    return stream->has_more ? EPOLLOUT : EPOLLIN;
}

/* If HAS_MORE is set, the peer counts as owing, too, because the next turn follows at once. It does
 * not count while STREAM waits until delayed replies are sent. */
bool stream_owes(const struct stream *stream)
{
    return stream_in_handshake(stream) || stream_has_unsent(stream) ||
           (stream->has_more && !waits_for_clock(stream)) ||
           (stream->unread.length > 0 && !stream_is_blocked(stream));
}

/* Return and note whether STREAM must wait for memory: the budget is spent, STREAM holds over
 * STREAM_LITTLE bytes, and MAY_HOLD is false. */
static bool must_wait(struct stream *stream, const struct service *service)
{
    stream->waits_for_memory = !stream->may_hold && budget_is_spent(budget_of(service)) &&
                               stream->unread.length + stream->kept_back > STREAM_LITTLE;
    return stream->waits_for_memory;
}

bool stream_has_read_all(const struct stream *stream)
{
    int left = 0;

    return stream->calls > 0 && ioctl(stream->watched.fd, SIOCOUTQ, &left) == 0 && left == 0;
}

void stream_close(struct stream *stream, struct service *service)
{
    if (stream->tls) {
        budget_give(budget_of(service), STREAM_TLS_MEMORY);
        tls_of(service)->end(stream->tls);
    }
    buffer_release(&stream->unread, budget_of(service));
    buffer_release(&stream->unsent, budget_of(service));
    close(stream->watched.fd);
    free(stream);
}

void stream_close_by_reset(const struct stream *stream)
{
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};

    setsockopt(stream->watched.fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
}

/* Output */

/* Send SEGMENTS without blocking. For one segment, send() is a little faster than sendmsg(). */
static ssize_t send_segments(const struct stream *stream, const struct service *service,
                             struct iovec *segments, size_t count)
{
    const struct msghdr message = {.msg_iov = segments, .msg_iovlen = count};
    int fd = stream->watched.fd;

    if (stream->tls)
        return tls_of(service)->send(stream->tls, segments, count, MSG_DONTWAIT);
    return count == 1 ? send(fd, segments->iov_base, segments->iov_len, MSG_NOSIGNAL | MSG_DONTWAIT)
                      : sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Send COUNT SEGMENTS, and keep the bytes that the socket does not accept. */
static int send_or_keep(struct stream *stream, struct service *service, struct iovec *segments,
                        size_t count)
{
    ssize_t sent;

    if (stream_has_unsent(stream))
        return buffer_append(&stream->unsent, budget_of(service), segments, count, 0);
    sent = send_segments(stream, service, segments, count);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
        return -1;
    if (sent < 0)
        sent = 0;
    if ((size_t)sent == buffer_total(segments, count))
        return 0;
    return buffer_append(&stream->unsent, budget_of(service), segments, count, (size_t)sent);
}

int stream_send_delayed(struct stream *stream, struct service *service, const uint8_t *bytes,
                        size_t length)
{
    struct iovec segment = {(void *)(uintptr_t)bytes, length};

    stream->kept_back -= sizeof(struct delayed_reply) + length;
    return send_or_keep(stream, service, &segment, 1);
}

static int send_kept(struct stream *stream, struct service *service)
{
    while (stream_has_unsent(stream)) {
        struct iovec rest = {stream->unsent.bytes + stream->unsent_at,
                             stream->unsent.length - stream->unsent_at};
        ssize_t sent = send_segments(stream, service, &rest, 1);

        if (sent < 0)
            return errno == EAGAIN || errno == EINTR ? 0 : -1;
        stream->unsent_at += (size_t)sent;
    }
    stream->unsent_at = 0;
    buffer_release(&stream->unsent, budget_of(service));
    return 0;
}

/* Answering */

/* Answer the request in RECORD. If the reply is not delayed, write it to OUTPUT with its record
 * mark. Returns the number of bytes written, or -1 if the connection must be closed. */
static ssize_t answer_record(struct stream *stream, struct service *service,
                             const struct rpc_record *record, uint8_t *output)
{
    struct answer answered = dispatch_message(service, record->message, record->length, true,
                                              &stream->peer, output + RPC_RECORD_MARK_SIZE);
    size_t length = RPC_RECORD_MARK_SIZE + answered.length;

    if (service->exported->policy.habits & HABIT_IN_ORDER && !service->starts_tls)
        answered.delay_ns = habit_reserve(&stream->worker, answered.delay_ns);
    if (++stream->calls == service->exported->policy.reset_after) {
        stream_close_by_reset(stream);
        dispatch_pause(service); /* end_turn() must not send gathered data of this reply */
        return -1;
    }
    if (answered.length == 0)
        return 0;
    wire_store_u32(output, RPC_LAST_FRAGMENT | (uint32_t)answered.length);
    if (answered.delay_ns == 0)
        return (ssize_t)length;
    gather_copy(&service->gather, output);
    if (delayed_add_stream(&service->delayed, answered.delay_ns, stream, output, length) != 0)
        return -1;
    stream->kept_back += sizeof(struct delayed_reply) + length;
    return 0;
}

struct turn {
    /* CALLS: calls answered in the turn; UNSENT_CALLS: calls answered since the last send */
    unsigned calls, unsent_calls;
    size_t filled; /* bytes of replies that have not been sent yet */
    size_t sent;   /* bytes of replies that were sent, kept or delayed */
};

/* Send the replies so far. Gathered data are sent while the tree is locked. If there are none, the
 * tree is unlocked first, so that other threads need not wait for the system call. */
static int send_replies(struct stream *stream, struct service *service,
                        struct stream_scratch *scratch, struct turn *turn)
{
    struct iovec plain = {scratch->output, turn->filled}, *segments = &plain;
    size_t count = turn->filled > 0;
    int code;

    if (service->gather.count > 0) {
        segments = scratch->segments;
        count = gather_segments(&service->gather, scratch->output, turn->filled, segments);
    } else {
        dispatch_pause(service);
    }
    code = count > 0 ? send_or_keep(stream, service, segments, count) : 0;
    dispatch_pause(service);
    turn->sent += turn->filled;
    turn->filled = turn->unsent_calls = 0;
    return code;
}

static bool turn_is_over(const struct turn *turn)
{
    return turn->calls >= STREAM_TURN_CALLS || turn->sent >= STREAM_TURN_BYTES;
}

/* Return and note whether the request that begins in BYTES must wait. With MAY_HOLD, none does.
 * While the budget is spent or the thread is crowded, requests wait if their replies may be long,
 * or if they have several fragments, because their procedure may then be unknown. While the budget
 * is spent, all requests wait if STREAM has over STREAM_LITTLE bytes of delayed replies. */
static bool put_off(struct stream *stream, const struct service *service, const uint8_t *bytes,
                    size_t length)
{
    bool spent = budget_is_spent(budget_of(service));
    uint32_t mark;

    if (stream->may_hold || length <= sizeof mark || !(spent || service->crowded))
        return false;
    memcpy(&mark, bytes, sizeof mark);
    stream->waits_for_memory = (spent && stream->kept_back > STREAM_LITTLE) ||
                               !(be32toh(mark) & RPC_LAST_FRAGMENT) ||
                               dispatch_is_long(bytes + sizeof mark, length - sizeof mark);
    return stream->waits_for_memory;
}

static bool batch_is_full(const struct turn *turn)
{
    return turn->unsent_calls == STREAM_BATCH_MAXIMUM ||
           turn->filled + RPC_RECORD_MARK_SIZE + DISPATCH_REPLY_MAXIMUM > STREAM_OUTPUT_SIZE;
}

/* Answer the complete requests in BYTES until STREAM is blocked, or a request must wait. *LENGTH is
 * reduced if fragments are joined. Returns the number of bytes consumed, or -1. */
static ssize_t answer_all(struct stream *stream, struct service *service, uint8_t *bytes,
                          size_t *length, struct stream_scratch *scratch, struct turn *turn)
{
    size_t left = *length, used = 0;

    while (!stream_is_blocked(stream) && !put_off(stream, service, bytes + used, left)) {
        size_t kept_back = stream->kept_back;
        struct rpc_record *record = &stream->record;
        int found = rpc_record_find(bytes + used, &left, STREAM_REQUEST_MAXIMUM, record);
        ssize_t written = found;

        *length = used + left;
        if (found > 0)
            written = answer_record(stream, service, record, scratch->output + turn->filled);
        if (written < 0)
            return -1;
        if (found == 0)
            break;
        stream->may_hold = false;
        used += record->consumed;
        left -= record->consumed;
        turn->filled += (size_t)written;
        turn->sent += stream->kept_back - kept_back;
        turn->calls++;
        turn->unsent_calls++;
        if (batch_is_full(turn) && send_replies(stream, service, scratch, turn) != 0)
            return -1;
        stream->has_more = turn_is_over(turn) && left > 0;
    }
    return (ssize_t)used;
}

static int answer_and_keep(struct stream *stream, struct service *service, uint8_t *bytes,
                           size_t length, struct stream_scratch *scratch, struct turn *turn)
{
    ssize_t used = answer_all(stream, service, bytes, &length, scratch, turn);

    if (used < 0)
        return -1;
    return buffer_keep(&stream->unread, budget_of(service), bytes + used, length - (size_t)used);
}

struct input_space {
    uint8_t *bytes; /* begins with the incomplete request */
    size_t filled;  /* bytes of the incomplete request */
    size_t size;    /* free bytes after the incomplete request */
};

/* Copy a short incomplete request to the shared buffer, which also has room for the requests after
 * it. */
static struct input_space space_in_scratch(const struct stream *stream,
                                           struct stream_scratch *scratch)
{
    size_t filled = stream->unread.length;

    if (filled > 0)
        memcpy(scratch->input, stream->unread.bytes, filled);
    return (struct input_space){scratch->input, filled, sizeof scratch->input - filled};
}

/* Let a request be received into its own buffer. A full buffer is doubled, or grows by
 * STREAM_STEP_MINIMUM if that is more, but not beyond the request's known length. Over TLS, at
 * least RPC_TLS_ROOM bytes are free for an incomplete request, for all that the session has
 * decrypted. */
static int make_space(struct stream *stream, struct service *service, struct input_space *space)
{
    size_t filled = stream->unread.length, left = stream->unread.capacity - filled;
    size_t step = filled > STREAM_STEP_MINIMUM ? filled : STREAM_STEP_MINIMUM;
    size_t missing = rpc_record_missing(stream->unread.bytes, filled);
    size_t size = left ? left : step;

    if (size > missing)
        size = missing;
    if (stream->tls && size < RPC_TLS_ROOM && missing > 0)
        size = RPC_TLS_ROOM;
    if (buffer_reserve(&stream->unread, budget_of(service), filled + size) != 0)
        return -1;
    *space = (struct input_space){stream->unread.bytes, filled, size};
    return 0;
}

/* Receive into SPACE. Returns the number of bytes (0: none yet), or -1 at the connection's end or
 * after an error. If a complete request leaves no room, recv() is not called, because its result,
 * 0, would look like the end. */
static ssize_t receive_bytes(const struct stream *stream, const struct service *service,
                             const struct input_space *space)
{
    ssize_t got;

    if (space->size == 0)
        return 0;
    got = stream->tls
              ? tls_of(service)->receive(stream->tls, space->bytes + space->filled, space->size,
                                         MSG_DONTWAIT)
              : recv(stream->watched.fd, space->bytes + space->filled, space->size, MSG_DONTWAIT);
    if (got > 0)
        return got;
    return got < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

static int receive_and_answer(struct stream *stream, struct service *service,
                              struct stream_scratch *scratch, struct turn *turn)
{
    struct input_space space;
    ssize_t got;

    if (must_wait(stream, service))
        return 0;
    if (stream->unread.length <= STREAM_JOINED_MAXIMUM && !stream->favoured &&
        !budget_is_spent(budget_of(service)))
        space = space_in_scratch(stream, scratch);
    else if (make_space(stream, service, &space) != 0)
        return -1;
    got = receive_bytes(stream, service, &space);
    if (got < 0)
        return -1;
    return answer_and_keep(stream, service, space.bytes, space.filled + (size_t)got, scratch, turn);
}

/* TLS */

/* Begin TLS after the probe's reply. Returns 0, or -1 if unencrypted bytes are still kept, or the
 * budget is spent or memory is lacking. */
static int start_tls(struct stream *stream, struct service *service)
{
    if (stream_has_unsent(stream) || stream->unread.length > 0 || stream->kept_back > 0 ||
        budget_is_spent(budget_of(service)) ||
        tls_of(service)->begin(service->exported->tls, &stream->tls, stream->watched.fd) != 0)
        return -1;
    budget_take(budget_of(service), STREAM_TLS_MEMORY);
    stream->state = STREAM_TLS_BEGINS;
    return 0;
}

static int discard_input(const struct stream *stream, struct stream_scratch *scratch)
{
    ssize_t got = recv(stream->watched.fd, scratch->input, sizeof scratch->input, MSG_DONTWAIT);

    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR)) ? 0 : -1;
}

/* Continue a handshake, or discard input if the handshake has failed. The server's messages fit
 * into the socket's empty send buffer, so a handshake waits only for input. Returns 0, or -1 if the
 * connection must be closed. */
static int shake_hands(struct stream *stream, const struct service *service,
                       struct stream_scratch *scratch)
{
    int code;

    if (stream->state == STREAM_TLS_REFUSED)
        return discard_input(stream, scratch);
    code = tls_of(service)->handshake(stream->tls);
    if (code == 0)
        stream->state = STREAM_TLS;
    if (code == 0 || code == -EAGAIN || code == -EINTR)
        return 0;
    if (code != -EPROTO)
        return -1;
    stream->state = STREAM_TLS_REFUSED;
    shutdown(stream->watched.fd, SHUT_WR);
    return 0;
}

/* Turns */

static void begin_turn(const struct stream *stream, struct service *service)
{
    service->over_tls = stream->tls != NULL;
    service->without_costs = stream->watched.without_costs;
    dispatch_begin(service);
}

/* End a turn that returned CODE: send the replies, even if CODE is not 0; begin TLS if asked. */
static int end_turn(struct stream *stream, struct service *service, struct stream_scratch *scratch,
                    struct turn *turn, int code)
{
    if (send_replies(stream, service, scratch, turn) != 0)
        code = -1;
    dispatch_end(service);
    service->over_tls = false;
    if (!service->starts_tls)
        return code;
    service->starts_tls = false;
    return code ? code : start_tls(stream, service);
}

int stream_readable(struct stream *stream, struct service *service, struct stream_scratch *scratch)
{
    struct turn turn = {0};
    int code;

    if (stream_in_handshake(stream)) {
        code = shake_hands(stream, service, scratch);
        if (code || stream_in_handshake(stream))
            return code;
    }
    begin_turn(stream, service);
    code = receive_and_answer(stream, service, scratch, &turn);
    return end_turn(stream, service, scratch, &turn, code);
}

int stream_writable(struct stream *stream, struct service *service, struct stream_scratch *scratch)
{
    struct turn turn = {0};
    int code;

    if (send_kept(stream, service) != 0)
        return -1;
    stream->has_more = false;
    if (stream_is_blocked(stream) || stream->unread.length == 0)
        return 0;
    begin_turn(stream, service);
    code = answer_and_keep(stream, service, stream->unread.bytes, stream->unread.length, scratch,
                           &turn);
    return end_turn(stream, service, scratch, &turn, code);
}

int stream_resume(struct stream *stream, struct service *service, struct stream_scratch *scratch)
{
    int code;

    stream->waits_for_memory = false;
    code = stream_writable(stream, service, scratch);
    if (code == 0 && !stream_is_blocked(stream))
        code = stream_readable(stream, service, scratch);
    return code;
}
