#include "explain/kernel/server_timestamps.h"

#include "common/append.h"

/* Events in an interval, and starts of threads */

static const struct kernel_event *first_from(const struct server_events *events, uint64_t at)
{
    size_t low = 0, high = events->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (events->list[middle].at_ns < at)
            low = middle + 1;
        else
            high = middle;
    }
    return events->list + low;
}

struct server_events server_events_take(struct trace *trace, const struct trace_request *request,
                                        uint64_t *lost)
{
    struct trace_events seen;

    trace_enable(trace, false);
    seen = trace_read(trace);
    *lost = seen.lost;
    return (struct server_events){.list = seen.list,
                                  .count = seen.count,
                                  .client_thread = (uint32_t)request->client_thread,
                                  .server_process = (uint32_t)request->server_process};
}

struct event_window server_events_between(const struct server_events *events, uint64_t from,
                                          uint64_t until)
{
    return (struct event_window){.first = first_from(events, from),
                                 .end = first_from(events, until + 1),
                                 .client_thread = events->client_thread,
                                 .server_process = events->server_process};
}

static uint32_t waker_of(struct event_window window, const struct kernel_event *event)
{
    bool is_server = event->other_process == window.server_process &&
                     event->other != window.client_thread && event->other != event->thread;

    return is_server ? event->other : 0;
}

struct thread_start thread_start_find(struct event_window window, uint32_t thread, uint64_t from,
                                      uint64_t until)
{
    struct thread_start start = {0};

    for (const struct kernel_event *event = window.first; event < window.end; event++) {
        if (event->thread != thread || event->at_ns < from || event->at_ns > until)
            continue;
        if (event->type == KERNEL_WOKEN) {
            start.woken = event->at_ns;
            start.waker = waker_of(window, event);
        } else if (event->type == KERNEL_SWITCHED_OUT && event->preempted && !start.woken) {
            break;
        } else if (event->type == KERNEL_SWITCHED_IN) {
            start.runs = event->at_ns;
            return start;
        }
    }
    return (struct thread_start){0};
}

uint64_t thread_start_set_timestamps(struct event_window window, uint32_t reader, uint64_t until,
                                     uint64_t *at)
{
    enum { CHAIN_MAXIMUM = 8 }; /* longest chain of wakeups; known servers have two */
    uint64_t arrived = at[TIMESTAMP_REQUEST_ARRIVED];
    struct thread_start start = thread_start_find(window, reader, arrived, until);
    uint64_t runs = start.runs;

    if (start.waker) {
        at[TIMESTAMP_READER_WOKEN] = start.woken;
        at[TIMESTAMP_READER_RUNS] = start.runs;
    }
    for (int i = 0; i < CHAIN_MAXIMUM && start.waker; i++)
        start = thread_start_find(window, start.waker, arrived, start.woken);
    at[TIMESTAMP_SERVER_WOKEN] = start.woken;
    at[TIMESTAMP_SERVER_RUNS] = start.runs;
    return runs;
}

/* Calls one at a time */

static const struct kernel_event *last_event(struct event_window window,
                                             enum kernel_event_type type, uint64_t until)
{
    const struct kernel_event *found = NULL;

    for (const struct kernel_event *event = window.first;
         event < window.end && event->at_ns <= until; event++)
        if (event->type == type)
            found = event;
    return found;
}

/* Return the time of the last event of TYPE from FROM to UNTIL; 0 if there is none. */
static uint64_t last_event_ns(struct event_window window, enum kernel_event_type type,
                              uint64_t from, uint64_t until)
{
    const struct kernel_event *event = last_event(window, type, until);

    return event && event->at_ns >= from ? event->at_ns : 0;
}

/* Return the first send() of the reply with XID; NULL if there is none. A server that also answers
 * a retransmission sends the reply twice. */
static const struct kernel_event *reply_of(struct event_window window, uint32_t xid)
{
    for (const struct kernel_event *event = window.first; event < window.end; event++)
        if (event->type == KERNEL_SEND_ENTERED && event->xid == xid)
            return event;
    return NULL;
}

/* If the thread that sends REPLY did not read the request, set when this thread was woken and ran.
 * If something else than the server woke the thread (such as a timer that delays the reply), the
 * thread did not get the request at that time, so nothing is set. */
static void fill_in_worker(struct event_window window, const struct kernel_event *read,
                           const struct kernel_event *reply, struct call_times *call)
{
    struct thread_start start;

    if (reply->thread == read->thread)
        return;
    start = thread_start_find(window, reply->thread, read->at_ns, reply->at_ns);
    if (start.waker || !start.woken) {
        call->at[TIMESTAMP_WORKER_WOKEN] = start.woken;
        call->at[TIMESTAMP_WORKER_RUNS] = start.runs;
    }
}

/* Return when the request that was answered at UNTIL arrived in the socket; 0: unknown. READ is the
 * event of reading the request, or NULL. The kernel reports a datagram after queueing it, so a
 * polling server may read the datagram before the report. The time of READ is returned then. */
static uint64_t arrival_of(struct event_window window, const struct kernel_event *read,
                           uint64_t until)
{
    uint64_t arrived = last_event_ns(window, KERNEL_REQUEST_ARRIVED, 0, read ? read->at_ns : until);

    if (arrived || !read)
        return arrived;
    return last_event(window, KERNEL_REQUEST_ARRIVED, until) ? read->at_ns : 0;
}

static void fill_in_server(struct event_window window, const struct kernel_event *reply,
                           struct call_times *call)
{
    const struct kernel_event *read = last_event(window, KERNEL_RECEIVED, reply->at_ns);

    call->at[TIMESTAMP_REPLY_ENTERED] = reply->at_ns;
    call->at[TIMESTAMP_REQUEST_ARRIVED] = arrival_of(window, read, reply->at_ns);
    if (!read)
        return;
    call->at[TIMESTAMP_REQUEST_READ] = read->at_ns;
    if (call->at[TIMESTAMP_REQUEST_ARRIVED])
        thread_start_set_timestamps(window, read->thread, read->at_ns, call->at);
    fill_in_worker(window, read, reply, call);
}

static void fill_in_client(struct event_window window, uint64_t sent_from, struct call_times *call)
{
    uint64_t read = call->at[TIMESTAMP_REPLY_READ];
    uint64_t arrived = last_event_ns(window, KERNEL_REPLY_ARRIVED, sent_from, read);
    struct thread_start start;

    call->at[TIMESTAMP_REPLY_SENT] =
        last_event_ns(window, KERNEL_SENT, sent_from, arrived ? arrived : read);
    if (!arrived)
        return;
    start = thread_start_find(window, window.client_thread, arrived, read);
    call->at[TIMESTAMP_REPLY_ARRIVED] = arrived;
    call->at[TIMESTAMP_CLIENT_WOKEN] = start.woken;
    call->at[TIMESTAMP_CLIENT_RUNS] = start.runs;
}

bool server_timestamps(const struct server_events *events, struct call_times *call)
{
    const uint64_t *at = call->at;
    struct event_window window =
        server_events_between(events, at[TIMESTAMP_SEND_ENTERED], at[TIMESTAMP_REPLY_READ]);
    const struct kernel_event *reply = reply_of(window, call->xid);

    if (!reply)
        return false;
    fill_in_server(window, reply, call);
    fill_in_client(window, reply->at_ns, call);
    return at[TIMESTAMP_REQUEST_ARRIVED] && at[TIMESTAMP_REQUEST_READ] &&
           at[TIMESTAMP_REPLY_ENTERED];
}

static bool has_event(const struct server_events *events, enum kernel_event_type type)
{
    for (size_t i = 0; i < events->count; i++)
        if (events->list[i].type == type)
            return true;
    return false;
}

void server_timestamps_missing(const struct server_events *events, char *text, size_t size)
{
    static const struct {
        enum kernel_event_type type;
        const char *name;
    } needed[] = {{KERNEL_REQUEST_ARRIVED, "request arrived (in the server's socket)"},
                  {KERNEL_RECEIVED, "request read (a receiving system call)"},
                  {KERNEL_SEND_ENTERED, "reply entered (a sending system call)"}};

    text[0] = '\0';
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!has_event(events, needed[i].type))
            append_item(text, size, "%s", needed[i].name);
}

uint32_t server_timestamps_reader(const struct server_events *events)
{
    for (size_t i = 0; i < events->count; i++)
        if (events->list[i].type == KERNEL_RECEIVED)
            return events->list[i].process;
    return 0;
}
