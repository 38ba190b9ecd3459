#include "engine/wire/receive_buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rpc/message.h"
#include "rpc/record.h"
#include "rpc/wire.h"

enum {
    BATCH_SIZE = 256 * 1024, /* most bytes received at once in addition to one message */
    USUAL_REPLY = 8 * 1024,
    DATAGRAMS_MAXIMUM = 64,
    DATAGRAM_SIZE = 65536,
    /* If the buffer has no reserve and a message lacks more bytes than this, receive only these
     * bytes. The next message then begins at the buffer's start and need not be moved. */
    LONG_REST = 32 * 1024,
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int open_datagrams(struct receive_buffer *receive_buffer, size_t message_maximum,
                          size_t messages)
{
    size_t count = least(messages, DATAGRAMS_MAXIMUM);

    receive_buffer->capacity = least(message_maximum, DATAGRAM_SIZE);
    receive_buffer->datagrams_maximum = count;
    receive_buffer->bytes = malloc(count * receive_buffer->capacity);
    receive_buffer->datagrams = calloc(count, sizeof *receive_buffer->datagrams);
    receive_buffer->parts = calloc(count, sizeof *receive_buffer->parts);
    if (!receive_buffer->bytes || !receive_buffer->datagrams || !receive_buffer->parts)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        receive_buffer->parts[i] = (struct iovec){
            receive_buffer->bytes + i * receive_buffer->capacity, receive_buffer->capacity};
        receive_buffer->datagrams[i].msg_hdr.msg_iov = &receive_buffer->parts[i];
        receive_buffer->datagrams[i].msg_hdr.msg_iovlen = 1;
    }
    return 0;
}

int receive_buffer_open(struct receive_buffer *receive_buffer, enum transport transport,
                        size_t message_maximum, size_t messages)
{
    int code = 0;

    memset(receive_buffer, 0, sizeof *receive_buffer);
    receive_buffer->transport = transport;
    if (transport == TRANSPORT_UDP) {
        code = open_datagrams(receive_buffer, message_maximum, messages);
    } else {
        receive_buffer->capacity = 2 * RPC_RECORD_MARK_SIZE + message_maximum +
                                   (messages > 1 ? least(messages * USUAL_REPLY, BATCH_SIZE) : 0);
        receive_buffer->bytes = malloc(receive_buffer->capacity);
        code = receive_buffer->bytes ? 0 : -ENOMEM;
    }
    if (code)
        receive_buffer_close(receive_buffer);
    return code;
}

int receive_buffer_reserve(struct receive_buffer *receive_buffer, size_t reserve)
{
    uint8_t *bytes = realloc(receive_buffer->bytes, receive_buffer->capacity + reserve);

    if (!bytes)
        return -ENOMEM;
    receive_buffer->bytes = bytes;
    receive_buffer->capacity += reserve;
    receive_buffer->reserve = reserve;
    return 0;
}

void receive_buffer_close(struct receive_buffer *receive_buffer)
{
    free(receive_buffer->bytes);
    free(receive_buffer->datagrams);
    free(receive_buffer->parts);
    memset(receive_buffer, 0, sizeof *receive_buffer);
}

void receive_buffer_clear(struct receive_buffer *receive_buffer)
{
    receive_buffer->filled = receive_buffer->taken = 0;
    receive_buffer->record.marks = 0;
    receive_buffer->datagrams_filled = 0;
}

/* Return how many bytes of the last message in the buffer are missing; 0: none or unknown. */
static size_t missing_rest(const struct receive_buffer *receive_buffer)
{
    struct wire_reader reader = wire_reader(receive_buffer->bytes + receive_buffer->taken,
                                            receive_buffer->filled - receive_buffer->taken);
    size_t length = wire_get_u32(&reader) & ~RPC_LAST_FRAGMENT;

    return reader.failed || length < wire_left(&reader) ? 0 : length - wire_left(&reader);
}

/* Make room after the bytes in the buffer, and return how many bytes to receive. Move the bytes
 * to the buffer's start only if the length of their message is unknown, or its rest can't fit. */
static size_t make_room(struct receive_buffer *receive_buffer)
{
    size_t held = receive_buffer->filled - receive_buffer->taken,
           rest = missing_rest(receive_buffer);

    if (held == 0) {
        receive_buffer->filled = receive_buffer->taken = 0;
    } else if (rest == 0 ||
               receive_buffer->filled + rest + receive_buffer->reserve > receive_buffer->capacity) {
        memmove(receive_buffer->bytes, receive_buffer->bytes + receive_buffer->taken, held);
        receive_buffer->filled = held;
        receive_buffer->taken = 0;
    }
    return rest > LONG_REST && receive_buffer->reserve == 0
               ? least(rest, receive_buffer->capacity - receive_buffer->filled)
               : receive_buffer->capacity - receive_buffer->filled;
}

static int receive_stream(struct receive_buffer *receive_buffer, int fd, int flags)
{
    size_t room = make_room(receive_buffer);
    ssize_t got = load_watched_receive(&receive_buffer->watched, fd,
                                       receive_buffer->bytes + receive_buffer->filled, room, flags);

    if (got <= 0)
        return got == 0 ? -ECONNRESET : errno == EINTR ? -EAGAIN : -errno;
    receive_buffer->filled += (size_t)got;
    return 0;
}

static int receive_datagrams(struct receive_buffer *receive_buffer, int fd, int flags)
{
    const struct load_watched *watched = &receive_buffer->watched;
    unsigned most = (unsigned)receive_buffer->datagrams_maximum;
    int got;

    flags = flags ? flags : MSG_WAITFORONE;
    if (watched->watch)
        got = watched->watch->receive_datagrams(watched->watch->context, watched->connection, fd,
                                                receive_buffer->datagrams, most, flags);
    else
        got = recvmmsg(fd, receive_buffer->datagrams, most, flags, NULL);

    receive_buffer->taken = receive_buffer->datagrams_filled = 0;
    if (got < 0)
        return errno == EINTR ? -EAGAIN : -errno;
    receive_buffer->datagrams_filled = (size_t)got;
    return 0;
}

int receive_buffer_receive(struct receive_buffer *receive_buffer, int fd, int wait)
{
    int flags = wait ? 0 : MSG_DONTWAIT;

    return receive_buffer->datagrams ? receive_datagrams(receive_buffer, fd, flags)
                                     : receive_stream(receive_buffer, fd, flags);
}

static int next_datagram(struct receive_buffer *receive_buffer,
                         struct receive_buffer_message *message)
{
    if (receive_buffer->taken == receive_buffer->datagrams_filled)
        return 0;
    message->bytes = receive_buffer->parts[receive_buffer->taken].iov_base;
    message->length = receive_buffer->datagrams[receive_buffer->taken].msg_len;
    receive_buffer->taken++;
    return 1;
}

int receive_buffer_find(struct receive_buffer *receive_buffer,
                        struct receive_buffer_message *message)
{
    struct rpc_record *record = &receive_buffer->record;
    size_t left = receive_buffer->filled - receive_buffer->taken;
    int found;

    if (receive_buffer->datagrams)
        return next_datagram(receive_buffer, message);
    /* The capacity includes the space before the record, because the record can be moved there. */
    found = rpc_record_find(
        receive_buffer->bytes + receive_buffer->taken, &left,
        receive_buffer->capacity - receive_buffer->reserve - RPC_RECORD_MARK_SIZE, record);
    receive_buffer->filled = receive_buffer->taken + left;
    if (found <= 0)
        return found;
    message->bytes = record->message;
    message->length = record->length;
    receive_buffer->taken += record->consumed;
    return 1;
}

size_t receive_buffer_after(const struct receive_buffer *receive_buffer,
                            const struct receive_buffer_message *message)
{
    size_t begin = (size_t)(message->bytes - receive_buffer->bytes);

    return receive_buffer->datagrams
               ? receive_buffer->datagrams_filled - 1 - begin / receive_buffer->capacity
               : receive_buffer->filled - begin - message->length;
}
