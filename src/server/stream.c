#include "server/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "rpc/record.h"

static bool has_unsent(const struct stream *stream)
{
    return stream->unsent_length > stream->unsent_at;
}

static bool waits_for_clock(const struct stream *stream)
{
    return stream->kept_back > DELAYED_BYTES_MAXIMUM;
}

bool stream_is_blocked(const struct stream *stream)
{
    return has_unsent(stream) || waits_for_clock(stream) || stream->has_more;
}

/* A socket that takes bytes wakes whoever waits to write at once: so its next turn comes, too. */
uint32_t stream_events(const struct stream *stream)
{
    if (has_unsent(stream))
        return EPOLLOUT;
    if (waits_for_clock(stream))
        return 0;
    return stream->has_more ? EPOLLOUT : EPOLLIN;
}

/* What connections hold counts, whoever holds it: not even thousands that send a request in parts,
 * or don't read their replies, may take all memory. */
static int reserve(struct service *service, uint8_t **buffer, size_t *capacity, size_t length)
{
    atomic_size_t *buffered = &service->exported->buffered;
    size_t more = length - *capacity;
    uint8_t *larger = NULL;

    if (length <= *capacity)
        return 0;
    if (atomic_fetch_add(buffered, more) + more <= STREAM_BUFFERED_MAXIMUM)
        larger = realloc(*buffer, length);
    if (!larger) {
        atomic_fetch_sub(buffered, more);
        return -ENOMEM;
    }
    *buffer = larger;
    *capacity = length;
    return 0;
}

static void release(struct service *service, uint8_t **buffer, size_t *capacity, size_t *length)
{
    *length = 0;
    if (!*buffer)
        return;
    atomic_fetch_sub(&service->exported->buffered, *capacity);
    free(*buffer);
    *buffer = NULL;
    *capacity = 0;
}

void stream_close(struct stream *stream, struct service *service)
{
    release(service, &stream->unread, &stream->unread_capacity, &stream->unread_length);
    release(service, &stream->unsent, &stream->unsent_capacity, &stream->unsent_length);
    close(stream->watched.fd);
    free(stream);
}

/* Output */

static size_t total(const struct iovec *segments, size_t count)
{
    size_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += segments[i].iov_len;
    return sum;
}

/* Keep COUNT SEGMENTS but for their first SENT bytes, behind what is kept already. */
static int keep(struct stream *stream, struct service *service, const struct iovec *segments,
                size_t count, size_t sent)
{
    size_t length = total(segments, count) - sent;

    if (reserve(service, &stream->unsent, &stream->unsent_capacity,
                stream->unsent_length + length) != 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        size_t skipped = sent < segments[i].iov_len ? sent : segments[i].iov_len;
        size_t part = segments[i].iov_len - skipped;

        memcpy(stream->unsent + stream->unsent_length, (uint8_t *)segments[i].iov_base + skipped,
               part);
        stream->unsent_length += part;
        sent -= skipped;
    }
    return 0;
}

/* Without blocking. One segment needs no sendmsg(), which takes the kernel a little longer. */
static ssize_t send_segments(int fd, struct iovec *segments, size_t count)
{
    const struct msghdr message = {.msg_iov = segments, .msg_iovlen = count};

    return count == 1 ? send(fd, segments->iov_base, segments->iov_len, MSG_NOSIGNAL | MSG_DONTWAIT)
                      : sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Send COUNT SEGMENTS; what the socket does not take is kept. */
static int send_or_keep(struct stream *stream, struct service *service, struct iovec *segments,
                        size_t count)
{
    ssize_t sent;

    if (has_unsent(stream))
        return keep(stream, service, segments, count, 0);
    sent = send_segments(stream->watched.fd, segments, count);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
        return -1;
    if (sent < 0)
        sent = 0;
    if ((size_t)sent == total(segments, count))
        return 0;
    return keep(stream, service, segments, count, (size_t)sent);
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
    while (has_unsent(stream)) {
        ssize_t sent = send(stream->watched.fd, stream->unsent + stream->unsent_at,
                            stream->unsent_length - stream->unsent_at, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent < 0)
            return errno == EAGAIN || errno == EINTR ? 0 : -1;
        stream->unsent_at += (size_t)sent;
    }
    stream->unsent_at = 0;
    release(service, &stream->unsent, &stream->unsent_capacity, &stream->unsent_length);
    return 0;
}

/* Answering */

/* Answer one request: its reply, with its record mark, goes to OUTPUT, if it is to be sent at once.
 * Returns its length, or -1 when the connection is to be reset. */
static ssize_t answer(struct stream *stream, struct service *service,
                      const struct rpc_record *record, uint8_t *output)
{
    struct answer answered = dispatch_message(service, record->message, record->length, true,
                                              &stream->peer, output + RPC_RECORD_MARK_SIZE);
    size_t length = RPC_RECORD_MARK_SIZE + answered.length;

    if (++stream->calls == service->exported->policy.reset_after) {
        struct linger reset = {.l_onoff = 1, .l_linger = 0};

        setsockopt(stream->watched.fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        dispatch_pause(service); /* what was gathered for this one is not sent */
        return -1;
    }
    if (answered.length == 0)
        return 0;
    wire_store_u32(output, RPC_LAST_FRAGMENT | (uint32_t)answered.length);
    if (answered.delay_ns == 0)
        return (ssize_t)length;
    if (delayed_add_stream(&service->delayed, answered.delay_ns, stream, output, length) != 0)
        return -1;
    stream->kept_back += sizeof(struct delayed_reply) + length;
    return 0;
}

/* What a turn has done so far. */
struct turn {
    unsigned calls, unsent_calls; /* answered; since the last send */
    size_t filled;                /* bytes of replies that are not sent yet */
    size_t sent;                  /* and of those that were, or are kept to be */
};

/* Send the replies that there are. What is gathered stays as it is only while the tree is locked;
 * else others need not wait for the system call. */
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

static bool batch_is_full(const struct turn *turn)
{
    return turn->unsent_calls == STREAM_BATCH_MAXIMUM ||
           turn->filled + RPC_RECORD_MARK_SIZE + DISPATCH_REPLY_MAXIMUM > STREAM_OUTPUT_SIZE;
}

/* Answer the whole requests in BYTES until the socket takes no more, or the turn is over. Returns
 * the number of bytes used up, or -1. */
static ssize_t answer_all(struct stream *stream, struct service *service, uint8_t *bytes,
                          size_t length, struct stream_scratch *scratch, struct turn *turn)
{
    size_t used = 0;

    while (!stream_is_blocked(stream)) {
        struct rpc_record record;
        int found = rpc_record_find(bytes + used, length - used, STREAM_REQUEST_MAXIMUM, &record);
        ssize_t written = found;

        if (found > 0)
            written = answer(stream, service, &record, scratch->output + turn->filled);
        if (written < 0)
            return -1;
        if (found == 0)
            break;
        used += record.consumed;
        turn->filled += (size_t)written;
        turn->calls++;
        turn->unsent_calls++;
        if (batch_is_full(turn) && send_replies(stream, service, scratch, turn) != 0)
            return -1;
        stream->has_more = turn_is_over(turn) && used < length;
    }
    return (ssize_t)used;
}

/* Keep what was not used up of BYTES (which may be the kept bytes themselves) for later. */
static int keep_unread(struct stream *stream, struct service *service, const uint8_t *bytes,
                       size_t length)
{
    if (length == 0) {
        release(service, &stream->unread, &stream->unread_capacity, &stream->unread_length);
        return 0;
    }
    if (!stream->unread || bytes < stream->unread ||
        bytes >= stream->unread + stream->unread_capacity) {
        if (reserve(service, &stream->unread, &stream->unread_capacity, length) != 0)
            return -1;
    }
    memmove(stream->unread, bytes, length);
    stream->unread_length = length;
    return 0;
}

static int answer_and_keep(struct stream *stream, struct service *service, uint8_t *bytes,
                           size_t length, struct stream_scratch *scratch, struct turn *turn)
{
    ssize_t used = answer_all(stream, service, bytes, length, scratch, turn);

    if (used < 0)
        return -1;
    return keep_unread(stream, service, bytes + used, length - (size_t)used);
}

/* Receive, and answer what came. */
static int receive(struct stream *stream, struct service *service, struct stream_scratch *scratch,
                   struct turn *turn)
{
    uint8_t *bytes = scratch->input;
    size_t room = sizeof scratch->input, before = stream->unread_length;
    ssize_t got;

    if (before > 0) { /* the rest of a request goes behind its start */
        if (reserve(service, &stream->unread, &stream->unread_capacity,
                    before + STREAM_INPUT_SIZE) != 0)
            return -1;
        bytes = stream->unread;
    }
    got = recv(stream->watched.fd, bytes + before, room, MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    if (got == 0)
        return -1;
    return answer_and_keep(stream, service, bytes, before + (size_t)got, scratch, turn);
}

/* End a turn that went as CODE says: what was answered is sent, also before the connection ends. */
static int end_turn(struct stream *stream, struct service *service, struct stream_scratch *scratch,
                    struct turn *turn, int code)
{
    if (send_replies(stream, service, scratch, turn) != 0)
        code = -1;
    dispatch_end(service);
    return code;
}

int stream_readable(struct stream *stream, struct service *service, struct stream_scratch *scratch)
{
    struct turn turn = {0};
    int code;

    dispatch_begin(service);
    code = receive(stream, service, scratch, &turn);
    return end_turn(stream, service, scratch, &turn, code);
}

int stream_writable(struct stream *stream, struct service *service, struct stream_scratch *scratch)
{
    struct turn turn = {0};
    int code;

    if (send_kept(stream, service) != 0)
        return -1;
    stream->has_more = false;
    if (stream_is_blocked(stream) || stream->unread_length == 0)
        return 0;
    dispatch_begin(service);
    code = answer_and_keep(stream, service, stream->unread, stream->unread_length, scratch, &turn);
    return end_turn(stream, service, scratch, &turn, code);
}
