/* Sets the timestamps that follow from the kernel's events, of calls under load: those of the
 * server and, if the client is on this machine, of the client's wake-up. */
#include <errno.h>
#include <stdlib.h>

#include "explain/kernel/server_timestamps.h"
#include "explain/phases/load_log.h"

/* The sequence number of position 0. */
struct stream_base {
    uint32_t sequence;
    bool known;
};

/* Events in the streams of a connection. In the list SEND, a mark's END is the position of the
 * first byte sent; in all other lists, the position after the last byte that the mark covers. */
enum stream_list { ARRIVED, READ, SEND, SENT, REPLY_ARRIVED, STREAM_LISTS };

struct stream_marks {
    struct load_marks lists[STREAM_LISTS];
    struct stream_base requests, replies;
};

struct load_server {
    const struct load_log *log;
    const struct server_events *events;
    struct stream_marks *streams; /* one per connection */
    /* calls with the server's timestamps, sorted by connection, then by the reply's position */
    struct load_call **order;
    const struct load_mark **sends; /* SEND marks of the calls in ORDER */
    size_t count;
};

/* Marks */

static void free_server(struct load_server *server)
{
    for (size_t i = 0; server->streams && i < server->log->connection_count; i++)
        for (size_t j = 0; j < STREAM_LISTS; j++)
            free(server->streams[i].lists[j].list);
    free(server->streams);
    free(server->order);
    free(server->sends);
}

static struct stream_marks *stream_of(struct load_server *server, uint32_t port)
{
    for (size_t i = 0; port && i < server->log->connection_count; i++)
        if (server->log->connections[i].port == port)
            return &server->streams[i];
    return NULL;
}

static struct stream_base base_of(const struct kernel_event *event)
{
    return (struct stream_base){event->sequence - event->position, true};
}

/* Find the sequence number of position 0 in each stream, from events with a sequence number and a
 * position. If the client is on another machine, no reply arrives here, so the first send() of a
 * reply is used instead. */
static void find_bases(struct load_server *server)
{
    bool of_sends = server->events->client_thread == 0;

    for (size_t i = 0; i < server->events->count; i++) {
        const struct kernel_event *event = &server->events->list[i];
        struct stream_marks *stream = stream_of(server, event->port);

        if (stream && event->type == KERNEL_REQUEST_ARRIVED)
            stream->requests = base_of(event);
        else if (stream &&
                 (event->type == KERNEL_REPLY_ARRIVED ||
                  (event->type == KERNEL_SEND_ENTERED && of_sends && !stream->replies.known)))
            stream->replies = base_of(event);
    }
}

/* Return when the receiving system call that EVENT ends began; if unknown, EVENT's own time. */
static uint64_t entered_at(const struct server_events *events, const struct kernel_event *event)
{
    for (const struct kernel_event *before = event; before-- > events->list;)
        if (before->thread == event->thread && before->type == KERNEL_RECEIVE_ENTERED)
            return before->at_ns;
    return event->at_ns;
}

/* Add EVENT to the marks of its stream, if it belongs to a stream whose base (struct stream_base)
 * is known. Returns 0 or -ENOMEM. */
static int add_event_mark(struct load_server *server, const struct kernel_event *event)
{
    static const struct {
        bool marks, of_replies;
        enum stream_list list;
    } types[] = {[KERNEL_REQUEST_ARRIVED] = {true, false, ARRIVED},
                 [KERNEL_REPLY_ARRIVED] = {true, true, REPLY_ARRIVED},
                 [KERNEL_RECEIVED] = {true, false, READ},
                 [KERNEL_SEND_ENTERED] = {true, true, SEND},
                 [KERNEL_SENT] = {true, true, SENT},
                 [KERNEL_RECEIVE_ENTERED] = {false}};
    struct stream_marks *stream = stream_of(server, event->port);
    const struct stream_base *base;
    struct load_mark mark = {.at = event->at_ns, .until = event->at_ns, .thread = event->thread};

    if (!stream || !types[event->type].marks)
        return 0;
    base = types[event->type].of_replies ? &stream->replies : &stream->requests;
    mark.end = event->sequence - base->sequence;
    if (event->type == KERNEL_RECEIVED)
        mark.at = entered_at(server->events, event);
    return base->known ? load_marks_add(&stream->lists[types[event->type].list], mark) : 0;
}

static int prepare_marks(struct load_server *server)
{
    const struct load_log *log = server->log;
    int code = 0;

    server->streams = calloc(log->connection_count + 1, sizeof *server->streams);
    server->order = calloc(log->count + 1, sizeof *server->order);
    server->sends = calloc(log->count + 1, sizeof *server->sends);
    if (!server->streams || !server->order || !server->sends)
        return -ENOMEM;
    find_bases(server);
    for (size_t i = 0; i < server->events->count && code == 0; i++)
        code = add_event_mark(server, &server->events->list[i]);
    return code;
}

/* Threads */

static struct thread_start start_of(const struct load_server *server, uint32_t thread,
                                    uint64_t from, uint64_t until)
{
    return thread_start_find(server_events_between(server->events, from, until), thread, from,
                             until);
}

/* Return true if THREAD read or sent anything after FROM and before UNTIL. */
static bool does_io(const struct load_server *server, uint32_t thread, uint64_t from,
                    uint64_t until)
{
    struct event_window window = server_events_between(server->events, from + 1, until - 1);

    for (const struct kernel_event *event = window.first; event < window.end; event++)
        if (event->thread == thread &&
            (event->type == KERNEL_SEND_ENTERED || event->type == KERNEL_RECEIVED))
            return true;
    return false;
}

static bool goes_to_sleep(const struct kernel_event *event, uint32_t thread)
{
    return event->thread == thread && event->type == KERNEL_SWITCHED_OUT && !event->preempted;
}

static bool thread_sleeps(const struct load_server *server, uint32_t thread, uint64_t from,
                          uint64_t until)
{
    struct event_window window = server_events_between(server->events, from, until);

    for (const struct kernel_event *event = window.first; event < window.end; event++)
        if (goes_to_sleep(event, thread))
            return true;
    return false;
}

/* Return when THREAD last answered another call between FROM and UNTIL; 0: never, or THREAD slept
 * in between. If THREAD slept, its calls were not delayed by one another. */
static uint64_t busy_until(const struct load_server *server, uint32_t thread, uint64_t from,
                           uint64_t until)
{
    struct event_window window = server_events_between(server->events, from, until - 1);
    uint64_t last = 0;

    for (const struct kernel_event *event = window.first; event < window.end; event++) {
        if (goes_to_sleep(event, thread))
            return 0;
        if (event->thread == thread && event->type == KERNEL_SEND_ENTERED)
            last = event->at_ns;
    }
    return last;
}

/* Timestamps of a call */

static uint64_t later_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void set_reading_timestamps(const struct load_server *server, const struct load_mark *read,
                                   uint64_t *at)
{
    uint64_t arrived = at[TIMESTAMP_REQUEST_ARRIVED];
    uint64_t runs = thread_start_set_timestamps(
        server_events_between(server->events, arrived, read->until), read->thread, read->until, at);
    uint64_t free = later_of(arrived, runs);

    at[TIMESTAMP_REQUEST_READ] = read->until;
    if (read->at > free && (!runs || does_io(server, read->thread, free, read->at)))
        at[TIMESTAMP_READ_ENTERED] = read->at;
}

/* Return when the thread that sent the reply (SEND) could begin to work on the call, if this was
 * after the call was read (READ): when the thread had answered another call or, if it slept then,
 * when it got a processor. 0: it could begin at once, or it is unknown. */
static uint64_t worker_free(const struct load_server *server, const struct load_mark *read,
                            const struct load_mark *send)
{
    uint64_t free = busy_until(server, send->thread, read->until, send->at);
    struct thread_start start = {0};

    if (send->thread != read->thread)
        start = start_of(server, send->thread, read->until, send->at);
    return later_of(free, start.waker || !start.woken ? start.runs : 0);
}

/* Return the last mark whose position is not after POSITION, or NULL. */
static const struct load_mark *last_mark(const struct load_marks *marks, uint32_t position)
{
    const struct load_mark *next = load_marks_find(marks, position + 1);

    if (marks->count == 0 || next == marks->list)
        return NULL;
    return next ? next - 1 : &marks->list[marks->count - 1];
}

static void set_server_timestamps(struct load_server *server, struct load_call *call)
{
    const struct stream_marks *stream = &server->streams[call->connection];
    const struct load_mark *arrived = load_marks_find(&stream->lists[ARRIVED], call->request_end);
    const struct load_mark *read = load_marks_find(&stream->lists[READ], call->request_end);
    const struct load_mark *send = last_mark(&stream->lists[SEND], call->reply_begin);
    const struct load_mark *sent = load_marks_find(&stream->lists[SENT], call->reply_end);
    uint64_t *at = call->times.at;

    if (!arrived || !read || !send || read->until < arrived->at || send->at < read->until)
        return;
    at[TIMESTAMP_REQUEST_ARRIVED] = arrived->at;
    load_log_correct_sending(at, arrived->at);
    set_reading_timestamps(server, read, at);
    at[TIMESTAMP_WORKER_RUNS] = worker_free(server, read, send);
    at[TIMESTAMP_REPLY_READY] = send->at;
    if (sent)
        at[TIMESTAMP_REPLY_SENT] = sent->at;
    server->order[server->count] = call;
    server->sends[server->count++] = send;
}

static void set_client_timestamps(const struct load_server *server, struct load_call *call)
{
    const struct stream_marks *stream = &server->streams[call->connection];
    const struct load_mark *mark = load_marks_find(&stream->lists[REPLY_ARRIVED], call->reply_end);
    uint64_t *at = call->times.at, free;
    struct thread_start start;

    if (!mark || mark->at > at[TIMESTAMP_REPLY_READ])
        return;
    start = start_of(server, call->thread, mark->at, at[TIMESTAMP_REPLY_READ]);
    at[TIMESTAMP_REPLY_ARRIVED] = mark->at;
    at[TIMESTAMP_CLIENT_WOKEN] = start.woken;
    at[TIMESTAMP_CLIENT_RUNS] = start.runs;
    free = later_of(mark->at, start.runs);
    at[TIMESTAMP_RECEIVE_ENTERED] = 0;
    if (call->receive_entered > free && (!start.runs || call->busy_before > free))
        at[TIMESTAMP_RECEIVE_ENTERED] = call->receive_entered;
}

/* Batches: calls whose replies one send() sends */

static uint64_t begin_of_work(const struct load_call *call)
{
    return later_of(call->times.at[TIMESTAMP_WORKER_RUNS], call->times.at[TIMESTAMP_REQUEST_READ]);
}

/* Divide the time from the begin of work on the first call until ENTERED, when the replies are
 * sent, into COUNT equal times, one for the work on each call. */
static void divide_batch(struct load_call *const *calls, size_t count, uint64_t entered)
{
    uint64_t began = begin_of_work(calls[0]);
    double part = (double)(entered - began) / (double)count;

    for (size_t i = 0; i < count; i++) {
        uint64_t *at = calls[i]->times.at, from = began + (uint64_t)(part * (double)i);
        uint64_t until = began + (uint64_t)(part * (double)(i + 1));

        if (from > begin_of_work(calls[i]))
            at[TIMESTAMP_WORKER_RUNS] = from;
        at[TIMESTAMP_REPLY_READY] = later_of(begin_of_work(calls[i]), until);
        if (at[TIMESTAMP_REPLY_READY] < entered)
            at[TIMESTAMP_REPLY_ENTERED] = entered;
    }
}

static int by_reply(const void *a, const void *b)
{
    const struct load_call *x = *(struct load_call *const *)a, *y = *(struct load_call *const *)b;

    if (x->connection != y->connection)
        return x->connection < y->connection ? -1 : 1;
    return (int32_t)(x->reply_begin - y->reply_begin) < 0 ? -1 : 1;
}

static void divide_batches(struct load_server *server)
{
    for (size_t from = 0, until; from < server->count; from = until) {
        const struct load_mark *send = server->sends[from];

        for (until = from + 1; until < server->count && server->sends[until] == send;)
            until++;
        if (until - from > 1 &&
            !thread_sleeps(server, send->thread, begin_of_work(server->order[from]), send->at))
            divide_batch(server->order + from, until - from, send->at);
    }
}

static bool is_known(const struct load_call *call)
{
    return call->answered && !call->times.retransmitted;
}

long load_server_timestamps(const struct load_log *log, const struct server_events *events)
{
    struct load_server server = {.log = log, .events = events};
    struct load_call **calls = calloc(log->count + 1, sizeof *calls);
    size_t count = 0;
    int code = calls ? prepare_marks(&server) : -ENOMEM;

    for (size_t i = 0; i < log->count && code == 0; i++)
        if (is_known(&log->calls[i]))
            calls[count++] = &log->calls[i];
    if (count > 0)
        qsort(calls, count, sizeof *calls, by_reply);
    for (size_t i = 0; i < count; i++) {
        set_server_timestamps(&server, calls[i]);
        set_client_timestamps(&server, calls[i]);
    }
    divide_batches(&server);
    free_server(&server);
    free(calls);
    return code ? code : (long)server.count;
}
