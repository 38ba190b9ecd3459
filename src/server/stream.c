#include "server/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "rpc/record.h"

bool stream_has_unsent(const struct stream *stream)
{
    return stream->unsent_length > stream->unsent_at;
}

bool stream_is_blocked(const struct stream *stream)
{
    return stream_has_unsent(stream) || stream->kept_back > DELAYED_BYTES_MAXIMUM;
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

/* Keep BYTES, behind what is kept already. */
static int keep(struct stream *stream, struct service *service, const uint8_t *bytes, size_t length)
{
    if (reserve(service, &stream->unsent, &stream->unsent_capacity,
                stream->unsent_length + length) != 0)
        return -1;
    memcpy(stream->unsent + stream->unsent_length, bytes, length);
    stream->unsent_length += length;
    return 0;
}

/* Send BYTES; what the socket does not take is kept. */
static int send_or_keep(struct stream *stream, struct service *service, const uint8_t *bytes,
                        size_t length)
{
    ssize_t sent;

    if (stream_has_unsent(stream))
        return keep(stream, service, bytes, length);
    sent = send(stream->watched.fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);

    if (sent < 0 && errno != EAGAIN && errno != EINTR)
        return -1;
    if (sent < 0)
        sent = 0;
    if ((size_t)sent == length)
        return 0;
    return keep(stream, service, bytes + sent, length - (size_t)sent);
}

int stream_send_delayed(struct stream *stream, struct service *service, const uint8_t *bytes,
                        size_t length)
{
    stream->kept_back -= sizeof(struct delayed_reply) + length;
    return send_or_keep(stream, service, bytes, length);
}

static int send_kept(struct stream *stream, struct service *service)
{
    while (stream_has_unsent(stream)) {
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

/* Answer the whole requests in BYTES, all replies in one go where they fit, until the socket takes
 * no more. Returns the number of bytes used up, or -1. */
static ssize_t answer_all(struct stream *stream, struct service *service, uint8_t *bytes,
                          size_t length, uint8_t *output)
{
    size_t used = 0, filled = 0;
    int found = 1;

    while (found > 0 && !stream_is_blocked(stream)) {
        struct rpc_record record;

        found = rpc_record_find(bytes + used, length - used, STREAM_REQUEST_MAXIMUM, &record);
        if (found < 0)
            return -1;
        if (found) {
            ssize_t written = answer(stream, service, &record, output + filled);

            if (written < 0)
                return -1;
            filled += (size_t)written;
            used += record.consumed;
        }
        if (filled && (!found || filled + RPC_RECORD_MARK_SIZE + DISPATCH_REPLY_MAXIMUM >
                                     STREAM_OUTPUT_SIZE)) {
            if (send_or_keep(stream, service, output, filled) != 0)
                return -1;
            filled = 0;
        }
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
                           size_t length, struct stream_scratch *scratch)
{
    ssize_t used = answer_all(stream, service, bytes, length, scratch->output);

    if (used < 0)
        return -1;
    return keep_unread(stream, service, bytes + used, length - (size_t)used);
}

int stream_readable(struct stream *stream, struct service *service, struct stream_scratch *scratch)
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
    return answer_and_keep(stream, service, bytes, before + (size_t)got, scratch);
}

int stream_writable(struct stream *stream, struct service *service, struct stream_scratch *scratch)
{
    if (send_kept(stream, service) != 0)
        return -1;
    if (stream_is_blocked(stream) || stream->unread_length == 0)
        return 0;
    return answer_and_keep(stream, service, stream->unread, stream->unread_length, scratch);
}
