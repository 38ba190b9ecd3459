#include "explain/kernel/reply_name.h"

#include <string.h>

enum { MARK = 4, XID = 4 };

struct reply {
    /* first send() of the reply; NULL: no send() since the last receive */
    struct kernel_event *first;
    uint8_t head[MARK + XID];
    size_t length; /* number of known bytes in HEAD */
};

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static size_t head_length(const struct kernel_event *event)
{
    if (event->length < 0)
        return 0;
    return event->length > KERNEL_EVENT_HEAD ? KERNEL_EVENT_HEAD : (size_t)event->length;
}

static void name_datagram(struct kernel_event *event)
{
    event->xid = head_length(event) >= XID ? word_at(event->head) : 0;
}

/* Return true if HEAD begins a TLS record with data (RFC 8446 section 5.2). HEAD then can't be a
 * record mark, which would announce a fragment of 368 MiB. */
static bool is_encrypted(const uint8_t *head)
{
    static const uint8_t begin[] = {23, 3, 3};

    return memcmp(head, begin, sizeof begin) == 0;
}

static void add_send_to_reply(struct reply *reply, struct kernel_event *event)
{
    size_t room = sizeof reply->head - reply->length, more = head_length(event);

    if (reply->first)
        event->type = KERNEL_SEND_CONTINUED;
    else
        reply->first = event;
    if (more > room)
        more = room;
    memcpy(reply->head + reply->length, event->head, more);
    reply->length += more;
    if (reply->length == sizeof reply->head && !is_encrypted(reply->head))
        reply->first->xid = word_at(reply->head + MARK);
}

void reply_name(struct kernel_event *events, size_t count, bool is_tcp)
{
    struct reply reply = {0};

    for (size_t i = 0; i < count; i++) {
        if (events[i].type == KERNEL_RECEIVED)
            reply = (struct reply){0};
        else if (events[i].type == KERNEL_SEND_ENTERED && is_tcp)
            add_send_to_reply(&reply, &events[i]);
        else if (events[i].type == KERNEL_SEND_ENTERED)
            name_datagram(&events[i]);
    }
}
