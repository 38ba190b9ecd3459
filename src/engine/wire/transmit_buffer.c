#include "engine/wire/transmit_buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rpc/message.h"
#include "rpc/wire.h"

enum {
    PREFIX_SIZE = RPC_RECORD_MARK_SIZE + 4, /* record mark and xid */
    MESSAGES_MAXIMUM = 128,
    FLAGS = MSG_NOSIGNAL | MSG_DONTWAIT, /* flags of each send */
};

_Static_assert(TRANSMIT_BUFFER_SHORT_MESSAGE >= RPC_CALL_HEADER_MAXIMUM + 128,
               "there is room for a place, in the head of a message");

int transmit_buffer_open(struct transmit_buffer *transmit_buffer, enum transport transport,
                         size_t messages)
{
    size_t room = messages < MESSAGES_MAXIMUM ? messages : MESSAGES_MAXIMUM;

    memset(transmit_buffer, 0, sizeof *transmit_buffer);
    transmit_buffer->transport = transport;
    transmit_buffer->heads_size = room * TRANSMIT_BUFFER_HEAD;
    transmit_buffer->parts_maximum = 2 * room;
    transmit_buffer->heads = malloc(transmit_buffer->heads_size);
    transmit_buffer->parts = calloc(transmit_buffer->parts_maximum, sizeof *transmit_buffer->parts);
    transmit_buffer->datagrams_maximum = room;
    if (transport == TRANSPORT_UDP)
        transmit_buffer->datagrams = calloc(room, sizeof *transmit_buffer->datagrams);
    if (transmit_buffer->heads && transmit_buffer->parts &&
        (transmit_buffer->datagrams || transport == TRANSPORT_TCP))
        return 0;
    transmit_buffer_close(transmit_buffer);
    return -ENOMEM;
}

void transmit_buffer_close(struct transmit_buffer *transmit_buffer)
{
    free(transmit_buffer->heads);
    free(transmit_buffer->parts);
    free(transmit_buffer->datagrams);
    memset(transmit_buffer, 0, sizeof *transmit_buffer);
}

void transmit_buffer_clear(struct transmit_buffer *transmit_buffer)
{
    transmit_buffer->heads_used = 0;
    transmit_buffer->parts_used = transmit_buffer->parts_sent = 0;
    transmit_buffer->datagrams_used = transmit_buffer->datagrams_sent = 0;
}

/* Add BYTES to the list of parts. Over TCP, they are joined to the last part if they follow it
 * directly in memory. */
static void add_part(struct transmit_buffer *transmit_buffer, uint8_t *bytes, size_t length)
{
    struct iovec *last = transmit_buffer->parts_used
                             ? &transmit_buffer->parts[transmit_buffer->parts_used - 1]
                             : NULL;

    if (last && !transmit_buffer->datagrams && (uint8_t *)last->iov_base + last->iov_len == bytes)
        last->iov_len += length;
    else
        transmit_buffer->parts[transmit_buffer->parts_used++] = (struct iovec){bytes, length};
}

static void add_datagram(struct transmit_buffer *transmit_buffer, size_t first_part)
{
    struct msghdr *header = &transmit_buffer->datagrams[transmit_buffer->datagrams_used++].msg_hdr;

    *header = (struct msghdr){.msg_iov = &transmit_buffer->parts[first_part],
                              .msg_iovlen = transmit_buffer->parts_used - first_part};
}

uint8_t *transmit_buffer_add(struct transmit_buffer *transmit_buffer,
                             const struct channel_message *message, uint32_t xid)
{
    /* a datagram has no record mark */
    size_t skipped = transmit_buffer->datagrams ? RPC_RECORD_MARK_SIZE : 0;
    bool is_short = message->length <= TRANSMIT_BUFFER_SHORT_MESSAGE;
    size_t copied = is_short         ? RPC_RECORD_MARK_SIZE + message->length
                    : message->patch ? message->patch->end
                                     : PREFIX_SIZE;
    size_t first_part = transmit_buffer->parts_used;
    uint8_t *head = transmit_buffer->heads + transmit_buffer->heads_used;

    if (is_short || message->patch)
        transmit_buffer_copy(head, message->bytes, copied);
    wire_store_u32(head, RPC_LAST_FRAGMENT | (uint32_t)message->length);
    wire_store_u32(head + RPC_RECORD_MARK_SIZE, xid);
    transmit_buffer->heads_used += copied;
    add_part(transmit_buffer, head + skipped, copied - skipped);
    if (!is_short)
        add_part(transmit_buffer, message->bytes + copied,
                 message->length + RPC_RECORD_MARK_SIZE - copied);
    if (transmit_buffer->datagrams)
        add_datagram(transmit_buffer, first_part);
    return head;
}

static void step_over(struct transmit_buffer *transmit_buffer, size_t length)
{
    while (length > 0) {
        struct iovec *part = &transmit_buffer->parts[transmit_buffer->parts_sent];
        size_t step = length < part->iov_len ? length : part->iov_len;

        part->iov_base = (uint8_t *)part->iov_base + step;
        part->iov_len -= step;
        length -= step;
        if (part->iov_len == 0)
            transmit_buffer->parts_sent++;
    }
}

static int send_stream(struct transmit_buffer *transmit_buffer, int fd)
{
    while (transmit_buffer_holds(transmit_buffer)) {
        struct msghdr header = {.msg_iov = transmit_buffer->parts + transmit_buffer->parts_sent,
                                .msg_iovlen =
                                    transmit_buffer->parts_used - transmit_buffer->parts_sent};
        ssize_t sent = load_watched_send(&transmit_buffer->watched, fd, &header, FLAGS);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return -errno;
        step_over(transmit_buffer, (size_t)sent);
    }
    return 0;
}

static int send_messages(const struct load_watched *watched, int fd, struct mmsghdr *list,
                         unsigned count)
{
    return watched->watch
               ? watched->watch->send_datagrams(watched->watch->context, watched->connection, fd,
                                                list, count, FLAGS)
               : sendmmsg(fd, list, count, FLAGS);
}

static int send_datagrams(struct transmit_buffer *transmit_buffer, int fd)
{
    while (transmit_buffer->datagrams_sent < transmit_buffer->datagrams_used) {
        int sent = send_messages(
            &transmit_buffer->watched, fd,
            transmit_buffer->datagrams + transmit_buffer->datagrams_sent,
            (unsigned)(transmit_buffer->datagrams_used - transmit_buffer->datagrams_sent));

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return errno == ENOBUFS ? -EAGAIN : -errno;
        transmit_buffer->datagrams_sent += (size_t)sent;
    }
    return 0;
}

int transmit_buffer_send(struct transmit_buffer *transmit_buffer, int fd)
{
    int code = transmit_buffer->datagrams ? send_datagrams(transmit_buffer, fd)
                                          : send_stream(transmit_buffer, fd);

    if (code == 0)
        transmit_buffer_clear(transmit_buffer);
    return code;
}
