#include "engine/inbox.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "rpc/message.h"
#include "rpc/record.h"
#include "rpc/wire.h"

enum {
    BATCH_SIZE = 256 * 1024, /* bytes; what is received at once, beyond one message, at most */
    USUAL_REPLY = 8 * 1024,
    DATAGRAMS_MAXIMUM = 64,
    DATAGRAM_SIZE = 65536,
    /* A longer rest of a message is received by itself, so that the next one begins at the front
     * and never has to be moved there. */
    LONG_REST = 32 * 1024,
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int open_datagrams(struct inbox *inbox, size_t message_maximum, size_t messages)
{
    size_t count = least(messages, DATAGRAMS_MAXIMUM);

    inbox->capacity = least(message_maximum, DATAGRAM_SIZE);
    inbox->datagrams_maximum = count;
    inbox->bytes = malloc(count * inbox->capacity);
    inbox->datagrams = calloc(count, sizeof *inbox->datagrams);
    inbox->parts = calloc(count, sizeof *inbox->parts);
    if (!inbox->bytes || !inbox->datagrams || !inbox->parts)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        inbox->parts[i] = (struct iovec){inbox->bytes + i * inbox->capacity, inbox->capacity};
        inbox->datagrams[i].msg_hdr.msg_iov = &inbox->parts[i];
        inbox->datagrams[i].msg_hdr.msg_iovlen = 1;
    }
    return 0;
}

int inbox_open(struct inbox *inbox, enum transport transport, size_t message_maximum,
               size_t messages)
{
    int code = 0;

    memset(inbox, 0, sizeof *inbox);
    inbox->transport = transport;
    if (transport == TRANSPORT_UDP) {
        code = open_datagrams(inbox, message_maximum, messages);
    } else {
        inbox->capacity = RPC_RECORD_MARK_SIZE + message_maximum +
                          (messages > 1 ? least(messages * USUAL_REPLY, BATCH_SIZE) : 0);
        inbox->bytes = malloc(inbox->capacity);
        code = inbox->bytes ? 0 : -ENOMEM;
    }
    if (code)
        inbox_close(inbox);
    return code;
}

void inbox_close(struct inbox *inbox)
{
    free(inbox->bytes);
    free(inbox->datagrams);
    free(inbox->parts);
    memset(inbox, 0, sizeof *inbox);
}

void inbox_clear(struct inbox *inbox)
{
    inbox->filled = inbox->taken = 0;
    inbox->datagrams_filled = 0;
}

/* Bytes that are missing of the message whose beginning is held; 0 where that isn't known yet. */
static size_t missing_rest(const struct inbox *inbox)
{
    struct wire_reader reader =
        wire_reader(inbox->bytes + inbox->taken, inbox->filled - inbox->taken);
    size_t length = wire_get_u32(&reader) & ~RPC_LAST_FRAGMENT;

    return reader.failed || length < wire_left(&reader) ? 0 : length - wire_left(&reader);
}

/* Make room behind what is held: its beginning moves to the front only where the rest would not
 * fit. */
static size_t make_room(struct inbox *inbox)
{
    size_t held = inbox->filled - inbox->taken, rest = missing_rest(inbox);

    if (held == 0) {
        inbox->filled = inbox->taken = 0;
    } else if (rest == 0 || inbox->filled + rest > inbox->capacity) {
        memmove(inbox->bytes, inbox->bytes + inbox->taken, held);
        inbox->filled = held;
        inbox->taken = 0;
    }
    return rest > LONG_REST ? least(rest, inbox->capacity - inbox->filled)
                            : inbox->capacity - inbox->filled;
}

static int receive_stream(struct inbox *inbox, int fd, int flags)
{
    size_t room = make_room(inbox);
    ssize_t got = recv(fd, inbox->bytes + inbox->filled, room, flags);

    if (got <= 0)
        return got == 0 ? -ECONNRESET : errno == EINTR ? -EAGAIN : -errno;
    inbox->filled += (size_t)got;
    return 0;
}

static int receive_datagrams(struct inbox *inbox, int fd, int flags)
{
    int got = recvmmsg(fd, inbox->datagrams, (unsigned)inbox->datagrams_maximum,
                       flags ? flags : MSG_WAITFORONE, NULL);

    inbox->taken = inbox->datagrams_filled = 0;
    if (got < 0)
        return errno == EINTR ? -EAGAIN : -errno;
    inbox->datagrams_filled = (size_t)got;
    return 0;
}

int inbox_receive(struct inbox *inbox, int fd, int wait)
{
    int flags = wait ? 0 : MSG_DONTWAIT;

    return inbox->datagrams ? receive_datagrams(inbox, fd, flags)
                            : receive_stream(inbox, fd, flags);
}

static int next_datagram(struct inbox *inbox, struct inbox_message *message)
{
    if (inbox->taken == inbox->datagrams_filled)
        return 0;
    message->bytes = inbox->parts[inbox->taken].iov_base;
    message->length = inbox->datagrams[inbox->taken].msg_len;
    inbox->taken++;
    return 1;
}

int inbox_next(struct inbox *inbox, struct inbox_message *message)
{
    struct rpc_record record;
    int found;

    if (inbox->datagrams)
        return next_datagram(inbox, message);
    /* What begins behind the front has the front's room, too: it can be moved there. */
    found = rpc_record_find(inbox->bytes + inbox->taken, inbox->filled - inbox->taken,
                            inbox->capacity, &record);
    if (found <= 0)
        return found;
    message->bytes = record.message;
    message->length = record.length;
    inbox->taken += record.consumed;
    return 1;
}
