/* Messages on their way out of one socket: gathered, and handed to the kernel with as few system
 * calls as can be. Over TCP all that was put in goes out as one stream of bytes, over UDP as one
 * datagram a message. Short messages are copied, which is cheaper than an entry in a list for the
 * kernel; of long ones only the head is. */
#ifndef NFSBENCH_ENGINE_OUTBOX_H
#define NFSBENCH_ENGINE_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "engine/channel.h"
#include "engine/endpoint.h"

struct outbox {
    enum transport transport;
    uint8_t *heads; /* record marks, xids, and whole messages that are short */
    size_t heads_size, heads_used;
    struct iovec *parts;
    size_t parts_maximum, parts_used, parts_sent;
    struct mmsghdr *datagrams; /* NULL over TCP */
    size_t datagrams_maximum, datagrams_used, datagrams_sent;
};

/* Make one that has room for MESSAGES messages at once, within reason. 0 or -ENOMEM. */
int outbox_open(struct outbox *outbox, enum transport transport, size_t messages);
void outbox_close(struct outbox *outbox);

/* Is there room for a message of LENGTH bytes? When not: send first. */
bool outbox_has_room(const struct outbox *outbox, size_t length);

/* Put MESSAGE in, with its record mark and XID written in front. There must be room, and its bytes
 * must stay as they are until they are sent. */
void outbox_put(struct outbox *outbox, const struct channel_message *message, uint32_t xid);

/* Is something in it? */
static inline bool outbox_holds(const struct outbox *outbox)
{
    return outbox->parts_sent < outbox->parts_used;
}

/* Hand over what it holds, without waiting. 0 when all is out; -EAGAIN when the rest must wait
 * until FD takes more; or what the kernel said. */
int outbox_send(struct outbox *outbox, int fd);

/* Forget what it holds: the connection is gone. */
void outbox_clear(struct outbox *outbox);

#endif
