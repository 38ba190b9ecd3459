#include "serve/transport/delayed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/system_clock.h"

/* Return where a reply that is due at DUE_NS belongs in the list: usually at the end. */
static struct delayed_reply **find_place(struct delayed *delayed, uint64_t due_ns)
{
    struct delayed_reply **link = &delayed->first;

    if (delayed->last && delayed->last->due_ns <= due_ns)
        return &delayed->last->next;
    while (*link && (*link)->due_ns <= due_ns)
        link = &(*link)->next;
    return link;
}

static struct delayed_reply *add_reply(struct delayed *delayed, uint64_t delay_ns,
                                       const uint8_t *bytes, size_t length)
{
    struct delayed_reply *reply = calloc(1, sizeof *reply + length), **link;

    if (!reply)
        return NULL;
    memcpy(reply->bytes, bytes, length);
    reply->length = length;
    reply->due_ns = monotonic_ns() + delay_ns;
    link = find_place(delayed, reply->due_ns);
    reply->next = *link;
    *link = reply;
    if (!reply->next)
        delayed->last = reply;
    budget_take(delayed->budget, sizeof *reply + length);
    return reply;
}

int delayed_add_stream(struct delayed *delayed, uint64_t delay_ns, struct stream *stream,
                       const uint8_t *bytes, size_t length)
{
    struct delayed_reply *reply = add_reply(delayed, delay_ns, bytes, length);

    if (!reply)
        return -ENOMEM;
    reply->stream = stream;
    return 0;
}

int delayed_add_datagram(struct delayed *delayed, uint64_t delay_ns, int fd,
                         const struct msghdr *message)
{
    const struct iovec *buffer = message->msg_iov;
    struct delayed_reply *reply =
        budget_is_spent(delayed->budget)
            ? NULL
            : add_reply(delayed, delay_ns, buffer->iov_base, buffer->iov_len);

    if (!reply)
        return -ENOMEM;
    reply->fd = fd;
    memcpy(&reply->peer, message->msg_name, message->msg_namelen);
    if (message->msg_controllen <= sizeof reply->control) {
        memcpy(reply->control, message->msg_control, message->msg_controllen);
        reply->control_length = message->msg_controllen;
    }
    return 0;
}

uint64_t delayed_first_due(const struct delayed *delayed)
{
    return delayed->first ? delayed->first->due_ns : 0;
}

static struct delayed_reply *take_first(struct delayed *delayed)
{
    struct delayed_reply *reply = delayed->first;

    delayed->first = reply->next;
    if (!delayed->first)
        delayed->last = NULL;
    budget_give(delayed->budget, sizeof *reply + reply->length);
    return reply;
}

struct delayed_reply *delayed_take(struct delayed *delayed, uint64_t now_ns)
{
    if (!delayed->first || delayed->first->due_ns > now_ns)
        return NULL;
    return take_first(delayed);
}

void delayed_forget(struct delayed *delayed, const struct stream *stream)
{
    struct delayed_reply **link = &delayed->first, *reply;

    delayed->last = NULL;
    while ((reply = *link)) {
        if (reply->stream == stream) {
            *link = reply->next;
            budget_give(delayed->budget, sizeof *reply + reply->length);
            free(reply);
        } else {
            delayed->last = reply;
            link = &reply->next;
        }
    }
}

void delayed_free(struct delayed *delayed)
{
    while (delayed->first)
        free(take_first(delayed));
}
