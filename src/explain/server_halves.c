#include "explain/server_halves.h"

#include <stdbool.h>
#include <stdlib.h>

/* Finding them */

/* The end of what belongs to the reply at INDEX: where the next request comes, or the next reply.
 * (What a client that makes one call at a time is sent after that, it was sent again.) */
static uint64_t end_of(const struct server_events *events, size_t index)
{
    for (size_t i = index + 1; i < events->count; i++)
        if (events->list[i].type == KERNEL_REQUEST_ARRIVED ||
            events->list[i].type == KERNEL_SEND_ENTERED)
            return events->list[i].at_ns - 1;
    return events->list[events->count - 1].at_ns;
}

/* Of a call that was somewhere between FROM and UNTIL. False: its arrival or leaving is not known.
 */
static bool find_half(const struct server_events *events, uint32_t xid, uint64_t from,
                      uint64_t until, struct server_half *half)
{
    struct call_times call = {
        .xid = xid, .at[MOMENT_SEND_ENTERED] = from, .at[MOMENT_REPLY_READ] = until};
    uint64_t arrived;

    server_moments(events, &call, 1);
    arrived = call.at[MOMENT_REQUEST_ARRIVED];
    half->xid = xid;
    for (size_t i = 0; i < HALF_MOMENTS; i++) {
        uint64_t at = call.at[HALF_FIRST + i];

        half->after_ns[i] = at >= arrived && at > 0 ? at - arrived : HALF_NONE;
    }
    return arrived && call.at[MOMENT_REPLY_SENT];
}

size_t server_halves_find(const struct server_events *events, struct server_half *halves,
                          size_t room)
{
    uint64_t from = 0; /* after the reply before */
    size_t found = 0;

    for (size_t i = 0; i < events->count; i++) {
        const struct kernel_event *event = &events->list[i];
        struct server_half half;

        if (event->type != KERNEL_SEND_ENTERED)
            continue;
        if (event->xid && find_half(events, event->xid, from, end_of(events, i), &half)) {
            if (found < room)
                halves[found] = half;
            found++;
        }
        from = event->at_ns + 1;
    }
    return found;
}

/* Joining them */

static int by_xid(const void *a, const void *b)
{
    const struct server_half *x = a, *y = b;

    return (x->xid > y->xid) - (x->xid < y->xid);
}

/* The only half of that number; NULL: there is none, or there are several. */
static const struct server_half *half_of(const struct server_half *halves, size_t count,
                                         uint32_t xid)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (halves[middle].xid < xid)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || halves[low].xid != xid)
        return NULL;
    return low + 1 < count && halves[low + 1].xid == xid ? NULL : &halves[low];
}

/* Returns whether it fits. The half of a server that claims to have had the request for longer than
 * the client waited reaches beyond the reply's arrival, where it is seen to be out of order. */
static bool place(const struct server_half *half, struct call_times *call)
{
    uint64_t transmitted = call->at[MOMENT_TRANSMITTED];
    uint64_t wait = call->at[MOMENT_REPLY_RECEIVED] - transmitted;
    uint64_t residence = half->after_ns[MOMENT_REPLY_SENT - HALF_FIRST];
    uint64_t network = wait > residence ? wait - residence : 0;
    uint64_t arrived = transmitted + network / 2;

    call->at[MOMENT_REQUEST_ARRIVED] = arrived;
    for (size_t i = 0; i < HALF_MOMENTS; i++)
        if (half->after_ns[i] != HALF_NONE)
            call->at[HALF_FIRST + i] = arrived + half->after_ns[i];
    return residence <= wait;
}

static bool can_be_joined(const struct call_times *call)
{
    return !call->retransmitted && !call->failed && call->at[MOMENT_TRANSMITTED] > 0 &&
           call->at[MOMENT_REPLY_RECEIVED] >= call->at[MOMENT_TRANSMITTED];
}

struct halves_joined server_halves_join(struct server_half *halves, size_t half_count,
                                        struct call_times *calls, size_t count)
{
    struct halves_joined joined = {0};

    if (half_count > 0)
        qsort(halves, half_count, sizeof *halves, by_xid);
    for (size_t i = 0; i < count; i++) {
        const struct server_half *half = half_of(halves, half_count, calls[i].xid);

        if (!can_be_joined(&calls[i]))
            continue;
        joined.calls++;
        joined.fitting += half && place(half, &calls[i]);
    }
    return joined;
}
