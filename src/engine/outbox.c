#include "engine/outbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rpc/message.h"
#include "rpc/wire.h"

enum {
    PREFIX_SIZE = RPC_RECORD_MARK_SIZE + 4, /* mark and xid */
    SHORT_MESSAGE = 1024,                   /* bytes; a longer one is not copied */
    MESSAGES_MAXIMUM = 128,
};

static size_t copied_length(size_t length)
{
    return length <= SHORT_MESSAGE ? RPC_RECORD_MARK_SIZE + length : PREFIX_SIZE;
}

int outbox_open(struct outbox *outbox, enum transport transport, size_t messages)
{
    size_t room = messages < MESSAGES_MAXIMUM ? messages : MESSAGES_MAXIMUM;

    memset(outbox, 0, sizeof *outbox);
    outbox->transport = transport;
    outbox->heads_size = room * (RPC_RECORD_MARK_SIZE + SHORT_MESSAGE);
    outbox->parts_maximum = 2 * room;
    outbox->heads = malloc(outbox->heads_size);
    outbox->parts = calloc(outbox->parts_maximum, sizeof *outbox->parts);
    outbox->datagrams_maximum = room;
    if (transport == TRANSPORT_UDP)
        outbox->datagrams = calloc(room, sizeof *outbox->datagrams);
    if (outbox->heads && outbox->parts && (outbox->datagrams || transport == TRANSPORT_TCP))
        return 0;
    outbox_close(outbox);
    return -ENOMEM;
}

void outbox_close(struct outbox *outbox)
{
    free(outbox->heads);
    free(outbox->parts);
    free(outbox->datagrams);
    memset(outbox, 0, sizeof *outbox);
}

void outbox_clear(struct outbox *outbox)
{
    outbox->heads_used = 0;
    outbox->parts_used = outbox->parts_sent = 0;
    outbox->datagrams_used = outbox->datagrams_sent = 0;
}

bool outbox_has_room(const struct outbox *outbox, size_t length)
{
    return outbox->heads_size - outbox->heads_used >= copied_length(length) &&
           outbox->parts_maximum - outbox->parts_used >= 2 &&
           outbox->datagrams_used < outbox->datagrams_maximum;
}

/* Over TCP what lies behind the last part belongs to it; datagrams have parts of their own. */
static void add_part(struct outbox *outbox, uint8_t *bytes, size_t length)
{
    struct iovec *last = outbox->parts_used ? &outbox->parts[outbox->parts_used - 1] : NULL;

    if (last && !outbox->datagrams && (uint8_t *)last->iov_base + last->iov_len == bytes)
        last->iov_len += length;
    else
        outbox->parts[outbox->parts_used++] = (struct iovec){bytes, length};
}

static void add_datagram(struct outbox *outbox, size_t first_part)
{
    struct msghdr *header = &outbox->datagrams[outbox->datagrams_used++].msg_hdr;

    *header = (struct msghdr){.msg_iov = &outbox->parts[first_part],
                              .msg_iovlen = outbox->parts_used - first_part};
}

void outbox_put(struct outbox *outbox, const struct channel_message *message, uint32_t xid)
{
    size_t skipped = outbox->datagrams ? RPC_RECORD_MARK_SIZE : 0; /* UDP has no marks */
    size_t copied = copied_length(message->length), first_part = outbox->parts_used;
    uint8_t *head = outbox->heads + outbox->heads_used;

    memcpy(head + PREFIX_SIZE, message->bytes + PREFIX_SIZE, copied - PREFIX_SIZE);
    wire_store_u32(head, RPC_LAST_FRAGMENT | (uint32_t)message->length);
    wire_store_u32(head + RPC_RECORD_MARK_SIZE, xid);
    outbox->heads_used += copied;
    add_part(outbox, head + skipped, copied - skipped);
    if (message->length > SHORT_MESSAGE)
        add_part(outbox, message->bytes + PREFIX_SIZE,
                 message->length + RPC_RECORD_MARK_SIZE - PREFIX_SIZE);
    if (outbox->datagrams)
        add_datagram(outbox, first_part);
}

/* LENGTH more bytes are out. */
static void step_over(struct outbox *outbox, size_t length)
{
    while (length > 0) {
        struct iovec *part = &outbox->parts[outbox->parts_sent];
        size_t step = length < part->iov_len ? length : part->iov_len;

        part->iov_base = (uint8_t *)part->iov_base + step;
        part->iov_len -= step;
        length -= step;
        if (part->iov_len == 0)
            outbox->parts_sent++;
    }
}

static int send_stream(struct outbox *outbox, int fd)
{
    while (outbox_holds(outbox)) {
        struct msghdr header = {.msg_iov = outbox->parts + outbox->parts_sent,
                                .msg_iovlen = outbox->parts_used - outbox->parts_sent};
        ssize_t sent = sendmsg(fd, &header, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return -errno;
        step_over(outbox, (size_t)sent);
    }
    return 0;
}

static int send_datagrams(struct outbox *outbox, int fd)
{
    while (outbox->datagrams_sent < outbox->datagrams_used) {
        int sent = sendmmsg(fd, outbox->datagrams + outbox->datagrams_sent,
                            (unsigned)(outbox->datagrams_used - outbox->datagrams_sent),
                            MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return errno == ENOBUFS ? -EAGAIN : -errno;
        outbox->datagrams_sent += (size_t)sent;
    }
    return 0;
}

int outbox_send(struct outbox *outbox, int fd)
{
    int code = outbox->datagrams ? send_datagrams(outbox, fd) : send_stream(outbox, fd);

    if (code == 0)
        outbox_clear(outbox);
    return code;
}
