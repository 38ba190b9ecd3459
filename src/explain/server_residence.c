#include "explain/server_residence.h"

#include <stdbool.h>
#include <stdlib.h>

const enum timestamp residence_timestamps[RESIDENCE_TIMESTAMPS] = {
    TIMESTAMP_SERVER_WOKEN, TIMESTAMP_SERVER_RUNS,   TIMESTAMP_READER_RUNS,
    TIMESTAMP_READ_ENTERED, TIMESTAMP_REQUEST_READ,  TIMESTAMP_WORKER_RUNS,
    TIMESTAMP_REPLY_READY,  TIMESTAMP_REPLY_ENTERED, TIMESTAMP_REPLY_SENT,
};

/* Finding residence times */

/* The end of the events of the reply at INDEX: the next request, or the next reply. (A client that
 * makes one call at a time gets another reply after that only if it was sent again.) */
static uint64_t end_of(const struct server_events *events, size_t index)
{
    for (size_t i = index + 1; i < events->count; i++)
        if (events->list[i].type == KERNEL_REQUEST_ARRIVED ||
            events->list[i].type == KERNEL_SEND_ENTERED)
            return events->list[i].at_ns - 1;
    return events->list[events->count - 1].at_ns;
}

bool server_residence_of(const struct call_times *call, struct server_residence *residence)
{
    uint64_t arrived = call->at[TIMESTAMP_REQUEST_ARRIVED];

    residence->xid = call->xid;
    for (size_t i = 0; i < RESIDENCE_TIMESTAMPS; i++) {
        uint64_t at = call->at[residence_timestamps[i]];

        residence->after_ns[i] = at >= arrived && at > 0 ? at - arrived : RESIDENCE_NONE;
    }
    return arrived && call->at[TIMESTAMP_REPLY_SENT];
}

/* Find the residence time of the call between FROM and UNTIL. Returns false if its arrival or
 * departure is unknown. */
static bool find_residence(const struct server_events *events, uint32_t xid, uint64_t from,
                           uint64_t until, struct server_residence *residence)
{
    struct call_times call = {
        .xid = xid, .at[TIMESTAMP_SEND_ENTERED] = from, .at[TIMESTAMP_REPLY_READ] = until};

    server_timestamps(events, &call, 1);
    return server_residence_of(&call, residence);
}

size_t server_residence_find(const struct server_events *events,
                             struct server_residence *residences, size_t room)
{
    uint64_t from = 0; /* end of the previous reply */
    size_t found = 0;

    for (size_t i = 0; i < events->count; i++) {
        const struct kernel_event *event = &events->list[i];
        struct server_residence residence;

        if (event->type != KERNEL_SEND_ENTERED)
            continue;
        if (event->xid && find_residence(events, event->xid, from, end_of(events, i), &residence)) {
            if (found < room)
                residences[found] = residence;
            found++;
        }
        from = event->at_ns + 1;
    }
    return found;
}

/* Joining them with calls */

static int by_xid(const void *a, const void *b)
{
    const struct server_residence *x = a, *y = b;

    return (x->xid > y->xid) - (x->xid < y->xid);
}

/* The only residence time with that xid; NULL if there is none, or there are several. */
static const struct server_residence *residence_of(const struct server_residence *residences,
                                                   size_t count, uint32_t xid)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (residences[middle].xid < xid)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || residences[low].xid != xid)
        return NULL;
    return low + 1 < count && residences[low + 1].xid == xid ? NULL : &residences[low];
}

/* Place RESIDENCE in CALL. Returns whether it fits. A residence time longer than the client's wait
 * extends beyond the reply's arrival, and the call is then found to be out of order. */
static bool place(const struct server_residence *residence, struct call_times *call)
{
    uint64_t transmitted = call->at[TIMESTAMP_TRANSMITTED];
    uint64_t wait = call->at[TIMESTAMP_REPLY_RECEIVED] - transmitted;
    uint64_t whole = residence->after_ns[RESIDENCE_SENT];
    uint64_t network = wait > whole ? wait - whole : 0;
    uint64_t arrived = transmitted + network / 2;

    call->at[TIMESTAMP_REQUEST_ARRIVED] = arrived;
    for (size_t i = 0; i < RESIDENCE_TIMESTAMPS; i++)
        if (residence->after_ns[i] != RESIDENCE_NONE)
            call->at[residence_timestamps[i]] = arrived + residence->after_ns[i];
    return whole <= wait;
}

static bool can_be_joined(const struct call_times *call)
{
    return !call->retransmitted && !call->failed && call->at[TIMESTAMP_TRANSMITTED] > 0 &&
           call->at[TIMESTAMP_REPLY_RECEIVED] >= call->at[TIMESTAMP_TRANSMITTED];
}

struct residences_joined server_residence_join(struct server_residence *residences,
                                               size_t residence_count, struct call_times *calls,
                                               size_t count)
{
    struct residences_joined joined = {0};

    if (residence_count > 0)
        qsort(residences, residence_count, sizeof *residences, by_xid);
    for (size_t i = 0; i < count; i++) {
        const struct server_residence *residence =
            residence_of(residences, residence_count, calls[i].xid);

        if (!can_be_joined(&calls[i]))
            continue;
        joined.calls++;
        joined.fitting += residence && place(residence, &calls[i]);
    }
    return joined;
}

bool server_residence_place(const struct server_residence *residence, struct call_times *call)
{
    return can_be_joined(call) && place(residence, call);
}
